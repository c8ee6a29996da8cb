# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The commands that this package adds to the program ``bw4t``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from bw4t_study.people.template import PEOPLE, STUDIES, new_study
from bw4t_world.console.commands import Subparsers


def add(commands: Subparsers) -> None:
    """Add the commands; what they need is imported when they run."""
    _add_analyse(commands)
    _add_report(commands)
    _add_replay(commands)
    _add_experiment(commands)
    _add_study(commands)
    _add_mcp(commands)
    _add_learn(commands)


def _add_analyse(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "analyse",
        help="make tables of recorded games",
        description="Make tidy tables of all recorded games in a directory, as CSV and Parquet.",
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="where the records are")
    parser.add_argument(
        "--output", metavar="DIR", type=Path, help="where to write (default: DIR/tables)"
    )
    parser.set_defaults(command=_analyse)


def _analyse(options: argparse.Namespace) -> int:
    from bw4t_study.analysis.export import gather_all, write_tables

    tables = gather_all(options.directory)
    for path in write_tables(tables, options.output or options.directory / "tables"):
        sys.stdout.write(f"{path}\n")
    return 0


def _add_report(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "report",
        help="write the report of recorded games",
        description="Write a page with plots, means with intervals and effects of recorded games "
        "(.html), the plots alone (.png, .svg, .pdf), or the effects alone (.csv).",
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="where the records are")
    parser.add_argument("target", metavar="FILE", type=Path, help="by its suffix, see above")
    parser.add_argument(
        "--by",
        metavar="COLUMN",
        default="about_team",
        help="column of the table games that makes the groups (default: %(default)s)",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="also practice and games that were not played to the end",
    )
    parser.set_defaults(command=_report)


def _report(options: argparse.Namespace) -> int:
    from bw4t_study.analysis.export import gather_all
    from bw4t_study.analysis.report import write_report

    tables = gather_all(options.directory)
    write_report(tables, options.target, by=options.by, everything=options.all)
    return 0


def _add_replay(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "replay",
        help="play a recorded game again",
        description="Simulate a recorded game again, compare its measures bit by bit with the "
        "recorded ones, and print them.",
    )
    parser.add_argument("file", metavar="FILE", help="the record of a game")
    parser.add_argument("--pictures", metavar="DIR", type=Path, help="write pictures there")
    parser.add_argument("--page", metavar="FILE", type=Path, help="write an .html file that plays")
    parser.add_argument("--mcap", metavar="FILE", type=Path, help="write messages of ROS 2")
    parser.add_argument("--video", metavar="FILE", type=Path, help="write an .mp4 or .avi file")
    parser.add_argument(
        "--every",
        metavar="S",
        type=_positive,
        default=1.0,
        help="simulated seconds between two pictures (default: %(default)g)",
    )
    parser.add_argument(
        "--speed",
        metavar="X",
        type=_positive,
        default=4.0,
        help="simulated seconds in a second of the video (default: %(default)g)",
    )
    parser.add_argument(
        "--scale",
        type=_positive,
        default=12.0,
        help="pixels for a map unit (default: %(default)g)",
    )
    parser.set_defaults(command=_replay)


MCAP_EVERY_S = 0.1
"""Simulated seconds between two poses in an MCAP file, at most."""

FRAMES_S = 20.0
"""Frames a second of a video."""


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def _replay(options: argparse.Namespace) -> int:
    from bw4t_study.record import read_game
    from bw4t_study.replay import Replay
    from bw4t_study.replay.film import write_page, write_pictures, write_video
    from bw4t_study.replay.mcap_file import write_mcap

    game = read_game(options.file)
    replay = Replay(game)
    replay.measures()
    sys.stdout.write("".join(f"{line}\n" for line in replay.world.measures().lines()))
    state = "equal the recorded ones" if game.end else "cannot be compared: the record broke off"
    sys.stdout.write(f"the measures {state}\n")
    if options.pictures:
        number = write_pictures(
            replay, options.pictures, every_s=options.every, scale=options.scale
        )
        sys.stdout.write(f"{number} pictures in {options.pictures}\n")
    if options.page:
        number = write_page(replay, options.page, every_s=options.every, scale=options.scale / 2)
        sys.stdout.write(f"{number} pictures in {options.page}\n")
    if options.mcap:
        number = write_mcap(replay, options.mcap, every_s=min(options.every, MCAP_EVERY_S))
        sys.stdout.write(f"{number} messages in {options.mcap}\n")
    if options.video:
        number = write_video(
            replay, options.video, frames_s=FRAMES_S, speed=options.speed, scale=options.scale
        )
        sys.stdout.write(f"{number} frames in {options.video}\n")
    return 0


