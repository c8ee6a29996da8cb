# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the GTI server of a ROS 2 robot, and by default a simulated robot of its map."""

from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import (
    AndSubstitution,
    EqualsSubstitution,
    LaunchConfiguration,
    OrSubstitution,
    PathJoinSubstitution,
)
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from aibo_gti_bridge.host.parameters import Parameters
from launch import LaunchDescription
from legacy_robots_launch.parameters import NodeParameter, Overruling

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="gti_host",
        description="Namespace of the host's own names",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start a simulated robot of a ready-made map too",
    ),
    DeclareLaunchArgument(
        "host",
        default_value="",
        description="Address to listen on for GTI clients; a network's own address serves "
        "other machines",
    ),
    DeclareLaunchArgument(
        "port",
        default_value="",
        description="TCP port to listen on (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "map",
        default_value="",
        description="What the robot has of an ERS-7 (docs/gti_host.md#maps): aibo, "
        "pan_tilt, quadruped, or the path of a YAML file",
    ),
    DeclareLaunchArgument(
        "robot_namespace",
        default_value="",
        description="Namespace below which the map's topics, actions and services are",
    ),
    DeclareLaunchArgument(
        "wire_overlays",
        default_value="",
        description="Changes to the wire table, in order, separated by commas: names of "
        "overlays (docs/aibo.md#the-wire) or paths of YAML files",
    ),
    DeclareLaunchArgument(
        "enable_stamped_cmd_vel",
        default_value="",
        description="Walk by TwistStamped instead of Twist, as Nav2 and ros2_control take "
        "it by default",
    ),
    DeclareLaunchArgument(
        "robot_port",
        default_value="10100",
        description="TCP port between the simulated AIBO and its bridge",
    ),
    DeclareLaunchArgument(
        "params_file",
        default_value=PathJoinSubstitution(
            [FindPackageShare("legacy_robots_bringup"), "config", "gti_host.yaml"]
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

WATCHDOG_S = "0.2"
"""Seconds without a velocity until the simulated AIBO stops; its gait takes up to 0.5 s."""


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one gti_host."""
    params_file = LaunchConfiguration("params_file")
    simulate = LaunchConfiguration("simulate")
    share = FindPackageShare("legacy_robots_bringup")
    robot_map = NodeParameter(Parameters, "map", node="gti_host")
    robot_namespace = NodeParameter(Parameters, "robot_namespace", node="gti_host")
    stamped = NodeParameter(Parameters, "enable_stamped_cmd_vel", node="gti_host")
    is_aibo = EqualsSubstitution(robot_map, "aibo")
    # Maps of which the program rover simulates a robot.
    is_rover = OrSubstitution(
        EqualsSubstitution(robot_map, "pan_tilt"), EqualsSubstitution(robot_map, "quadruped")
    )
    node = {
        "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
        "output": "screen",
        "respawn": LaunchConfiguration("respawn"),
        "respawn_delay": 1.0,
    }
    return LaunchDescription(
        [
            *ARGUMENTS,
            Node(
                package="aibo_gti_bridge",
                executable="gti_host",
                namespace=LaunchConfiguration("namespace"),
                parameters=[
                    params_file,
                    Overruling(
                        host=str,
                        port=int,
                        map=str,
                        robot_namespace=str,
                        wire_overlays=str,
                        enable_stamped_cmd_vel=bool,
                    ),
                ],
                **node,
            ),
            Node(
                package="aibo_gti_bridge",
                executable="rover",
                namespace=robot_namespace,
                parameters=[
                    params_file,
                    Overruling(kind=(str, robot_map), enable_stamped_cmd_vel=(bool, stamped)),
                ],
                condition=IfCondition(AndSubstitution(simulate, is_rover)),
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
            GroupAction(
                [
                    IncludeLaunchDescription(
                        PythonLaunchDescriptionSource(
                            PathJoinSubstitution([share, "launch", "aibo.launch.py"])
                        ),
                        launch_arguments={
                            "namespace": robot_namespace,
                            "port": LaunchConfiguration("robot_port"),
                            "cmd_vel_timeout": WATCHDOG_S,
                            "enable_stamped_cmd_vel": stamped,
                            # Not those of the host:
                            "host": "",
                            "wire_overlays": "",
                            "params_file": PathJoinSubstitution([share, "config", "aibo.yaml"]),
                        }.items(),
                    )
                ],
                condition=IfCondition(AndSubstitution(simulate, is_aibo)),
            ),
        ]
    )
