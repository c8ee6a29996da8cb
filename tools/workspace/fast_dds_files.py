# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Shared memory that processes of Fast DDS left behind when they were killed."""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")
SETTLED_S = 10.0
"""Age from which a lock is looked at: until then its process may be about to take it."""
_LOCK = re.compile(r"(fast(?:rtps|dds)_(?:[0-9a-z]{16}|port\d{1,5}))_[es]l").fullmatch
"""Fast DDS 2 (Jazzy) and 3 (Kilted)."""


def remove_left_behind(directory: Path = SHARED_MEMORY) -> int:
    """Remove segments and ports that no process holds, as ``fastdds shm clean``; return how many.

    A process holds the lock of a file for as long as it lives, so files in use stay. Without the
    right to a file, that file stays. The mutex of a port stays too. Takes a few milliseconds.
    """
    found = {match[1] for file in directory.glob("fast*_*l") if (match := _LOCK(file.name))}
    return sum(_remove(directory, name) for name in found)


def _remove(directory: Path, name: str) -> bool:
    locks = [path for end in "es" if (path := directory / f"{name}_{end}l").exists()]
    try:
        with ExitStack() as stack:
            if "_port" in name:
                stack.enter_context(_mutex(f"/{name}_mutex"))
            for lock in locks:
                handle = stack.enter_context(lock.open("ab"))
                if time.time() - os.fstat(handle.fileno()).st_mtime < SETTLED_S:
                    return False
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for file in (directory / name, *locks):
                file.unlink(missing_ok=True)
    except OSError:
        return False  # held by a process, another user's, or just gone
    return True


@contextmanager
def _mutex(name: str) -> Iterator[None]:
    """Hold the semaphore under which Fast DDS opens a port. Raises OSError where it is held.

    A process that is just opening a port that was left behind has no lock yet. Without its memory
    it would receive nothing, for as long as it lives.
    """
    c_library = ctypes.CDLL(None, use_errno=True)
    c_library.sem_open.restype = ctypes.c_void_p
    semaphore = ctypes.c_void_p(c_library.sem_open(name.encode(), os.O_CREAT, 0o666, 1))
    if not semaphore.value:
        raise OSError(ctypes.get_errno(), name)
    try:
        if c_library.sem_trywait(semaphore) != 0:
            raise BlockingIOError(name)
        try:
            yield
        finally:
            c_library.sem_post(semaphore)
    finally:
        c_library.sem_close(semaphore)
