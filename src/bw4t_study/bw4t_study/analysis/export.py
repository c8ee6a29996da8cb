# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of recorded games as CSV, and as Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from bw4t_study.analysis.sessions import tables_of_session
from bw4t_study.analysis.tables import TABLES, Row, tables_of
from bw4t_study.record.game_file import read_game, records_in
from bw4t_study.record.session_file import sessions_in


def gather(games: Iterable[Path], sessions: Iterable[Path] = ()) -> dict[str, list[Row]]:
    """Return the tables of many records. Raises RecordError, ReplayError and OSError."""
    tables: dict[str, list[Row]] = {name: [] for name in (*TABLES, "answers", "course")}
    found = [tables_of(read_game(path)) for path in games]
    found += map(tables_of_session, sessions)
    for one in found:
        for name, rows in one.items():
            tables[name] += rows
    return tables


def gather_all(directory: Path) -> dict[str, list[Row]]:
    """Return the tables of all records below a directory; raises as :func:`gather`."""
    return gather(records_in(directory), sessions_in(directory))


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
