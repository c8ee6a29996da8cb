# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the lines of Tekkotsu's motion and posture files are, and what is said of odd ones."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

MOTION_HEAD, POSTURE_HEAD, END = "#MSq", "#POS", "#END"
MAX_COMMAND, MAX_ARGUMENT = 63, 31
"""Characters that the robot reads of a command and of an argument."""
MAX_BYTES = 1 << 20
"""A longer text is refused; the robot's memory stick holds no such file."""
MAX_TIME_MS = 2**31 - 1


class Severity(str, Enum):
    """How bad an issue is."""

    ERROR = "error"
    """The robot refuses the file, or what it would do is not known."""
    WARNING = "warning"
    """The robot plays the file, but not all of it or not quite as written."""


@dataclass(frozen=True, order=True)
class Issue:
    """Something wrong in a file; ``line`` counts from 1."""

    line: int
    severity: Severity
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.severity.value}: {self.reason}"


@dataclass(frozen=True)
class Advance:
    """Move the time forward, or back (``advanceTime``, ``delay``)."""

    milliseconds: int


@dataclass(frozen=True)
class SetTime:
    """Go to an absolute time (``setTime``)."""

    milliseconds: int


@dataclass(frozen=True)
class Load:
    """Lay another sequence or posture over this one at the present time (``load``, ``overlay``).

    ``explicit`` (``loadExplicit``): a posture, with its outputs of weight zero too.
    """

    file: str
    explicit: bool = False


class Unit(str, Enum):
    """Unit of the values that follow (``radians``, ``degrees``)."""

    RADIANS = "radians"
    DEGREES = "degrees"


@dataclass(frozen=True)
class Output:
    """A keyframe of one output (or of a left and a right one) at the present time."""

    name: str
    value: float
    weight: float = 1.0


@dataclass(frozen=True)
class Comment:
    """A comment, without its ``#``; never one of the words that begin or end a file."""

    text: str


Statement: TypeAlias = Advance | SetTime | Load | Unit | Output | Comment


@dataclass(frozen=True)
class MotFile:
    """The statements of a file with their line numbers, and whether it is a posture."""

    statements: tuple[tuple[int, Statement], ...]
    posture: bool = False
    issues: tuple[Issue, ...] = field(default=(), compare=False)


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
Remark = Callable[[str], None]
"""Takes what is odd in a line that the robot reads all the same."""


class LineError(Exception):
    """The reason why a line is no statement; the robot ignores it, where it is a WARNING."""

    def __init__(self, reason: str, severity: Severity = Severity.WARNING) -> None:
        super().__init__(reason)
        self.severity = severity


def remarks(issues: list[Issue], line: int) -> Remark:
    """Return what adds a remark about ``line`` to ``issues``."""
    return lambda reason: issues.append(Issue(line, Severity.WARNING, reason))


def after_end(lines: list[str], end: int) -> list[Issue]:
    """Return that something follows line ``end``, if it does."""
    for number, line in enumerate(lines[end:], end + 1):
        if line.strip():
            return [Issue(number, Severity.WARNING, f"nothing is read after {END}")]
    return []


def blanks_beside_end(line: int) -> Issue:
    """Return the warning that #END has blanks beside it, so that the robot reads on."""
    return Issue(line, Severity.WARNING, f"the robot reads on: blanks stand beside {END}")


def without_end(lines: list[str]) -> Issue:
    """Return that the end is missing."""
    return Issue(len(lines), Severity.WARNING, f"the last line should be {END}")


def not_negative(name: str, weight: float, remark: Remark) -> float:
    """Return a weight of ``name``, 0 for one below."""
    if weight < 0.0:
        remark(f"the weight of {name} is below zero: the robot takes it for 0")
    return max(weight, 0.0)


def number(text: str) -> float:
    """Return a finite number. Raises LineError."""
    if not _NUMBER.fullmatch(text):
        unreal = text.lower().lstrip("+-") in ("nan", "inf", "infinity")
        raise LineError(f"{text!r} is no number", Severity.ERROR if unreal else Severity.WARNING)
    if not math.isfinite(float(text)):
        raise LineError(f"{text!r} is no number", Severity.ERROR)
    return float(text)


def beginning_number(text: str, remark: Remark) -> float:
    """Return the number with which ``text`` begins, else 0, as C's atof does. Raises LineError."""
    match = _NUMBER.match(text)
    found = match[0] if match else "0"
    if found != text:
        remark(f"{text!r} is no number; the robot takes {found}")
    return number(found)
