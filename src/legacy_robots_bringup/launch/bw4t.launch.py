# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start the blocks world BW4T, and an agent for each robot of an example team."""

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

from bw4t_bridge.bridge.parameters import RANDOM_SEED, Parameters
from bw4t_bridge.bridge.participants import agents_of, default_scenario
from bw4t_world.scenarios import ScenarioError, read_scenario
from launch import LaunchDescription
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_launch.composition import ComposedNode
from legacy_robots_launch.parameters import NodeParameter, Overruling, ending
from legacy_robots_launch.views import AdaptedPerspective, AdaptedView

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "namespace",
        default_value="bw4t",
        description="Namespace of all names",
    ),
    DeclareLaunchArgument(
        "frame_prefix",
        default_value="",
        description="Put before every frame, such as bw4t_2/",
    ),
    DeclareLaunchArgument(
        "simulate",
        default_value="true",
        choices=SWITCH,
        description="Start the server, in which the world runs; false: agents only",
    ),
    DeclareLaunchArgument(
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Open rviz2 with a view of the world",
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
            [FindPackageShare("legacy_robots_bringup"), "config", "bw4t.yaml"]
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
        "world",
        default_value="",
        choices=["", "own", "original"],
        description="own: the world in this process; original: that of an original server "
        "(docs/bw4t.md#an-original-server)",
    ),
    DeclareLaunchArgument(
        "server",
        default_value="",
        description="HOST:PORT of the original server's RMI registry; used with world: "
        "original, which needs `jars` too",
    ),
    DeclareLaunchArgument(
        "map",
        default_value="",
        description="A map of bw4t_world (docs/bw4t_world.md#maps), or a file",
    ),
    DeclareLaunchArgument(
        "scenario",
        default_value="",
        description="File that says who takes part (docs/bw4t_world.md#scenarios); empty: "
        "`robots` and `human`",
    ),
    DeclareLaunchArgument(
        "robots",
        default_value="",
        description="Robots for agents: Bot_1, Bot_2, ... (from 0 to 1000)",
    ),
    DeclareLaunchArgument(
        "human",
        default_value="",
        description="Human bots, for people at the page: Human_1, ... (from 0 to 1000)",
    ),
    DeclareLaunchArgument(
        "profile",
        default_value="",
        choices=["", "spec", "server_3_8_1", "server_3_10"],
        description="Whose rules: spec, the document; else those of an original server",
    ),
    DeclareLaunchArgument(
        "speed",
        default_value="",
        description="Simulated seconds in a second (from 0.01 to 1000)",
    ),
    DeclareLaunchArgument(
        "seed",
        default_value="",
        description="Seed of all random choices; -1: the map's where it counts, else by "
        "chance (at least -1)",
    ),
    DeclareLaunchArgument(
        "repeat_after",
        default_value="",
        description="Seconds after which a world whose sequence is complete begins again; "
        "0: it does not (from 0 to 3600)",
    ),
    DeclareLaunchArgument(
        "record",
        default_value="",
        description="Directory for a record of every game (docs/bw4t_study.md); needs the "
        "package bw4t_study; empty: none",
    ),
    DeclareLaunchArgument(
        "web",
        default_value="",
        description="Serve the page (docs/bw4t_page.md)",
    ),
    DeclareLaunchArgument(
        "web_port",
        default_value="",
        description="Port of the page; 0: a free one (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "control",
        default_value="",
        description="The page can start, pause and reset the world",
    ),
    DeclareLaunchArgument(
        "wait_for_people",
        default_value="",
        description="Number of people; the world stands still until they steer robots at "
        "the page, or until the service start (from 0 to 1000)",
    ),
    DeclareLaunchArgument(
        "sees",
        default_value="",
        choices=["", "percepts", "robots", "everything"],
        description="What people see of others: as their robot perceives, also where robots "
        "are, or all",
    ),
    DeclareLaunchArgument(
        "free_text",
        default_value="",
        description="People can write any text, not only the fixed messages",
    ),
    DeclareLaunchArgument(
        "web_origin",
        default_value="",
        description="Origin of a reverse proxy before the page, such as "
        "https://study.example.org (docs/bw4t_page.md#behind-a-reverse-proxy)",
    ),
    DeclareLaunchArgument(
        "experiment",
        default_value="",
        description="File of an experiment with people "
        "(docs/bw4t_study.md#studies-with-people), whose page is served; it "
        "says maps, robots and teams; empty: none",
    ),
    DeclareLaunchArgument(
        "experiment_group",
        default_value="",
        description="Number of the group of people; 0: the next one (from 0 to 1000000)",
    ),
    DeclareLaunchArgument(
        "experiment_secret",
        default_value="",
        description="Secret of the experimenter's page; empty: it is made, and logged",
    ),
    DeclareLaunchArgument(
        "rmi",
        default_value="",
        description="Serve them (docs/bw4t.md#clients-of-the-original), as a BW4T server "
        "does; needs Java and `jars`",
    ),
    DeclareLaunchArgument(
        "rmi_port",
        default_value="",
        description="Port of the RMI registry (from 1 to 65535)",
    ),
    DeclareLaunchArgument(
        "rmi_address",
        default_value="",
        description="Address that RMI binds to, and that clients get",
    ),
    DeclareLaunchArgument(
        "jars",
        default_value="",
        description="Directory with the jars of the original's client, for `rmi` and for "
        "world: original",
    ),
    DeclareLaunchArgument(
        "eis",
        default_value="",
        description="Serve agents of EIS (docs/bw4t.md#agents-of-any-platform-with-eis), on "
        "127.0.0.1",
    ),
    DeclareLaunchArgument(
        "eis_port",
        default_value="",
        description="Port for agents of EIS; 0: a free one (from 0 to 65535)",
    ),
    DeclareLaunchArgument(
        "team",
        default_value="",
        choices=["", "lone_searcher", "searchers", "none"],
        description="Example team that drives the robots; none: no agents",
    ),
    DeclareLaunchArgument(
        "compose",
        default_value="false",
        choices=SWITCH,
        description="Leave the nodes to the container of the launch file that includes this one",
    ),
]

