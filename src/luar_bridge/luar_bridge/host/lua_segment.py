# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A segment that Lua makes and counts in, kept open while it is there. No ROS."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)
from luar_bridge.protocol.writer import WriteRefusedError

_ERRORS = (SegmentUnavailableError, SegmentBusyError, ProtocolError, WriteRefusedError)


class LuaGoneError(Exception):
    """The segment cannot be used; the message says why."""


class LuaSegment:
    """One segment by its path. Not thread-safe. Raises LuaGoneError where it cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._segment: Segment | None = None
        self._count: float | None = None
        self._commands: bytes | None = None
        self._counted_at = -math.inf

    def read(self) -> Snapshot:
        """Return what is in it."""
        try:
            if self._segment is None or self._segment.replaced():
                self.close()
                self._segment = Segment(self._path)
            return self._segment.read()
        except _ERRORS as error:
            self.close()
            raise LuaGoneError(str(error)) from error

    def read_counting(self, now: float, timeout: float, *commands: str) -> Snapshot:
        """Return what is in it while its count goes up; times in seconds of one clock.

        Or while one of ``commands`` changes: not every program of the original counts
        (docs/originals/luar.md, 11).
        """
        snapshot = self.read()
        count = snapshot.number("count")
        if count is not None and math.isfinite(count) and count != self._count:
            if self._count is not None:
                self._counted_at = now
            self._count = count
        if commands:
            written = b"".join(map(snapshot.raw, commands))
            if written != self._commands:
                if self._commands is not None:
                    self._counted_at = now
                self._commands = written
        if now - self._counted_at > timeout:
            what = ", and so do its commands" if commands else ""
            raise LuaGoneError(f"{self._path.name}: its count stands still{what}")
        return snapshot

    def write(self, values: Mapping[str, Sequence[float] | bytes]) -> None:
        """Write variables in this order; bytes are c arrays."""
        try:
            writer.write_all(self._path, values)
        except _ERRORS as error:
            raise LuaGoneError(str(error)) from error

    def close(self) -> None:
        """Close it, and forget its count. Idempotent."""
        if self._segment is not None:
            self._segment.close()
        self._segment, self._count, self._counted_at = None, None, -math.inf
        self._commands = None
