# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the server."""

from __future__ import annotations

from dataclasses import dataclass

from bw4t_runner.schedule import MAX_SPEED, MIN_SPEED
from bw4t_world.model.profiles import PROFILE_NAMES
from legacy_robots_common.node.parameters import parameter

RANDOM_SEED = -1
"""Value of a parameter ``seed`` that leaves the choice to chance."""


@dataclass(frozen=True)
class Parameters:
    """Of the server; read once at the start."""

    world: str = parameter(
        "own",
        "own: the world in this process; original: that of an original server "
        "(docs/bw4t.md#an-original-server)",
        choices=("own", "original"),
        group="The world.",
    )
    server: str = parameter(
        "127.0.0.1:8000",
        "HOST:PORT of the original server's RMI registry; used with world: original, which needs "
        "`jars` too",
    )
    map: str = parameter("nine_rooms", "a map of bw4t_world (docs/bw4t_world.md#maps), or a file")
    scenario: str = parameter(
        "",
        "file that says who takes part (docs/bw4t_world.md#scenarios); empty: `robots` and "
        "`human`",
    )
    robots: int = parameter(3, "robots for agents: Bot_1, Bot_2, ...", minimum=0, maximum=1000)
    human: int = parameter(
        0, "human bots, for people at the page: Human_1, ...", minimum=0, maximum=1000
    )
    profile: str = parameter(
        "spec",
        "whose rules: spec, the document; else those of an original server",
        choices=PROFILE_NAMES,
    )
    collisions: str = parameter(
        "scenario",
        "whether robots collide with each other: on, off, or as the scenario says",
        choices=("scenario", "on", "off"),
    )
    repeat_after: float = parameter(
        0.0,
        "seconds after which a world whose sequence is complete begins again; 0: it does not",
        minimum=0.0,
        maximum=3600.0,
    )
    seed: int = parameter(
        RANDOM_SEED,
        "seed of all random choices; -1: the map's where it counts, else by chance",
        minimum=-1,
    )

    record: str = parameter(
        "",
        "directory for a record of every game (docs/bw4t_study.md); needs the package bw4t_study; "
        "empty: none",
    )

    speed: float = parameter(
        1.0, "simulated seconds in a second", minimum=MIN_SPEED, maximum=MAX_SPEED, group="Time."
    )
    paused: bool = parameter(False, "stand still until the service start or step")
    publish_clock: bool = parameter(
        False, "publish /clock, and stamp with simulated time; for nodes with use_sim_time"
    )

    percept_rate: float = parameter(
        50.0,
        "percept messages at most; a faster world has more ticks in each",
        minimum=1.0,
        maximum=1000.0,
        group="Rates, in Hz.",
    )
    percept_quiet_cycles: int = parameter(
        1,
        "cycles after which a percept message comes without news, too "
        "(docs/bw4t.md#percepts-and-beliefs); 1: every cycle",
        minimum=1,
        maximum=100_000,
    )
    state_rate: float = parameter(
        10.0,
        "positions in `state`; everything else is published at once",
        minimum=0.1,
        maximum=1000.0,
    )
    odom_rate: float = parameter(25.0, "odom and transforms, at most", minimum=0.1, maximum=1000.0)
    marker_rate: float = parameter(10.0, "drawings for rviz, at most", minimum=0.1, maximum=100.0)

    map_frame: str = parameter(
        "map", "frame of the map: its upper left corner, y up", group="Frames."
    )
    frame_prefix: str = parameter("", "put before every frame, such as bw4t_2/")

    web: bool = parameter(
        False, "serve the page (docs/bw4t_page.md)", group="The page for people, on 127.0.0.1."
    )
    web_port: int = parameter(8090, "port of the page; 0: a free one", minimum=0, maximum=65535)
    control: bool = parameter(True, "the page can start, pause and reset the world")
    wait_for_people: int = parameter(
        0,
        "number of people; the world stands still until they steer robots at the page, or until "
        "the service start",
        minimum=0,
        maximum=1000,
    )
    sees: str = parameter(
        "percepts",
        "what people see of others: as their robot perceives, also where robots are, or all",
        choices=("percepts", "robots", "everything"),
    )
    free_text: bool = parameter(False, "people can write any text, not only the fixed messages")
    web_origin: str = parameter(
        "",
        "origin of a reverse proxy before the page, such as https://study.example.org "
        "(docs/bw4t_page.md#behind-a-reverse-proxy)",
    )

    experiment: str = parameter(
        "",
        "file of an experiment with people (docs/bw4t_study.md#studies-with-people), whose page "
        "is served; it says maps, robots and teams; empty: none",
        group="An experiment with people, with the package bw4t_study.",
    )
    experiment_group: int = parameter(
        0, "number of the group of people; 0: the next one", minimum=0, maximum=1_000_000
    )
    experiment_secret: str = parameter(
        "", "secret of the experimenter's page; empty: it is made, and logged"
    )

    rmi: bool = parameter(
        False,
        "serve them (docs/bw4t.md#clients-of-the-original), as a BW4T server does; needs Java and "
        "`jars`",
        group="Clients of the original, by Java RMI.",
    )
    rmi_port: int = parameter(8000, "port of the RMI registry", minimum=1, maximum=65535)
    rmi_address: str = parameter("127.0.0.1", "address that RMI binds to, and that clients get")
    jars: str = parameter(
        "", "directory with the jars of the original's client, for `rmi` and for world: original"
    )

    eis: bool = parameter(
        False,
        "serve agents of EIS (docs/bw4t.md#agents-of-any-platform-with-eis), on 127.0.0.1",
        group="Agents of EIS with our environment jar.",
    )
    eis_port: int = parameter(
        8002, "port for agents of EIS; 0: a free one", minimum=0, maximum=65535
    )
