# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Fast DDS profile of a process, chosen before its first node is made.

Fast DDS allocates a segment of shared memory for each process, and loses best-effort messages
that do not fit into it. So a process takes as much as its largest message needs, and goes on over
UDP where /dev/shm has no room. A profile of the user's own, by environment or in the working
directory, is left alone. Only the standard library is imported here: tools/ros2 uses it before
anything is installed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

__all__ = ["choose_profile", "end_turn", "naming", "profile_environment", "profile_file"]

VARIABLES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")
"""The first is what Fast DDS reads in the distributions of READ_THE_FIRST; later, the second."""
READ_THE_FIRST = ("humble", "iron", "jazzy")
"""Distributions (ROS_DISTRO)."""
FILES = ("DEFAULT_FASTRTPS_PROFILES.xml", "DEFAULT_FASTDDS_PROFILES.xml")
"""Profiles that Fast DDS reads from the working directory by itself."""
SHARED_MEMORY = "/dev/shm"
SEGMENTS = {"small": 1 << 19, "images": 4 << 20, "large_images": 64 << 20}
"""Size (bytes) of the segment by profile."""
MESSAGES_IN_SEGMENT = 3
"""Messages of the largest size that a segment has to hold."""
OVERHEAD = 1 << 20
"""Bytes that a process needs beside the segment: its ports, and the segment of 0.5 MB that
rmw_fastrtps adds where ROS_AUTOMATIC_DISCOVERY_RANGE is LOCALHOST."""
RESERVE = 4 << 20
"""Bytes left to processes of other programs that start at the same moment."""
SHORT = 32 << 20
"""Free bytes below which our processes choose and allocate one after the other."""
LONGEST_TURN_S = 5.0
MEGABYTE = 1 << 20
_turn = contextlib.ExitStack()


def choose_profile(label: str, largest_message: int = 0) -> None:
    """Choose the profile of this process; say so on stderr where it has to do without memory.

    ``largest_message`` is in bytes. Where memory is short, others that choose wait until this
    process calls end_turn(), with its first node made, or ends; for LONGEST_TURN_S at most.
    """
    if _free_shared_memory() < SHORT:
        _wait_for_turn()
    chosen, reason = profile_environment(os.environ, largest_message)
    os.environ.update(chosen)
    if reason:
        sys.stderr.write(f"{label}: {reason}\n")


def end_turn() -> None:
    """Let the next process choose: the memory of this one is allocated."""
    _turn.close()


def profile_environment(
    environment: Mapping[str, str], largest_message: int = 0
) -> tuple[dict[str, str], str]:
    """Return what to add to an environment, and why it means no shared memory, if so.

    Both are empty where the user has a profile.
    """
    if any(environment.get(name) for name in VARIABLES) or any(Path(n).exists() for n in FILES):
        return {}, ""
    distribution = environment.get("ROS_DISTRO", "")
    wanted = largest_message * MESSAGES_IN_SEGMENT
    profile = next((name for name, size in SEGMENTS.items() if wanted <= size), "large_images")
    needed, free = SEGMENTS[profile] + OVERHEAD + RESERVE, _free_shared_memory()
    if free >= needed:
        return naming(profile, distribution), ""
    reason = (
        f"UDP instead of shared memory: {SHARED_MEMORY} has {free / MEGABYTE:.1f} MB left, "
        f"{needed / MEGABYTE:.1f} MB are needed"
    )
    if environment.get("ROS_LOCALHOST_ONLY") == "1":
        on_loopback = {"ROS_LOCALHOST_ONLY": "0"}
    elif environment.get("ROS_AUTOMATIC_DISCOVERY_RANGE") == "LOCALHOST":
        on_loopback = {}
    else:
        return naming("udp", distribution), reason
    # With LOCALHOST rmw_fastrtps would try shared memory itself; the profile stays on loopback.
    on_loopback["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "SYSTEM_DEFAULT"
    return {**naming("udp_on_loopback", distribution), **on_loopback}, reason


def profile_file(name: str) -> str:
    """Return the path of a profile: one of SEGMENTS, udp or udp_on_loopback."""
    return str(Path(__file__).with_name(f"{name}.xml"))


def naming(profile: str, distribution: str) -> dict[str, str]:
    """Return the environment that names a profile by the variable that this distribution reads.

    ``distribution`` is its ROS_DISTRO; by both variables where that is empty.
    """
    if not distribution:
        return dict.fromkeys(VARIABLES, profile_file(profile))
    # Later releases complain of the older variable.
    return {VARIABLES[0 if distribution in READ_THE_FIRST else 1]: profile_file(profile)}


def _wait_for_turn() -> None:
    end = time.monotonic() + LONGEST_TURN_S
    with contextlib.suppress(OSError):
        directory = os.open(SHARED_MEMORY, os.O_RDONLY | os.O_CLOEXEC)
        _turn.callback(os.close, directory)
        while time.monotonic() < end:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            time.sleep(0.01)


def _free_shared_memory() -> int:
    try:
        room = os.statvfs(SHARED_MEMORY)
    except OSError:
        return 0
    writable = not room.f_flag & os.ST_RDONLY and os.access(SHARED_MEMORY, os.W_OK)
    return room.f_bavail * room.f_frsize if writable else 0
