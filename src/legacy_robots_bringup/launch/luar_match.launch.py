# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the bridges of two teams of Luar robots, and by default the robots and a referee."""

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import IfElseSubstitution, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription
from legacy_robots_launch.parameters import Overruling, ending
from legacy_robots_launch.views import AdaptedView
from luar_bridge.simulator.shared_ball import BROADCAST

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="luar_match",
        description="Namespace of the match",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start simulated robots and a referee too; without, such as beside two teams "
        "in Webots, games are what the robots have in gcmGame",
    ),
    DeclareLaunchArgument(
        "players",
        default_value="3",
        description="Players of each team",
    ),
    DeclareLaunchArgument(
        "user",
        default_value="match",
        description="User at the end of the names of the robots' segments",
    ),
    DeclareLaunchArgument(
        "port",
        default_value="3838",
        description="UDP port of the referee's broadcast, on loopback",
    ),
    DeclareLaunchArgument(
        "ball_port",
        default_value="3840",
        description="UDP port of the ball, on loopback",
    ),
    DeclareLaunchArgument(
        "initial",
        default_value="5",
        description="Seconds of the state INITIAL",
    ),
    DeclareLaunchArgument(
        "ready",
        default_value="15",
        description="Seconds of the state READY",
    ),
    DeclareLaunchArgument(
        "set",
        default_value="5",
        description="Seconds of the state SET",
    ),
    DeclareLaunchArgument(
        "half",
        default_value="600",
        description="Seconds of each half",
    ),
    DeclareLaunchArgument(
        "half_time",
        default_value="15",
        description="Seconds of the half time",
    ),
    DeclareLaunchArgument(
        "penalty",
        default_value="30",
        description="Seconds of a penalty",
    ),
    DeclareLaunchArgument(
        "finished",
        default_value="15",
        description="Seconds of the state FINISHED, after which the next match begins",
    ),
    DeclareLaunchArgument(
        "penalise",
        default_value="false",
        choices=SWITCH,
        description="Penalise the first player after 5 s, and the next at each SIGUSR1",
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
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Start rviz2 with the field and both teams",
    ),
]

TEAMS = ("blue", "red")
DURATIONS = ("initial", "ready", "set", "half", "half_time", "penalty", "finished")
DRAWN_PLAYERS = 3
"""Of each team, in luar_match.rviz; launch adds the others."""
IMAGES_HZ = "10"
"""Six cameras at 30 images a second would be more than a small machine draws."""


def start_players(context):
    """Return bridge and simulated robot of each player, and rviz2 with those that are there."""
    namespace = LaunchConfiguration("namespace")
    players = int(LaunchConfiguration("players").perform(context))
    if not 1 <= players <= 11:
        return ending(context, f"players must be from 1 to 11, not {players}")
    program = {
        "output": "screen",
        "respawn": LaunchConfiguration("respawn"),
        "respawn_delay": 1.0,
    }
    is_simulated = IfCondition(LaunchConfiguration("simulate")).evaluate(context)
    broadcast = [f"{BROADCAST}:", LaunchConfiguration("port")] if is_simulated else ""
    actions = []
    for team, color in enumerate(TEAMS):
        for player in range(1, players + 1):
            actions += [
                Node(
                    package="luar_bridge",
                    executable="bridge",
                    namespace=[namespace, f"/{color}/player_{player}"],
                    parameters=[
                        LaunchConfiguration("params_file"),
                        Overruling(
                            frame_prefix=(str, f"{color}/player_{player}/"),
                            team=(int, str(team)),
                            player=(int, str(player)),
                            user=str,
                            joints=(bool, "false"),
                            game_controller=(str, broadcast),
                            writable=(list, "gcmGame.*" if is_simulated else ""),
                        ),
                    ],
                    ros_arguments=["--log-level", LaunchConfiguration("log_level")],
                    **program,
                ),
                Node(
                    package="luar_bridge",
                    executable="simulator",
                    exec_name=f"simulator_{color}_{player}",
                    arguments=[
                        *("--team", str(team), "--player", str(player)),
                        *("--user", LaunchConfiguration("user"), "--color", str(team)),
                        *("--ball-port", LaunchConfiguration("ball_port")),
                        *("--profile", "webots", "--cognition", IMAGES_HZ),
                    ],
                    condition=IfCondition(LaunchConfiguration("simulate")),
                    **program,
                ),
            ]
    missing = range(players + 1, DRAWN_PLAYERS + 1)
    absent = [f"{color.capitalize()} {player}" for color in TEAMS for player in missing]
    view = PathJoinSubstitution(
        [FindPackageShare("legacy_robots_bringup"), "rviz", "luar_match.rviz"]
    )
    absent += [f"{name} knows" for name in absent]
    more = [f"{c}/player_{n}" for c in TEAMS for n in range(DRAWN_PLAYERS + 1, players + 1)]
    actions.append(
        Node(
            package="rviz2",
            executable="rviz2",
            namespace=namespace,
            arguments=[
                "-d",
                AdaptedView(
                    view,
                    without=",".join(absent),
                    others=",".join(f"{name}:{name}/" for name in more),
                    repeated="Blue 1",
                ),
            ],
            output="screen",
            condition=IfCondition(LaunchConfiguration("rviz")),
        )
    )
    return actions


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of a match."""
    respawn = LaunchConfiguration("respawn")
    durations = [
        word
        for name in DURATIONS
        for word in (f"--{name.replace('_', '-')}", LaunchConfiguration(name))
    ]
    return LaunchDescription(
        [
            *ARGUMENTS,
            Node(
                package="luar_bridge",
                executable="referee",
                arguments=[
                    "--players",
                    LaunchConfiguration("players"),
                    "--port",
                    LaunchConfiguration("port"),
                    "--ball-port",
                    LaunchConfiguration("ball_port"),
                    *durations,
                    "--fault",
                    IfElseSubstitution(LaunchConfiguration("penalise"), "penalty", ""),
                ],
                output="screen",
                respawn=respawn,
                respawn_delay=1.0,
                condition=IfCondition(LaunchConfiguration("simulate")),
            ),
            OpaqueFunction(function=start_players),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
                namespace=LaunchConfiguration("namespace"),
                parameters=[LaunchConfiguration("params_file")],
                output="screen",
                condition=IfCondition(respawn),
            ),
        ]
    )
