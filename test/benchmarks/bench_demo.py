# SPDX-License-Identifier: Apache-2.0
"""The demonstration: seconds until all links are up; and the load of the five idle bridges.

Idle: each system is launched by itself on its simulator, the links are up, and nobody has asked
for anything or listens. The blocks world's server has its world inside.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack

from legacy_robots_msgs.msg import LinkState
from measure import Row, Table, cpu_seconds

from legacy_robots_common.testing.demonstration import SYSTEMS, Demonstration
from legacy_robots_common.testing.machine import (
    LUAR_JOINTS,
    free_ports,
    launch_command,
    machine_wide,
    own_domain,
)
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.report import percentile
from legacy_robots_common.testing.ros_peer import RosPeer

START_TARGET = 10.0
IDLE_TARGET = 10.0
SETTLING = 10.0
"""Seconds after all links are up in which nothing is measured yet."""
ARGUMENTS = {
    "nao": ("port:={}",),
    "roboskate": ("port:={}", "http_port:={}"),
    "luar": ("user:=bench",),
    "bw4t": ("team:=none",),
    "aibo": ("port:={}",),
}


def start_up(table: Table, times: int) -> None:
    """Launch the demonstration several times; add how long its links took."""
    totals, each = [], []
    for _ in range(times):
        with RosPeer("bench") as peer, Demonstration(peer) as demonstration:
            totals.append(demonstration.wait())
            each.append(demonstration.up)
    median = percentile(totals, 50)
    table.add(
        "launch of the demonstration until all links are up",
        f"median {median:.1f} s, longest {max(totals):.1f} s of {times}",
        f"< {START_TARGET:g} s",
        median < START_TARGET,
    )
    for name in SYSTEMS:
        took = percentile([up[name] for up in each], 50)
        table.rows.append(Row(f"  {name}", f"median {took:.1f} s"))


def idle(table: Table, seconds: float) -> None:
    """Launch each system on its simulator, all at once; add the load of the bridges."""
    with ExitStack() as stack:
        pids = {}
        launches = {}
        for name in SYSTEMS:
            given = [a.format(*free_ports(1)) for a in ARGUMENTS[name]]
            command = launch_command(f"{name}.launch.py", *given)
            launches[name] = stack.enter_context(Process(command))
        with RosPeer("bench") as peer:
            for name in SYSTEMS:
                link = peer.subscribe(LinkState, f"/{name}/link_state")
                link.wait_for(lambda m: m.state == LinkState.CONNECTED, 120.0)
        for name, launch in launches.items():
            node = "server" if name == "bw4t" else "bridge"
            pids[name] = launch.pid_of(node)
        time.sleep(SETTLING)
        before, begun = {n: cpu_seconds(pid) for n, pid in pids.items()}, time.monotonic()
        time.sleep(seconds)
        passed = time.monotonic() - begun
        loads = {n: 100.0 * (cpu_seconds(pid) - before[n]) / passed for n, pid in pids.items()}
    total = sum(loads.values())
    table.add(
        "CPU of the five bridges together, idle", f"{total:.1f} % of a core",
        f"< {IDLE_TARGET:g} %", total < IDLE_TARGET,
    )  # fmt: skip
    for name, load in loads.items():
        table.rows.append(Row(f"  {name}", f"{load:.1f} %"))


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench demo", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="that the demonstration is launched")
    parser.add_argument("--seconds", type=float, default=30.0, help="of watching the idle bridges")
    options = parser.parse_args(argv)
    table = Table("All five systems at once (bench demo)")
    with ExitStack() as stack:
        own_domain(stack)
        stack.enter_context(machine_wide(LUAR_JOINTS))
        start_up(table, options.times)
        if options.seconds:
            idle(table, options.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
