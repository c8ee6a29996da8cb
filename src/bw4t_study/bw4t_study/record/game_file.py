# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The file of one game: JSON lines, compressed after the end where it is long."""

from __future__ import annotations

import gzip
import json
import math
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

FORMAT = 1
"""Version of the format; a reader refuses others."""

LONG_BYTES = 1_000_000
"""A file that is longer at its end is compressed."""

MAX_NUMBER = 2**63
"""Greater whole numbers are written as text."""

Line = dict[str, Any]


class RecordError(ValueError):
    """A file that is no record of a game; the text names it and says why."""


class GameFile:
    """Writes the file of one game.

    Whole lines go to the operating system as soon as :meth:`write` is called, so none is lost
    when the process is killed. Where lines cannot be written (the disk is full), the file ends
    before them.
    """

    def __init__(self, path: Path, header: Line) -> None:
        self.path = path
        self._file = path.open("xb", buffering=0)
        try:
            self.write([header])
        except OSError:
            self._file.close()
            path.unlink()
            raise

    def write(self, lines: Iterable[Line]) -> None:
        """Append lines, all or none. Raises OSError."""
        append(self._file, lines)

    @property
    def size(self) -> int:
        """Bytes that were written so far."""
        return self._file.tell()

    def close(self, *, compress: bool = True) -> None:
        """End the file; compress a long one, which is whole at any moment under one name.

        Where that cannot be done it stays as it is.
        """
        if self._file.closed:
            return
        size = self._file.tell()
        self._file.close()
        if size <= LONG_BYTES or not compress:
            return
        part = self.path.with_name(f".{self.path.name}.gz.part")
        try:
            with self.path.open("rb") as plain, gzip.open(part, "wb", compresslevel=6) as packed:
                shutil.copyfileobj(plain, packed)
        except OSError:
            part.unlink(missing_ok=True)
            return
        os.replace(part, self.path.with_name(f"{self.path.name}.gz"))
        self.path.unlink()


def append(file: FileIO, lines: Iterable[Line]) -> None:
    """Append lines to a file without a buffer, all or none. Raises OSError."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    data, size = text.encode(), file.seek(0, os.SEEK_END)
    try:
        while data:
            data = data[file.write(data) :]  # a full disk takes a part of it
    except OSError:
        file.truncate(size)
        file.seek(size)
        raise


def has_line(path: Path) -> bool:
    """Whether a file has a whole line: one without was killed as it began. Raises OSError."""
    with path.open("rb") as file:
        return file.readline().endswith(b"\n")


@dataclass(frozen=True)
class Game:
    """A recorded game.

    ``lines`` has what happened, in order, without the header and the end. ``end`` is None where
    the record broke off: the process was killed, or the game goes on.
    """

    path: Path
    header: Mapping[str, Any]
    lines: Sequence[Line] = field(repr=False)
    end: Mapping[str, Any] | None

    @property
    def name(self) -> str:
        """The file's name without its endings."""
        return self.path.name.removesuffix(".gz").removesuffix(".jsonl")

    @property
    def last_tick(self) -> int:
        """The last tick that the record knows of."""
        last = self.end if self.end is not None else (self.lines[-1] if self.lines else {})
        return int(last.get("tick", 0))

    def of_kind(self, *kinds: str) -> Iterator[Line]:
        """Yield the lines of some kinds, in order."""
        return (line for line in self.lines if line["kind"] in kinds)


def read_game(path: Path | str) -> Game:
    """Return the game of a file. A last line that is cut off is left out.

    Raises :class:`RecordError`, and OSError.
    """
    path = Path(path)
    lines: list[Line] = []
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for text in data.split(b"\n")[:-1]:
            lines.append(json.loads(text))
    except (ValueError, EOFError, gzip.BadGzipFile) as error:
        raise RecordError(f"{path}: line {len(lines) + 1} is broken: {error}") from error
    header = lines[0] if lines else {}
    if not isinstance(header, dict) or header.get("kind") != "header":
        raise RecordError(f"{path}: this is no record of a game")
    if header.get("format") != FORMAT:
        raise RecordError(f"{path}: format {header.get('format')!r}; this program reads {FORMAT}")
    if not all(isinstance(line, dict) and "kind" in line and "tick" in line for line in lines[1:]):
        raise RecordError(f"{path}: a line has no kind or no tick")
    end = lines.pop() if lines[-1]["kind"] == "end" else None
    return Game(path, header, lines[1:], end)


def records_in(directory: Path | str) -> list[Path]:
    """Return the records in a directory and those below it, sorted.

    Raises RecordError where there is none, and OSError.
    """
    found = sorted(path for path in Path(directory).rglob("*.jsonl*") if _is_record(path))
    if not found:
        raise RecordError(f"{directory}: there are no records of games (*.jsonl, *.jsonl.gz)")
    return found


def _is_record(path: Path) -> bool:
    if path.name.startswith(".") or not path.name.endswith((".jsonl", ".jsonl.gz")):
        return False
    if path.suffix == ".gz":
        return True
    # While a file is compressed, both names are there for a moment.
    return not path.with_name(f"{path.name}.gz").exists() and has_line(path)


def plain(value: object) -> Any:
    """Return an argument of an action as JSON can hold it to the bit; others as their text."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int) and abs(value) < MAX_NUMBER:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return {"text": f"{type(value).__name__}"}
