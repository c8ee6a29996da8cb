# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of recorded games as CSV, and as Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from importlib.util import find_spec
from pathlib import Path

from bw4t_study.analysis.sessions import tables_of_session
from bw4t_study.analysis.tables import TABLES, Row, tables_of
from bw4t_study.record.game_file import read_game, records_in
from bw4t_study.record.session_file import sessions_in


def gather_all(directory: Path) -> dict[str, list[Row]]:
    """Return the tables of all records below a directory.

    The name of a game begins with the directory below it in which its record is. Raises
    RecordError, ReplayError and OSError.
    """
    tables: dict[str, list[Row]] = {name: [] for name in (*TABLES, "answers", "course")}
    found = [(path, tables_of(read_game(path))) for path in records_in(directory)]
    found += [(path, tables_of_session(path)) for path in sessions_in(directory)]
    for path, one in found:
        place = path.parent.relative_to(directory)
        for name, rows in one.items():
            tables[name] += [_placed(row, place) for row in rows]
    return tables


def _placed(row: Row, place: Path) -> Row:
    game = row.get("game")  # of a course the number
    if not place.parts or not isinstance(game, str) or not game:
        return row
    return row | {"game": f"{place.as_posix()}/{game}"}


def write_tables(tables: dict[str, list[Row]], directory: Path) -> list[Path]:
    """Write ``NAME.csv`` and ``NAME.parquet`` of each table that has rows; return the files."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for name, rows in tables.items():
        if not rows:
            continue
        columns = list(dict.fromkeys(column for row in rows for column in row))
        path = directory / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(rows)
        written.append(path)
        if find_spec("pyarrow") is not None:
            written.append(_write_parquet(rows, columns, directory / f"{name}.parquet"))
    return written


def _write_parquet(rows: list[Row], columns: list[str], path: Path) -> Path:
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({column: [row.get(column) for row in rows] for column in columns})
    parquet.write_table(table, path)
    return path
