# SPDX-License-Identifier: Apache-2.0
"""What is launched for BW4T: the server with its world, and an agent for each robot of a team."""

from __future__ import annotations

from collections.abc import Iterator

from bw4t_bridge.bridge_parameters import RANDOM_SEED, AgentParameters, Parameters
from bw4t_bridge.participants import agent_names, default_scenario
from bw4t_bridge.system import SYSTEM
from bw4t_world.agents import TEAMS
from bw4t_world.maps import MapError, load_map
from bw4t_world.scenarios import Scenario, ScenarioError, read_scenario
from legacy_robots_common.launching.arguments import Argument, common_arguments, overruling
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from legacy_robots_common.names import to_ros_name

NO_TEAM = "none"


def _parts(settings: Settings) -> Iterator[Part]:
    server = settings.node("server", Parameters)
    scenario = _scenario(server.values)
    if settings["simulate"]:
        if server.values.world == "own":
            _check_map(server.values.map)
        yield server
    team = settings["team"]
    for number, name in enumerate(agent_names(scenario) if team != NO_TEAM else ()):
        seed = server.values.seed
        # Not the same for all, or they would run into each other for ever.
        own_seed = RANDOM_SEED if seed == RANDOM_SEED else seed * 1_000_003 + number
        yield settings.node(
            "agent",
            AgentParameters,
            name=f"agent_{to_ros_name(name)}",
            # Not at the same time either: in a stepped launch the order would be chance.
            defaults={"seed": own_seed, "turn": number},
            overrides={
                "player": name,
                "team": team,
                "seed": None if settings["seed"] is None else own_seed,
            },
        )
    prefix = server.values.frame_prefix
    yield from settings.rviz(
        "bw4t", frame_prefix=prefix, frames={"map": prefix + server.values.map_frame}
    )
    yield from settings.rqt("bw4t")


def _scenario(server: Parameters) -> Scenario:
    """Return who takes part. Raises LaunchError for a file that cannot be used."""
    if not server.scenario or server.world == "original":
        return default_scenario(server.robots, 0)
    try:
        return read_scenario(server.scenario)
    except ScenarioError as error:
        raise LaunchError(f"scenario: {error}") from error


def _check_map(name: str) -> None:
    try:
        load_map(name)
    except MapError as error:
        raise LaunchError(f"map: {error}") from error


LAUNCH = SystemLaunch(
    SYSTEM.name,
    SYSTEM.package,
    (
        *common_arguments(
            SYSTEM.name,
            Parameters,
            shared_file("config", "bw4t.yaml"),
            simulate="Start the server, in which the world runs; false: agents only",
            rviz="the world",
        ),
        *overruling(
            Parameters,
            *(
                "world",
                "server",
                "map",
                "scenario",
                "robots",
                "human",
                "speed",
                "seed",
                "repeat_after",
            ),
            *("web", "web_port", "control", "wait_for_people"),
            *("rmi", "rmi_port", "rmi_address", "jars", "eis", "eis_port"),
        ),
        Argument(
            "team",
            "Example team that drives the robots; none: no agents",
            choices=(*TEAMS, NO_TEAM),
        ),
    ),
    _parts,
    system=SYSTEM.name,
)
