# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a Nao, and by default a simulated Nao that connects to it."""

import os

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import (
    AndSubstitution,
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    NotSubstitution,
    PathJoinSubstitution,
)
from launch_ros.actions import Node
from launch_ros.substitutions import ExecutableInPackage, FindPackageShare

from launch import LaunchDescription
from legacy_robots_launch.composition import ComposedNode
from legacy_robots_launch.parameters import NodeParameter, Overruling
from legacy_robots_launch.views import AdaptedPerspective, AdaptedView
from nao_goal_bridge.bridge.parameters import Parameters

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="nao",
        description="Namespace of all names",
    ),
    DeclareLaunchArgument(
        "frame_prefix",
        default_value="",
        description="Put before every frame, such as nao_2/",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start a simulated Nao too",
    ),
    DeclareLaunchArgument(
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Open rviz2 with a view of the rooms",
    ),
    DeclareLaunchArgument(
        "rqt",
        default_value="false",
        choices=SWITCH,
        description="Open rqt with the system's perspective",
    ),
    DeclareLaunchArgument(
        "params_file",
        default_value=PathJoinSubstitution(
            [FindPackageShare("legacy_robots_bringup"), "config", "nao.yaml"]
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
    DeclareLaunchArgument(
        "role",
        default_value="",
        choices=["", "listen", "dial"],
        description="Who opens the TCP connection: listen, the Nao dials us, as it dialled "
        "GOAL; dial, we dial the Nao",
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
        description="YAML file with the rooms, or maze or naovigate, the maps of the "
        "package; empty: maze",
    ),
    DeclareLaunchArgument(
        "greeting_location",
        default_value="",
        choices=["", "profile", "believed", "ignored"],
        description="Whether the Location that the robot sends when it connects is "
        "believed; profile: unless it plans on tiles and the original claims "
        "its start room then (from june7 on)",
    ),
    DeclareLaunchArgument(
        "errand",
        default_value="false",
        choices=SWITCH,
        description="Carry an object to and fro between two rooms",
    ),
    DeclareLaunchArgument(
        "fault",
        default_value="",
        description="Faults of the simulator, separated by commas: one happens once and at "
        "each SIGUSR1 to it, of several the next one at each SIGUSR1 (cut, "
        "stall, flood, garbage, restart, error, redial, flap, delay, long-leg)",
    ),
    DeclareLaunchArgument(
        "simulation_interfaces",
        default_value="false",
        choices=SWITCH,
        description="Pause, step and change the simulator by the services of "
        "simulation_interfaces",
    ),
    DeclareLaunchArgument(
        "paused",
        default_value="false",
        choices=SWITCH,
        description="The simulator's time stands still at first",
    ),
    DeclareLaunchArgument(
        "compose",
        default_value="false",
        choices=SWITCH,
        description="Leave the nodes to the container of the launch file that includes this one",
    ),
]


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one Nao."""
    namespace = LaunchConfiguration("namespace")
    params_file = LaunchConfiguration("params_file")
    respawn = LaunchConfiguration("respawn")
    errand = LaunchConfiguration("errand")
    compose = LaunchConfiguration("compose")
    simulation_interfaces = LaunchConfiguration("simulation_interfaces")
    role = NodeParameter(Parameters, "role")
    frame_prefix = NodeParameter(Parameters, "frame_prefix")
    share = FindPackageShare("legacy_robots_bringup")
    bridge_parameters = [
        params_file,
        Overruling(
            frame_prefix=str,
            role=str,
            host=str,
            port=int,
            profile=str,
            room_map=str,
            greeting_location=str,
        ),
    ]
    control = [str(os.getpid()), LaunchConfiguration("ros_namespace", default=""), "/", namespace]
    program = {"output": "screen", "respawn": respawn, "respawn_delay": 1.0}
    node = {
        **program,
        "namespace": namespace,
        "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
    }

    return LaunchDescription(
        [
            *ARGUMENTS,
            # What may not be installed stands first: launch ends before anything has started.
            Node(
                package="rviz2",
                executable="rviz2",
                namespace=namespace,
                arguments=[
                    "-d",
                    AdaptedView(
                        PathJoinSubstitution([share, "rviz", "nao.rviz"]),
                        frame_prefix=frame_prefix,
                        frames={"map": [frame_prefix, NodeParameter(Parameters, "map_frame")]},
                    ),
                ],
                output="screen",
                condition=IfCondition(LaunchConfiguration("rviz")),
            ),
            # Plugins of rqt find only what is there when its window opens.
            Node(
                package="legacy_robots_common",
                executable="after_topic",
                exec_name="rqt",
                namespace=namespace,
                arguments=[
                    "link_state",
                    ExecutableInPackage("rqt_gui", "rqt_gui"),
                    "--perspective-file",
                    AdaptedPerspective(
                        PathJoinSubstitution([share, "config", "rqt", "nao.perspective"]),
                        namespace=namespace,
                    ),
                ],
                output="screen",
                condition=IfCondition(LaunchConfiguration("rqt")),
            ),
            Node(
                package="nao_goal_bridge",
                executable="simulator",
                arguments=[
                    "--role",
                    IfElseSubstitution(EqualsSubstitution(role, "listen"), "dial", "listen"),
                    "--host",
                    NodeParameter(Parameters, "host"),
                    "--port",
                    NodeParameter(Parameters, "port"),
                    "--profile",
                    NodeParameter(Parameters, "profile"),
                    "--code-width",
                    NodeParameter(Parameters, "code_width"),
                    "--maze",
                    NodeParameter(Parameters, "room_map"),
                    "--fault",
                    LaunchConfiguration("fault"),
                    "--control",
                    IfElseSubstitution(simulation_interfaces, control, ""),
                    "--paused",
                    LaunchConfiguration("paused"),
                ],
                condition=IfCondition(LaunchConfiguration("simulate")),
                **program,
            ),
            Node(
                package="legacy_robots_simulation_services",
                executable="simulation",
                parameters=[params_file, {"control": control}],
                condition=IfCondition(
                    AndSubstitution(LaunchConfiguration("simulate"), simulation_interfaces)
                ),
                **node,
            ),
            Node(
                package="nao_goal_bridge",
                executable="bridge",
                parameters=bridge_parameters,
                condition=UnlessCondition(compose),
                **node,
            ),
            ComposedNode(
                node="nao/bridge",
                namespace=namespace,
                parameters=bridge_parameters,
                condition=IfCondition(compose),
            ),
            Node(
                package="nao_goal_bridge",
                executable="errand",
                parameters=[params_file],
                condition=IfCondition(AndSubstitution(errand, NotSubstitution(compose))),
                **node,
            ),
            ComposedNode(
                node="nao/errand",
                namespace=namespace,
                parameters=[params_file],
                condition=IfCondition(AndSubstitution(errand, compose)),
            ),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
                parameters=[params_file],
                condition=IfCondition(AndSubstitution(respawn, NotSubstitution(compose))),
                **node,
            ),
        ]
    )
