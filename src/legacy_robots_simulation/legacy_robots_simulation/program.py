# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the simulators share as programs: command line, faults, signals and logging. No ROS.

A simulator is a plain program that stands in for an original on its own wire. It ends with 0 on
SIGINT and SIGTERM, with 1 when it cannot start, and with 2 and one sentence for arguments that
it does not understand.

A fault chosen with ``--fault`` happens once, ``--fault-after`` seconds after the link has come
up, and again at each SIGUSR1. Of several, separated by commas, none happens by itself: each
SIGUSR1 has the next one happen, after the last the first. Where there is no link at that moment a
fault happens as soon as there is one.
"""

from __future__ import annotations

import argparse
import enum
import functools
import itertools
import logging
import math
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, Protocol

from legacy_robots_core.printable import set_up_logging as set_up_logging

__all__ = [
    "Fault",
    "Simulator",
    "SimulatorArgumentParser",
    "SimulatorError",
    "add_common_arguments",
    "add_switch",
    "run_until_signal",
    "set_up_logging",
]

_LOGGER = logging.getLogger("simulator")


class SimulatorError(Exception):
    """The simulator cannot start; the message says why in a sentence."""


class Fault(str, enum.Enum):
    """What every simulator can do wrong on request."""

    CUT = "cut"
    STALL = "stall"
    FLOOD = "flood"
    GARBAGE = "garbage"
    RESTART = "restart"


FAULTS: Mapping[str, str] = MappingProxyType(
    {
        Fault.CUT.value: "ends the connection in the middle of a message",
        Fault.STALL.value: "neither reads nor sends for --fault-seconds",
        Fault.FLOOD.value: "sends thousands of messages at once",
        Fault.GARBAGE.value: "sends bytes that mean nothing",
        Fault.RESTART.value: "ends the connection and comes back after --fault-seconds",
    }
)
"""The faults of :class:`Fault` and what they do; a simulator with more adds its own."""


class Simulator(Protocol):
    """What :func:`run_until_signal` runs."""

    def start(self) -> None:
        """Begin, and return; raises SimulatorError."""

    def close(self) -> None:
        """End and return when it has ended. Idempotent."""

    def inject(self, fault: str) -> None:
        """Have a fault happen, now or when the link is up again. Thread-safe."""

    def when_finished(self, callback: Callable[[int], None]) -> None:
        """Have ``callback`` called with an exit code, on any thread, if it ends by itself."""


class FaultTimer:
    """Calls ``fire`` once, ``after`` seconds into the first connection that lasts that long.

    Thread-safe; ``fire`` is called on a thread of the timer.
    """

    def __init__(self, fire: Callable[[], None], after: float) -> None:
        self._fire = fire
        self._after = after
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._over = False

    def link_up(self) -> None:
        """Begin to wait, unless it has fired."""
        with self._lock:
            if self._timer is None and not self._over:
                self._timer = threading.Timer(self._after, self._expire)
                self._timer.daemon = True
                self._timer.start()

    def link_down(self) -> None:
        """Stop waiting; the next connection begins anew."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def close(self) -> None:
        """Never fire."""
        with self._lock:
            self._over = True
        self.link_down()

    def _expire(self) -> None:
        with self._lock:
            if self._over or threading.current_thread() is not self._timer:
                return
            self._over = True
        self._fire()


# --- command line --------------------------------------------------------------------------


_NEGATIVE_NUMBERS = re.compile(r"-[\d.]+(e-?\d+)?,")


class SimulatorArgumentParser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are one sentence and exit code 2.

    An option with an empty value (``--fault ""``) counts as not given, so that launch files can
    pass on arguments of their own; ROS arguments mean nothing here. Without ``prog`` the program
    has the name that it was called by, if that ends with "simulator" (``nao-simulator``), and else
    the name ``simulator``.
    """

    def __init__(self, prog: str | None = None, **options: Any) -> None:
        called = Path(sys.argv[0]).name
        by_call = called if called.endswith("simulator") else "simulator"
        super().__init__(prog=prog or by_call, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse ``args``, without ROS arguments and options that have an empty value."""
        given = without_ros_arguments(sys.argv[1:] if args is None else args)
        kept = [
            word
            for word, following in zip(given, [*given, None][1:], strict=True)
            if word and not (word.startswith("--") and following == "")
        ]
        return super().parse_known_args(kept, namespace)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and exit."""
        self.exit(2, f"{self.prog}: {message}\n")

    def parse_args(  # type: ignore[override]  # its overloads are of no use here
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        """Parse a command line, in which ``--start -0.8,0,0`` has a value.

        argparse takes several numbers for an option if the first is negative.
        """
        given: list[str] = []
        for text in sys.argv[1:] if args is None else args:
            follows = given and given[-1].startswith("--") and "=" not in given[-1]
            if follows and _NEGATIVE_NUMBERS.match(text):
                given[-1] += f"={text}"
            else:
                given.append(text)
        return super().parse_args(given, namespace)


def add_common_arguments(
    parser: argparse.ArgumentParser,
    *,
    port: int | None = None,
    port_help: str = "%(default)s",
    profiles: Sequence[str] = (),
    faults: Mapping[str, str] = FAULTS,
) -> None:
    """Add what all simulators understand to ``parser``.

    ``--host`` and ``--port`` only with a default ``port``, which ``port_help`` tells, and
    ``--profile`` only with ``profiles``, the first of which is the default. ``faults`` are names
    and what they do.
    """
    if port is not None:
        parser.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
        parser.add_argument(
            "--port", type=port_number, default=port, help=f"TCP port (default: {port_help})"
        )
    if profiles:
        parser.add_argument(
            "--profile",
            choices=list(profiles),
            default=profiles[0],
            help="dialect of the protocol (default: %(default)s)",
        )
    parser.add_argument(
        "--seed", type=int, default=0, help="decides what chance decides (default: %(default)s)"
    )
    described = "; ".join(f"{name}: {what}" for name, what in faults.items())
    parser.add_argument(
        "--fault",
        dest="faults",
        type=functools.partial(_fault_names, known=faults),
        default=(),
        metavar="NAME[,NAME...]",
        help="what goes wrong: one fault by itself and again at each SIGUSR1, of several the next "
        f"one at each SIGUSR1. {described}",
    )
    parser.add_argument(
        "--fault-after",
        type=seconds,
        default=5.0,
        metavar="SECONDS",
        help="from the link coming up to the fault (default: %(default)s)",
    )
    parser.add_argument(
        "--fault-seconds",
        type=seconds,
        default=2.0,
        metavar="SECONDS",
        help="how long a fault lasts that takes time (default: %(default)s)",
    )
    parser.add_argument(
        "--log-level",
        choices=["debug", "info", "warning", "error"],
        default="info",
        help="how much is written to standard error (default: %(default)s)",
    )


def without_ros_arguments(arguments: Sequence[str]) -> list[str]:
    """Leave out everything from ``--ros-args`` to ``--`` or the end.

    A launch file that starts the program as a node adds such arguments; they mean nothing here.
    """
    kept: list[str] = []
    in_ros = False
    for argument in arguments:
        if argument == "--ros-args":
            in_ros = True
        elif in_ros and argument == "--":
            in_ros = False
        elif not in_ros:
            kept.append(argument)
    return kept


def _fault_names(text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Read names separated by commas, empty for none; for ``type=`` of an argument."""
    names = tuple(text.split(",")) if text else ()
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f"must be of {', '.join(known)}, not {name!r}")
    return names


