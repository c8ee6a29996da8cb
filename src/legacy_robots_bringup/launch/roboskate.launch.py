# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a game of RoboSkate, and by default a simulated game."""

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
from roboskate_bridge.bridge.parameters import Parameters
from roboskate_game.protocol.dialect import FORCE_RANGE

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="roboskate",
        description="Namespace of all names",
    ),
    DeclareLaunchArgument(
        "frame_prefix",
        default_value="",
        description="Put before every frame, such as skate_2/",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start a simulated game too",
    ),
    DeclareLaunchArgument(
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Open rviz2 with a view of board, crane, path and camera",
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
            [FindPackageShare("legacy_robots_bringup"), "config", "roboskate.yaml"]
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
        "autopilot",
        default_value="false",
        choices=SWITCH,
        description="Skate along the checkpoints",
    ),
    DeclareLaunchArgument(
        "policy",
        default_value="false",
        choices=SWITCH,
        description="Skate with the trained policy: wants profile:=game force_scale:=250",
    ),
    DeclareLaunchArgument(
        "port",
        default_value="",
        description="TCP port of the game (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "http_port",
        default_value="",
        description="TCP port of the game's HTTP, where port is that of gRPC (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "transport",
        default_value="",
        choices=["", "grpc", "http"],
        description="wire: grpc, the real game's; http, the document's URLs with JSON",
    ),
    DeclareLaunchArgument(
        "host",
        default_value="",
        description="Address of the game",
    ),
    DeclareLaunchArgument(
        "profile",
        default_value="",
        choices=["", "spec", "game"],
        description="spec: the document's shapes; game: those of the real game "
        "(docs/roboskate.md#connect-the-original)",
    ),
    DeclareLaunchArgument(
        "force_scale",
        default_value="",
        description="Joint force that a whole key is sent as, profile game only; the game "
        "takes more than the 40 of a key, agents were trained with 250 and more "
        "(from 0.1 to 100000)",
    ),
    DeclareLaunchArgument(
        "mode",
        default_value="",
        choices=["", "free_run", "stepped"],
        description="free_run: the game runs in real time; stepped: time moves only by run_game",
    ),
    DeclareLaunchArgument(
        "start_paused",
        default_value="false",
        choices=SWITCH,
        description="Load no level before the service initialize is called, as the document's "
        "game waits",
    ),
    DeclareLaunchArgument(
        "level",
        default_value="",
        description="The level that is loaded first (from 0 to 2147483647)",
    ),
    DeclareLaunchArgument(
        "image_width",
        default_value="",
        description="Width in pixels that is asked for, profile game only; in spec the game "
        "decides (from 1 to 7680)",
    ),
    DeclareLaunchArgument(
        "image_height",
        default_value="",
        description="The same of the height (from 1 to 4320)",
    ),
    DeclareLaunchArgument(
        "camera_rate",
        default_value="",
        description="Images a second in free_run, each of the moment after a step; stepped: "
        "one for each step (from 0.1 to 1000)",
    ),
    DeclareLaunchArgument(
        "publish_clock",
        default_value="",
        description="Publish /clock; of several bridges only one may",
    ),
    DeclareLaunchArgument(
        "fault",
        default_value="",
        description="Faults of the simulator, separated by commas: one happens once and at "
        "each SIGUSR1 to it, of several the next one at each SIGUSR1 (cut, "
        "stall, flood, garbage, restart, wrong_length, refuse, bad_image)",
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
    """Return the launch description of one game."""
    namespace = LaunchConfiguration("namespace")
    params_file = LaunchConfiguration("params_file")
    respawn = LaunchConfiguration("respawn")
    port = LaunchConfiguration("port")
    http_port = LaunchConfiguration("http_port")
    autopilot = LaunchConfiguration("autopilot")
    policy = LaunchConfiguration("policy")
    compose = LaunchConfiguration("compose")
    simulation_interfaces = LaunchConfiguration("simulation_interfaces")
    share = FindPackageShare("legacy_robots_bringup")
    # The bridge has one port, that of its transport; the simulated game listens at both. With
    # transport:=http a port alone is that of HTTP.
    is_http = EqualsSubstitution(NodeParameter(Parameters, "transport"), "http")
    has_one_port = EqualsSubstitution(http_port, "")
    given_port = IfElseSubstitution(
        is_http, IfElseSubstitution(has_one_port, port, http_port), port
    )
    bridge_port = NodeParameter(Parameters, "port", given=given_port)
    # 0 is the transport's own port, which the game has too.
    game_port = IfElseSubstitution(EqualsSubstitution(bridge_port, "0"), "", bridge_port)
    grpc_port = IfElseSubstitution(is_http, IfElseSubstitution(has_one_port, "", port), game_port)
    # Drivers skate in the level of the bridge, unless the parameters file has another for them.
    force = IfElseSubstitution(
        EqualsSubstitution(NodeParameter(Parameters, "profile"), "game"),
        NodeParameter(Parameters, "force_scale"),
        str(FORCE_RANGE),
    )
    driver_parameters = [
        {"level": NodeParameter(Parameters, "level"), "force_scale": force},
        params_file,
        Overruling(level=int),
    ]
    # Not given, the parameters file says whether a level is loaded.
    loads = IfElseSubstitution(LaunchConfiguration("start_paused"), "false", "")
    bridge_parameters = [
        params_file,
        Overruling(
            frame_prefix=str,
            host=str,
            port=(int, given_port),
            transport=str,
            profile=str,
            force_scale=float,
            mode=str,
            auto_initialize=(bool, loads),
            level=int,
            image_width=int,
            image_height=int,
            camera_rate=float,
            publish_clock=bool,
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
                parameters=[{"use_sim_time": True}],
                arguments=[
                    "-d",
                    AdaptedView(
                        PathJoinSubstitution([share, "rviz", "roboskate.rviz"]),
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
                        PathJoinSubstitution([share, "config", "rqt", "roboskate.perspective"]),
                        namespace=namespace,
                    ),
                ],
                output="screen",
                condition=IfCondition(LaunchConfiguration("rqt")),
            ),
            Node(
                package="roboskate_bridge",
                executable="simulator",
                arguments=[
                    "--host",
                    NodeParameter(Parameters, "host"),
                    "--profile",
                    NodeParameter(Parameters, "profile"),
                    "--port",
                    grpc_port,
                    "--http-port",
                    IfElseSubstitution(is_http, game_port, http_port),
                    "--matrix-order",
                    NodeParameter(Parameters, "matrix_order"),
                    # As the real game; of those who learn from pictures each starts its own.
                    "--image-format",
                    "jpeg",
                    "--width",
                    NodeParameter(Parameters, "image_width"),
                    "--height",
                    NodeParameter(Parameters, "image_height"),
                    "--fault",
                    LaunchConfiguration("fault"),
                    "--control",
                    IfElseSubstitution(simulation_interfaces, control, ""),
                    "--paused",
                    LaunchConfiguration("paused"),
                ],
                # Its threads share two heaps: with one each it takes 30 MiB more.
                additional_env={"MALLOC_ARENA_MAX": "2"},
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
                package="roboskate_bridge",
                executable="bridge",
                parameters=bridge_parameters,
                condition=UnlessCondition(compose),
                **node,
            ),
            ComposedNode(
                node="roboskate/bridge",
                namespace=namespace,
                parameters=bridge_parameters,
                condition=IfCondition(compose),
            ),
            Node(
                package="roboskate_bridge",
                executable="autopilot",
                parameters=driver_parameters,
                condition=IfCondition(AndSubstitution(autopilot, NotSubstitution(compose))),
                **node,
            ),
            ComposedNode(
                node="roboskate/autopilot",
                namespace=namespace,
                parameters=driver_parameters,
                condition=IfCondition(AndSubstitution(autopilot, compose)),
            ),
            Node(
                package="roboskate_bridge",
                executable="policy",
                parameters=driver_parameters,
                condition=IfCondition(AndSubstitution(policy, NotSubstitution(compose))),
                **node,
            ),
            ComposedNode(
                node="roboskate/policy",
                namespace=namespace,
                parameters=driver_parameters,
                condition=IfCondition(AndSubstitution(policy, compose)),
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
