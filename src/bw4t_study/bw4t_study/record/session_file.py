# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The file of one group of people: what they agreed to and answered, and which games they played.

JSON lines, each with the Unix time ``wall`` (s), the ``kind`` and ``of``, a participant's code. A
line is at the operating system before its effect is seen, so a server that was killed goes on from
its file.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

from bw4t_study.record.game_file import Line, RecordError, append, has_line, text_of

SESSION_FORMAT = 1
"""Version of the format; a reader refuses others."""


class SessionFile:
    """Appends to the file of a session; makes it with ``header`` where there is none.

    ``lines`` are those that were there. Until it is closed, it cannot be opened so again.
    Raises RecordError for another file and for one that is open, and OSError.
    """

    def __init__(self, path: Path, header: Line) -> None:
        self.path = path
        self.lines: list[Line] = []
        self._file = path.open("ab", buffering=0)
        try:
            self._begin(header)
        except (RecordError, OSError):
            self._file.close()
            raise

    def _begin(self, header: Line) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RecordError(f"{self.path}: another server runs this group") from error
        if has_line(self.path):
            kept, *self.lines = read_session(self.path)
            if kept["design"] != header["design"]:
                raise RecordError(f"{self.path}: the experiment file was another one")
        self._drop_torn_line()
        if self.path.stat().st_size == 0:
            self.write("session", "", format=SESSION_FORMAT, **header)

    def _drop_torn_line(self) -> None:
        data = self.path.read_bytes()
        os.truncate(self.path, data.rfind(b"\n") + 1)

    def write(self, kind: str, of: str, **fields: Any) -> Line:
        """Append a line and return it. Raises OSError; then nothing was written."""
        line = {"wall": round(time.time(), 3), "kind": kind, "of": of, **fields}
        append(self._file, text_of([line]))
        return line

    def close(self) -> None:
        """Close the file. Idempotent."""
        self._file.close()


def read_session(path: Path) -> list[Line]:
    """Return the lines of a session, the header first; a last line that is cut off is left out.

    Raises RecordError and OSError.
    """
    try:
        lines = [json.loads(text) for text in path.read_bytes().split(b"\n")[:-1]]
    except ValueError as error:
        raise RecordError(f"{path}: a line is broken: {error}") from error
    if not lines or lines[0].get("kind") != "session" or lines[0].get("format") != SESSION_FORMAT:
        raise RecordError(f"{path}: this is no record of a session")
    return lines


def sessions_in(directory: Path | str) -> list[Path]:
    """Return the records of sessions in a directory and those below it, sorted. Raises OSError."""
    return sorted(path for path in Path(directory).rglob("*.session") if has_line(path))
