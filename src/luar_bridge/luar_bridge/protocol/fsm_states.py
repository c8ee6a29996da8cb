# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The segment rcmFsm, by which a Luar robot tells its state machines. No ROS.

The document's Luar has the states of its machines in no variable (docs/originals/luar.md, 11):
lua/ros_states.lua makes this segment beside the original's own. Later branches have gcmFsm.
"""

from __future__ import annotations

from dataclasses import dataclass

from luar_bridge.protocol.segment import Snapshot

SEGMENT = "rcmFsm"
MACHINES = ("game", "body", "head", "motion")
SLOTS = 32
WIDTH = 96
"""Characters of a line."""
LINES = len(MACHINES) + SLOTS
LENGTHS = {
    "text": LINES * WIDTH,
    "time": LINES,
    "number": LINES,
    "count": 1,
    "started": 1,
    "order": WIDTH,
    "order_count": 1,
    "order_done": 1,
    "order_result": 1,
}
"""Numbers of each variable.

``text`` has LINES lines of WIDTH characters: "machine event from to" of the last transition of
each of MACHINES, then of the last SLOTS of all, number n in line (n - 1) % SLOTS of these. Event
and state are "-" at a machine's beginning, the event is "set_state" where the state was ordered.
``time`` (Unix s) and ``number`` (0: none, or being written) belong to the lines; ``count`` is the
number of the last one, ``started`` (Unix s) when they began to be counted. ``order``
("machine state", codes, then 0) is carried out once when ``order_count`` changes;
``order_done`` is the count of the last one, ``order_result`` 1 done, 2 there is no such state.
"""
WRITTEN_BY_ROS = ("order", "order_count")
DONE, FAILED = 1, 2
SET_STATE = "set_state"
_NONE = "-"


@dataclass(frozen=True)
class Transition:
    """One transition; empty texts: not known, or none."""

    number: int
    """0: the robot does not count."""
    time: float
    """Unix s."""
    machine: str
    event: str
    source: str
    target: str


def transition(snapshot: Snapshot, line: int) -> Transition | None:
    """Return what a line of the segment says; None where it is empty or not sound."""
    numbers, times = (snapshot.numbers(name, LINES) for name in ("number", "time"))
    text = snapshot.vector("text")
    if numbers is None or times is None or len(text) != LENGTHS["text"]:
        return None
    number = numbers[line]
    codes = text[line * WIDTH : (line + 1) * WIDTH]
    if not 1 <= number < 2**53 or not all(0 <= code < 128 for code in codes):
        return None
    words = bytes(map(int, codes)).rstrip(b"\0").decode("ascii").split(" ")
    if len(words) != 4 or words[0] not in MACHINES:
        return None
    machine, event, source, target = ("" if word == _NONE else word for word in words)
    return Transition(int(number), times[line], machine, event, source, target)


def line_of(number: int) -> int:
    """Return the line of a transition by its number, counted from 1."""
    return len(MACHINES) + (number - 1) % SLOTS


def text_of(machine: str, event: str, source: str, target: str) -> list[float]:
    """Return the codes of a line. Raises ValueError where they are too many."""
    line = " ".join(word or _NONE for word in (machine, event, source, target))
    return codes_of(line)


def codes_of(line: str) -> list[float]:
    """Return WIDTH codes of a text, filled up by 0. Raises ValueError where it is longer."""
    codes = line.encode("ascii")
    if len(codes) > WIDTH:
        raise ValueError(f"{line!r} has more than {WIDTH} characters")
    return [float(code) for code in codes.ljust(WIDTH, b"\0")]