def _add_experiment(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "experiment",
        help="play all trials of an experiment file, or serve it to people",
        description="Play the trials of an experiment file that have no record yet, on all cores, "
        "and write tables of all. A file with a section people is served on a page instead "
        "(package bw4t_web), until Ctrl-C.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a YAML or TOML file")
    parser.add_argument(
        "--output", metavar="DIR", type=Path, help="where the records go (default: FILE.games)"
    )
    parser.add_argument("--processes", metavar="N", type=int, help="(default: one for each core)")
    parser.add_argument("--ray", metavar="ADDRESS", help="run on this Ray cluster, such as auto")
    parser.add_argument("--list", action="store_true", help="list the trials in their order")
    add = parser.add_argument_group("with people").add_argument
    add("--group", type=int, default=0, metavar="N", help="group of people (default: the next)")
    add("--secret", default="", metavar="TEXT", help="the experimenter's secret (default: made)")
    add("--port", type=int, default=8090, help="port of the page, 0 for any (%(default)s)")
    add("--origin", action="append", default=[], metavar="URL",
        help="origin of a reverse proxy, such as https://study.example.org")  # fmt: skip
    add("--speed", type=float, default=1.0, help="times as fast as real time (%(default)s)")
    parser.set_defaults(command=_experiment)


def _experiment(options: argparse.Namespace) -> int:
    from bw4t_study.analysis.export import gather_all, write_tables
    from bw4t_study.experiment import read_design, run_experiment

    design = read_design(options.file)
    if options.list:
        sys.stdout.write("".join(f"{trial.id}\n" for trial in design.trials()))
        return 0
    if design.people is not None:
        return _serve(options)
    if options.processes is not None and not 1 <= options.processes <= MAX_PROCESSES:
        raise ValueError(f"--processes must be from 1 to {MAX_PROCESSES}")
    output = options.output or options.file.with_suffix(".games")
    done = run_experiment(
        design,
        output,
        processes=options.processes,
        ray_address=options.ray,
        progress=_Bar().show,
    )
    write_tables(gather_all(output), output / "tables")
    sys.stdout.write(f"{done} games in {output}, tables in {output / 'tables'}\n")
    return 0


def _add_study(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "study",
        help="write a study to begin with",
        description="Write an experiment file with people and its texts, or a published study, "
        "which run as they are.",
    )
    parser.add_argument("--of", choices=STUDIES, default=PEOPLE, help="(default: %(default)s)")
    parser.add_argument("what", choices=["new"], help="new: write the files")
    parser.add_argument("directory", metavar="DIR", type=Path, help="an empty or new directory")
    parser.set_defaults(command=_study)


def _study(options: argparse.Namespace) -> int:
    written = new_study(options.directory, options.of)
    for path in written:
        sys.stdout.write(f"{path}\n")
    file = next(path for path in written if path.suffix == ".yaml")
    sys.stdout.write(f"{'serve' if options.of == PEOPLE else 'play'} it: bw4t experiment {file}\n")
    return 0


PAGES = "bw4t_study.pages"
"""Group of entry points: a function that serves an experiment with people, with these options."""


def _serve(options: argparse.Namespace) -> int:
    for entry in entry_points(group=PAGES):
        code: int = entry.load()(options)
        return code
    raise ValueError(f"{options.file}: a study with people needs the page, package bw4t_web")


MAX_PROCESSES = 1000


