# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Courses of RoboSkate's policy over ROS, alone and beside busy processes.

Each course begins at the start of a level and ends at the last checkpoint, or where the board has
fallen, tipped over or is stuck. The share is that of simulated time in wall time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack

from nav_msgs.msg import Odometry

from legacy_robots_common.node import qos
from legacy_robots_testing.machine import free_port_range, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer, unix
from measure.bench.table import Table
from measure.domain import own_domain_unless_set

LONGEST_S = 3600.0
"""Wall time that a course may take."""
BUSY = [sys.executable, "-c", "while True: pass"]
FINISHED = "all checkpoints reached"


def courses(count: int, busy: int, arguments: Sequence[str]) -> list[tuple[str, float, float]]:
    """Return how each course ended, its wall time (s) and its share of simulated time."""
    found = []
    with ExitStack() as stack:
        own_domain_unless_set(stack)
        for _ in range(busy):
            stack.enter_context(Process(BUSY))
        port = free_port_range(2)
        ports = (f"port:={port}", f"http_port:={port + 1}")
        game = ("policy:=true", "profile:=game", "force_scale:=250", *ports, *arguments)
        launch = stack.enter_context(Process(launch_command("roboskate.launch.py", *game)))
        odometry = stack.enter_context(RosPeer()).subscribe(
            Odometry, "/roboskate/odom", qos.stream(1)
        )
        for _ in range(count):
            odometry.clear()
            first, begun = odometry.wait_for(timeout=LONGEST_S), time.monotonic()
            line = launch.wait_for_line(": beginning level", LONGEST_S)
            wall = time.monotonic() - begun
            launch.lines.clear()
            simulated = unix(odometry.last.header.stamp) - unix(first.header.stamp)
            end = line.split("]: ")[-1].split(": beginning level")[0]
            found.append((end, wall, simulated / wall))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return 1 when a course did not end at the last checkpoint."""
    parser = argparse.ArgumentParser(prog="tools/bench roboskate_courses", description=__doc__)
    parser.add_argument("--courses", type=int, default=1, help="for each number of busy processes")
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 6], help="busy processes")
    parser.add_argument("arguments", nargs="*", help="further launch arguments, such as level:=2")
    options = parser.parse_args(argv)
    table = Table("RoboSkate, courses over ROS (bench roboskate_courses)")
    for busy in options.busy:
        found = courses(options.courses, busy, options.arguments)
        others = "".join(f" ({end})" for end, *_ in found if end != FINISHED)
        finished = sum(end == FINISHED for end, *_ in found)
        walls, shares = sorted(w for _, w, _ in found), sorted(s for *_, s in found)
        table.add(
            f"courses beside {busy} busy processes",
            f"{finished} of {len(found)} finished{others}, {walls[0]:.0f} to {walls[-1]:.0f} s "
            f"each, simulated time {shares[0]:.2f} to {shares[-1]:.2f} of real time",
            "all",
            finished == len(found),
        )
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
