# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to one Luar robot or to several, and by default as many simulated robots."""

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration

from launch import LaunchDescription
from legacy_robots_common.launching import (
    common_arguments,
    fast_dds_profile,
    fault_argument,
    node,
    rviz,
    simulator,
    typed,
)


def _players(text):
    """Return the players in a list such as 1,2,3."""
    players = text.split(",")
    if not all(p.isdigit() for p in players) or len(set(players)) != len(players):
        raise ValueError(f"players must be different numbers such as 1,2,3, not {text!r}")
    return [int(p) for p in players]


def _robots(context):
    """Return the actions of every robot; which they are is known only when the launch runs."""
    players = _players(LaunchConfiguration("players").perform(context))
    namespace = LaunchConfiguration("namespace").perform(context)
    frame_prefix = LaunchConfiguration("frame_prefix").perform(context)
    team = LaunchConfiguration("team").perform(context)
    user = LaunchConfiguration("user").perform(context)
    profile = LaunchConfiguration("profile").perform(context)
    layout = LaunchConfiguration("layout").perform(context)
    actions, namespaces = [], []
    for index, player in enumerate(players):
        own_part = "" if len(players) == 1 else f"player_{player}/"
        namespaces.append(f"{namespace}/{own_part}".rstrip("/"))
        # The segments of joints and IMU have no suffix: a machine has one robot with a body.
        has_body = index == 0 and profile == "nao"
        bridge = node(
            "luar_bridge",
            "bridge",
            [
                {
                    "team": int(team),
                    "player": player,
                    "user": typed("user", str),
                    "joints": has_body,
                    "tables": [layout],
                    "frame_prefix": frame_prefix + own_part,
                }
            ],
            namespace=namespaces[-1],
        )
        robot = simulator(
            "luar_bridge",
            [
                *("--team", team, "--player", str(player), "--user", user),
                *("--color", str(int(team) % 2), "--abi", LaunchConfiguration("abi")),
                *("--layout", layout, "--profile", "nao" if has_body else "webots"),
            ],
            name=f"simulator_{player}",
        )
        actions += [bridge, robot]
    return [*actions, rviz("luar", namespace=namespaces[0])]


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the robots of one team."""
    arguments = [
        *common_arguments(
            "luar", simulate="Start simulated robots too", rviz="the field and the first robot"
        ),
        DeclareLaunchArgument(
            "players", default_value="1", description="Numbers of the players, such as 1,2,3"
        ),
        DeclareLaunchArgument(
            "team", default_value="0", description="Number of the team, as Luar has it"
        ),
        DeclareLaunchArgument(
            "user",
            default_value="simulated",
            description="User at the end of the segments' names: that of the robot's processes",
        ),
        DeclareLaunchArgument(
            "profile",
            default_value="nao",
            choices=["nao", "webots"],
            description="nao: the first player has joints and IMU (dcmSensor); webots: none has",
        ),
        DeclareLaunchArgument(
            "layout",
            default_value="document",
            choices=["document", "upenn_2013", "upenn_2016"],
            description="Version of Luar; upenn_2016 cannot be simulated",
        ),
        DeclareLaunchArgument(
            "abi",
            default_value="1",
            choices=["1", "2"],
            description="Memory layout of simulated robots: 1 Boost up to 1.86, 2 from 1.87",
        ),
        fault_argument(),
    ]
    return LaunchDescription([*arguments, *fast_dds_profile(), OpaqueFunction(function=_robots)])
