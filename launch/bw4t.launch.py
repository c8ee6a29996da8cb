# SPDX-License-Identifier: Apache-2.0
"""Start the blocks world BW4T, and an agent for each robot of an example team."""

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from bw4t_bridge.participants import agent_names, default_scenario
from bw4t_world.scenarios import read_scenario
from launch import LaunchDescription
from legacy_robots_common.names import to_ros_name

SHARE = FindPackageShare("legacy_robots_bringup")
TEAMS = ["searchers", "lone_searcher", "none"]


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one world."""
    arguments = [
        DeclareLaunchArgument(
            "namespace", default_value="bw4t", description="Namespace of all names"
        ),
        DeclareLaunchArgument(
            "simulate",
            default_value="true",
            choices=["true", "false"],
            description="Start the server, in which the world runs; false: agents only",
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
            "web",
            default_value="false",
            choices=["true", "false"],
            description="Serve the page for people on 127.0.0.1",
        ),
        DeclareLaunchArgument(
            "web_port", default_value="8090", description="Port of the page; 0: a free one"
        ),
        DeclareLaunchArgument(
            "params_file",
            default_value=PathJoinSubstitution([SHARE, "config", "bw4t.yaml"]),
            description="YAML file with the parameters of the server",
        ),
        DeclareLaunchArgument(
            "rviz",
            default_value="false",
            choices=["true", "false"],
            description="Open rviz2 with a view of the world",
        ),
        DeclareLaunchArgument(
            "log_level", default_value="info", description="Level of the log of server and agents"
        ),
        DeclareLaunchArgument(
            "respawn",
            default_value="false",
            choices=["true", "false"],
            description="Start the server and the agents again when they die",
        ),
    ]
    namespace = LaunchConfiguration("namespace")
    server = Node(
        package="bw4t_bridge",
        executable="server",
        namespace=namespace,
        parameters=[
            LaunchConfiguration("params_file"),
            {
                "map": ParameterValue(LaunchConfiguration("map"), value_type=str),
                "scenario": ParameterValue(LaunchConfiguration("scenario"), value_type=str),
                "robots": ParameterValue(LaunchConfiguration("robots"), value_type=int),
                "human": ParameterValue(LaunchConfiguration("human"), value_type=int),
                "speed": ParameterValue(LaunchConfiguration("speed"), value_type=float),
                "seed": ParameterValue(LaunchConfiguration("seed"), value_type=int),
                "web": ParameterValue(LaunchConfiguration("web"), value_type=bool),
                "web_port": ParameterValue(LaunchConfiguration("web_port"), value_type=int),
            },
        ],
        ros_arguments=["--log-level", LaunchConfiguration("log_level")],
        condition=IfCondition(LaunchConfiguration("simulate")),
        respawn=LaunchConfiguration("respawn"),
        respawn_delay=1.0,
        output="screen",
    )
    rviz = Node(
        package="rviz2",
        executable="rviz2",
        namespace=namespace,
        arguments=["-d", PathJoinSubstitution([SHARE, "rviz", "bw4t.rviz"])],
        condition=IfCondition(LaunchConfiguration("rviz")),
    )
    return LaunchDescription([*arguments, server, OpaqueFunction(function=_agents), rviz])


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
        Node(
            package="bw4t_bridge",
            executable="agent",
            name=f"agent_{to_ros_name(name)}",
            namespace=LaunchConfiguration("namespace"),
            parameters=[
                {
                    "player": name,
                    "team": team,
                    # Not the same for all, or they would run into each other for ever.
                    "seed": -1 if seed < 0 else seed * 1_000_003 + number,
                }
            ],
            ros_arguments=["--log-level", LaunchConfiguration("log_level")],
            respawn=LaunchConfiguration("respawn"),
            respawn_delay=1.0,
            output="screen",
        )
        for number, name in enumerate(agent_names(scenario))
    ]
