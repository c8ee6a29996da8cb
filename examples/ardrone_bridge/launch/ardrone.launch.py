# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to AR.Drone, and by default a simulated one."""

import os

from ardrone_bridge.parameters import Parameters
from ardrone_bridge.system import SYSTEM
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import (
    AndSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    NotSubstitution,
    PathJoinSubstitution,
)
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription
from legacy_robots_launch.composition import ComposedNode
from legacy_robots_launch.parameters import NodeParameter, Overruling
from legacy_robots_launch.views import AdaptedView

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace", default_value="ardrone", description="Namespace of all names"
    ),
    DeclareLaunchArgument(
        "frame_prefix", default_value="", description="Put before every frame, such as ardrone_2/"
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start a simulated AR.Drone too",
    ),
    DeclareLaunchArgument(
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Open rviz2 with a view",
    ),
    DeclareLaunchArgument(
        "params_file",
        default_value=PathJoinSubstitution(
            [FindPackageShare("ardrone_bridge"), "config", "ardrone.yaml"]
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
        description="Start nodes and simulators again when they die, and end bridges that hear "
        "nothing",
    ),
    DeclareLaunchArgument("host", default_value="", description="Address of the drone"),
    DeclareLaunchArgument("port", default_value="", description="Its port of the navdata"),
    DeclareLaunchArgument("at_port", default_value="", description="Its port of AT commands"),
    DeclareLaunchArgument(
        "fault",
        default_value="",
        description="Faults of the simulator, separated by commas: one happens once and at each "
        f"SIGUSR1 to it, of several the next one at each SIGUSR1 ({', '.join(SYSTEM.faults)})",
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
    """Return the launch description of one AR.Drone."""
    namespace = LaunchConfiguration("namespace")
    params_file = LaunchConfiguration("params_file")
    respawn = LaunchConfiguration("respawn")
    simulate = LaunchConfiguration("simulate")
    compose = LaunchConfiguration("compose")
    simulation_interfaces = LaunchConfiguration("simulation_interfaces")
    bridge_parameters = [
        params_file,
        # Where they are given, these launch arguments overrule the file.
        Overruling(
            frame_prefix=str,
            host=str,
            port=int,
            at_port=int,
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
                        PathJoinSubstitution(
                            [FindPackageShare("ardrone_bridge"), "rviz", "ardrone.rviz"]
                        ),
                        frames={
                            "ardrone/odom": [NodeParameter(Parameters, "frame_prefix"), "odom"]
                        },
                    ),
                ],
                output="screen",
                condition=IfCondition(LaunchConfiguration("rviz")),
            ),
            Node(
                package="ardrone_bridge",
                executable="simulator",
                arguments=[
                    "--host",
                    NodeParameter(Parameters, "host"),
                    "--port",
                    NodeParameter(Parameters, "port"),
                    "--at-port",
                    NodeParameter(Parameters, "at_port"),
                    "--fault",
                    LaunchConfiguration("fault"),
                    "--control",
                    IfElseSubstitution(simulation_interfaces, control, ""),
                    "--paused",
                    LaunchConfiguration("paused"),
                ],
                condition=IfCondition(simulate),
                **program,
            ),
            Node(
                package="legacy_robots_simulation_services",
                executable="simulation",
                parameters=[params_file, {"control": control}],
                condition=IfCondition(AndSubstitution(simulate, simulation_interfaces)),
                **node,
            ),
            Node(
                package="ardrone_bridge",
                executable="bridge",
                parameters=bridge_parameters,
                condition=UnlessCondition(compose),
                **node,
            ),
            ComposedNode(
                node="ardrone/bridge",
                namespace=namespace,
                parameters=bridge_parameters,
                condition=IfCondition(compose),
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
