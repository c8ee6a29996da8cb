# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The text of Tekkotsu's posture files (``.pos``), plain, in sections or condensed.

Source: docs/originals/aibo.md, 6. Of the sections only the outputs move anything.
"""

from __future__ import annotations

import re

from aibo_gti_bridge.model.joints import JOINTS, OUTPUTS
from aibo_gti_bridge.model.mot_statements import (
    END,
    Comment,
    Issue,
    LineError,
    MotFile,
    Output,
    Severity,
    Statement,
    after_end,
    beginning_number,
    blanks_beside_end,
    not_negative,
    remarks,
    without_end,
)

MODEL = "ERS-7"
_SECTIONS = ("meta-info", "outputs", "buttons", "sensors", "pidduties")


def parse(lines: list[str]) -> MotFile:
    """Read the lines of a posture. Never raises; see ``issues`` of the result."""
    reader = _Reader()
    for number, line in enumerate(lines[1:], 2):
        before, mark, comment = line.partition("#")
        if mark + comment == END:
            reader.issues += after_end(lines, number)
            break
        if mark + comment.rstrip() == END:
            reader.issues.append(blanks_beside_end(number))
        elif mark:
            reader.statements.append((number, Comment(comment.rstrip())))
        words = before.replace("=", " ").split()
        if words:
            try:
                reader.read(number, words)
            except LineError as bad:
                reader.issues.append(Issue(number, bad.severity, str(bad)))
    else:
        reader.issues.append(without_end(lines))
    return MotFile(tuple(reader.statements), posture=True, issues=tuple(reader.issues))


class _Reader:
    """Walks through the lines of a posture and collects outputs and issues."""

    def __init__(self) -> None:
        self.statements: list[tuple[int, Statement]] = []
        self.issues: list[Issue] = []
        self._section = "outputs"
        self._for_others = False
        """Whether the lines are meant for another model."""

    def read(self, line: int, words: list[str]) -> None:
        """Read a line's words. Raises LineError."""
        word, values = words[0], words[1:]
        remark = remarks(self.issues, line)
        if word == "specialize":
            self._specialize(values)
        elif word == "condensed":
            if values[:1] != [MODEL]:
                raise LineError(f"only a posture of the {MODEL} can be read", Severity.ERROR)
        elif word == "verbose":
            pass
        elif word[0] == "<" and word[-1] == ">":
            name = word.strip("</>")
            if name not in _SECTIONS:
                raise LineError(f"there is no section {name}", Severity.ERROR)
            self._section = "outputs" if word[1] == "/" else name
        elif self._for_others:
            pass
        elif word == "outputs":
            if len(values) != OUTPUTS:
                reason = f"outputs needs {OUTPUTS} values, it has {len(values)}"
                raise LineError(reason, Severity.ERROR)
            for joint, text in zip(JOINTS, values, strict=False):
                self._set(line, Output(joint.tekkotsu, beginning_number(text, remark)))
        elif word == "weights":
            self._weigh(line, [beginning_number(text, remark) for text in values])
        elif word not in _SECTIONS:
            if not values:
                raise LineError(f"{word} has no value", Severity.ERROR)
            if self._section == "outputs":
                weight = beginning_number(values[1], remark) if len(values) > 1 else 1.0
                value = beginning_number(values[0], remark)
                self._set(line, Output(word, value, not_negative(word, weight, remark)))
                if len(values) > 2:
                    remark(f"the robot ignores what follows in the line: {values[2][:40]}")

    def _specialize(self, values: list[str]) -> None:
        try:
            self._for_others = bool(values) and not re.search(values[0], MODEL)
        except re.error as bad:
            raise LineError(f"{values[0]!r} is no pattern: {bad}", Severity.ERROR) from None

    def _set(self, line: int, output: Output) -> None:
        self.statements.append((line, output))

    def _weigh(self, line: int, weights: list[float]) -> None:
        """Give the outputs, in Tekkotsu's order, weights in place of theirs."""
        known = {s.name: s for _, s in self.statements if isinstance(s, Output)}
        for joint, weight in zip(JOINTS, weights, strict=False):
            name = joint.tekkotsu
            value = known[name].value if name in known else 0.0
            self.statements = [
                (at, s)
                for at, s in self.statements
                if not (isinstance(s, Output) and s.name == name)
            ]
            self._set(line, Output(name, value, max(weight, 0.0)))
