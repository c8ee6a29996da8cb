# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The text of Tekkotsu's motion sequence files (``.mot``) and posture files (``.pos``).

This module knows lines and words (docs/originals/aibo.md, 6); what they mean for the joints is the
business of :mod:`aibo_gti_bridge.model.motions`. Reading never stops at the first mistake: every
line that cannot be understood becomes an :class:`Issue` with its number and the reason.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

MOTION_HEAD, POSTURE_HEAD, END = "#MSq", "#POS", "#END"
MAX_COMMAND, MAX_ARGUMENT = 64, 32
"""Characters that the robot reads of a command and of an argument."""
MAX_BYTES = 1 << 20
"""A longer text is refused; the robot's memory stick holds no such file."""
MAX_TIME_MS = 2**31 - 1


class Severity(str, Enum):
    """How bad an issue is."""

    ERROR = "error"
    """The robot refuses the file or does something else than it says."""
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
    """Move the time forward (``advanceTime``, ``delay``)."""

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


_COMMANDS = frozenset(
    {"advancetime", "delay", "settime", "load", "overlay", "loadexplicit", "radians", "degrees"}
)
_FILE = re.compile(r"[^\s/\\]+")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


class LineError(Exception):
    """The reason why a line cannot be understood."""


def parse(text: str) -> MotFile:
    """Read the text of a ``.mot`` or ``.pos`` file. Never raises; see ``issues`` of the result."""
    issues: list[Issue] = []
    statements: list[tuple[int, Statement]] = []

    def complain(line: int, reason: str, severity: Severity = Severity.ERROR) -> None:
        issues.append(Issue(line, severity, reason))

    if len(text) > MAX_BYTES:
        complain(1, f"the file has more than {MAX_BYTES} characters")
        return MotFile((), issues=tuple(issues))
    lines = text.replace("\r\n", "\n").split("\n")
    head = lines[0].rstrip()
    posture = head == POSTURE_HEAD
    if head not in (MOTION_HEAD, POSTURE_HEAD):
        complain(1, f"the first line must be {MOTION_HEAD} (a posture: {POSTURE_HEAD})")
        return MotFile((), issues=tuple(issues))
    ended = False
    for number, line in enumerate(lines[1:], 2):
        stripped = line.strip()
        if not stripped:
            continue
        if ended:
            complain(number, f"nothing is read after {END}", Severity.WARNING)
            break
        if stripped == END:
            ended = True
        elif stripped.startswith("#"):
            statements.append((number, Comment(stripped[1:])))
        else:
            try:
                statements.append((number, statement_of(stripped.split(), posture)))
            except LineError as bad:
                complain(number, str(bad))
    if not ended:
        complain(len(lines), f"the last line must be {END}")
    return MotFile(tuple(statements), posture, tuple(issues))


def statement_of(words: list[str], posture: bool) -> Statement:
    """Return the statement of a line's words. Raises LineError."""
    command, arguments = words[0], words[1:]
    if len(command) > MAX_COMMAND:
        raise LineError(f"the word {command[:20]}… is longer than {MAX_COMMAND} characters")
    for argument in arguments:
        if len(argument) > MAX_ARGUMENT:
            raise LineError(
                f"the argument {argument[:20]}… is longer than {MAX_ARGUMENT} characters"
            )
    word = command.lower()
    if word not in _COMMANDS:
        return _output(command, arguments)
    if posture:
        raise LineError(f"a posture has no {command}; its lines are 'NAME VALUE [WEIGHT]'")
    if word in ("radians", "degrees"):
        _count(command, arguments, 0)
        return Unit(word)
    _count(command, arguments, 1)
    if word in ("load", "overlay", "loadexplicit"):
        if not _FILE.fullmatch(arguments[0]):
            raise LineError(f"{arguments[0]!r} is no file name without directories")
        return Load(arguments[0], explicit=word == "loadexplicit")
    milliseconds = _milliseconds(arguments[0])
    return SetTime(milliseconds) if word == "settime" else Advance(milliseconds)


def _output(name: str, arguments: list[str]) -> Output:
    if name.startswith("#"):
        raise LineError("a line that begins with # is a comment")
    if not arguments:
        raise LineError(f"{name} is no command, and an output needs a value")
    if len(arguments) > 2:
        raise LineError(f"{name} has {len(arguments)} arguments, not a value and a weight")
    numbers = [_number(argument) for argument in arguments]
    if len(numbers) == 2 and numbers[1] < 0.0:
        raise LineError(f"the weight of {name} is below zero")
    return Output(name, *numbers)


def _count(command: str, arguments: list[str], wanted: int) -> None:
    if len(arguments) != wanted:
        raise LineError(f"{command} has {len(arguments)} arguments instead of {wanted}")


def _number(text: str) -> float:
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise LineError(f"{text!r} is no number")
    return number


def _milliseconds(text: str) -> int:
    # isascii: isdigit alone takes digits of every script.
    if not (text.isascii() and text.isdigit()) or int(text) > MAX_TIME_MS:
        raise LineError(f"{text!r} is no time in whole milliseconds")
    return int(text)
