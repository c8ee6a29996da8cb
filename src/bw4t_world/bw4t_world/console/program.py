# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The commands of the console program and their arguments."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from bw4t_world.agents import TEAMS, team_kind
from bw4t_world.console.commands import add_commands
from bw4t_world.console.files import check, draw, generate, list_maps
from bw4t_world.console.run import parse_speed, run
from bw4t_world.drawing import DrawingError
from bw4t_world.maps import SHIPPED_MAPS
from bw4t_world.maps.xml_document import DocumentError
from bw4t_world.model.errors import WorldError
from bw4t_world.model.profiles import PROFILE_NAMES

PROGRAM = "bw4t" if Path(sys.argv[0]).name == "bw4t" else "bw4t_world"
"""The name that it was called by: pip installs it as ``bw4t``."""

ERROR = 2
"""Exit code for what cannot be done."""

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

_MAP_HELP = f"a map file, or a map of the package: {', '.join(SHIPPED_MAPS)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    0: done; 1: a team did not complete the sequence in time; 2: an error, in one sentence;
    130: interrupted with Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.command(options)
    except (DocumentError, DrawingError, WorldError, ValueError) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(": ".join(filter(None, (error.filename, error.strerror or str(error)))))
    except KeyboardInterrupt:
        # An interrupted launch sends a second one after the terminal's.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write(f"\n{PROGRAM}: interrupted\n")
        return INTERRUPTED
    return code


def _fail(problem: str) -> int:
    sys.stderr.write(f"{PROGRAM}: error: {problem}\n")
    return ERROR


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="BW4T3, the Blocks World for Teams: robots bring coloured blocks from rooms "
        "to the drop zone, in the order of a sequence.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_run(commands)
    _add_draw(commands)
    _add_generate(commands)
    _add_check(commands)
    maps = commands.add_parser(
        "maps", help="list the maps of the package", description="List the maps of the package."
    )
    maps.set_defaults(command=list_maps)
    add_commands(commands)
    return parser


def _team(text: str) -> str:
    try:
        team_kind(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "run",
        help="let an example team play on a map",
        description="Let an example team play on a map until the sequence is complete, and print "
        "the measures. The exit code is 0 if it was completed and 1 if not.",
        epilog="teams: " + "; ".join(f"{name}: {kind.summary}" for name, kind in TEAMS.items()),
    )
    parser.add_argument("map", metavar="MAP", help=_MAP_HELP)
    parser.add_argument(
        "--team",
        type=_team,
        default="searchers",
        help="who plays: an example team, or agents module:Class (default: %(default)s)",
    )
    members = parser.add_mutually_exclusive_group()
    members.add_argument(
        "--robots", type=int, metavar="N", help="number of equal robots (default: 3)"
    )
    members.add_argument(
        "--scenario", metavar="FILE", help="scenario file with the robots and their abilities"
    )
    parser.add_argument(
        "--speed",
        type=parse_speed,
        default=1.0,
        metavar="X",
        help="simulated seconds in a second, or max (default: 1, real time)",
    )
    parser.add_argument(
        "--seed", type=int, help="makes the run repeatable (default: another run every time)"
    )
    parser.add_argument(
        "--profile",
        choices=PROFILE_NAMES,
        default="spec",
        help="whose rules hold: the specification's or a server's (default: %(default)s)",
    )
    parser.add_argument(
        "--collisions",
        action="store_true",
        default=None,
        help="robots collide with each other (default: as the scenario says, else not)",
    )
    parser.add_argument(
        "--max-seconds",
        type=float,
        default=3600.0,
        metavar="S",
        help="simulated seconds after which the team is stopped (default: %(default)g)",
    )
    parser.add_argument(
        "--drop-unknown-neighbours",
        dest="drop",
        action="store_true",
        help="ignore neighbours of the map that are no zones, as the original does",
    )
    parser.add_argument("--picture", metavar="FILE.png", help="draw the world at the end")
    parser.add_argument(
        "--record", metavar="DIR", help="write a record of the game there (package bw4t_study)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress line")
    parser.set_defaults(command=run)


def _add_draw(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "draw", help="draw a map", description="Draw a map into a PNG file."
    )
    parser.add_argument("map", metavar="MAP", help=_MAP_HELP)
    parser.add_argument("picture", metavar="FILE.png", help="where to put the picture")
    parser.add_argument(
        "--scale", type=float, default=12.0, help="pixels for a map unit (default: %(default)g)"
    )
    parser.set_defaults(command=draw)


def _add_generate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "generate",
        help="make a map",
        description="Make a map of the original's layout: rows of rooms between two halls, with "
        "the drop zone below.",
    )
    parser.add_argument("file", metavar="FILE", help="where to put the map; - for the output")
    parser.add_argument("--rows", type=int, default=3, help="rows of rooms (default: 3)")
    parser.add_argument("--columns", type=int, default=3, help="rooms in a row (default: 3)")
    parser.add_argument("--spawns", type=int, default=3, help="spawn points (default: 3)")
    parser.add_argument("--blocks", type=int, default=22, help="blocks in rooms (default: 22)")
    parser.add_argument("--sequence", type=int, default=6, help="colours to deliver (default: 6)")
    colors = parser.add_mutually_exclusive_group()
    colors.add_argument("--seed", type=int, default=0, help="chooses the colours (default: 0)")
    colors.add_argument(
        "--random", action="store_true", help="leave the colours to the world, in every run anew"
    )
    parser.add_argument("--charging", action="store_true", help="with a charging zone")
    parser.add_argument("--blockade", action="store_true", help="with a blockade")
    parser.add_argument(
        "--one-bot-per-corridor", action="store_true", help="one robot at a time in a corridor"
    )
    parser.set_defaults(command=generate)


def _add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "check",
        help="validate maps and scenarios",
        description="Validate map and scenario files, and remark what is probably not meant.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a map or scenario file")
    parser.set_defaults(command=check)
