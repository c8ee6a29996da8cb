# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The file of one game: JSON lines, compressed as they are written where its name says so."""

from __future__ import annotations

import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

FORMAT = 1
"""Version of the format; a reader refuses others."""

GZIP = 31
"""zlib's code of gzip's format."""

HEAD_BYTES = 100_000
"""So much of a compressed file has its first line, or it has none."""

MAX_NUMBER = 2**63
"""Greater whole numbers are written as text."""

Line = dict[str, Any]


class RecordError(ValueError):
    """A file that is no record of a game; the text names it and says why."""


class GameFile:
    """Writes the file of one game; one whose name ends with .gz is compressed as it is written.

    Whole lines go to the operating system as soon as :meth:`write` is called, so none is lost
    when the process is killed. Where lines cannot be written (the disk is full), the file ends
    before them, and nothing more can be written into a compressed one.
    """

    def __init__(self, path: Path, header: Line) -> None:
        self.path = path
        self.size = 0
        self._packer = zlib.compressobj(wbits=GZIP) if path.suffix == ".gz" else None
        self._file = path.open("xb", buffering=0)
        try:
            self.write([header])
        except OSError:
            self._file.close()
            path.unlink()
            raise

    def write(self, lines: Iterable[Line]) -> None:
        """Append lines, all or none. Raises OSError."""
        data = text_of(lines)
        if self._packer is None:
            append(self._file, data)
        else:
            append(self._file, self._packer.compress(data) + self._packer.flush(zlib.Z_SYNC_FLUSH))
        self.size += len(data)

    def close(self) -> None:
        """End the file. Idempotent. A compressed one whose end cannot be written can be read."""
        if not self._file.closed:
            with suppress(OSError):
                if self._packer is not None:
                    append(self._file, self._packer.flush())
            self._file.close()


def text_of(lines: Iterable[Line]) -> bytes:
    """Return lines as they stand in a file."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()


def append(file: FileIO, data: bytes) -> None:
    """Append to a file without a buffer, all or nothing. Raises OSError."""
    size = file.seek(0, os.SEEK_END)
    try:
        while data:
            data = data[file.write(data) :]  # a full disk takes a part of it
    except OSError:
        file.truncate(size)
        file.seek(size)
        raise


def has_line(path: Path) -> bool:
    """Whether a file has a whole line: one without was killed as it began. Raises OSError."""
    if path.suffix == ".gz":
        with suppress(zlib.error):
            return b"\n" in unpacked(path.read_bytes()[:HEAD_BYTES])
        return True  # what it is reading says
    with path.open("rb") as file:
        return file.readline().endswith(b"\n")


def unpacked(data: bytes) -> bytes:
    """Return what is in a compressed file, up to where it breaks off. Raises zlib.error."""
    return zlib.decompressobj(wbits=GZIP).decompress(data)


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
        data = path.read_bytes()
        data = unpacked(data) if path.suffix == ".gz" else data
        for text in data.split(b"\n")[:-1]:
            lines.append(json.loads(text))
    except (ValueError, zlib.error) as error:
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
        return has_line(path)
    # A former version compressed a file at its end: both names were there for a moment.
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
