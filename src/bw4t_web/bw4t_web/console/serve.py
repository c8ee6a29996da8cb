# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A world, an example team and the page: ``bw4t serve``. Ctrl-C ends it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from bw4t_runner.team import InProcessTeam
from bw4t_runner.world_runner import WorldRunner
from bw4t_web.console.running import one_sentence, run_until_stopped
from bw4t_web.server.settings import Settings
from bw4t_web.server.web_server import WebServer, check_language
from bw4t_web.view.others import SEES, PersonView
from bw4t_world import PROFILES, World
from bw4t_world.agents import TEAMS
from bw4t_world.console.commands import Subparsers
from bw4t_world.maps import SHIPPED_MAPS, load_map
from bw4t_world.scenarios import BotSpec, Scenario, read_scenario
from bw4t_world.simulation.recorders import recorded_world

DESCRIPTION = (
    "Run a blocks world with an example team, and serve the page on which people watch it or "
    "steer a robot of their own. Only this machine can open the page."
)


def add(commands: Subparsers) -> None:
    """Add the command ``serve``."""
    parser = commands.add_parser(
        "serve", help="serve the page on which people watch or play", description=DESCRIPTION
    )
    _add_arguments(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    maps = ", ".join(SHIPPED_MAPS)
    add("--map", default="nine_rooms_random", help=f"a map file, or one of {maps}")
    members = parser.add_mutually_exclusive_group()
    members.add_argument("--robots", type=int, default=2, metavar="N", help="robots of the team")
    members.add_argument("--scenario", metavar="FILE", help="scenario file with all robots")
    teams = ", ".join(TEAMS)
    add("--team", default="searchers", help=f"who drives them: {teams} or module:Class")
    add("--record", metavar="DIR", help="write a record of every game there (package bw4t_study)")
    add("--language", default="", metavar="NAME", help="of the page: de, or a file")
    add("--sees", choices=SEES, default=SEES[0], help="what people see of others (%(default)s)")
    add("--free-text", action="store_true", help="people can write any text")
    add(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="origin of a reverse proxy, such as https://study.example.org",
    )
    add("--port", type=int, default=8090, help="port of the page, 0 for any (%(default)s)")
    add("--speed", type=float, default=1.0, help="times as fast as real time (%(default)s)")
    add("--seed", type=int, help="makes the world repeatable (default: another every time)")
    add("--profile", choices=PROFILES, default="spec", help="whose rules hold (%(default)s)")
    add("--collisions", action="store_true", default=None, help="robots collide with each other")
    add(
        "--grace",
        type=float,
        default=60.0,
        metavar="S",
        help="seconds for which a robot waits for a person whose connection is lost (%(default)g)",
    )
    add("--grippers", type=int, default=1, metavar="N", help="blocks that a person can hold")
    add("--battery", action="store_true", help="the batteries of people's robots run down")
    add(
        "--wait-for-people",
        type=int,
        default=0,
        metavar="N",
        help="time stands still until N people steer robots (%(default)s)",
    )
    add("--no-watch", dest="watch", action="store_false", help="without a robot one sees nothing")
    add(
        "--no-control", dest="control", action="store_false", help="the page cannot pause or reset"
    )
    parser.set_defaults(command=serve)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until Ctrl-C; return the exit code: 0, or 2 with one sentence about what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bw4t_web", description=DESCRIPTION)
    _add_arguments(parser)
    options = parser.parse_args(arguments)
    return one_sentence("bw4t_web", lambda: serve(options))


def serve(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C. Raises ValueError, WorldError, DocumentError and OSError."""
    return run_until_stopped(*_make(options))


def _make(options: argparse.Namespace) -> tuple[WorldRunner, WebServer]:
    if not 0 <= options.port <= 65535:
        raise ValueError(f"--port must be from 0 to 65535, not {options.port}")
    if options.scenario is not None:
        scenario = read_scenario(options.scenario)
    elif options.robots >= 0:
        scenario = Scenario(bots=(BotSpec(amount=options.robots),))
    else:
        raise ValueError(f"--robots must be at least 0, not {options.robots}")
    if not 0 <= options.grace <= 86400:
        raise ValueError(f"--grace must be from 0 to 86400, not {options.grace:g}")
    check_language(options.language)
    if options.grippers < 0:
        raise ValueError(f"--grippers must be at least 0, not {options.grippers}")
    if options.wait_for_people < 0:
        raise ValueError(f"--wait-for-people must be at least 0, not {options.wait_for_people}")
    make: Callable[..., World] = World
    if options.record is not None:
        make = recorded_world(options.record, map=options.map, team=options.team)
    world = make(
        load_map(options.map),
        scenario,
        profile=options.profile,
        seed=options.seed,
        collisions=options.collisions,
    )
    team = InProcessTeam(world, options.team)
    runner = WorldRunner(world, team, speed=options.speed, paused=options.wait_for_people > 0)
    settings = Settings(
        grace=options.grace,
        watch=options.watch,
        control=options.control,
        wait_for_people=options.wait_for_people,
        bot=BotSpec(grippers=options.grippers, battery_enabled=options.battery),
        language=options.language,
        view=PersonView(sees=options.sees, free_text=options.free_text),
    )
    server = WebServer(runner, port=options.port, settings=settings, origins=options.origin)
    return runner, server
