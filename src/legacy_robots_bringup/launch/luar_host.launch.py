# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the host of the original's Lua, and by default a simulated robot with a camera for it."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import IfElseSubstitution, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription
from legacy_robots_launch.parameters import NodeParameter, Overruling
from luar_bridge.host.parameters import Parameters
from luar_bridge.model.motion import HEAD_JOINTS, JOINTS

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="luar_host",
        description="Namespace of all names",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start a simulated robot, and connect the host with it",
    ),
    DeclareLaunchArgument(
        "legs",
        default_value="false",
        choices=SWITCH,
        description="The simulated robot walks on a Nao's legs, not on wheels",
    ),
    DeclareLaunchArgument(
        "team",
        default_value="",
        description="Number of the team in the configuration of Lua (from 0 to 999)",
    ),
    DeclareLaunchArgument(
        "player",
        default_value="",
        description="Number of the player, counted from 1 (from 0 to 999)",
    ),
    DeclareLaunchArgument(
        "user",
        default_value="",
        description="$USER of the Lua program, with which its segments' names end",
    ),
    DeclareLaunchArgument(
        "enable_stamped_cmd_vel",
        default_value="",
        description="It is a TwistStamped instead of a Twist",
    ),
    DeclareLaunchArgument(
        "cmd_vel",
        default_value="",
        description="Topic of velocities of the robot that Lua drives by RosWalk.lua; "
        "empty: it has legs that Lua moves",
    ),
    DeclareLaunchArgument(
        "odom",
        default_value="",
        description="Topic of the robot's nav_msgs/Odometry",
    ),
    DeclareLaunchArgument(
        "image",
        default_value="",
        description="Topic of sensor_msgs/Image that Lua sees by RosCam.lua; empty: it sees "
        "nothing",
    ),
    DeclareLaunchArgument(
        "params_file",
        default_value=PathJoinSubstitution(
            [FindPackageShare("legacy_robots_bringup"), "config", "luar_host.yaml"]
        ),
        description="YAML file with the nodes' parameters",
    ),
    DeclareLaunchArgument(
        "log_level",
        default_value="info",
        choices=["debug", "info", "warn", "error", "fatal"],
        description="Level of the nodes' logs",
    ),
    DeclareLaunchArgument(
        "respawn",
        default_value="false",
        choices=SWITCH,
        description="Start nodes and simulators again when they die, and end bridges that "
        "hear nothing",
    ),
]

ROBOT = "field_robot"
"""Namespace of the simulated robot, below the host's."""


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one host."""
    params_file = LaunchConfiguration("params_file")
    simulate = LaunchConfiguration("simulate")
    legs = LaunchConfiguration("legs")
    node = {
        "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
        "output": "screen",
        "respawn": LaunchConfiguration("respawn"),
        "respawn_delay": 1.0,
    }

    def simulated(value):
        """Return ``value`` where a robot is simulated, and else nothing."""
        return IfElseSubstitution(simulate, value, "")

    return LaunchDescription(
        [
            *ARGUMENTS,
            Node(
                package="luar_bridge",
                executable="host",
                namespace=LaunchConfiguration("namespace"),
                parameters=[
                    params_file,
                    # The names of the simulated robot, and what it has.
                    Overruling(
                        cmd_vel=(
                            str,
                            simulated(IfElseSubstitution(legs, "''", f"{ROBOT}/cmd_vel")),
                        ),
                        odom=(str, simulated(f"{ROBOT}/odom")),
                        joints=(
                            list,
                            simulated(
                                IfElseSubstitution(legs, ",".join(JOINTS), ",".join(HEAD_JOINTS))
                            ),
                        ),
                        joint_states=(str, simulated(f"{ROBOT}/joint_states")),
                        joint_commands=(
                            str,
                            simulated(f"{ROBOT}/joint_group_position_controller/commands"),
                        ),
                        imu=(str, simulated(f"{ROBOT}/imu")),
                        image=(str, simulated(f"{ROBOT}/image")),
                    ),
                    Overruling(
                        team=int,
                        player=int,
                        user=str,
                        enable_stamped_cmd_vel=bool,
                        cmd_vel=str,
                        odom=str,
                        image=str,
                    ),
                ],
                **node,
            ),
            Node(
                package="luar_bridge",
                executable="field_robot",
                namespace=[LaunchConfiguration("namespace"), f"/{ROBOT}"],
                parameters=[
                    params_file,
                    Overruling(
                        legs=bool,
                        enable_stamped_cmd_vel=(
                            bool,
                            NodeParameter(Parameters, "enable_stamped_cmd_vel", node="host"),
                        ),
                    ),
                ],
                condition=IfCondition(simulate),
                **node,
            ),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
                namespace=LaunchConfiguration("namespace"),
                parameters=[params_file],
                condition=IfCondition(LaunchConfiguration("respawn")),
                **node,
            ),
        ]
    )
