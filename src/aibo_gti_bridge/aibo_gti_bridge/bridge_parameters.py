# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from aibo_gti_bridge.poses import MAX_FORWARD_M_S, MAX_SIDEWAYS_M_S, MAX_TURN_RAD_S, STEP_PERIOD_S
from aibo_gti_bridge.velocity import VelocityLimits
from legacy_robots_common.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Read once at the start; see config/aibo.yaml for their defaults with comments."""

    host: str = parameter("127.0.0.1", "address of the GTI server")
    port: int = parameter(
        0, "TCP port of the GTI server; 0: the wire table's, 10100", minimum=0, maximum=65535
    )
    wire_overlays: str = parameter(
        "", "what changes the wire table, in order, separated by commas: names of overlays or "
        "paths of YAML files",
    )  # fmt: skip
    reply_timeout: float = parameter(
        1.0, "seconds in which the robot must answer", minimum=0.05, maximum=60.0
    )
    sensor_rate: float = parameter(
        31.25, "sensor readings per second; the robot has new ones at 31.25 Hz",
        minimum=1.0, maximum=100.0,
    )  # fmt: skip
    ball_rate: float = parameter(
        15.0, "ball queries per second for each colour that is wanted", minimum=0.5, maximum=30.0
    )
    frame_prefix: str = parameter("", "put before every frame, such as 'aibo_2/'")
    publish_tf: bool = parameter(True, "broadcast the transforms between the robot's links")
    enable_odom_tf: bool = parameter(
        True, "broadcast odom → base_footprint → base_link, the dead reckoning of odom"
    )
    publish_description: bool = parameter(True, "publish the URDF on robot_description, latched")
    ir_field_of_view: float = parameter(
        0.1, "rad, field of view in the Range messages; the original's is not documented",
        minimum=0.001, maximum=3.0,
    )  # fmt: skip
    accelerometer_signs: list[float] = parameter(
        [-1.0, 1.0, -1.0], "factors that turn BAccel, LAccel and DAccel into x, y and z",
        minimum=-1.0, maximum=1.0,
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, "cmd_vel is a TwistStamped instead of a Twist")
    cmd_vel_timeout: float = parameter(
        0.5,
        "seconds after the last cmd_vel until the robot is stopped",
        minimum=0.05,
        maximum=10.0,
    )
    max_forward: float = parameter(
        MAX_FORWARD_M_S, "m/s, forward and backward; of the default gait", minimum=0.0, maximum=1.0
    )
    max_sideways: float = parameter(
        MAX_SIDEWAYS_M_S, "m/s, to the sides; of the default gait", minimum=0.0, maximum=1.0
    )
    max_turn: float = parameter(
        MAX_TURN_RAD_S, "rad/s; of the default gait", minimum=0.0, maximum=6.0
    )
    step_period: float = parameter(
        STEP_PERIOD_S, "seconds of one step of the gait, for the time that walk_steps takes",
        minimum=0.05, maximum=5.0,
    )  # fmt: skip
    search_mode: str = parameter(
        "scan",
        "scan: the bridge moves the head and can be cancelled; native: the robot's searchBall, "
        "which blocks everything until it ends",
        choices=("scan", "native"),
    )
    search_timeout: float = parameter(
        20.0, "seconds that a search may take", minimum=0.5, maximum=600.0
    )
    motion_directory: str = parameter(
        "", "copies of the robot's motion files, for names and durations; empty: our examples"
    )
    unknown_motion_duration: float = parameter(
        0.0, "seconds that a motion without a local copy is taken to last; 0: refuse it",
        minimum=0.0, maximum=600.0,
    )  # fmt: skip
    goal_tolerance: float = parameter(
        0.05, "rad, default of follow_joint_trajectory for each joint at the end; 0: none",
        minimum=0.0, maximum=3.2,
    )  # fmt: skip
    path_tolerance: float = parameter(
        0.0, "rad, default of follow_joint_trajectory for each joint on the way; 0: none",
        minimum=0.0, maximum=3.2,
    )  # fmt: skip
    goal_time_tolerance: float = parameter(
        0.5, "seconds that a trajectory's end may come late, by default", minimum=0.0, maximum=60.0
    )
    full_rotor_range: bool = parameter(
        False, "let the legs' rotors turn as far as Tekkotsu says, beyond the ±115° that both "
        "readings of Sony's document allow",
    )  # fmt: skip

    @property
    def velocity_limits(self) -> VelocityLimits:
        """The limits of cmd_vel."""
        return VelocityLimits(
            self.max_forward, self.max_sideways, self.max_turn, self.cmd_vel_timeout
        )
