# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start many robots of one kind: all bridges in one process, and a simulator for each."""

import os

from ament_index_python.packages import get_package_share_directory
from launch.actions import (
    DeclareLaunchArgument,
    GroupAction,
    IncludeLaunchDescription,
    OpaqueFunction,
)
from launch.conditions import IfCondition
from launch.launch_description_sources import (
    AnyLaunchDescriptionSource,
    get_launch_description_from_any_launch_file,
)
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from launch import LaunchDescription
from legacy_robots_common.system import system, systems
from legacy_robots_launch.composition import ComposedNodes

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "kind",
        default_value="aibo",
        choices=[system.name for system in systems() if system.launch],
        description="Which system",
    ),
    DeclareLaunchArgument(
        "robots",
        default_value="2",
        description="How many robots, in the namespaces KIND_1, KIND_2, ...",
    ),
    DeclareLaunchArgument(
        "first_port",
        default_value="0",
        description="The robots' TCP ports are this one and those that follow; 0: the system's "
        "own",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start a simulator for each robot",
    ),
    DeclareLaunchArgument(
        "fault",
        default_value="",
        description="Faults of the first robot's simulator, as its own launch file has them",
    ),
    DeclareLaunchArgument(
        "demonstration",
        default_value="false",
        choices=SWITCH,
        description="Have something happen with each robot",
    ),
    DeclareLaunchArgument(
        "params_file",
        default_value="",
        description="YAML file with the nodes' parameters; empty: the system's own",
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
        description="Start nodes and simulators again when they die, and end bridges that hear "
        "nothing",
    ),
]


def include_robots(context):
    """Return the launch file of the kind once a robot, each in a scoped group."""
    kind = system(LaunchConfiguration("kind").perform(context))
    fault = LaunchConfiguration("fault").perform(context)
    params_file = LaunchConfiguration("params_file").perform(context)
    first_port = int(LaunchConfiguration("first_port").perform(context))
    has_demonstration = IfCondition(LaunchConfiguration("demonstration")).evaluate(context)
    package, file = kind.launch.split("/")
    path = os.path.join(get_package_share_directory(package), "launch", file)
    declared = get_launch_description_from_any_launch_file(path).get_launch_arguments()
    groups = []
    for number in range(int(LaunchConfiguration("robots").perform(context))):
        name = f"{kind.name}_{number + 1}"
        given = {
            # All of them, so that none has a value of this file.
            **{argument.name: argument.default_value for argument in declared},
            **(kind.further_copy if number else {}),
            **(kind.demonstration if has_demonstration else {}),
            **dict.fromkeys(kind.own_arguments, name),
            "namespace": name,
            "frame_prefix": f"{name}/",
            "simulate": LaunchConfiguration("simulate"),
            "fault": fault if not number else "",
            "compose": "true",
            "log_level": LaunchConfiguration("log_level"),
            "respawn": LaunchConfiguration("respawn"),
        }
        for index, port in enumerate(kind.ports):
            first = first_port or port.default - index
            given[port.argument] = str(first + number * len(kind.ports) + index)
        if params_file:
            given["params_file"] = params_file
        include = IncludeLaunchDescription(
            AnyLaunchDescriptionSource(path), launch_arguments=given.items()
        )
        groups.append(GroupAction([include]))
    return groups


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the fleet."""
    node = {
        "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
        "output": "screen",
        "respawn": LaunchConfiguration("respawn"),
        "respawn_delay": 1.0,
    }
    return LaunchDescription(
        [
            *ARGUMENTS,
            OpaqueFunction(function=include_robots),
            # After the includes: it runs the nodes that they leave to it.
            Node(
                package="legacy_robots_common",
                executable="fleet",
                parameters=[ComposedNodes()],
                **node,
            ),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
                condition=IfCondition(LaunchConfiguration("respawn")),
                **node,
            ),
        ]
    )
