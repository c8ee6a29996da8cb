# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""End what a killed launch would leave behind.

Launch runs this file as a small process of its own (``python -I -S``) and tells it, line by line
on standard input, which process groups run (``+N``), which have ended (``-N``) and which folder
holds its temporary files (``dPATH``). When launch ends, however it ends, the pipe closes. After an
orderly end no group is listed and this process just ends too. After ``kill -9`` the groups that
remain get SIGINT, then SIGTERM, then SIGKILL, and the folder is removed.
"""

import os
import shutil
import signal
import sys
import time

GRACE = 2.0
"""Seconds between two signals; shorter than in launch, since the rest is unsupervised."""


def members(group: int) -> bool:
    """Return whether a living process (not a zombie) belongs to the process group."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    # the name in parentheses may hold anything; fields follow its last ")"
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] not in (b"Z", b"X"):
                return True
    return False


def end(groups: "set[int]") -> None:
    """Signal the groups, more firmly each time, until no member is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        for group in groups:
            try:
                os.killpg(group, number)
            except (ProcessLookupError, PermissionError):
                pass
        deadline = time.monotonic() + GRACE
        while groups and time.monotonic() < deadline:
            groups = {group for group in groups if members(group)}
            if groups:
                time.sleep(0.02)
        if not groups:
            return


def main() -> None:
    """Follow launch until its end of the pipe is closed."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    folders: set[str] = set()
    for line in sys.stdin:
        value = line[1:].rstrip("\n")
        if line[0] == "+":
            groups.add(int(value))
        elif line[0] == "-":
            groups.discard(int(value))
        elif line[0] == "d":
            folders.add(value)
    end(groups)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
