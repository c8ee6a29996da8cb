# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds and opens the segments of one robot: within bounds, and again when they are made anew."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from legacy_robots_core.link.base import LinkObserver
from luar_bridge.protocol import naming
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError

FIRST_RETRY_S, LONGEST_RETRY_S = 0.2, 2.0
"""Between two attempts to open an unreadable segment."""
OPENING_TIME_S = 0.02
"""Processor time (s) after which opening waits for the next refresh, to read what is open."""
PAUSE_TIME_S = 0.002
"""Processor time (s) after which the reader of what is open is given a turn."""
MAXIMUM_SEGMENTS, MAXIMUM_BYTES = 256, 1 << 26
"""What is read at most of one robot: segments, and bytes of them all."""
CLOCK_TICK_NS = 50_000_000
"""Times of files are exact to this much."""
_SHOWN_NAMES = 8


@dataclass
class _Unreadable:
    """A segment that cannot be read; ``file`` are inode and size of what was tried."""

    text: str
    file: tuple[int, int]
    delay: float
    retry_at: float


class SegmentFinder:
    """The open segments of one robot, and what is wrong with the others. Of one thread.

    Parameters
    ----------
    identity, known, directory
        Whose segments, those to look for, and where they are.
    observer
        Gets each problem, once.

    """

    def __init__(
        self,
        identity: RobotIdentity,
        known: Mapping[str, object],
        directory: Path,
        observer: LinkObserver,
    ) -> None:
        self._identity = identity
        self._known = known
        self._directory = directory
        self._observer = observer
        self._changed_at = 0
        self._searched = True
        """Whether the directory had changed: else each file is still that of its name."""
        self._listing: frozenset[str] = frozenset()
        self._files: dict[str, Path] = {}
        self._unreadable: dict[str, _Unreadable] = {}
        self.segments: dict[str, Segment] = {}
        """The open ones, by name."""

    def refresh(self) -> Iterator[tuple[str, Segment | None]]:
        """Yield each segment that is opened, and with None each that is closed.

        An empty name is yielded at times while it takes long: whatever is open may be read then.
        """
        try:
            found = self._found()
        except OSError as error:
            found = {}
            self._on_problem("", f"{self._directory} cannot be read: {error.strerror}")
        else:
            self._unreadable.pop("", None)
        pause_at = time.thread_time() + PAUSE_TIME_S
        for name, segment in list(self.segments.items()):
            if time.thread_time() >= pause_at:
                yield "", None
                pause_at = time.thread_time() + PAUSE_TIME_S
            if name not in self.segments:
                continue  # closed meanwhile
            if name not in found or (self._searched and segment.replaced()):
                self.close(name)
                yield name, None
                continue
            try:
                segment.check()
            except ProtocolError as error:
                self.close(name, str(error))
                yield name, None
        for name in [n for n in self._unreadable if n and n not in found]:
            del self._unreadable[name]
        deadline = time.thread_time() + OPENING_TIME_S
        closed = [name for name in found if name not in self.segments]
        for name in sorted(closed, key=lambda name: name in self._unreadable):  # new ones first
            opened = self._open(name, found[name])
            if opened is not None:
                self._unreadable.pop(name, None)
                self.segments[name] = opened
                yield name, opened
            if (now := time.thread_time()) >= deadline:
                break
            if now >= pause_at:
                yield "", None
                pause_at = time.thread_time() + PAUSE_TIME_S

    def close(self, name: str, problem: str = "") -> None:
        """Close a segment, because of a ``problem`` if there is one."""
        self.segments.pop(name).close()
        if problem:
            self._on_problem(name, problem)

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with each segment that cannot be read. Thread-safe."""
        return {name: problem.text for name, problem in list(self._unreadable.items())}

    def unreadable_names(self) -> str:
        """Return the names of segments that cannot be read, of many the first ones."""
        names = sorted(self._unreadable)
        more = len(names) - _SHOWN_NAMES
        return ", ".join(names[:_SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")

    def _found(self) -> dict[str, Path]:
        """Return the robot's files; searched only when there are others than before."""
        changed_at = os.stat(self._directory).st_mtime_ns
        self._searched = changed_at != self._changed_at
        if not self._searched:
            return self._files
        # A file that is made within the same tick of the clock leaves no other trace.
        is_past = time.time_ns() - changed_at > CLOCK_TICK_NS
        self._changed_at = changed_at if is_past else 0
        listing = frozenset(os.listdir(self._directory))
        if listing != self._listing:
            self._listing = listing
            found = naming.among_files(self._identity, self._known, listing)
            self._files = {name: self._directory / file for name, file in found.items()}
        return self._files

    def _open(self, name: str, path: Path) -> Segment | None:
        file = _inode_and_size(path)
        before = self._unreadable.get(name)
        if before and before.file == file and time.monotonic() < before.retry_at:
            return None
        try:
            if len(self.segments) >= MAXIMUM_SEGMENTS:
                raise SegmentUnavailableError(f"one robot has {MAXIMUM_SEGMENTS} others already")
            segment = Segment(path)
            opened = sum(len(other.snapshot.data) for other in self.segments.values())
            if opened + len(segment.snapshot.data) > MAXIMUM_BYTES:
                segment.close()
                raise SegmentUnavailableError(f"the others have {opened} bytes already")
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
            self._on_problem(name, str(error), file)
            return None
        return segment

    def _on_problem(self, name: str, text: str, file: tuple[int, int] = (0, 0)) -> None:
        before, delay = self._unreadable.get(name), FIRST_RETRY_S
        if before is not None and before.file == file:
            delay = min(2 * before.delay, LONGEST_RETRY_S)
        self._unreadable[name] = _Unreadable(text, file, delay, time.monotonic() + delay)
        if before is None or before.text != text:
            self._observer.on_problem("unreadable segments", f"{name}: {text}" if name else text)


def _inode_and_size(path: Path) -> tuple[int, int]:
    """Return what distinguishes a file from its successor; zeros where there is none."""
    try:
        status = os.lstat(path)
    except OSError:
        return 0, 0
    return status.st_ino, status.st_size
