# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.bridge.first_connection import BridgeParameters
from legacy_robots_common.goals.velocity import VelocityLimits
from legacy_robots_common.node.parameters import parameter


def _of_walk(meaning: str, maximum: float, minimum: float = 0.0) -> float:
    """Return a parameter of the walk: those of luar_bridge.protocol.ros_body.WALK_PARAMETERS."""
    text = f"with walk_commands: {meaning}; 0: the robot's own"
    return parameter(0.0, text, minimum=minimum, maximum=maximum, read_only=False)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Parameters(BridgeParameters):
    """Read once at the start, but for those of the walk."""

    team: int = parameter(
        0,
        "number of the team: Webots 0 or 1, on a Nao what its configuration says",
        minimum=0,
        maximum=999,
        group="The robot, and its shared memory. Launch arguments: `players` overrules `player` "
        "and starts one bridge each, `profile` overrules `joints`, `layout` overrules "
        "`tables`.",
    )
    player: int = parameter(1, "number of the player, counted from 1", minimum=0, maximum=999)
    user: str = parameter(
        "simulated",
        "$USER of the robot's processes, the end of the segments' names; may be empty",
    )
    personal_names: bool = parameter(
        True,
        "segments end with team, player and user; false: Luar of before October 2011, without "
        "suffix",
    )
    joints: bool = parameter(
        True, "dcmSensor and dcmActuator, whose names have no suffix, are this robot's"
    )
    platform: str = parameter(
        "nao",
        "robot that they are of: its joints and their limits; rviz has a model of nao alone",
        choices=("nao", "darwin_op"),
    )
    memory_directory: str = parameter(
        "/dev/shm", "where the segments are; another directory for copies of segments"
    )
    tables: list[str] = parameter(
        ["document"],
        "layout tables: document, upenn_2013, upenn_2016, example_tcm or files of your own; "
        "later ones add",
    )

    writable: list[str] = parameter(
        [""],
        "variables that set_variable may write, such as vcmCamera.command or tcmSegment1.*; "
        "empty: none",
        group="Writing into the memory, and moving the joints.",
    )
    creatable: list[str] = parameter(
        [""],
        "variables that create_variable may make, with their segment, or give another length, "
        "such as tcmSegment1.*; empty: none",
    )
    joint_commands: bool = parameter(
        False,
        "move the joints by follow_joint_trajectory and joint_trajectory; `writable` has to name "
        "dcmActuator.command as well",
    )
    joint_path_tolerance: float = parameter(
        0.0,
        "error of a joint on the way, rad, where the goal has none; 0: any",
        minimum=0.0,
        maximum=10.0,
    )
    joint_goal_tolerance: float = parameter(
        0.1,
        "error of a joint at the end, rad, where the goal has none; 0: any",
        minimum=0.0,
        maximum=10.0,
    )
    joint_goal_time_tolerance: float = parameter(
        1.0,
        "seconds that joints may come late, where the goal has none",
        minimum=0.0,
        maximum=60.0,
    )
    motion_directory: str = parameter(
        "",
        "directory of keyframe motions, such as the robot's Motion/keyframes, besides those "
        "of luar_tools",
    )
    walk_commands: bool = parameter(
        False,
        "walk by cmd_vel, kick and get_up (docs/luar_commands.md#walking); `writable` has to "
        "name rcmBody.* too",
    )
    enable_stamped_cmd_vel: bool = parameter(
        False,
        "cmd_vel is a TwistStamped instead of a Twist; Nav2's name for it and, in Jazzy, its "
        "default",
    )
    cmd_vel_timeout: float = parameter(
        0.4, "seconds after the last cmd_vel until the robot stops", minimum=0.05, maximum=10.0
    )
    max_forward: float = parameter(
        0.16,
        "limit of cmd_vel forward and backward, m/s; the robot's walk has its own besides",
        minimum=0.0,
        maximum=1.0,
    )
    max_sideways: float = parameter(
        0.1, "limit of cmd_vel to the side, m/s", minimum=0.0, maximum=1.0
    )
    max_turn: float = parameter(1.0, "limit of cmd_vel's turning, rad/s", minimum=0.0, maximum=5.0)
    walk_step_time: float = _of_walk("duration of a step, s, from 0.2", 1.0)
    walk_body_height: float = _of_walk("height of the torso above the ground, m, from 0.2", 0.35)
    walk_step_height: float = _of_walk("height of a foot that swings, m, from 0.002", 0.06)
    walk_foot_y: float = _of_walk("half the distance of the feet, m, from 0.03", 0.08)
    walk_support_x: float = _of_walk("torso ahead of the feet, m", 0.05, -0.03)
    walk_support_y: float = _of_walk("supporting foot's load to its side, m, from 0.002", 0.05)
    game_controller: str = parameter(
        "",
        "address for the GameController's broadcast (docs/luar_match.md), such as 0.0.0.0; "
        "written where `writable` has gcmGame.*; empty: none",
    )
    game_controller_senders: list[str] = parameter(
        [""],
        "addresses or networks (10.0.0.0/16) from which its broadcast is accepted; empty: all",
    )
    game_controller_return: bool = parameter(
        False,
        "answer it with the robot's pose and ball; `team` has to be from 1 to 255",
    )
    game_controller_relay: str = parameter(
        "none",
        "message of game_controller_spl_interfaces as which the broadcast is published on gc/data "
        "too",
        choices=("none", "RCGCD15", "RCGCD16"),
    )
    team_messages: str = parameter(
        "",
        "address for the team's messages, such as 0.0.0.0 or 0.0.0.0:54321; empty: none",
    )
    team_messages_to: str = parameter(
        "",
        "address for the robot's own, such as 192.168.0.255; needs team_messages; empty: none",
    )
    team_messages_form: str = parameter(
        "lua",
        "form of the robot's own (docs/luar_commands.md); all are heard",
        choices=("lua", "standard", "standard_7", "standard_8", "r2r"),
    )

    scan_rate: float = parameter(
        100.0,
        "least rate at which variables with subscribers are read, Hz; counts are seen sooner",
        minimum=1.0,
        maximum=1000.0,
        group="Reading.",
    )
    stale_after: float = parameter(
        1.0,
        "seconds after which a process whose count stands still is reported",
        minimum=0.05,
        maximum=3600.0,
    )
    mirror_rate: float = parameter(
        10.0,
        "greatest rate at which a segment is published under segments/, Hz; 0: never",
        minimum=0.0,
        maximum=100.0,
    )
    behaviour_rate: float = parameter(
        10.0,
        "rate at which the state machines are looked at for the topic behaviour, Hz; 0: never",
        minimum=0.0,
        maximum=100.0,
    )
    state_machines: list[str] = parameter(
        [""],
        "files of its state machines, such as Player/BodyFSM/NaoPlayer/BodyFSM.lua, for "
        "behaviour_graph",
    )
    mirror_length: int = parameter(
        1024,
        "numbers; longer variables are mirrored by name and length only",
        minimum=0,
        maximum=1_000_000,
    )

    colors: str = parameter(
        "webots",
        "how image_rgb is made: webots inverts the packing of the Webots controller",
        choices=("webots", "standard"),
        group="Images and vision.",
    )
    focal_widths: float = parameter(
        1.0,
        "focal length in widths of the image: Webots 1.0, Nao 1.197",
        minimum=0.1,
        maximum=100.0,
    )
    camera_height: float = parameter(
        0.41,
        "m from the ground to the head joint, the origin of what is seen",
        minimum=0.0,
        maximum=10.0,
    )

    acceleration_scale: float = parameter(
        0.0,
        "m/s² of one step of imuAcc",
        minimum=-1000.0,
        maximum=1000.0,
        group="The IMU. The scale of its raw readings is not known; 0: not calibrated, covariance "
        "-1.",
    )
    rotation_scale: float = parameter(
        0.0, "rad/s of one step of imuGyr", minimum=-1000.0, maximum=1000.0
    )
    inclination_deviation: float = parameter(
        0.02, "standard deviation of roll and pitch, rad", minimum=0.0, maximum=100.0
    )

    position_deviation: float = parameter(
        0.2,
        "standard deviation of the position where there are no particles, m",
        minimum=0.0,
        maximum=100.0,
        group="The pose. The document's Luar does not publish its particles.",
    )
    heading_deviation: float = parameter(
        0.2,
        "standard deviation of the heading where there are no particles, rad",
        minimum=0.0,
        maximum=100.0,
    )

    map_frame: str = parameter(
        "map",
        "the field, origin in its centre, x to the yellow goal; all robots share it",
        group="Frames.",
    )
    odom_frame: str = parameter("odom", "origin of the walk's odometry")
    base_frame: str = parameter("base_footprint", "the robot on the ground")
    frame_prefix: str = parameter(
        "", "put before every frame but the map's, such as player_2/; launch sets it"
    )
    publish_tf: bool = parameter(
        True, "broadcast map → odom → base_footprint, and the frames of the links"
    )
    link_rate: float = parameter(
        10.0,
        "greatest rate of the links' frames, Hz; 0: never, where a robot_state_publisher does",
        minimum=0.0,
        maximum=100.0,
    )
    publish_description: bool = parameter(
        True, "publish the URDF of a Nao on robot_description, latched"
    )

    @property
    def velocity_limits(self) -> VelocityLimits:
        """The limits of cmd_vel; repeated well within the robot's own VELOCITY_TIMEOUT_S."""
        return VelocityLimits(
            self.max_forward,
            self.max_sideways,
            self.max_turn,
            self.cmd_vel_timeout,
            interval=0.02,
            keep_alive=0.1,
        )
