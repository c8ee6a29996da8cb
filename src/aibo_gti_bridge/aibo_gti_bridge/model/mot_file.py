# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The text of Tekkotsu's motion sequence files (``.mot``) and posture files (``.pos``).

This module knows lines and words (docs/originals/aibo.md, 6), those of postures are in
:mod:`.posture_file`; what they mean for the joints is the business of :mod:`.motions`. It reads
what Tekkotsu's loader reads, in its way, and says what is odd: every such line becomes an
:class:`Issue` with its number and the reason. Reading never stops at the first one.
"""

from __future__ import annotations

import re

from aibo_gti_bridge.model import posture_file
from aibo_gti_bridge.model.mot_statements import (
    END,
    MAX_ARGUMENT,
    MAX_BYTES,
    MAX_COMMAND,
    MAX_TIME_MS,
    MOTION_HEAD,
    POSTURE_HEAD,
    Advance,
    Comment,
    Issue,
    LineError,
    Load,
    MotFile,
    Output,
    Remark,
    SetTime,
    Severity,
    Statement,
    Unit,
    after_end,
    blanks_beside_end,
    not_negative,
    number,
    remarks,
    without_end,
)

_FILE = re.compile(r"[^\s/\\]+")
_INTEGER = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
"""What C's strtol takes with base 0: a leading 0 makes a number octal."""
_ARGUMENTS = {
    **dict.fromkeys(("advancetime", "delay", "settime", "load", "overlay", "loadexplicit"), 1),
    **dict.fromkeys(("radians", "degrees"), 0),
}


def parse(text: str) -> MotFile:
    """Read the text of a ``.mot`` or ``.pos`` file. Never raises; see ``issues`` of the result."""
    if len(text) > MAX_BYTES:
        return _refused(f"the file has more than {MAX_BYTES} characters")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0].startswith(POSTURE_HEAD):
        return posture_file.parse(lines)
    if not lines[0].startswith(MOTION_HEAD):
        return _refused(f"the first line must be {MOTION_HEAD} (a posture: {POSTURE_HEAD})")
    issues: list[Issue] = []
    statements: list[tuple[int, Statement]] = []
    for at, line in enumerate(lines[1:], 2):
        if line == END:
            issues += after_end(lines, at)
            break
        if line.strip() == END:
            issues.append(blanks_beside_end(at))
        elif line.startswith("#"):
            statements.append((at, Comment(line[1:].rstrip())))
        elif line.strip():
            try:
                statements.append((at, _statement(line.split(), remarks(issues, at))))
            except LineError as bad:
                issues.append(Issue(at, bad.severity, str(bad)))
        elif line:
            reason = "of a line of blanks the robot makes an output, which it turns to 0"
            issues.append(Issue(at, Severity.WARNING, reason))
    else:
        issues.append(without_end(lines))
        # A third word that is whole is enough.
        if lines[-1].strip() and lines[-1][0] != "#" and len(f"{lines[-1]}x".split()) < 4:
            reason = "the file ends within a line"
            issues.append(Issue(len(lines), Severity.ERROR, reason))
    return MotFile(tuple(statements), issues=tuple(issues))


def _refused(reason: str) -> MotFile:
    return MotFile((), issues=(Issue(1, Severity.ERROR, reason),))


def _statement(words: list[str], remark: Remark) -> Statement:
    """Return the statement of a line. Raises LineError."""
    lengths = (MAX_COMMAND, *(MAX_ARGUMENT for _ in words[1:]))
    for word, length in zip(words, lengths, strict=True):
        if len(word) > length:
            remark(f"the robot reads only {length} characters of {word[:20]}…")
    command, *arguments = (w[:length] for w, length in zip(words, lengths, strict=True))
    word = command.lower()
    wanted = _ARGUMENTS.get(word, 2)
    if len(arguments) > wanted:
        remark(f"the robot ignores what follows in the line: {' '.join(arguments[wanted:])[:40]}")
    if word not in _ARGUMENTS:
        return _output(command, arguments, remark)
    if wanted == 0:
        return Unit(word)
    if not arguments:
        remark(f"{command} has no argument")
    argument = arguments[0] if arguments else ""
    if word in ("load", "overlay", "loadexplicit"):
        if not _FILE.fullmatch(argument):
            raise LineError(f"{argument!r} is no file name without directories")
        return Load(argument, explicit=word == "loadexplicit")
    if word == "settime":
        return SetTime(_milliseconds(argument or "0", 0))
    return Advance(_milliseconds(argument or "0", -MAX_TIME_MS))


def _output(name: str, arguments: list[str], remark: Remark) -> Output:
    if name.startswith("#"):
        raise LineError("the robot takes # for an output: a comment begins its line")
    if not arguments:
        remark(f"{name} has no value; the robot takes 0")
    value = number(arguments[0]) if arguments else 0.0
    weight = 1.0
    if len(arguments) > 1:
        try:
            weight = number(arguments[1])
        except LineError as bad:
            if bad.severity is Severity.ERROR:
                raise
            remark(f"{bad}: the weight of {name} is 1")
    return Output(name, value, not_negative(name, weight, remark))


def _milliseconds(text: str, least: int) -> int:
    match = _INTEGER.fullmatch(text)
    if not match:
        raise LineError(f"{text!r} is no time in whole milliseconds")
    sign, digits = match.groups()
    octal = digits[0] == "0" and digits[1:].isdigit()
    time = int(sign + digits, 8 if octal else 0)
    if not least <= time <= MAX_TIME_MS:
        raise LineError(f"{text!r} is no time in whole milliseconds", Severity.ERROR)
    return time