NO_TEAM = "none"


def start_agents(context):
    """Return the agents: one for each robot and e-partner that scenario or robots says."""

    def wanted(name):
        return NodeParameter(Parameters, name, node="server").perform(context)

    team = LaunchConfiguration("team").perform(context)
    if team == NO_TEAM or wanted("experiment"):  # whose file says the teams
        return []
    is_original = wanted("world") == "original"
    if wanted("scenario") and not is_original:
        try:
            scenario = read_scenario(wanted("scenario"))
        except ScenarioError as error:
            return ending(context, f"scenario: {error}")
    else:
        scenario = default_scenario(int(wanted("robots")), 0)
    compose = LaunchConfiguration("compose")
    agents = []
    for number, (player, its_team) in enumerate(agents_of(scenario, team)):
        # Not the same for all, or they would run into each other for ever.
        seed = int(wanted("seed"))
        seed = seed if seed == RANDOM_SEED else seed * 1_000_003 + number
        given_seed = IfElseSubstitution(
            EqualsSubstitution(LaunchConfiguration("seed"), ""), "", str(seed)
        )
        agent = {
            "name": f"agent_{to_ros_name(player)}",
            "namespace": LaunchConfiguration("namespace"),
            "parameters": [
                # Not at the same time either: in a stepped launch the order would be chance.
                {"seed": seed, "turn": number},
                LaunchConfiguration("params_file"),
                Overruling(player=(str, player), team=(str, its_team), seed=(int, given_seed)),
            ],
        }
        agents += [
            Node(
                package="bw4t_bridge",
                executable="agent",
                ros_arguments=["--log-level", LaunchConfiguration("log_level")],
                output="screen",
                respawn=LaunchConfiguration("respawn"),
                respawn_delay=1.0,
                condition=UnlessCondition(compose),
                **agent,
            ),
            ComposedNode(node="bw4t/agent", condition=IfCondition(compose), **agent),
        ]
    return agents


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one world."""
    namespace = LaunchConfiguration("namespace")
    params_file = LaunchConfiguration("params_file")
    respawn = LaunchConfiguration("respawn")
    simulate = LaunchConfiguration("simulate")
    compose = LaunchConfiguration("compose")
    share = FindPackageShare("legacy_robots_bringup")
    frame_prefix = NodeParameter(Parameters, "frame_prefix", node="server")
    map_frame = NodeParameter(Parameters, "map_frame", node="server")
    server_parameters = [
        params_file,
        Overruling(
            frame_prefix=str,
            world=str,
            server=str,
            map=str,
            scenario=str,
            robots=int,
            human=int,
            profile=str,
            speed=float,
            seed=int,
            repeat_after=float,
            record=str,
            web=bool,
            web_port=int,
            control=bool,
            wait_for_people=int,
            sees=str,
            free_text=bool,
            web_origin=str,
            experiment=str,
            experiment_group=int,
            experiment_secret=str,
            rmi=bool,
            rmi_port=int,
            rmi_address=str,
            jars=str,
            eis=bool,
            eis_port=int,
        ),
    ]
    node = {
        "namespace": namespace,
        "ros_arguments": ["--log-level", LaunchConfiguration("log_level")],
        "output": "screen",
        "respawn": respawn,
        "respawn_delay": 1.0,
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
                        PathJoinSubstitution([share, "rviz", "bw4t.rviz"]),
                        frame_prefix=frame_prefix,
                        frames={"map": [frame_prefix, map_frame]},
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
                        PathJoinSubstitution([share, "config", "rqt", "bw4t.perspective"]),
                        namespace=namespace,
                    ),
                ],
                output="screen",
                condition=IfCondition(LaunchConfiguration("rqt")),
            ),
            OpaqueFunction(function=start_agents),
            Node(
                package="bw4t_bridge",
                executable="server",
                parameters=server_parameters,
                condition=IfCondition(AndSubstitution(simulate, NotSubstitution(compose))),
                **node,
            ),
            ComposedNode(
                node="bw4t/server",
                namespace=namespace,
                parameters=server_parameters,
                condition=IfCondition(AndSubstitution(simulate, compose)),
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
