# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to one Luar robot or to several, and by default as many simulated robots."""

import os

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import (
    AndSubstitution,
    LaunchConfiguration,
    NotSubstitution,
    PathJoinSubstitution,
)
from launch_ros.actions import Node
from launch_ros.substitutions import ExecutableInPackage, FindPackageShare

from launch import LaunchDescription
from legacy_robots_launch.composition import ComposedNode
from legacy_robots_launch.parameters import NodeParameter, Overruling, absolute_namespace, ending
from legacy_robots_launch.views import AdaptedPerspective, AdaptedView
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.protocol.layout_table import SIMULATED, table_files
from luar_bridge.protocol.naming import players_in_memory

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="luar",
        description="Namespace of all names",
    ),
    DeclareLaunchArgument(
        "frame_prefix",
        default_value="",
        description="Put before every frame but the map's, such as player_2/; launch sets it",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start simulated robots too",
    ),
    DeclareLaunchArgument(
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Open rviz2 with a view of the field and the robots",
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
            [FindPackageShare("legacy_robots_bringup"), "config", "luar.yaml"]
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
        "players",
        default_value="",
        description="Numbers of the players, such as 1,2,3; auto: those of the team in the "
        "memory, with simulate:=false",
    ),
    DeclareLaunchArgument(
        "team",
        default_value="",
        description="Number of the team: Webots 0 or 1, on a Nao what its configuration "
        "says (from 0 to 999)",
    ),
    DeclareLaunchArgument(
        "user",
        default_value="",
        description="User name at the end of the segments' names: $USER of the robot's "
        "processes; empty on a robot without",
    ),
    DeclareLaunchArgument(
        "profile",
        default_value="",
        choices=["", "nao", "webots"],
        description="nao: the first player has joints and IMU (dcmSensor); webots: none has",
    ),
    DeclareLaunchArgument(
        "joint_commands",
        default_value="false",
        choices=SWITCH,
        description="ROS moves the first robot's joints (follow_joint_trajectory, "
        "joint_trajectory, set_hardness, leds); a simulated one has no motion "
        "process then",
    ),
    DeclareLaunchArgument(
        "walk_commands",
        default_value="false",
        choices=SWITCH,
        description="ROS walks the robots (cmd_vel, kick, get_up), but for one whose joints "
        "it moves; simulated ones do not play by themselves then",
    ),
    DeclareLaunchArgument(
        "order_states",
        default_value="false",
        choices=SWITCH,
        description="ROS may order states of the robots' machines (order_state)",
    ),
    DeclareLaunchArgument(
        "layout",
        default_value="",
        description="Version of Luar: document, upenn_2013, upenn_2016, example_tcm, files "
        "of your own or directories of them, separated by commas, later ones "
        "add to earlier ones; upenn_2016 cannot be simulated",
    ),
    DeclareLaunchArgument(
        "abi",
        default_value="1",
        choices=["1", "2"],
        description="Memory layout of simulated robots: 1 Boost up to 1.86, 2 from 1.87",
    ),
    DeclareLaunchArgument(
        "fault",
        default_value="",
        description="Faults of the simulator, separated by commas: one happens once and at "
        "each SIGUSR1 to it, of several the next one at each SIGUSR1 (restart, "
        "crash, stall, wrong_size, removed, resize)",
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

MOVED = ("dcmActuator.command", "dcmActuator.hardness", "dcmActuator.velocity", "dcmActuator.led*")
"""What ROS writes with joint_commands."""


def start_robots(context):
    """Return bridge and simulated robot of each player, and the windows of the first one."""

    def argument(name):
        return LaunchConfiguration(name).perform(context)

    def is_true(name):
        return IfCondition(LaunchConfiguration(name)).evaluate(context)

    profile, tables = argument("profile"), table_files(argument("layout"))
    if is_true("joint_commands") and profile == "webots":
        raise RuntimeError("joint_commands needs a robot with joints, not profile:=webots")
    players = player_numbers(context, argument("players"))
    actions = []
    prefix = NodeParameter(Parameters, "frame_prefix").perform(context)
    base = absolute_namespace(context, LaunchConfiguration("namespace")).rstrip("/")
    others = [f"{base}/player_{player}:{prefix}player_{player}/" for player in players[1:]]
    for player in players:
        is_first = player == players[0]
        namespace = argument("namespace").rstrip("/")
        if len(players) > 1:
            namespace = f"{namespace}/player_{player}"

        def wanted(name, given=None, namespace=namespace):
            parameter = NodeParameter(Parameters, name, namespace=namespace, given=given)
            return parameter.perform(context)

        frame_prefix = wanted("frame_prefix")
        if len(players) > 1:
            frame_prefix = f"{frame_prefix}player_{player}/"
        writable = NodeParameter(Parameters, "writable").perform(context).split(",")
        has_moved_joints = is_true("joint_commands") and is_first
        walks = is_true("walk_commands") and not has_moved_joints
        # The segments of joints and IMU have no suffix: a machine has one robot with a body.
        joints = {"nao": "true", "webots": "false"}.get(profile, "") if is_first else "false"
        if has_moved_joints:
            joints, writable = "true", [*writable, *MOVED]
        if walks:
            writable = [*writable, "rcmBody.*"]
        if is_true("order_states"):
            writable = [*writable, "rcmFsm.*"]
        is_written = has_moved_joints or walks or is_true("order_states")
        bridge_parameters = [
            LaunchConfiguration("params_file"),
            Overruling(
                frame_prefix=(str, frame_prefix or "''"),
                player=(int, player),
                team=int,
                user=str,
                joints=(bool, joints),
                tables=(list, tables),
                joint_commands=(bool, "true" if has_moved_joints else ""),
                walk_commands=(bool, "true" if walks else ""),
                writable=(list, ",".join(filter(None, writable)) if is_written else ""),
            ),
        ]
        control = (
            f"{os.getpid()}{context.launch_configurations.get('ros_namespace', '')}/{namespace}"
        )
        program = {
            "output": "screen",
            "respawn": LaunchConfiguration("respawn"),
            "respawn_delay": 1.0,
        }
        node = {
            **program,
            "namespace": namespace,
            "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
        }
        actions += [
            Node(
                package="luar_bridge",
                executable="bridge",
                parameters=bridge_parameters,
                condition=UnlessCondition(LaunchConfiguration("compose")),
                **node,
            ),
            ComposedNode(
                node="luar/bridge",
                namespace=namespace,
                parameters=bridge_parameters,
                condition=IfCondition(LaunchConfiguration("compose")),
            ),
        ]
        if is_true("simulate"):
            options = {
                "--team": wanted("team"),
                "--player": player,
                "--user": wanted("user"),
                "--color": str(int(wanted("team")) % 2),
                "--abi": argument("abi"),
                "--layout": simulated_layout(wanted("tables", tables)),
                "--profile": "nao" if wanted("joints", joints) == "true" else "webots",
                "--no-motion": str(has_moved_joints),
                "--ros-body": wanted("walk_commands", "true" if walks else ""),
                "--fault": argument("fault"),
                "--control": control if is_true("simulation_interfaces") else "",
                "--paused": argument("paused"),
            }
            actions.append(
                Node(
                    package="luar_bridge",
                    executable="simulator",
                    exec_name=f"simulator_{player}",
                    arguments=[word for option in options.items() for word in option],
                    **program,
                )
            )
        if is_true("simulate") and is_true("simulation_interfaces"):
            actions.append(
                Node(
                    package="legacy_robots_simulation_services",
                    executable="simulation",
                    parameters=[LaunchConfiguration("params_file"), {"control": control}],
                    **node,
                )
            )
        if is_first:
            actions[:0] = windows(
                namespace,
                frame_prefix,
                {
                    # The field's frame has no prefix: all robots share it.
                    "map": wanted("map_frame"),
                    "base_footprint": frame_prefix + wanted("base_frame"),
                },
                others,
            )
    return actions


def start(context):
    """Return what start_robots returns; end the launch in order for arguments that cannot be."""
    try:
        return start_robots(context)
    except (RuntimeError, ValueError) as error:
        return ending(context, str(error))


def windows(namespace, frame_prefix, frames, others):
    """Return rviz2 and rqt for one robot; rviz2 shows the others too."""
    share = FindPackageShare("legacy_robots_bringup")
    return [
        Node(
            package="rviz2",
            executable="rviz2",
            namespace=namespace,
            arguments=[
                "-d",
                AdaptedView(
                    PathJoinSubstitution([share, "rviz", "luar.rviz"]),
                    frame_prefix=frame_prefix,
                    frames=frames,
                    others=",".join(others),
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
                    PathJoinSubstitution([share, "config", "rqt", "luar.perspective"]),
                    namespace=namespace,
                ),
            ],
            output="screen",
            condition=IfCondition(LaunchConfiguration("rqt")),
        ),
    ]


def player_numbers(context, text):
    """Return the numbers of the players, as texts."""
    if text == "auto":
        if IfCondition(LaunchConfiguration("simulate")).evaluate(context):
            raise RuntimeError("players:=auto finds robots that are there: add simulate:=false")
        names = ("memory_directory", "team", "user")
        place = [NodeParameter(Parameters, name).perform(context) for name in names]
        if not (found := players_in_memory(*place)):
            raise RuntimeError("players:=auto: {} has no gcmTeam{}…{}".format(*place))
        return found
    players = text.split(",") if text else [NodeParameter(Parameters, "player").perform(context)]
    if not all(player.isdecimal() for player in players) or len(set(players)) != len(players):
        raise RuntimeError(f"players must be different numbers such as 1,2,3, not {text!r}")
    return [str(int(player)) for player in players]


def simulated_layout(tables):
    """Return the version of Luar that is simulated for a bridge with these tables."""
    names = tables.split(",")
    if "upenn_2016" in names:
        raise RuntimeError("layout upenn_2016 cannot be simulated: add simulate:=false")
    return next((name for name in reversed(names) if name in SIMULATED), SIMULATED[0])


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the robots of one team."""
    respawn, compose = LaunchConfiguration("respawn"), LaunchConfiguration("compose")
    return LaunchDescription(
        [
            *ARGUMENTS,
            OpaqueFunction(function=start),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
                namespace=LaunchConfiguration("namespace"),
                parameters=[LaunchConfiguration("params_file")],
                output="screen",
                respawn=respawn,
                respawn_delay=1.0,
                condition=IfCondition(AndSubstitution(respawn, NotSubstitution(compose))),
            ),
        ]
    )
