# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the host of an agent that was written for a Nao, and on request a toy robot for it."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription
from legacy_robots_launch.parameters import NodeParameter, Overruling
from nao_goal_bridge.host.parameters import Parameters

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="nao_host",
        description="Namespace of all names",
    ),
    DeclareLaunchArgument(
        "role",
        default_value="",
        choices=["", "dial", "listen"],
        description="Who opens the TCP connection: dial, the agent listens, as GOAL did; "
        "listen, it dials us",
    ),
    DeclareLaunchArgument(
        "host",
        default_value="",
        description="Address to listen on, or to dial",
    ),
    DeclareLaunchArgument(
        "port",
        default_value="",
        description="TCP port; the original's code has 6747 where its document has 6474 "
        "(from 1 to 65535)",
    ),
    DeclareLaunchArgument(
        "profile",
        default_value="",
        choices=["", "spec", "may17", "may24", "may31", "june7", "june10", "june13", "naovigate"],
        description="Dialect (docs/nao.md#connect-the-original): spec, the document; "
        "naovigate, the original's last version; else the original of that date "
        "of 2013",
    ),
    DeclareLaunchArgument(
        "room_map",
        default_value="",
        description="YAML file with the rooms, or maze, naovigate or bw4t, the maps of the "
        "package; empty: maze",
    ),
    DeclareLaunchArgument(
        "navigation",
        default_value="",
        description="Action that moves the robot",
    ),
    DeclareLaunchArgument(
        "base_frame",
        default_value="",
        description="Frame of the robot",
    ),
    DeclareLaunchArgument(
        "frame_prefix",
        default_value="",
        description="Put before both frames, such as robot_2/",
    ),
    DeclareLaunchArgument(
        "pick_up",
        default_value="",
        description="Action or service that picks up; empty: built in, it only counts what "
        "is held",
    ),
    DeclareLaunchArgument(
        "pick_up_type",
        default_value="",
        description="Its type",
    ),
    DeclareLaunchArgument(
        "put_down",
        default_value="",
        description="Action or service that puts down; empty: built in",
    ),
    DeclareLaunchArgument(
        "put_down_type",
        default_value="",
        description="Its type",
    ),
    DeclareLaunchArgument(
        "toy",
        default_value="false",
        choices=SWITCH,
        description="Start a wheeled toy robot, which serves the navigation",
    ),
    DeclareLaunchArgument(
        "params_file",
        default_value=PathJoinSubstitution(
            [FindPackageShare("legacy_robots_bringup"), "config", "nao_host.yaml"]
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


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one host."""
    params_file = LaunchConfiguration("params_file")
    node = {
        "namespace": LaunchConfiguration("namespace"),
        "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
        "output": "screen",
        "respawn": LaunchConfiguration("respawn"),
        "respawn_delay": 1.0,
    }
    return LaunchDescription(
        [
            *ARGUMENTS,
            Node(
                package="nao_goal_bridge",
                executable="host",
                parameters=[
                    params_file,
                    Overruling(
                        role=str,
                        host=str,
                        port=int,
                        profile=str,
                        room_map=str,
                        navigation=str,
                        base_frame=str,
                        frame_prefix=str,
                        pick_up=str,
                        pick_up_type=str,
                        put_down=str,
                        put_down_type=str,
                    ),
                ],
                **node,
            ),
            Node(
                package="nao_goal_bridge",
                executable="toy_robot",
                parameters=[
                    params_file,
                    Overruling(
                        map_frame=(str, NodeParameter(Parameters, "map_frame", node="host")),
                        base_frame=(str, NodeParameter(Parameters, "base_frame", node="host")),
                        frame_prefix=(str, NodeParameter(Parameters, "frame_prefix", node="host")),
                    ),
                ],
                condition=IfCondition(LaunchConfiguration("toy")),
                **node,
            ),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
                parameters=[params_file],
                condition=IfCondition(LaunchConfiguration("respawn")),
                **node,
            ),
        ]
    )
