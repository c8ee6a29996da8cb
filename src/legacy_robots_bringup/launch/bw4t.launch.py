# SPDX-License-Identifier: Apache-2.0
"""Start the blocks world BW4T, and an agent for each robot of an example team."""

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration

from bw4t_bridge.participants import agent_names, default_scenario
from bw4t_world.scenarios import read_scenario
from launch import LaunchDescription
from legacy_robots_common.launching import (
    common_arguments,
    fast_dds_profile,
    node,
    rviz,
    switch,
    typed,
)
from legacy_robots_common.names import to_ros_name

TEAMS = ["searchers", "lone_searcher", "none"]


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one world."""
    arguments = [
        *common_arguments(
            "bw4t",
            simulate="Start the server, in which the world runs; false: agents only",
            rviz="the world",
        ),
        DeclareLaunchArgument(
            "map",
            default_value="nine_rooms",
            description="A map of bw4t_world, or a map file",
        ),
        DeclareLaunchArgument(
            "scenario",
            default_value="",
            description="Scenario file that says who takes part; empty: robots and human",
        ),
        DeclareLaunchArgument(
            "robots", default_value="3", description="Number of robots, each with an agent"
        ),
        DeclareLaunchArgument(
            "human", default_value="0", description="Number of human bots, for people at the page"
        ),
        DeclareLaunchArgument(
            "team",
            default_value="searchers",
            choices=TEAMS,
            description="Example team that drives the robots; none: no agents",
        ),
        DeclareLaunchArgument(
            "speed", default_value="1.0", description="Simulated seconds in a second"
        ),
        DeclareLaunchArgument(
            "seed", default_value="-1", description="Of all random choices; -1: by chance"
        ),
        DeclareLaunchArgument(
            "repeat_after",
            default_value="0.0",
            description="Seconds after which a world that is done begins again; 0: it does not",
        ),
        switch("web", "Serve the page for people on 127.0.0.1"),
        DeclareLaunchArgument(
            "web_port", default_value="8090", description="Port of the page; 0: a free one"
        ),
    ]
    server = node(
        "bw4t_bridge",
        "server",
        [
            {
                "map": typed("map", str),
                "scenario": typed("scenario", str),
                "robots": typed("robots", int),
                "human": typed("human", int),
                "speed": typed("speed", float),
                "seed": typed("seed", int),
                "repeat_after": typed("repeat_after", float),
                "web": typed("web", bool),
                "web_port": typed("web_port", int),
                "frame_prefix": typed("frame_prefix", str),
            }
        ],
        condition=IfCondition(LaunchConfiguration("simulate")),
    )
    agents = OpaqueFunction(function=_agents)
    return LaunchDescription([*arguments, *fast_dds_profile(), server, agents, rviz("bw4t")])


def _agents(context):
    """Return a node for each robot that an agent drives."""
    team = LaunchConfiguration("team").perform(context)
    if team == "none":
        return []
    scenario_file = LaunchConfiguration("scenario").perform(context)
    if scenario_file:
        scenario = read_scenario(scenario_file)
    else:
        robots = int(LaunchConfiguration("robots").perform(context))
        scenario = default_scenario(robots, 0)
    seed = int(LaunchConfiguration("seed").perform(context))
    return [
        node(
            "bw4t_bridge",
            "agent",
            [
                {
                    "player": name,
                    "team": team,
                    # Not the same for all, or they would run into each other for ever.
                    "seed": -1 if seed < 0 else seed * 1_000_003 + number,
                }
            ],
            name=f"agent_{to_ros_name(name)}",
        )
        for number, name in enumerate(agent_names(scenario))
    ]
