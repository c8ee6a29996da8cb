# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the host."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Read once at the start."""

    team: int = parameter(
        0,
        "number of the team in the configuration of Lua",
        minimum=0,
        maximum=999,
        group="Lua, and its shared memory.",
    )
    player: int = parameter(1, "number of the player, counted from 1", minimum=0, maximum=999)
    user: str = parameter("", "$USER of the Lua program, with which its segments' names end")
    memory_directory: str = parameter("/dev/shm", "where the segments are")
    cmd_vel: str = parameter(
        "cmd_vel",
        "topic of velocities of the robot that Lua drives by RosWalk.lua; empty: it has legs that "
        "Lua moves",
        group="Walking.",
    )
    enable_stamped_cmd_vel: bool = parameter(False, "it is a TwistStamped instead of a Twist")
    odom: str = parameter("odom", "topic of the robot's nav_msgs/Odometry")
    max_forward: float = parameter(
        0.5, "limit of its speed forward and backward, m/s", minimum=0.0, maximum=10.0
    )
    max_sideways: float = parameter(
        0.0, "limit of its speed to the side, m/s; 0: it cannot", minimum=0.0, maximum=10.0
    )
    max_turn: float = parameter(1.5, "limit of its turning, rad/s", minimum=0.0, maximum=10.0)
    speed_factor: float = parameter(
        1.0,
        "factor on the velocities of Lua's steps, for a robot that is faster than a Nao",
        minimum=0.01,
        maximum=100.0,
    )

    joints: list[str] = parameter(
        [""],
        "joints that Lua moves by RosBody.lua, such as HeadYaw, or HeadYaw=head_pan; empty: none",
        group="Joints.",
    )
    joint_states: str = parameter("joint_states", "topic of the robot's sensor_msgs/JointState")
    joint_commands: str = parameter(
        "joint_group_position_controller/commands",
        "topic of positions in the order of `joints`, std_msgs/Float64MultiArray",
    )
    joint_trajectories: bool = parameter(
        False, "joint_commands is a trajectory_msgs/JointTrajectory instead, of one point"
    )
    imu: str = parameter("", "topic of sensor_msgs/Imu whose orientation Lua gets; empty: none")
    joints_suffix: str = parameter(
        "",
        "end of the names dcmSensor and dcmActuator: LUAR_DCM_SUFFIX of the Lua program",
    )

    image: str = parameter(
        "",
        "topic of sensor_msgs/Image that Lua sees by RosCam.lua; empty: it sees nothing",
        group="Images.",
    )
    colors: str = parameter(
        "webots",
        "packing of images, as Lua's label table has it: webots, or standard (BT.601)",
        choices=("webots", "standard"),
    )

    timeout: float = parameter(
        0.3,
        "seconds without Lua, odometry, joint states or images until the robot is stopped",
        minimum=0.05,
        maximum=5.0,
        group="Time limits.",
    )
