# SPDX-License-Identifier: Apache-2.0
"""Start the blocks world BW4T, and an agent for each robot of an example team."""

from bw4t_bridge.agents.parameters import AgentParameters
from bw4t_bridge.bridge.parameters import RANDOM_SEED, Parameters
from bw4t_bridge.bridge.participants import agent_names, default_scenario
from bw4t_world.agents import TEAMS
from bw4t_world.maps import MapError, load_map
from bw4t_world.scenarios import ScenarioError, read_scenario
from launch import LaunchDescription
from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.arguments import (
    Argument,
    node_arguments,
    overruling,
    switch,
)
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from legacy_robots_common.node.names import to_ros_name

NO_TEAM = "none"

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "bw4t"),
    *overruling(Parameters, "frame_prefix"),
    switch(
        "simulate", "Start the server, in which the world runs; false: agents only", default=True
    ),
    switch("rviz", "Open rviz2 with a view of the world"),
    switch("rqt", "Open rqt with the system's perspective"),
    *node_arguments(shared_file("config", "bw4t.yaml")),
    *overruling(Parameters, "world", "server", "map", "scenario", "robots", "human", "speed"),
    *overruling(Parameters, "seed", "repeat_after", "record"),
    *overruling(Parameters, "web", "web_port", "control", "wait_for_people", "sees", "free_text"),
    *overruling(Parameters, "web_origin", "experiment", "experiment_group", "experiment_secret"),
    *overruling(Parameters, "rmi", "rmi_port", "rmi_address", "jars", "eis", "eis_port"),
    Argument(
        "team",
        "Example team that drives the robots; none: no agents",
        choices=(*TEAMS, NO_TEAM),
    ),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    server = launch.node(package="bw4t_bridge", executable="server", parameters_class=Parameters)
    wanted = server.values
    scenario = _scenario(wanted)
    if launch["simulate"]:
        if wanted.world == "own":
            _check_map(wanted.map)
        yield server
    if launch["team"] != NO_TEAM and not wanted.experiment:  # whose file says the teams
        for number, name in enumerate(agent_names(scenario)):
            # Not the same for all, or they would run into each other for ever.
            is_random = wanted.seed == RANDOM_SEED
            seed = RANDOM_SEED if is_random else wanted.seed * 1_000_003 + number
            yield launch.node(
                package="bw4t_bridge",
                executable="agent",
                name=f"agent_{to_ros_name(name)}",
                parameters_class=AgentParameters,
                # Not at the same time either: in a stepped launch the order would be chance.
                defaults={"seed": seed, "turn": number},
                parameters={
                    "player": name,
                    "team": launch["team"],
                    "seed": None if launch["seed"] is None else seed,
                },
            )
    if launch["rviz"]:
        yield launch.rviz(
            shared_file("rviz", "bw4t.rviz"),
            frame_prefix=wanted.frame_prefix,
            frames={"map": wanted.frame_prefix + wanted.map_frame},
        )
    if launch["rqt"]:
        yield launch.rqt(shared_file("config", "rqt", "bw4t.perspective"))


def _scenario(wanted):
    """Return who takes part. Raises LaunchError for a file that cannot be used."""
    if not wanted.scenario or wanted.world == "original":
        return default_scenario(wanted.robots, 0)
    try:
        return read_scenario(wanted.scenario)
    except ScenarioError as error:
        raise LaunchError(f"scenario: {error}") from error


def _check_map(name):
    try:
        load_map(name)
    except MapError as error:
        raise LaunchError(f"map: {error}") from error


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one world."""
    return launch_description(ARGUMENTS, start)