class _Bar:
    """A progress bar on a terminal, with games a second and the time that is left."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._first: int | None = None

    def show(self, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        first = self._first = done if self._first is None else self._first
        rate = (done - first) / max(1e-9, time.monotonic() - self._begin)
        left = f"{(total - done) / rate:.0f} s left" if rate else ""
        bar = "#" * (40 * done // total)
        sys.stderr.write(f"\r[{bar:<40}] {done}/{total}  {rate:.1f} games/s  {left:<14}")
        sys.stderr.write("\n" if done == total else "")
        sys.stderr.flush()


def _add_mcp(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "mcp",
        help="let a program play a robot by the Model Context Protocol",
        description="Serve robot Bot_1 of a world as tools of the Model Context Protocol on "
        "standard input and output; an example team plays the others. The world stands still "
        "between two requests.",
    )
    parser.add_argument("map", metavar="MAP", help="a map file, or a map of the package")
    parser.add_argument("--robots", type=int, default=3, help="robots (default: %(default)s)")
    parser.add_argument("--team", default="searchers", help="the others (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="makes the world repeatable")
    parser.add_argument("--profile", default="spec", help="whose rules hold (default: spec)")
    parser.add_argument(
        "--budget",
        type=float,
        default=0.0,
        metavar="S",
        help="thinking costs as much simulated time, up to S seconds (default: none)",
    )
    parser.add_argument("--record", metavar="DIR", help="write a record of the game there")
    parser.set_defaults(command=_mcp)


def _mcp(options: argparse.Namespace) -> int:
    from bw4t_study.text import TextSession
    from bw4t_study.text.mcp_server import make_server
    from bw4t_world import World
    from bw4t_world.maps import load_map
    from bw4t_world.scenarios import BotSpec, Scenario
    from bw4t_world.simulation.recorders import recorded_world

    if not 1 <= options.robots <= MAX_PROCESSES or not 0 <= options.budget <= MAX_BUDGET_S:
        raise ValueError(f"--robots: from 1 to {MAX_PROCESSES}; --budget: 0 to {MAX_BUDGET_S}")
    make: Callable[..., World] = World
    if options.record is not None:
        make = recorded_world(options.record, map=options.map, team=f"mcp with {options.team}")
    world = make(
        load_map(options.map),
        Scenario(bots=(BotSpec(amount=options.robots),)),
        profile=options.profile,
        seed=options.seed,
    )
    session = TextSession(world, "Bot_1", options.team, budget=options.budget)
    try:
        make_server(session).run("stdio")
    finally:
        world.close()
    return 0


MAX_BUDGET_S = 3600.0


def _add_learn(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "learn",
        help="train a team of robots, and compare it with the example teams",
        description="Train the policy that all robots of a team share by MaskablePPO of "
        "sb3-contrib; write it, its curve and a picture of it beside the example teams (with one "
        "robot also beside one that knows where all blocks are).",
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="where the results go")
    parser.add_argument("--map", default="nine_rooms_random", help="(default: %(default)s)")
    parser.add_argument("--robots", type=int, default=3, help="of a team (default: 3)")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions (default: 200000)")
    parser.add_argument("--seed", type=int, default=1, help="makes it repeatable (default: 1)")
    parser.add_argument("--worlds", type=int, default=16, help="at once (default: 16)")
    parser.set_defaults(command=_learn)


def _learn(options: argparse.Namespace) -> int:
    try:
        for module in ("sb3_contrib", "matplotlib", "scipy"):
            import_module(module)
        from bw4t_study.learning.baseline import learn
    except ImportError as error:
        raise ValueError('bw4t learn needs: pip install "bw4t_study[learn,baseline]"') from error
    if options.steps < 1 or not 1 <= options.worlds <= MAX_PROCESSES:
        raise ValueError(f"--steps: from 1; --worlds: from 1 to {MAX_PROCESSES}")
    references = learn(
        options.map,
        options.directory,
        robots=options.robots,
        steps=options.steps,
        seed=options.seed,
        worlds=options.worlds,
    )
    for name, one in references.items():
        low, high = one["seconds_95"]
        sys.stdout.write(f"{name}: {one['complete']:.0%} complete, {one['seconds']:.1f} s")
        sys.stdout.write(f" ({low:.1f} to {high:.1f})\n")
    sys.stdout.write(f"the curve is in {options.directory / 'curve.png'}\n")
    return 0
