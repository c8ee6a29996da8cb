# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The referee of a simulated match: a plain program that broadcasts like the GameController.

It has the ball of all robots (see pitch), judges it, and tells state, score and penalties twice a
second, on loopback unless told otherwise. Each SIGUSR1 penalises the next player with ``--fault
penalty``.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from legacy_robots_simulation.program import (
    SimulatorArgumentParser,
    SimulatorError,
    add_common_arguments,
    port_number,
    positive,
    run_until_signal,
    set_up_logging,
    without_ros_arguments,
)
from luar_bridge.protocol.datagrams import udp_socket
from luar_bridge.protocol.game_control import PORT, encode
from luar_bridge.protocol.game_layouts import LAYOUTS
from luar_bridge.simulator.match_rules import Durations, Match
from luar_bridge.simulator.shared_ball import BALL_PORT, BROADCAST, BallOfAll

BROADCAST_PERIOD_S = 0.5
STEP_S = 0.02
_LOGGER = logging.getLogger("referee")

FAULTS: Mapping[str, str] = MappingProxyType(
    {"penalty": "the next player is penalised for --penalty seconds"}
)


class Referee:
    """A match, on a thread of its own; a Simulator of legacy_robots_common."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        names = [part.name for part in dataclasses.fields(Durations)]
        durations = Durations(**{name: getattr(arguments, name) for name in names})
        teams = (arguments.teams[0], arguments.teams[1])
        self.match = Match(teams, arguments.players, durations)
        everybody = [(team, n + 1) for n in range(arguments.players) for team in teams]
        self._next_penalty = itertools.cycle(everybody)
        self._faults: list[str] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._finished: Callable[[int], None] = lambda code: None
        self._thread = threading.Thread(target=self._run, name="referee", daemon=True)
        self._ball: BallOfAll | None = None
        self._socket: socket.socket | None = None

    def start(self) -> None:
        """Open the sockets and begin the match. Raises SimulatorError."""
        try:
            self._ball = BallOfAll(self._arguments.ball_port)
            self._socket = udp_socket()
        except OSError as error:
            port = self._arguments.ball_port + 1
            raise SimulatorError(f"UDP port {port} cannot be used: {error.strerror}") from error
        to = f"{self._arguments.host}:{self._arguments.port}"
        teams = "teams {} and {}".format(*self.match.teams)
        _LOGGER.info("match of %s, version %d to %s", teams, self._arguments.version, to)
        self._thread.start()

    def close(self) -> None:
        """End the match. Idempotent."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        for sock in (self._ball, self._socket):
            if sock is not None:
                sock.close()

    def inject(self, fault: str) -> None:
        """Have a player penalised at the next step."""
        with self._lock:
            self._faults.append(fault)

    def when_finished(self, callback: Callable[[int], None]) -> None:
        """Have ``callback`` called if nothing can be sent."""
        self._finished = callback

    def _run(self) -> None:
        assert self._ball is not None
        assert self._socket is not None
        begun = due = time.monotonic()
        next_broadcast = 0.0
        alone = len(self._arguments.faults) == 1
        fault_at = begun + self._arguments.fault_after if alone else float("inf")
        address = self._arguments.host, self._arguments.port
        try:
            while not self._closing.is_set():
                now = time.monotonic()
                if now >= fault_at:
                    fault_at = float("inf")
                    self.inject(self._arguments.faults[0])
                with self._lock:
                    faults, self._faults = self._faults, []
                for _ in faults:
                    team, player = next(self._next_penalty)
                    _LOGGER.info("player %d of team %d is penalised", player, team)
                    self.match.penalise(team, player)
                for kick in self._ball.kicks():
                    self.match.kick(*kick)
                said = self.match.advance(STEP_S)
                if said:
                    _LOGGER.info("%s", said)
                self._ball.tell(self.match.ball)
                if said or faults or now >= next_broadcast:
                    next_broadcast = now + BROADCAST_PERIOD_S
                    data = encode(self.match.data(self._arguments.version))
                    self._socket.sendto(data, address)
                due = max(due + STEP_S, now - 0.1)
                self._closing.wait(max(0.0, due - time.monotonic()))
        except OSError as error:
            _LOGGER.error("nothing can be sent to %s: %s", address[0], error.strerror)
            self._finished(1)


def _teams(text: str) -> tuple[int, int]:
    numbers = text.split(",")
    if len(numbers) == 2 and all(n.isdecimal() and int(n) < 255 for n in numbers):
        first, second = map(int, numbers)
        if first != second:
            return first, second
    raise argparse.ArgumentTypeError(f"must be two numbers below 255 such as 0,1, not {text!r}")


def argument_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = SimulatorArgumentParser("referee", description=__doc__.splitlines()[0])
    add_common_arguments(parser, faults=FAULTS)
    parser.add_argument(
        "--host", default=BROADCAST, help="where the broadcast goes (default: %(default)s)"
    )
    parser.add_argument(
        "--port", type=port_number, default=PORT, help="its UDP port (default: %(default)s)"
    )
    parser.add_argument(
        "--ball-port", type=port_number, default=BALL_PORT,
        help="UDP port of the ball on loopback (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--version", type=int, choices=list(LAYOUTS), default=8,
        help="of the broadcast's structure (default: %(default)s, of 2014)",
    )  # fmt: skip
    parser.add_argument(
        "--teams", type=_teams, default=(0, 1), metavar="BLUE,RED",
        help="numbers of the teams (default: 0,1)",
    )  # fmt: skip
    parser.add_argument(
        "--players", type=int, choices=range(1, 12), default=3, metavar="1-11",
        help="of each team (default: %(default)s)",
    )  # fmt: skip
    for part in dataclasses.fields(Durations):
        parser.add_argument(
            f"--{part.name.replace('_', '-')}", type=positive, default=part.default,
            metavar="SECONDS", help="how long it lasts (default: %(default)s)",
        )  # fmt: skip
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the referee as a program; return the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser = argument_parser()
    options = parser.parse_args(without_ros_arguments(given))
    if options.players > (most := LAYOUTS[options.version].players):
        parser.error(f"version {options.version} has at most {most} players")
    set_up_logging(options.log_level)
    return run_until_signal(Referee(options), options.faults, exiting=True)


if __name__ == "__main__":
    sys.exit(main())
