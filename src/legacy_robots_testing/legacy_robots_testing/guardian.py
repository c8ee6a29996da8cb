# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""End the programs under test when what started them has been killed.

``legacy_robots_testing.process`` runs this file as a program of its own (``python -I -S``)
and names on its standard input, line by line, the sessions that run (``+N``) and that have ended
(``-N``). The pipe closes when the starting process ends, however it ends; the programs
that still run then get SIGINT, and what is left of their sessions, at the latest after GRACE_S,
SIGKILL.
"""

import os
import signal
import sys
import time

GRACE_S = 10.0


def members(sessions: "set[int]") -> "list[int]":
    """Return the processes of sessions, zombies left out."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", "rb") as file:
                # The name in parentheses may hold anything; the fields follow its last ")".
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it has just ended
        if fields[0] != b"Z" and int(fields[3]) in sessions:
            found.append(int(entry))
    return found


def send(number: int, pids: "list[int]") -> None:
    """Send a signal to processes, as far as they are there."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def main() -> None:
    """Follow standard input to its end, then end what still runs."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # those for the whole terminal
    sessions: set[int] = set()
    for line in sys.stdin:
        change = sessions.add if line[0] == "+" else sessions.discard
        change(int(line[1:]))
    leaders = sessions & set(members(sessions))
    send(signal.SIGINT, sorted(leaders))
    deadline = time.monotonic() + GRACE_S
    while leaders & set(members(sessions)) and time.monotonic() < deadline:
        time.sleep(0.05)
    send(signal.SIGKILL, members(sessions))


if __name__ == "__main__":
    main()
