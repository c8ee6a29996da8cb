# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A console in GOAL's place: it sends a robot commands and prints its reports."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.program import (
    interrupt_once,
    port_number,
    seconds,
)
from nao_goal_bridge.goal_client import PORT, GoalClient, Reply
from nao_goal_bridge.model.room_map import SHIPPED, RoomMapError, load_room_map
from nao_goal_bridge.protocol.dialects import Dialect, Profile
from nao_goal_bridge.protocol.events import KeepAlive, Report, See, SeeObject

COMMANDS = (
    "go_to MARKER [ROOMS_BEFORE], pick_up OBJECT, put_down, halt, exit, set_location ROOM, "
    "wait SECONDS"
)
FAILED, MISUSED = 1, 2
"""Exit codes."""


class CommandError(Exception):
    """Raised for a line that is no command; the message says what is."""


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Read a command line; ends the program with exit code 2 and a sentence for a bad one."""
    parser = argparse.ArgumentParser(
        prog="goal_client",
        description=f"{__doc__} Exit code 0: all commands succeeded; 1: one did not.",
    )
    parser.add_argument(
        "commands",
        nargs="*",
        metavar="COMMAND",
        help=f"each one argument, such as 'go_to 114': {COMMANDS}; none: lines of standard input",
    )
    parser.add_argument(
        "--role",
        choices=[role.value for role in Role],
        default=Role.LISTEN.value,
        help="listen for the robot, as GOAL did, or dial it (default: %(default)s)",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
    parser.add_argument(
        "--port", type=port_number, default=PORT, help="TCP port (default: %(default)s)"
    )
    parser.add_argument(
        "--profile",
        choices=[profile.value for profile in Profile],
        default=Profile.SPEC.value,
        help="dialect of the protocol (default: %(default)s)",
    )
    parser.add_argument(
        "--room-map",
        default="",
        metavar="MAP",
        help="for profiles whose GoTo lists tiles: a YAML file, or one of "
        f"{', '.join(SHIPPED)} (default: maze)",
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for the robot at the start (default: %(default)s)",
    )
    given = parser.parse_args(arguments)
    try:
        given.room_map = load_room_map(given.room_map)
        for line in given.commands:
            parse_command(line)
    except (RoomMapError, CommandError) as error:
        parser.exit(MISUSED, f"{parser.prog}: {error}\n")
    return given


def parse_command(line: str) -> Callable[[GoalClient], Reply | None]:
    """Return what a line has the robot do. Raises CommandError."""
    name, *words = line.split()
    counts = {
        "go_to": (1, 2),
        "pick_up": (1,),
        "put_down": (0,),
        "halt": (0,),
        "exit": (0,),
        "set_location": (1,),
    }
    try:
        if name == "wait" and len(words) == 1:
            pause = seconds(words[0])
            return lambda nao: time.sleep(pause)
        if len(words) in counts.get(name, ()):
            numbers = [int(word) for word in words]
            return lambda nao: getattr(nao, name)(*numbers)
    except (ValueError, argparse.ArgumentTypeError):
        pass
    raise CommandError(f"{line!r} is no command; commands are {COMMANDS}")


def show(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show_report(report: Report) -> None:
    """Print an event of the robot; those that come again and again are left out."""
    if not isinstance(report, See | SeeObject | KeepAlive):
        show(f"<- {report}")


def carry_out(nao: GoalClient, lines: Iterable[str], *, stop: bool) -> bool:
    """Carry out commands in order, until one fails if ``stop``; return whether all succeeded."""
    succeeded = True
    for line in lines:
        show(f"-> {line}")
        try:
            reply = parse_command(line)(nao)
        except CommandError as error:
            show(str(error))
            continue
        if reply is not None:
            show(f"{line}: {reply.outcome.name.lower()}: {reply.message}")
            succeeded = succeeded and reply.succeeded
        if stop and not succeeded:
            break
    return succeeded


def typed_lines() -> Iterator[str]:
    """Yield the lines of standard input that are not empty."""
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the console; return the exit code."""
    given = parse_arguments(sys.argv[1:] if arguments is None else arguments)
    nao = GoalClient(
        Role(given.role),
        given.host,
        given.port,
        Dialect(Profile(given.profile)),
        given.room_map,
        on_report=show_report,
    )
    interrupt_once()
    try:
        with nao:
            if not nao.wait_for(lambda: nao.agent_id is not None, given.timeout):
                show(f"no robot has reported which it is: {nao.status.detail}")
                return FAILED
            lines = given.commands or typed_lines()
            return 0 if carry_out(nao, lines, stop=bool(given.commands)) else FAILED
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
