# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Shows a robot's shared memory live in the terminal: values, rates and ages. No ROS.

The document's robots are watched like this with its ShmWrapper. Nothing is ever written.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from legacy_robots_simulation.program import (
    SimulatorArgumentParser,
    interrupt_once,
    positive,
    without_ros_arguments,
)
from luar_bridge.protocol import layout_table, naming
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.layout_table import Kind, LayoutTable, TableError
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)

_SHOWN = 8
"""Numbers of a long vector that are shown."""
_CLEAR, _HOME, _BOLD, _DIM, _PLAIN = "\033[2J", "\033[H", "\033[1m", "\033[2m", "\033[0m"


@dataclass
class _Watched:
    """One segment, and how often it has been seen to change."""

    segment: Segment
    changed_at: float | None = None
    changes: int = 0
    since: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        return self.changes / max(time.monotonic() - self.since, 1e-9)


def shown_value(snapshot: Snapshot, variable: str, table: LayoutTable, segment: str) -> str:
    """Return a variable's value as people read it."""
    info = table.info(segment, variable)
    if info and info.kind is Kind.CARRAY:
        return f"{len(snapshot.raw(variable))} bytes"
    if info and info.kind is Kind.STRING and (text := snapshot.text(variable)) is not None:
        return repr(text)
    values = snapshot.vector(variable)
    text = " ".join(_number(v) for v in values[:_SHOWN])
    text += " …" if len(values) > _SHOWN else ""
    return f"{text} {info.unit}".rstrip() if info and info.unit else text or "(empty)"


def _number(value: np.float64) -> str:
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e12 else f"{value:.4g}"


class Monitor:
    """Watches all segments of one robot; ``scan`` often, ``text`` when it is to be shown."""

    def __init__(
        self, identity: RobotIdentity, table: LayoutTable, directory: Path = naming.DIRECTORY
    ) -> None:
        self._identity = identity
        self._table = table
        self._directory = directory
        self._watched: dict[str, _Watched] = {}
        self._problems: dict[str, str] = {}

    def look_around(self) -> None:
        """Open what has appeared and let go what has gone or was made anew."""
        found = naming.find_segments(self._identity, self._table.segments, self._directory)
        self._problems = {}
        for name in list(self._watched):
            if name not in found or self._watched[name].segment.replaced():
                self._watched.pop(name).segment.close()
        for name, path in found.items():
            if name not in self._watched:
                try:
                    self._watched[name] = _Watched(Segment(path))
                except (SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
                    self._problems[name] = str(error)

    def scan(self) -> None:
        """Read all segments."""
        now = time.monotonic()
        for name, watched in list(self._watched.items()):
            before = watched.segment.snapshot
            try:
                if watched.segment.read() is not before:
                    watched.changed_at = now
                    watched.changes += 1
            except SegmentBusyError:
                continue
            except ProtocolError as error:
                self._watched.pop(name).segment.close()
                self._problems[name] = str(error)

    def text(self, only: str = "", *, color: bool = False) -> list[str]:
        """Return the lines to show; ``only`` keeps the segments whose names begin so."""
        bold, dim, plain = (_BOLD, _DIM, _PLAIN) if color else ("", "", "")
        lines = [f"{self._identity}: {len(self._watched)} segments in {self._directory}"]
        now = time.monotonic()
        for name, watched in sorted(self._watched.items()):
            if not name.startswith(only):
                continue
            if watched.changed_at is None:
                age = "not seen to change"
            else:
                age = f"{watched.rate:.0f} changes/s, last {now - watched.changed_at:.1f} s ago"
            lines.append(f"{bold}{name}{plain}  {dim}{age}{plain}")
            snapshot = watched.segment.snapshot
            width = max((len(variable) for variable in snapshot), default=0)
            for variable in snapshot:
                value = shown_value(snapshot, variable, self._table, name)
                lines.append(f"  {variable:{width}}  {value}")
        lines += [f"{name}  {text}" for name, text in sorted(self._problems.items())]
        return lines

    def close(self) -> None:
        """Close all segments."""
        for watched in self._watched.values():
            watched.segment.close()
        self._watched.clear()


def _argument_parser() -> argparse.ArgumentParser:
    parser = SimulatorArgumentParser(prog="monitor", description=__doc__.splitlines()[0])
    parser.add_argument("--team", type=int, default=0, help="team (default: %(default)s)")
    parser.add_argument("--player", type=int, default=1, help="player (default: %(default)s)")
    parser.add_argument(
        "--user", default="simulated", help="user of the robot's processes (default: %(default)s)"
    )
    parser.add_argument(
        "--table",
        action="append",
        metavar="TABLE",
        help="layout table, by name or file; may be given again (default: document)",
    )
    parser.add_argument(
        "--directory", type=Path, default=naming.DIRECTORY, help="default: %(default)s"
    )
    parser.add_argument(
        "segment", nargs="?", default="", metavar="SEGMENT",
        help="show only segments whose names begin so",
    )  # fmt: skip
    parser.add_argument("--only", default="", help="the same")
    parser.add_argument(
        "--rate", type=positive, default=4.0, help="pictures a second (default: %(default)s)"
    )
    parser.add_argument("--once", action="store_true", help="print everything once and end")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the monitor as a program; return the exit code."""
    parser = _argument_parser()
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = parser.parse_args(without_ros_arguments(given))
    try:
        identity = RobotIdentity(options.team, options.player, options.user)
        table = layout_table.load_all(options.table or ["document"])
    except (ValueError, TableError) as error:
        parser.error(str(error))
    monitor = Monitor(identity, table, options.directory)
    interrupt_once()
    try:
        _show(monitor, options)
    except KeyboardInterrupt:
        pass
    except OSError as error:
        parser.error(f"{options.directory}: {error.strerror}")
    finally:
        monitor.close()
    return 0


def _show(monitor: Monitor, options: argparse.Namespace) -> None:
    terminal = sys.stdout.isatty()
    monitor.look_around()
    if options.once:
        print("\n".join(monitor.text(options.segment or options.only)))  # noqa: T201
        return
    if terminal:
        print(_CLEAR, end="")  # noqa: T201
    next_picture = 0.0
    while True:
        monitor.scan()
        if (now := time.monotonic()) >= next_picture:
            monitor.look_around()
            lines = monitor.text(options.segment or options.only, color=terminal)
            if terminal:
                columns, rows = shutil.get_terminal_size()
                # Cut to the screen: a line that wraps would push the picture up.
                lines = [f"{line[: columns + 16]}\033[K" for line in lines[: rows - 1]]
                print(_HOME + "\n".join(lines) + "\033[J", end="", flush=True)  # noqa: T201
            else:
                print("\n".join(lines), flush=True)  # noqa: T201
            next_picture = now + 1.0 / options.rate
        time.sleep(0.005)


if __name__ == "__main__":
    sys.exit(main())
