# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tidy tables of the sessions of people: a row for each answer, and for each thing that happened.

``answers`` has a row for each item of each form; one without items, such as a consent, has one
with an empty item. ``course`` has arrivals, connections, commands, and when games began and ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bw4t_study.record.game_file import Line
from bw4t_study.record.session_file import read_session

Row = dict[str, Any]


def tables_of_session(path: Path) -> dict[str, list[Row]]:
    """Return the rows of a session by the names of its tables. Raises RecordError and OSError."""
    header, *lines = read_session(path)
    group = header["group"]
    answers: list[Row] = []
    course: list[Row] = []
    about: dict[str, Line] = {}
    for line in lines:
        if line["kind"] == "begun":
            about[line["file"]] = line["about"]
        row = {"group": group, "wall": line["wall"], "participant": line["of"]}
        if line["kind"] == "answers":
            answers += (row | more for more in _answers(line, about.get(line.get("game", ""), {})))
        else:
            course.append(row | {"what": _what(line)} | _place(line))
    return {"answers": answers, "course": course}


def _answers(line: Line, about: Line) -> Iterator[Row]:
    game = line.get("game", "")
    row = {
        "form": line["form"],
        "moment": line["moment"],
        "game": game.removesuffix(".gz").removesuffix(".jsonl"),
        "condition": about.get("condition", ""),
        "wrong": line.get("wrong"),
    }
    for item, value in (line["answers"] or {"": None}).items():
        # Numbers and texts in one column: a column of a Parquet file has one type.
        yield row | {"item": item, "value": "" if value is None else str(value)}


def _what(line: Line) -> str:
    if line["kind"] == "connection":
        return str(line["text"])
    return f"ended: {line['reason']}" if line["kind"] == "ended" else str(line["kind"])


def _place(line: Line) -> Row:
    number = line.get("number")
    return {"game": None if number is None else number + 1, "seconds": line.get("seconds")}
