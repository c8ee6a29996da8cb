# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A world, an example team and the page: ``python -m bw4t_bridge.web``. Ctrl-C ends it."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Sequence

from bw4t_bridge.runner.schedule import check_speed
from bw4t_bridge.runner.world_port import WorldPort
from bw4t_bridge.runner.world_runner import WorldRunner
from bw4t_bridge.web.experiment_hub import Referee
from bw4t_bridge.web.experiment_port import open_experiment
from bw4t_bridge.web.experiment_runner import ExperimentRunner
from bw4t_bridge.web.others import SEES, PersonView
from bw4t_bridge.web.server import ExperimentServer, WebServer, check_language, check_port
from bw4t_bridge.web.settings import Settings
from bw4t_bridge.web.team import InProcessTeam
from bw4t_world import PROFILES, World, WorldError
from bw4t_world.agents import TEAMS
from bw4t_world.maps import SHIPPED_MAPS, load_map
from bw4t_world.maps.xml_document import DocumentError
from bw4t_world.scenarios import BotSpec, Scenario, read_scenario
from bw4t_world.simulation.recorders import recorded_world
from legacy_robots_core.printable import printable, set_up_logging
from legacy_robots_web.access import check_origin


def parser() -> argparse.ArgumentParser:
    """Return the description of the command line."""
    result = argparse.ArgumentParser(
        prog="python -m bw4t_bridge.web",
        description="Run a blocks world with an example team, and serve the page on which people "
        "watch it or steer a robot of their own. Only this machine can open the page.",
    )
    add = result.add_argument
    maps = ", ".join(SHIPPED_MAPS)
    add("--map", default="nine_rooms_random", help=f"a map file, or one of {maps}")
    members = result.add_mutually_exclusive_group()
    members.add_argument("--robots", type=int, default=2, metavar="N", help="robots of the team")
    members.add_argument("--scenario", metavar="FILE", help="scenario file with all robots")
    teams = ", ".join(TEAMS)
    add("--team", default="searchers", help=f"who drives them: {teams} or module:Class")
    add("--record", metavar="DIR", help="write a record of every game there (package bw4t_study)")
    add("--experiment", metavar="FILE", help="serve this experiment with people")
    add("--group", type=int, default=0, metavar="N", help="its group of people (default: next)")
    add("--secret", default="", metavar="TEXT", help="its experimenter's secret (default: made)")
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
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until Ctrl-C; return the exit code: 0, or 2 with one sentence about what is wrong."""
    options = parser().parse_args(arguments)
    set_up_logging(format="%(message)s")
    try:
        runner, server = _make(options)
        stop = _stop_on_signals()
        runner.start()
        try:
            server.start()
            print(f"The page is at {server.url} - Ctrl-C ends it.", flush=True)
            if isinstance(server, ExperimentServer):
                print(f"The experimenter's page is at {server.experimenter_url}", flush=True)
            stop.wait()
        finally:
            server.close()
            lines = runner.call(_end)
            runner.close()
            print("\n".join(lines), flush=True)
    except (DocumentError, WorldError, ValueError) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(": ".join(filter(None, (error.filename, error.strerror or str(error)))))
    return 0


def _make(options: argparse.Namespace) -> tuple[WorldRunner, WebServer | ExperimentServer]:
    if not 0 <= options.port <= 65535:
        raise ValueError(f"--port must be from 0 to 65535, not {options.port}")
    if options.experiment is not None:
        return _make_experiment(options)
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


def _make_experiment(options: argparse.Namespace) -> tuple[WorldRunner, ExperimentServer]:
    check_speed(options.speed)
    check_port(options.port)
    for origin in options.origin:
        check_origin(origin)
    experiment = open_experiment(  # whose session uses up the number of a group
        options.experiment, options.record or "", group=options.group, secret=options.secret
    )
    check_language(experiment.language)
    world = experiment.make_world()
    referee = Referee(world)
    runner = ExperimentRunner(experiment, world, referee, speed=options.speed)
    server = ExperimentServer(
        runner, experiment, referee, port=options.port, origins=options.origin
    )
    return runner, server


def _end(world: WorldPort) -> list[str]:
    """End the record, if there is one; return the measures."""
    if isinstance(world, World):
        world.close()
    return world.measures().lines()


def _stop_on_signals() -> threading.Event:
    """Return an event that SIGINT and SIGTERM set from now on."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _fail(problem: str) -> int:
    sys.stderr.write(f"bw4t_bridge.web: error: {printable(problem)}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
