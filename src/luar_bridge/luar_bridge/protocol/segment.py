# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Read one segment again and again: untorn, cheaply, and without a lock or a trust in its owner.

The file is read with pread, not through a mapping: a mapping of a file that is truncated ends the
process that reads it (SIGBUS), a pread of it returns fewer bytes. Both see the same memory.

Nothing in the memory says that a writer is in the middle of a variable. Two equal readings with a
rest between them show that nothing was written meanwhile; they cannot show that the writer was not
halted there, by a third program that took its core for longer than the rest.
"""

from __future__ import annotations

import os
import stat
import struct
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luar_bridge.protocol import boost_layout
from luar_bridge.protocol.boost_layout import Directory, ProtocolError

ATTEMPTS = 16
"""Readings before a segment that never stands still is given up for this time."""
READING_TIME_S = 0.02
"""Processor time (s) after which no further attempt begins: others have to be read too."""
_RETRY_SECONDS = 0.0002
_REST_SECONDS = 0.00002
_DOUBLE = struct.Struct("<d")
_doubles = lru_cache(256)(lambda length: struct.Struct(f"<{length}d"))
_BASE = boost_layout.NAMED_COUNT_OFFSET
"""Snapshots begin here: below are only locks, which change without anything being written."""


class SegmentUnavailableError(Exception):
    """The segment cannot be opened; the message says which and why."""


class SegmentBusyError(Exception):
    """The segment changed during every one of ATTEMPTS readings."""


@dataclass(frozen=True)
class Snapshot:
    """All variables of a segment at one moment.

    The lengths are whatever the owner made them: a variable may be missing, empty or of another
    length than documented, at any time (docs/originals/luar.md, "Observed behaviour", 3).
    """

    directory: Directory
    data: bytes
    places: Mapping[str, tuple[int, int]]
    """For each array of doubles its offset in ``data`` and its length."""

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def length(self, name: str) -> int:
        """Return the number of doubles of a variable; 0 when there is none of this name."""
        return self.places.get(name, (0, 0))[1]

    def vector(self, name: str) -> NDArray[np.float64]:
        """Return a variable as a read-only array of shape (length,), empty when it is missing."""
        offset, length = self.places.get(name, (0, 0))
        return np.frombuffer(self.data, "<f8", length, offset)

    def number(self, name: str) -> float | None:
        """Return a variable of length 1; None when it is missing or has another length."""
        offset, length = self.places.get(name, (0, 0))
        if length != 1:
            return None
        value: float = _DOUBLE.unpack_from(self.data, offset)[0]
        return value

    def numbers(self, name: str, length: int) -> tuple[float, ...] | None:
        """Return a variable of exactly ``length`` doubles; None when it is not such a one."""
        return self.all_numbers(name) if self.length(name) == length else None

    def all_numbers(self, name: str) -> tuple[float, ...]:
        """Return a variable of any length as floats: for a short one quicker than vector."""
        offset, length = self.places.get(name, (0, 0))
        return _doubles(length).unpack_from(self.data, offset)

    def raw(self, name: str) -> bytes:
        """Return the bytes of a variable (a c array: rounded up to a multiple of 8)."""
        offset, length = self.places.get(name, (0, 0))
        return self.data[offset : offset + 8 * length]

    def text(self, name: str) -> str | None:
        """Return a variable as the string of its codes; None when it is missing or is no text."""
        if name not in self.places:
            return None
        values = self.vector(name)
        # Written so that nan is no text.
        if not bool(np.all((values >= 0) & (values <= 255) & (values == np.floor(values)))):
            return None
        return bytes(values.astype(np.uint8)).decode("latin-1")


class Segment:
    """One open segment. Not thread-safe; never writes.

    Raises SegmentUnavailableError when there is no such file or it may not be read, NotReadyError
    when it is not filled yet, and ProtocolError when it is not a sound segment.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._name = os.fspath(path)
        self._fd = open_regular(path, os.O_RDONLY)
        try:
            status = os.fstat(self._fd)
            self.inode = status.st_ino
            self.size = status.st_size
            self._snapshot = self._read_anew()
            self._seen = self._snapshot.data
        except BaseException:
            os.close(self._fd)
            raise

    def close(self) -> None:
        """Close the file. Idempotent."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Segment:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def snapshot(self) -> Snapshot:
        """What was read last."""
        return self._snapshot

    def read(self) -> Snapshot:
        """Return the present contents: the same object as before when nothing has changed.

        A reading counts only when a second one, after a rest, finds the same bytes. Raises
        SegmentBusyError when that does not come about, ProtocolError when the segment is no longer
        sound.
        """
        if self.changed():
            rest()
        return self.settled()

    def changed(self) -> bool:
        """Take a first reading; return whether it differs from what was read last."""
        self._seen = os.pread(self._fd, len(self._snapshot.data), _BASE)
        return self._seen != self._snapshot.data

    def new_number(self, name: str) -> float | None:
        """Return a number of the first reading by ``changed``; None where it was the same before.

        As ``peek`` it may be wrong.
        """
        offset, length = self._snapshot.places.get(name, (0, 0))
        place = slice(offset, offset + 8)
        new = self._seen[place]
        if length != 1 or len(new) != 8 or new == self._snapshot.data[place]:
            return None
        value: float = _DOUBLE.unpack(new)[0]
        return value

    def settled(self) -> Snapshot:
        """Return what ``read`` does, from a first reading by ``changed`` and a rest on.

        So that one rest is enough for many segments.
        """
        data = self._seen
        if data == self._snapshot.data:
            return self._snapshot
        for _ in range(ATTEMPTS):
            again = os.pread(self._fd, len(data), _BASE)
            if again == data:
                self._snapshot = self._parse(data)
                return self._snapshot
            data = again
            rest()
        raise SegmentBusyError(f"{self.path.name} changes faster than it can be read")

    def _parse(self, data: bytes) -> Snapshot:
        """Return ``data`` as a snapshot; find the variables again only where they have moved."""
        old = self._snapshot
        if len(data) == len(old.data) and self._structure_of(data) == self._structure:
            return Snapshot(old.directory, data, old.places)
        return self._read_anew()

    def peek(self, name: str) -> float | None:
        """Return the number where ``name`` was found last: a cheap look that may be wrong.

        It is None when the variable is missing or no number, and when the file has been truncated.
        """
        offset, length = self._snapshot.places.get(name, (0, 0))
        if length != 1:
            return None
        data = os.pread(self._fd, 8, _BASE + offset)
        if len(data) != 8:
            return None
        value: float = _DOUBLE.unpack(data)[0]
        return value

    def replaced(self) -> bool:
        """Return whether the name now leads to another file, one of another size, or none."""
        try:
            status = os.lstat(self._name)
        except OSError:
            return True
        return status.st_ino != self.inode or status.st_size != self.size

    def check(self) -> None:
        """Check that the segment is still ready and whole. Raises as the constructor does."""
        if (
            os.pread(self._fd, len(boost_layout.READY), boost_layout.STATE_OFFSET)
            == boost_layout.READY
            and os.fstat(self._fd).st_size == self.size
        ):
            return
        boost_layout.check_header(
            os.pread(self._fd, boost_layout.OBJECTS_OFFSET, 0), os.fstat(self._fd).st_size
        )

    def _read_anew(self) -> Snapshot:
        """Read everything and find the variables again."""
        boost_layout.check_header(os.pread(self._fd, boost_layout.OBJECTS_OFFSET, 0), self.size)
        deadline = time.thread_time() + READING_TIME_S
        for attempt in range(ATTEMPTS):
            whole = os.pread(self._fd, self.size, 0)
            try:
                directory = boost_layout.read_directory(whole)
            except boost_layout.NotReadyError:
                raise
            except ProtocolError:
                # It may be in the middle of creating a variable.
                if attempt == ATTEMPTS - 1 or time.thread_time() >= deadline:
                    raise
                time.sleep(_RETRY_SECONDS)
                continue
            data = whole[_BASE : directory.end]
            rest()
            if os.pread(self._fd, len(data), _BASE) == data:
                return self._adopt(directory, data)
        raise SegmentBusyError(f"{self.path.name} changes faster than it can be read")

    def _adopt(self, directory: Directory, data: bytes) -> Snapshot:
        """Remember which bytes make up the tree and the names, to notice when they change."""
        spans = [(_BASE, boost_layout.OBJECTS_OFFSET)]
        for v in directory.variables:
            spans += [(v.node, v.offset), (v.offset + v.size, v.end)]
        form, at = "<", _BASE
        for begin, end in sorted(spans):
            form += f"{begin - at}x{end - begin}s"
            at = end
        self._structure_of = struct.Struct(form).unpack_from  # an unusable variable may follow
        self._structure = self._structure_of(data)
        places = {
            v.name: (v.offset - _BASE, v.length) for v in directory.variables if v.is_doubles
        }
        return Snapshot(directory, data, places)


def rest() -> None:
    """Let a writer go on that may have been interrupted in mid-write by our own waking.

    On a machine with few cores that happens all the more as readers wake when writers write.
    """
    time.sleep(_REST_SECONDS)


def open_regular(path: Path, flags: int) -> int:
    """Open a segment's file and return its descriptor, without ever blocking or following links.

    Raises SegmentUnavailableError when it does not exist, is no regular file or may not be opened.
    """
    try:
        fd = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError as error:
        raise SegmentUnavailableError(f"there is no segment {path.name}") from error
    except OSError as error:
        raise SegmentUnavailableError(f"{path.name} cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise SegmentUnavailableError(f"{path.name} is not a segment but another kind of file")
    return fd
