# SPDX-License-Identifier: Apache-2.0
"""What is launched for a match: two teams of simulated robots, their bridges, a referee."""

from __future__ import annotations

from collections.abc import Iterator

from legacy_robots_common.launching.arguments import Argument, node_arguments, switch
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from luar_bridge.bridge_parameters import Parameters
from luar_bridge.pitch import BALL_PORT, BROADCAST
from luar_bridge.system import SYSTEM

TEAMS = ("blue", "red")
DRAWN_PLAYERS = 3
"""Of each team, in luar_match.rviz."""
IMAGES_HZ = 10
"""Six cameras at 30 images a second would be more than a small machine draws."""


def _parts(settings: Settings) -> Iterator[Part]:
    base, players = settings.namespace.rstrip("/"), settings["players"]
    if not 1 <= players <= 11:
        raise LaunchError(f"players must be from 1 to 11, not {players}")
    port, ball_port = settings["port"], settings["ball_port"]
    durations = [
        word
        for name in ("initial", "ready", "set", "half", "half_time", "penalty")
        for word in (f"--{name.replace('_', '-')}", str(settings[name]))
    ]
    yield Part(
        SYSTEM.package,
        "referee",
        (
            *("--players", str(players), "--port", str(port)),
            *("--ball-port", str(ball_port), *durations),
            *(("--fault", "penalty") if settings["penalise"] else ()),
        ),
        respawn=settings["respawn"],
    )
    for team, name in enumerate(TEAMS):
        for player in range(1, players + 1):
            bridge = settings.node(
                "bridge",
                Parameters,
                namespace=f"{base}/{name}/player_{player}",
                overrides={
                    "frame_prefix": f"{name}/player_{player}/",
                    "team": team,
                    "player": player,
                    "user": settings["user"],
                    "joints": False,
                    "game_controller": f"{BROADCAST}:{port}",
                    "writable": ["gcmGame.*"],
                },
            )
            yield bridge
            yield Part(
                SYSTEM.package,
                "simulator",
                (
                    *("--team", str(team), "--player", str(player)),
                    *("--user", settings["user"], "--color", str(team), "--profile", "webots"),
                    *("--ball-port", str(ball_port), "--cognition", str(IMAGES_HZ)),
                ),
                label=f"simulator_{name}_{player}",
                respawn=settings["respawn"],
            )
    missing = range(players + 1, DRAWN_PLAYERS + 1)
    yield from settings.rviz(
        "luar_match",
        namespace=base or "/",
        without=[
            f"{name.capitalize()} {player}{what}"
            for name in TEAMS
            for player in missing
            for what in ("", " knows")
        ],
    )


def _seconds(name: str, default: str, what: str) -> Argument:
    return Argument(name, f"Seconds of {what}", default, float)


LAUNCH = SystemLaunch(
    "luar_match",
    SYSTEM.package,
    (
        Argument("namespace", "Namespace of the match", "luar_match"),
        Argument("players", "Players of each team", "3", int),
        Argument("user", "User at the end of the names of the robots' segments", "match"),
        Argument("port", "UDP port of the referee's broadcast, on loopback", "3838", int),
        Argument("ball_port", "UDP port of the ball, on loopback", str(BALL_PORT), int),
        _seconds("initial", "5", "the state INITIAL"),
        _seconds("ready", "15", "the state READY"),
        _seconds("set", "5", "the state SET"),
        _seconds("half", "600", "each half"),
        _seconds("half_time", "15", "the half time"),
        _seconds("penalty", "30", "a penalty"),
        switch("penalise", "Penalise the first player after 5 s, and the next at each SIGUSR1"),
        *node_arguments(shared_file("config", "luar.yaml")),
        switch("rviz", "Start rviz2 with the field and both teams"),
    ),
    _parts,
    system=SYSTEM.name,
)
