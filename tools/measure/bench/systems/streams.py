# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Each system of the registry on its simulator: rate, latency and load, beside a floor.

The streams that its entry names are subscribed to: how long a message takes from its stamp, which
is when the robot has measured it, to the subscriber, and what the bridge's process takes of a
core. A bare publisher of the same messages is the floor, measured in the same seconds. Then
without a subscriber, and with one to all topics.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack

from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_common.system import System, systems
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.machine import free_ports, machine_wide, own_domain, ros2
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from legacy_robots_testing.ros_peer import RosPeer
from measure.bench.arrivals import Arrivals, Listener, has_stamp, latencies
from measure.bench.floor import floor
from measure.bench.table import Row, Table
from measure.processes import cpu_percent, cpu_seconds

RECORDED_S = 3.0
SETTLING_S = 5.0
OF_ANOTHER_CLOCK_S = 10.0
"""A latency that is longer tells that the stamps are those of a simulation."""


def launched(stack: ExitStack, system: System, *more: str) -> Process:
    """Launch a system on its simulator, apart from others on this machine."""
    ports = zip(system.ports, free_ports(len(system.ports)), strict=True)
    given = [f"{port.argument}:={number}" for port, number in ports]
    given += [f"{name}:=bench{system.name}" for name in system.own_arguments]
    return stack.enter_context(Process(ros2("launch", *system.launch.split("/"), *given, *more)))


def wait_for_link(peer: RosPeer, name: str) -> None:
    """Wait until the link of a system is up."""
    link = peer.subscribe(LinkState, f"/{name}/link_state")
    link.wait_for(lambda m: m.state == LinkState.CONNECTED, 120.0)


def load(processes: Sequence[Process | int], seconds: float) -> list[float]:
    """Return what processes take in the same seconds, in per cent of a core."""
    pids = [each if isinstance(each, int) else each.pid for each in processes]
    before, begun = [cpu_seconds(pid) for pid in pids], time.monotonic()
    time.sleep(seconds)
    passed = time.monotonic() - begun
    return [100.0 * (cpu_seconds(p) - b) / passed for p, b in zip(pids, before, strict=True)]


def measure(table: Table, name: str, pid: int, types: dict[str, str], seconds: float) -> None:
    """Add rates, latencies and load with a subscriber to the streams, beside the floor's."""
    with Listener(types) as listener:
        time.sleep(RECORDED_S)
        recorded = {topic: seen for topic, seen in listener.stop().items() if len(seen) > 1}
    if missing := types.keys() - recorded.keys():
        table.add(f"{name}: {', '.join(missing)}", "nothing comes", "some", False)
    types = {topic: types[topic] for topic in recorded}
    with floor(recorded, types) as process:
        both = {**types, **{f"/floor{topic}": kind for topic, kind in types.items()}}
        with Listener(both) as listener:
            begun = time.time_ns()
            ours, bare = load([pid, process], seconds)
            end = time.time_ns()
            seen = listener.stop()
    settled = {t: [each for each in found if begun < each[0] <= end] for t, found in seen.items()}
    for topic, kind in types.items():
        table.add(f"{topic[1:]}: rate", f"{len(settled[topic]) / seconds:.1f} Hz")
        if has_stamp(interface_class(kind)):
            add_latency(table, topic, settled[topic], settled[f"/floor{topic}"])
    value, least = (f"{percent:.1f} % of a core" for percent in (ours, bare))
    ratio = f"{ours / bare:.1f}" if bare else "–"  # the kernel counts in hundredths of a second
    table.rows.append(Row(f"{name}: CPU with its streams", value, least, ratio))


def add_latency(table: Table, topic: str, ours: Arrivals, bare: Arrivals) -> None:
    """Add the latency of one topic."""
    late = latencies(ours)
    if abs(percentile(late, 50)) < OF_ANOTHER_CLOCK_S:
        table.add_ratio(f"{topic[1:]}: stamp to subscriber", late, latencies(bare), None)
    else:
        table.add(f"{topic[1:]}: stamp to subscriber", "in simulated time")


def all_topics(peer: RosPeer, name: str) -> dict[str, str]:
    """Return the topics of a system that have a publisher and are not hidden, with their types."""
    found = peer.node.get_topic_names_and_types()
    return {
        topic: kinds[0]
        for topic, kinds in found
        if topic.startswith(f"/{name}/") and "/_" not in topic
        if peer.node.count_publishers(topic)
    }


def one_system(table: Table, system: System, seconds: float) -> None:
    """Launch a system; add its rows."""
    name = system.name
    with ExitStack() as stack:
        stack.enter_context(machine_wide(system.exclusive))
        peer = stack.enter_context(RosPeer("bench"))
        launch = launched(stack, system)
        wait_for_link(peer, name)
        pid = launch.pid_of(system.bridge)
        time.sleep(SETTLING_S)
        table.add(f"{name}: CPU without a subscriber", f"{cpu_percent(pid, seconds):.1f} %")
        types = {f"/{name}/{topic}": kind for topic, kind in system.streams.items()}
        measure(table, name, pid, types, seconds)
        with Listener(all_topics(peer, name), 8) as listener:
            begun = time.time_ns()
            (busy,) = load([pid], seconds)
            seen = listener.stop()
        rate = sum(at > begun for found in seen.values() for at, _ in found) / seconds
        table.add(
            f"{name}: CPU with all {len(seen)} topics", f"{busy:.1f} % at {rate:.0f} messages/s"
        )


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench streams", description=__doc__)
    choices = [system.name for system in systems() if system.streams and system.launch]
    parser.add_argument("--system", action="append", choices=choices, help="may be repeated")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each measurement")
    options = parser.parse_args(argv)
    table = Table("What each system streams (bench streams)")
    with ExitStack() as stack:
        own_domain(stack)
        for system in filter(lambda s: s.name in (options.system or choices), systems()):
            one_system(table, system, options.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