def port_number(text: str) -> int:
    """Read a TCP port, 0 to 65535; for ``type=`` of an argument."""
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"must be a port from 0 to 65535, not {text!r}")
    return int(text)


def add_switch(parser: argparse.ArgumentParser, option: str, description: str) -> None:
    """Add an option that is true or false; without a value it is true."""
    words = {"true": True, "1": True, "false": False, "0": False}

    def read(text: str) -> bool:
        if text.lower() not in words:
            raise argparse.ArgumentTypeError(f"must be true or false, not {text!r}")
        return words[text.lower()]

    parser.add_argument(
        option, type=read, nargs="?", const=True, default=False, metavar="BOOL", help=description
    )


def probability(text: str) -> float:
    """Read a number from 0 to 1; for ``type=`` of an argument."""
    value = _number(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must be a probability from 0 to 1, not {text!r}")
    return value


def seconds(text: str) -> float:
    """Read a duration, 0 to a day; for ``type=`` of an argument."""
    value = _number(text)
    if not 0 <= value <= 86400:
        raise argparse.ArgumentTypeError(f"must be seconds from 0 to 86400, not {text!r}")
    return value


def positive(text: str) -> float:
    """Read a finite number greater than 0; for ``type=`` of an argument."""
    value = _number(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"must be greater than 0, not {text!r}")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}") from None


# --- running -------------------------------------------------------------------------------


def run_until_signal(
    simulator: Simulator, faults: Sequence[str] = (), *, exiting: bool = False
) -> int:
    """Run a simulator until SIGINT or SIGTERM, or until it ends; give the exit code.

    Each SIGUSR1 has the next of ``faults`` happen. With ``exiting`` the program ends afterwards,
    and the signals are ignored on its way out: an interrupted launch sends a second one after the
    terminal's. To be called on the main thread.
    """
    next_fault = itertools.cycle(faults)
    # A signal arrives here as a byte, so that nothing runs inside a signal handler.
    receiver, sender = socket.socketpair()
    with receiver, sender:
        sender.setblocking(False)
        signals = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
        previous_fd = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, _do_nothing) for number in signals}
        exit_codes: list[int] = []

        def on_finished(exit_code: int) -> None:
            exit_codes.append(exit_code)
            try:
                sender.send(b"\0")
            except OSError:
                pass  # full: it is awake anyway; closed: it has ended

        try:
            simulator.when_finished(on_finished)
            simulator.start()
            while not exit_codes:
                for number in receiver.recv(64):
                    if number in (signal.SIGINT, signal.SIGTERM):
                        _LOGGER.info("%s: ending", signal.Signals(number).name)
                        return 0
                    if number == signal.SIGUSR1:
                        _inject(simulator, next(next_fault, None))
            return exit_codes[0]
        except SimulatorError as error:
            _LOGGER.error("%s", error)
            return 1
        finally:
            simulator.close()
            signal.set_wakeup_fd(previous_fd)
            for restored, handler in handlers.items():
                before = handler if handler is not None else signal.SIG_DFL
                signal.signal(restored, signal.SIG_IGN if exiting else before)


def interrupt_once() -> None:
    """Have the first SIGINT raise KeyboardInterrupt, and ignore all after it.

    For a console that ends then: an interrupted launch sends a second one after the terminal's,
    which would end the program before it has closed what is open. To be called on the main thread.
    """

    def interrupt(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)


def _inject(simulator: Simulator, fault: str | None) -> None:
    if fault is None:
        _LOGGER.warning("SIGUSR1 is passed over: no fault was chosen with --fault")
    else:
        simulator.inject(fault)


def _do_nothing(number: int, frame: object) -> None:
    """Be a handler; the wake-up descriptor reports the signal."""
