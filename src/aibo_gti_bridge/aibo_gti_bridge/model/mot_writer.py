# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes motion sequence files, which :mod:`~.mot_file` and :mod:`~.motions` read. No ROS."""

from __future__ import annotations

from collections.abc import Iterable

from aibo_gti_bridge.model.joints import BY_NAME
from aibo_gti_bridge.model.mot_file import parse
from aibo_gti_bridge.model.mot_statements import (
    END,
    MOTION_HEAD,
    POSTURE_HEAD,
    Advance,
    Comment,
    Load,
    Output,
    SetTime,
    Statement,
    Unit,
)
from aibo_gti_bridge.model.motions import Motion


def write(statements: Iterable[Statement], *, posture: bool = False) -> str:
    """Return the text of a file with ``statements``. ``parse`` reads it back to the same.

    Raises ValueError for a statement that the format has no text for.
    """
    head = POSTURE_HEAD if posture else MOTION_HEAD
    lines = [head]
    for statement in statements:
        line = _line(statement)
        read = parse("\n".join([head, line, END]))
        if read.issues or read.statements != ((2, statement),):
            reasons = "".join(f": {issue.reason}" for issue in read.issues[:1])
            raise ValueError(f"{statement} cannot be written{reasons}")
        lines.append(line)
    return "\n".join([*lines, END, ""])


def _line(statement: Statement) -> str:
    if isinstance(statement, Advance):
        return f"advanceTime\t{statement.milliseconds}"
    if isinstance(statement, SetTime):
        return f"setTime\t{statement.milliseconds}"
    if isinstance(statement, Load):
        return f"{'loadExplicit' if statement.explicit else 'load'}\t{statement.file}"
    if isinstance(statement, Unit):
        return statement.value
    if isinstance(statement, Comment):
        return f"#{statement.text}"
    weight = "" if statement.weight == 1.0 else f"\t{statement.weight!r}"
    return f"{statement.name}\t{statement.value!r}{weight}"


def write_motion(motion: Motion, comments: Iterable[str] = ()) -> str:
    """Return the text of a file that plays ``motion``; times are rounded to milliseconds.

    Raises ValueError when two keyframes of a joint fall on the same millisecond or on time 0.
    """
    statements: list[Statement] = [Comment(f" {text}") for text in comments]
    at: dict[int, list[Output]] = {}
    for joint, frames in motion.keyframes.items():
        for frame in frames:
            time = round(frame.time * 1000.0)
            output = Output(BY_NAME[joint].tekkotsu, frame.position, frame.weight)
            if time == 0 or output.name in (other.name for other in at.get(time, ())):
                raise ValueError(f"{motion.name}: a second keyframe of {joint} at {time} ms")
            at.setdefault(time, []).append(output)
    now = 0
    for time in sorted(at):
        statements.append(Advance(time - now))
        statements += at[time]
        now = time
    return write(statements)
