# SPDX-License-Identifier: Apache-2.0
"""Shared memory that processes of Fast DDS left behind when they were killed."""

from __future__ import annotations

import fcntl
import os
import re
import time
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")
SETTLED_S = 10.0
"""Age from which a lock is looked at: until then its process may be about to take it."""
_LOCK = re.compile(r"(fastrtps_(?:[0-9a-z]{16}|port\d{1,5}))_[es]l")


def remove_left_behind(directory: Path = SHARED_MEMORY) -> int:
    """Remove segments and ports that no process holds, as ``fastdds shm clean``; return how many.

    A process holds the lock of a file for as long as it lives, so files in use stay. Without the
    right to a file, that file stays. Takes a few milliseconds.
    """
    removed = 0
    for lock in directory.glob("fastrtps_*l"):
        match = _LOCK.fullmatch(lock.name)
        if match is None:
            continue
        try:
            with lock.open("ab") as handle:
                if time.time() - os.fstat(handle.fileno()).st_mtime < SETTLED_S:
                    continue
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                for name in (match[1], f"sem.{match[1]}_mutex", lock.name):
                    (directory / name).unlink(missing_ok=True)
        except OSError:
            continue  # held by a process, another user's, or just gone
        removed += 1
    return removed
