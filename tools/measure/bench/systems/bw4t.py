# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world in ROS: jitter and load with 3, 10 and 50 players, latency beside a floor.

With the user's client jar and server of the original also polls through Java, see bw4t_java_rows.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from ament_index_python.packages import get_package_prefix

from bw4t_world.maps import read_map
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.maps.writer import write_map
from legacy_robots_testing.machine import own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from measure.bench.bw4t_driver import Driver
from measure.bench.bw4t_java_rows import is_possible, measure_java
from measure.bench.table import Table, latency_text
from measure.processes import cpu_percent

SUBSCRIBER, FLOOR = "measure.bench.subscribers.bw4t", "measure.bench.floors.bw4t"
SERVER = get_package_prefix("bw4t_bridge") + "/lib/bw4t_bridge/server"
TICK = 0.02
PLAYERS = (3, 10, 50)
CPU_TARGETS = {10: 50, 50: 60}
"""Load of the server, in % of a core, by number of players; their p99 lateness is below a tick."""
FLOOR_PLAYERS = 10
"""Beside more players no floor runs: the two and their subscribers want more than two cores."""
RATIO_TARGET = 1.3
SETTLING = 5.0
"""Seconds that subscribers, clients and servers have to find each other."""

Arrivals = list[tuple[int, int, int, int]]


def watch(
    groups: list[list[str]], pid: int, seconds: float
) -> tuple[list[dict[str, Arrivals]], float]:
    """Subscribe to groups of topics, each in a process of its own, for ``seconds``.

    Return what arrived, and the load of ``pid`` in % of a core.
    """
    with ExitStack() as stack:
        subscribers = [
            stack.enter_context(Process([sys.executable, "-m", SUBSCRIBER, *topics]))
            for topics in groups
        ]
        for subscriber in subscribers:
            subscriber.wait_for_line("ready", 60)
        time.sleep(SETTLING)  # discovery, and the beginnings of the streams
        begun = time.time_ns()
        load = cpu_percent(pid, seconds)
        for subscriber in subscribers:
            subscriber.signal(signal.SIGINT)
        seen = [json.loads(subscriber.wait_for_line(r"^\{", 60)) for subscriber in subscribers]
    settled = [
        {
            topic: [arrival for arrival in arrivals if arrival[2] >= begun]
            for topic, arrivals in topics.items()
        }
        for topics in seen
    ]
    return settled, load


def lateness(arrivals: Arrivals) -> list[float]:
    """Return by how much each tick began later than due, in s; the most punctual was on time."""
    behind = [stamp / 1e9 - tick * TICK for _, tick, stamp, _ in arrivals]
    return [value - min(behind) for value in behind]


def latencies(arrivals: Arrivals) -> list[float]:
    """Return the times from tick to subscriber, in s."""
    return [(arrived - stamp) / 1e9 for _, _, stamp, arrived in arrivals]


def measure(table: Table, map_file: Path, players: int, seconds: float) -> None:
    """Add the rows of a number of players."""
    target, has_floor = CPU_TARGETS.get(players), players <= FLOOR_PLAYERS
    rooms = sum(bool(zone.doors) for zone in read_map(map_file).zones)
    with ExitStack() as stack:
        server = stack.enter_context(
            Process([SERVER, "--ros-args", "-p", f"map:={map_file}", "-p", f"robots:={players}",
                     "-p", "seed:=1"])
        )  # fmt: skip
        server.wait_for_line("the world is up", 60)
        driver = Driver(players)
        stack.callback(driver.close)
        driver.wait_for_round()
        sources = ["bw4t"]
        if has_floor:
            command = [sys.executable, "-m", FLOOR, str(players), str(rooms + 2)]
            stack.enter_context(Process(command)).wait_for_line("ready", 60)
            sources.append("floor")  # at the same time, so that both meet the same machine
        groups = [
            [f"/{name}/Bot_{number}/percepts" for number in range(1, players + 1)]
            for name in sources
        ]
        (seen, *bare), load = watch(groups, server.pid, seconds)
    streams = list(seen.values())
    lost = sum(arrivals[-1][0] - arrivals[0][0] + 1 - len(arrivals) for arrivals in streams)
    received = sum(map(len, streams))
    ours = [value for arrivals in streams for value in latencies(arrivals)]
    late = lateness(streams[0])
    name = f"{players} players"
    table.add(
        f"{name}: CPU of the server", f"{load:.1f} % of a core",
        "" if target is None else f"<= {target} %", None if target is None else load <= target,
    )  # fmt: skip
    p99 = percentile(late, 99)
    table.add(
        f"{name}: tick lateness",
        f"median {percentile(late, 50) * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, "
        f"worst {max(late) * 1e3:.1f} ms",
        "" if target is None else "p99 < 20 ms",
        None if target is None else p99 < TICK,
    )
    table.add(f"{name}: percept messages lost", f"{lost} of {received}", "0", lost == 0)
    what = f"{name}: tick to subscriber"
    if has_floor:
        floors = [value for arrivals in bare[0].values() for value in latencies(arrivals)]
        table.add_ratio(what, ours, floors, RATIO_TARGET)
    else:
        table.add(what, latency_text(ours))


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench bw4t", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="of watching each set-up")
    parser.add_argument(
        "--players", type=int, nargs="*", default=PLAYERS, help="numbers of players"
    )
    options = parser.parse_args(argv)
    table = Table("The blocks world (bench bw4t), all robots moving, 50 ticks a second")
    with ExitStack() as stack:
        own_domain(stack)
        map_file = Path(stack.enter_context(tempfile.TemporaryDirectory()), "nine_rooms.map")
        (start, *_) = nine_rooms().entities  # robots do not collide: there is room for all
        write_map(
            replace(nine_rooms(), entities=(start,) * max(options.players, default=1)), map_file
        )
        for players in options.players:
            measure(table, map_file, players, options.seconds)
        if is_possible():
            measure_java(table, SERVER, map_file.parent, options.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
