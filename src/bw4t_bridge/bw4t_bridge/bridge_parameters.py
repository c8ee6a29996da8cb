# SPDX-License-Identifier: Apache-2.0
"""The parameters of the server and of the agents."""

from __future__ import annotations

from dataclasses import dataclass

from bw4t_bridge.schedule import MAX_SPEED, MIN_SPEED
from bw4t_world.agents import TEAMS
from bw4t_world.profiles import PROFILE_NAMES
from legacy_robots_common.parameters import parameter

RANDOM_SEED = -1
"""Value of a parameter ``seed`` that leaves the choice to chance."""


@dataclass(frozen=True)
class Parameters:
    """Of the server; read once at the start, see config/bw4t.yaml."""

    world: str = parameter(
        "own", "the world: our own in this process, or that of an original server",
        choices=("own", "original"),
    )  # fmt: skip
    server: str = parameter("127.0.0.1:8000", "HOST:PORT of the original server's RMI registry")
    map: str = parameter("nine_rooms", "a map of bw4t_world, or a file")
    scenario: str = parameter("", "file that says who takes part; empty: robots and human")
    robots: int = parameter(3, "robots for agents, without a scenario", minimum=0, maximum=1000)
    human: int = parameter(0, "human bots, without a scenario", minimum=0, maximum=1000)
    profile: str = parameter(
        "spec", "whose rules: the document's, or those of an original server",
        choices=PROFILE_NAMES,
    )  # fmt: skip
    collisions: str = parameter(
        "scenario", "whether robots collide with each other: on, off, or as the scenario says",
        choices=("scenario", "on", "off"),
    )  # fmt: skip
    seed: int = parameter(
        RANDOM_SEED, "of all random choices; -1: the map's where it counts, else by chance",
        minimum=-1,
    )  # fmt: skip
    speed: float = parameter(
        1.0, "simulated seconds in a second", minimum=MIN_SPEED, maximum=MAX_SPEED
    )
    paused: bool = parameter(False, "stand still until the service start or step")
    repeat_after: float = parameter(
        0.0, "s after which a world whose sequence is complete begins again; 0: it does not",
        minimum=0.0, maximum=3600.0,
    )  # fmt: skip
    percept_rate: float = parameter(
        50.0, "percept messages a second at most; a faster world has more ticks in each",
        minimum=1.0, maximum=1000.0,
    )  # fmt: skip
    percept_quiet_cycles: int = parameter(
        1, "a percept message comes at least so often, in cycles, without news; 1: every cycle",
        minimum=1, maximum=100_000,
    )  # fmt: skip
    state_rate: float = parameter(
        10.0, "positions a second in state; everything else is told at once",
        minimum=0.1, maximum=1000.0,
    )  # fmt: skip
    odom_rate: float = parameter(
        25.0, "odom and transforms a second, at most", minimum=0.1, maximum=1000.0
    )
    marker_rate: float = parameter(
        10.0, "drawings for rviz a second, at most", minimum=0.1, maximum=100.0
    )
    publish_clock: bool = parameter(
        False, "publish /clock, and stamp with simulated time; for nodes with use_sim_time"
    )
    map_frame: str = parameter("map", "frame of the map: its upper left corner, y up")
    frame_prefix: str = parameter("", "put before every frame, such as 'bw4t_2/'")
    web: bool = parameter(False, "serve the page for people, on 127.0.0.1")
    web_port: int = parameter(8090, "port of the page; 0: a free one", minimum=0, maximum=65535)
    control: bool = parameter(True, "the page can start, pause and reset the world")
    wait_for_people: int = parameter(
        0, "stand still until so many people steer robots at the page, or the service start",
        minimum=0, maximum=1000,
    )  # fmt: skip
    rmi: bool = parameter(False, "serve clients of the original, as a BW4T server does")
    rmi_port: int = parameter(8000, "port of the RMI registry", minimum=1, maximum=65535)
    rmi_address: str = parameter(
        "127.0.0.1", "address that RMI binds to, and that clients are told"
    )
    jars: str = parameter("", "directory with the jars of the original's client")
    eis: bool = parameter(False, "serve agents of EIS, with our environment jar")
    eis_port: int = parameter(
        8002, "port for agents of EIS, on 127.0.0.1; 0: a free one", minimum=0, maximum=65535
    )


@dataclass(frozen=True)
class AgentParameters:
    """Of an agent; read once at the start."""

    player: str = parameter("Bot_1", "name of the robot to drive, as BW4T has it")
    team: str = parameter("searchers", "which example team it belongs to", choices=tuple(TEAMS))
    seed: int = parameter(RANDOM_SEED, "of its random choices; -1: by chance", minimum=-1)
    turn: int = parameter(
        0,
        "in a stepped launch it decides in ticks that are so much greater than multiples of "
        "its period, so that a team acts in order",
        minimum=0,
    )
