# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the view, one page on which a browser sees all systems that run, live."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription
from legacy_robots_launch.parameters import Overruling

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "host",
        default_value="",
        description="Address at which the page is served; anything but loopback lets others "
        "look (docs/view.md#who-may-look)",
    ),
    DeclareLaunchArgument(
        "port",
        default_value="",
        description="TCP port of the page; 0: a free one (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "foxglove",
        default_value="false",
        choices=SWITCH,
        description="Serve Foxglove and Lichtblick too; needs foxglove-sdk",
    ),
    DeclareLaunchArgument(
        "foxglove_port",
        default_value="",
        description="TCP port for Foxglove (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "foxglove_services",
        default_value="",
        description="Offer services, too: clients, and any page that a browser of this "
        "machine shows, may then command robots",
    ),
    DeclareLaunchArgument(
        "foxglove_publish",
        default_value="",
        description="Let clients publish, too: they, and any page that a browser of this "
        "machine shows, may then send robots to a goal",
    ),
    DeclareLaunchArgument(
        "rosbridge",
        default_value="false",
        choices=SWITCH,
        description="Serve JSON clients by rosbridge too; needs rosbridge_server",
    ),
    DeclareLaunchArgument(
        "rosbridge_port",
        default_value="9090",
        description="TCP port of rosbridge; 0: a free one (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "params_file",
        default_value=PathJoinSubstitution(
            [FindPackageShare("legacy_robots_bringup"), "config", "view.yaml"]
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
    """Return the launch description of the view, which finds the systems by itself."""
    params_file = LaunchConfiguration("params_file")
    node = {
        "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
        "output": "screen",
        "respawn": LaunchConfiguration("respawn"),
        "respawn_delay": 1.0,
    }
    return LaunchDescription(
        [
            *ARGUMENTS,
            # What may not be installed stands first: launch ends before anything has started.
            Node(
                package="rosbridge_server",
                executable="rosbridge_websocket",
                parameters=[
                    params_file,
                    {
                        "address": "127.0.0.1",
                        "port": ParameterValue(
                            LaunchConfiguration("rosbridge_port"), value_type=int
                        ),
                        # Else a client's cancellation waits for the end of the goal it is for.
                        "call_services_in_new_thread": True,
                        "send_action_goals_in_new_thread": True,
                    },
                ],
                condition=IfCondition(LaunchConfiguration("rosbridge")),
                **node,
            ),
            Node(
                package="legacy_robots_view",
                executable="view",
                parameters=[params_file, Overruling(host=str, port=int)],
                **node,
            ),
            Node(
                package="legacy_robots_view",
                executable="foxglove",
                parameters=[
                    params_file,
                    Overruling(
                        port=(int, LaunchConfiguration("foxglove_port")),
                        services=(bool, LaunchConfiguration("foxglove_services")),
                        publish=(bool, LaunchConfiguration("foxglove_publish")),
                    ),
                ],
                condition=IfCondition(LaunchConfiguration("foxglove")),
                **node,
            ),
        ]
    )
