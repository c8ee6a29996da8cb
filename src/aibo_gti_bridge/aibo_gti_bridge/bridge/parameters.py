# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from aibo_gti_bridge.model.poses import (
    MAX_FORWARD_M_S,
    MAX_SIDEWAYS_M_S,
    MAX_TURN_RAD_S,
    STEP_PERIOD_S,
)
from legacy_robots_common.bridge.first_connection import BridgeParameters
from legacy_robots_common.goals.velocity import VelocityLimits
from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters(BridgeParameters):
    """Read once at the start."""

    wire: str = parameter(
        "gti",
        "what runs on the robot: gti, a GTI server; tekkotsu, Tekkotsu with its own ports",
        choices=("gti", "tekkotsu"),
        group="The connection.",
    )
    host: str = parameter("127.0.0.1", "address of the robot, or of the simulator")
    port: int = parameter(
        0,
        "TCP port of the GTI server or of Tekkotsu's menu; 0: 10100 or 10020",
        minimum=0,
        maximum=65535,
    )
    wire_overlays: str = parameter(
        "",
        "changes to GTI's wire table (docs/aibo.md#the-wire), in order, separated by commas: "
        "acknowledged, ball-int-first-32, or paths of YAML files",
    )
    reply_timeout: float = parameter(
        1.0,
        "seconds in which the robot must answer; then the bridge connects anew",
        minimum=0.05,
        maximum=60.0,
    )

    sensor_rate: float = parameter(
        31.25,
        "sensor readings per second; the robot has new values every 32 ms",
        minimum=1.0,
        maximum=100.0,
        group="Sensors.",
    )
    ball_rate: float = parameter(
        15.0,
        "queries per second for each ball colour that has a subscriber or is searched for",
        minimum=0.5,
        maximum=30.0,
    )
    ir_field_of_view: float = parameter(
        0.1,
        "field of view in the Range messages, rad; the original's is not documented",
        minimum=0.001,
        maximum=3.0,
    )
    accelerometer_signs: list[float] = parameter(
        [-1.0, 1.0, -1.0],
        "factors that turn BAccel, LAccel, DAccel into x, y, z; check them on a real robot",
        minimum=-1.0,
        maximum=1.0,
        items=3,
    )

    frame_prefix: str = parameter("", "put before every frame, such as aibo_2/", group="Frames.")
    publish_tf: bool = parameter(
        True, "broadcast the links' transforms; false where a robot_state_publisher does"
    )
    enable_odom_tf: bool = parameter(
        True,
        "broadcast odom → base_footprint → base_link, by dead reckoning; false where another node "
        "computes odometry",
    )
    publish_description: bool = parameter(True, "publish the URDF on robot_description, latched")

    enable_stamped_cmd_vel: bool = parameter(
        False,
        "cmd_vel is a TwistStamped instead of a Twist; Nav2's name for it and, in Jazzy, its "
        "default",
        group="Walking.",
    )
    cmd_vel_timeout: float = parameter(
        0.5, "seconds after the last cmd_vel until the robot stops", minimum=0.05, maximum=10.0
    )
    max_forward: float = parameter(
        MAX_FORWARD_M_S,
        "limit forward and backward, m/s; of Tekkotsu's default gait",
        minimum=0.0,
        maximum=1.0,
    )
    max_sideways: float = parameter(
        MAX_SIDEWAYS_M_S, "limit to the sides, m/s; of the same gait", minimum=0.0, maximum=1.0
    )
    max_turn: float = parameter(
        MAX_TURN_RAD_S, "limit of turning, rad/s; of the same gait", minimum=0.0, maximum=6.0
    )
    step_period: float = parameter(
        STEP_PERIOD_S,
        "seconds of one step, for the time that walk_steps takes; 0.335 in Tekkotsu's walk.prm",
        minimum=0.05,
        maximum=5.0,
    )

    search_mode: str = parameter(
        "scan",
        "scan: the bridge moves the head; native: the robot's searchBall, which blocks even "
        "a stop",
        choices=("scan", "native"),
        group="The ball.",
    )
    search_timeout: float = parameter(
        20.0, "seconds that a search may take", minimum=0.5, maximum=600.0
    )

    motion_directory: str = parameter(
        "",
        "directory with copies of the robot's .mot files, for names and durations; empty: our "
        "examples",
        group="Motions.",
    )
    unknown_motion_duration: float = parameter(
        0.0,
        "seconds that a motion without a copy is taken to last; 0: refuse it",
        minimum=0.0,
        maximum=600.0,
    )

    goal_tolerance: float = parameter(
        0.05,
        "rad by which each joint may be off at the end of a trajectory; 0: any",
        minimum=0.0,
        maximum=3.2,
        group="Joints: what counts where a goal of follow_joint_trajectory does not say.",
    )
    path_tolerance: float = parameter(
        0.0, "rad by which each joint may be off on the way; 0: any", minimum=0.0, maximum=3.2
    )
    goal_time_tolerance: float = parameter(
        0.5, "seconds that the end may come late", minimum=0.0, maximum=60.0
    )
    full_rotor_range: bool = parameter(
        False,
        "let the front legs' rotors turn to Tekkotsu 4.0's 130°, not ±115°; check your robot "
        "first",
    )

    @property
    def velocity_limits(self) -> VelocityLimits:
        """The limits of cmd_vel."""
        return VelocityLimits(
            self.max_forward, self.max_sideways, self.max_turn, self.cmd_vel_timeout
        )
