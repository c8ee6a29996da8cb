# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to an AIBO, and by default a simulated one that it connects to."""

import os

from launch.actions import DeclareLaunchArgument, OpaqueFunction
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

from aibo_gti_bridge.bridge.parameters import Parameters
from launch import LaunchDescription
from legacy_robots_launch.composition import ComposedNode
from legacy_robots_launch.parameters import NodeParameter, Overruling, ending
from legacy_robots_launch.views import AdaptedPerspective, AdaptedView

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="aibo",
        description="Namespace of all names",
    ),
    DeclareLaunchArgument(
        "frame_prefix",
        default_value="",
        description="Put before every frame, such as aibo_2/",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start a simulated AIBO too",
    ),
    DeclareLaunchArgument(
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Open rviz2 with a view of the robot",
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
            [FindPackageShare("legacy_robots_bringup"), "config", "aibo.yaml"]
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
        "wire",
        default_value="",
        choices=["", "gti", "tekkotsu"],
        description="What runs on the robot; gti: a GTI server; tekkotsu: Tekkotsu with its own "
        "ports, which have no balls, no motions and no joints but the head's",
    ),
    DeclareLaunchArgument(
        "host",
        default_value="",
        description="Address of the robot, or of the simulator",
    ),
    DeclareLaunchArgument(
        "port",
        default_value="",
        description="TCP port of the GTI server, which for the original is unknown, or of "
        "Tekkotsu's menu, from which the others keep their distances; 0: 10100 "
        "or 10020 (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "wire_overlays",
        default_value="",
        description="Changes to GTI's wire table (docs/aibo.md#the-wire), in order, separated "
        "by commas: acknowledged, ball-int-first-32, or paths of YAML files",
    ),
    DeclareLaunchArgument(
        "search_mode",
        default_value="",
        choices=["", "scan", "native"],
        description="scan: the bridge moves the head, and can be cancelled; native: the "
        "robot's searchBall, which blocks every other command, a stop too, "
        "until it ends",
    ),
    DeclareLaunchArgument(
        "enable_stamped_cmd_vel",
        default_value="",
        description="Cmd_vel is a TwistStamped instead of a Twist; Nav2's name for it and, "
        "in Jazzy, its default",
    ),
    DeclareLaunchArgument(
        "cmd_vel_timeout",
        default_value="",
        description="Seconds after the last cmd_vel until the robot stops (from 0.05 to 10)",
    ),
    DeclareLaunchArgument(
        "ball_game",
        default_value="false",
        choices=SWITCH,
        description="Look for a ball, walk to it, and begin again",
    ),
    DeclareLaunchArgument(
        "fault",
        default_value="",
        description="Faults of the simulator, separated by commas: one happens once and at "
        "each SIGUSR1 to it, of several the next one at each SIGUSR1 (cut, "
        "stall, flood, garbage, restart)",
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


def check_ball_game(context):
    """End the launch for a ball game over a wire that has no balls."""
    wire = NodeParameter(Parameters, "wire").perform(context)
    if wire == "tekkotsu" and IfCondition(LaunchConfiguration("ball_game")).evaluate(context):
        return ending(context, "ball_game needs wire:=gti: Tekkotsu's own ports have no balls")
    return []


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one AIBO."""
    namespace = LaunchConfiguration("namespace")
    params_file = LaunchConfiguration("params_file")
    respawn = LaunchConfiguration("respawn")
    ball_game = LaunchConfiguration("ball_game")
    compose = LaunchConfiguration("compose")
    simulation_interfaces = LaunchConfiguration("simulation_interfaces")
    share = FindPackageShare("legacy_robots_bringup")
    bridge_parameters = [
        params_file,
        Overruling(
            frame_prefix=str,
            wire=str,
            host=str,
            port=int,
            wire_overlays=str,
            search_mode=str,
            enable_stamped_cmd_vel=bool,
            cmd_vel_timeout=float,
        ),
    ]
    port = NodeParameter(Parameters, "port")
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
            OpaqueFunction(function=check_ball_game),
            # What may not be installed stands first: launch ends before anything has started.
            Node(
                package="rviz2",
                executable="rviz2",
                namespace=namespace,
                arguments=[
                    "-d",
                    AdaptedView(
                        PathJoinSubstitution([share, "rviz", "aibo.rviz"]),
                        frame_prefix=NodeParameter(Parameters, "frame_prefix"),
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
                        PathJoinSubstitution([share, "config", "rqt", "aibo.perspective"]),
                        namespace=namespace,
                        stamped=NodeParameter(Parameters, "enable_stamped_cmd_vel"),
                    ),
                ],
                output="screen",
                condition=IfCondition(LaunchConfiguration("rqt")),
            ),
            Node(
                package="aibo_gti_bridge",
                executable="simulator",
                arguments=[
                    "--host",
                    NodeParameter(Parameters, "host"),
                    "--port",
                    # 0 is the wire's own, which the simulator has too.
                    IfElseSubstitution(EqualsSubstitution(port, "0"), "", port),
                    "--profile",
                    IfElseSubstitution(
                        EqualsSubstitution(NodeParameter(Parameters, "wire"), "tekkotsu"),
                        "tekkotsu",
                        "gti-le",
                    ),
                    "--overlays",
                    NodeParameter(Parameters, "wire_overlays"),
                    "--motions",
                    NodeParameter(Parameters, "motion_directory"),
                    "--full-rotor-range",
                    NodeParameter(Parameters, "full_rotor_range"),
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
                package="aibo_gti_bridge",
                executable="bridge",
                parameters=bridge_parameters,
                condition=UnlessCondition(compose),
                **node,
            ),
            ComposedNode(
                node="aibo/bridge",
                namespace=namespace,
                parameters=bridge_parameters,
                condition=IfCondition(compose),
            ),
            Node(
                package="aibo_gti_bridge",
                executable="ball_game",
                parameters=[params_file],
                condition=IfCondition(AndSubstitution(ball_game, NotSubstitution(compose))),
                **node,
            ),
            ComposedNode(
                node="aibo/ball_game",
                namespace=namespace,
                parameters=[params_file],
                condition=IfCondition(AndSubstitution(ball_game, compose)),
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
