# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The demonstration: seconds until all links are up, and memory; the load of the idle bridges.

As one process for each node, and composed: all nodes in one process.

Idle: each system is launched by itself on its simulator, and the links are up; there are no
requests and no subscribers. The blocks world's server has its world inside.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack

from legacy_robots_common.system import names, systems
from legacy_robots_testing.demonstration import Demonstration
from legacy_robots_testing.machine import machine_wide, own_domain
from legacy_robots_testing.report import percentile
from legacy_robots_testing.ros_peer import RosPeer
from measure.bench.systems.streams import launched, load, wait_for_link
from measure.bench.table import Row, Table
from measure.processes import sample

START_TARGETS = {"separate": 10.0, "composed": 5.0}
MEMORY_TARGETS = {"separate": None, "composed": 900.0}
IDLE_TARGET = 10.0
SETTLING = 10.0
"""Seconds after all links are up in which nothing is measured yet."""
QUIET = {"bw4t": ("team:=none",)}
"""Launch arguments without which a system is not idle."""


def start_up(table: Table, way: str, times: int) -> None:
    """Launch the demonstration several times; add how long its links took, and its memory."""
    totals, each, memory, processes = [], [], [], []
    arguments = [f"compose:={str(way == 'composed').lower()}"]
    for _ in range(times):
        with RosPeer("bench") as peer, Demonstration(peer, *arguments) as demonstration:
            totals.append(demonstration.wait())
            each.append(demonstration.up)
            launch = demonstration.launch
            pids = [launch.pid, *(pid for _, pid in launch.started())]
            processes.append(len(pids))
            memory.append(sum(sample(pid).proportional for pid in pids))
    median, target = percentile(totals, 50), START_TARGETS[way]
    table.add(
        f"launch of the demonstration, {way}, until all links are up",
        f"median {median:.1f} s, longest {max(totals):.1f} s of {times}",
        f"<= {target:g} s",
        median <= target,
    )
    for name in names():
        took = percentile([up[name] for up in each], 50)
        table.rows.append(Row(f"  {name}", f"median {took:.1f} s"))
    most, limit = max(memory), MEMORY_TARGETS[way]
    table.add(
        f"memory of the demonstration (PSS), {way}",
        f"{most:.0f} MB in {max(processes)} processes",
        "" if limit is None else f"<= {limit:g} MB",
        None if limit is None else most <= limit,
    )


def idle(table: Table, seconds: float) -> None:
    """Launch each system on its simulator, all at once; add the load of the bridges."""
    with ExitStack() as stack:
        launches = [launched(stack, s, *QUIET.get(s.name, ())) for s in systems()]
        with RosPeer("bench") as peer:
            for name in names():
                wait_for_link(peer, name)
        time.sleep(SETTLING)
        pids = [
            launch.pid_of(system.bridge)
            for system, launch in zip(systems(), launches, strict=True)
        ]
        loads = dict(zip(names(), load(pids, seconds), strict=True))
    total = sum(loads.values())
    table.add(
        "CPU of all bridges together, idle", f"{total:.1f} % of a core",
        f"< {IDLE_TARGET:g} %", total < IDLE_TARGET,
    )  # fmt: skip
    for name, percent in loads.items():
        table.rows.append(Row(f"  {name}", f"{percent:.1f} %"))


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench demo", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="that the demonstration is launched")
    parser.add_argument("--seconds", type=float, default=30.0, help="of watching the idle bridges")
    options = parser.parse_args(argv)
    table = Table("All systems at once (bench demo)")
    with ExitStack() as stack:
        own_domain(stack)
        for system in systems():
            stack.enter_context(machine_wide(system.exclusive))
        for way in START_TARGETS:
            start_up(table, way, options.times)
        if options.seconds:
            idle(table, options.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
