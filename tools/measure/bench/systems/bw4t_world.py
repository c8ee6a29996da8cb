# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How fast the blocks world runs: ``tools/bench bw4t_world [--seconds S] [--repeat N]``.

All robots move all the time, between the corners of the large map (60 rooms). Every figure is
the median and the best of several runs, in processor time of this process, so that other
programs on the machine count little. What the original server reaches, and what is asked of this
one, stands beside it (docs/originals/bw4t.md, 12).
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle
from time import process_time

from bw4t_world import Consumer, World
from bw4t_world.maps import EntitySpec, MapSpec, Point, ZoneType, load_map
from measure.bench.table import Row, Table

ROBOTS = (1, 3, 10, 100, 1000)
ORIGINAL = {1: "397,000", 3: "132,000", 10: "38,000", 100: "93 of 100", 1000: "29 of 100"}
"""Ticks a second; from 100 robots on it was asked for 100."""
TARGET_MOVING = {3: 132_000, 10: 38_000, 100: 93, 1000: 500}
TARGET_POLLED = {100: 500}
TARGET_POLL_US = 20.0
CORNERS = ("LeftHallA", "RightHallA", "LeftHallG", "RightHallG")
NEW_GOAL_AFTER = 400
"""Ticks after which a robot is sent to another corner; it is never there by then."""


def crowded_map(robots: int) -> MapSpec:
    """Return the large map with a spawn point for every robot, all over the corridors."""
    spec = load_map("large")
    centers = [zone.box.center for zone in spec.zones if zone.type is ZoneType.CORRIDOR]
    rng = random.Random(7)
    points = [
        Point(center.x + rng.uniform(-2, 2), center.y + rng.uniform(-2, 2))
        for _, center in zip(range(robots), cycle(centers), strict=False)
    ]
    return replace(spec, entities=tuple(EntitySpec(point) for point in points))


class Traffic:
    """A world in which all robots move."""

    def __init__(self, robots: int, profile: str = "spec") -> None:
        self.world = World(crowded_map(robots), profile=profile, seed=1)
        self.names = [self.world.add_robot() for _ in range(robots)]
        homes = {zone.name: zone.box.center for zone in self.world.map.zones}
        self._heading = {
            robot.name: min(
                CORNERS, key=lambda c: abs(homes[c].x - robot.x) + abs(homes[c].y - robot.y)
            )
            for robot in self.world.snapshot().robots
        }
        self._turn = 0.0
        for name in self.names:
            self._send(name)
        self.consumers: list[Consumer] = []
        """One for each robot, from the first poll on."""

    def _send(self, name: str) -> None:
        """Send a robot to the corner opposite of where it went, or of where it is."""
        target = CORNERS[3 - CORNERS.index(self._heading[name])]
        self._heading[name] = target
        self.world.act(name, "goTo", target)

    def tick(self, ticks: int) -> None:
        """Let time pass, and send those on who are due; all are once in NEW_GOAL_AFTER ticks."""
        self.world.tick(ticks)
        due = len(self.names) * ticks / NEW_GOAL_AFTER
        self._turn, before = self._turn + due, self._turn
        for index in range(int(before), int(self._turn)):
            self._send(self.names[index % len(self.names)])

    def poll(self) -> None:
        """Poll all robots."""
        if not self.consumers:
            self.consumers = [self.world.connect(name) for name in self.names]
        for consumer in self.consumers:
            consumer.poll()

    def rate(self, seconds: float, ticks: int, *, polled: bool = False) -> float:
        """Return ticks a second, in calls of so many ticks."""
        done, start = 0, process_time()
        while (spent := process_time() - start) < seconds:
            for _ in range(1 if polled else max(1, 20 // ticks)):
                self.tick(ticks)
                done += ticks
            if polled:
                self.poll()
        return done / spent

    def poll_us(self, seconds: float) -> float:
        """Return the time of one poll of a moving robot, without that of the tick before (us)."""
        polls, polling, start = 0, 0.0, process_time()
        while process_time() - start < seconds:
            self.tick(1)
            before = process_time()
            self.poll()
            polling += process_time() - before
            polls += len(self.consumers)
        return polling / polls * 1e6


def memory_kilobytes(robots: int) -> float:
    """Return what a world, its consumers, and 400 polled ticks leave in memory."""
    tracemalloc.start()
    traffic = Traffic(robots)
    for _ in range(40):
        traffic.tick(10)
        traffic.poll()
    kilobytes = tracemalloc.get_traced_memory()[0] / 1024
    tracemalloc.stop()
    return kilobytes


def measure(table: Table, seconds: float, repeat: int, count: int, profile: str) -> None:
    """Add the rows of a number of robots."""
    traffic = Traffic(count, profile)
    traffic.tick(50)
    robots = f"{count} robots" if count > 1 else "1 robot"

    def runs(run: Callable[[], float]) -> list[float]:
        gc.collect()
        return [run() for _ in range(repeat)]

    def add(what: str, found: list[float], target: float | None = None, floor: str = "") -> float:
        median = statistics.median(found)
        aim = "" if target is None else f">= {target:,.0f}"
        text = f"{median:,.0f} ticks/s, best {max(found):,.0f}"
        met = None if target is None else median >= target
        table.rows.append(Row(f"{robots}, {what}", text, floor, "", aim, met))
        return median

    original = f"original: {ORIGINAL[count]}" if count in ORIGINAL else ""
    moving = runs(lambda: traffic.rate(seconds, 20))
    add("not polled", moving, TARGET_MOVING.get(count), original)
    add("not polled, one call a tick", runs(lambda: traffic.rate(seconds, 1)))
    traffic.poll()
    polled = runs(lambda: traffic.rate(seconds, 1, polled=True))
    ticks = add("all polled every tick", polled, TARGET_POLLED.get(count))
    table.add(f"{robots}, a robot's part of a tick", f"{1e6 / ticks / count:.2f} µs")
    polls = runs(lambda: traffic.poll_us(seconds))
    poll = statistics.median(polls)
    table.add(
        f"{robots}, one poll", f"{poll:.2f} µs, best {min(polls):.2f}",
        f"<= {TARGET_POLL_US:g} µs", poll <= TARGET_POLL_US,
    )  # fmt: skip
    assert all(robot.state == "traveling" for robot in traffic.world.snapshot().robots)
    table.add(f"{robots}, memory", f"{memory_kilobytes(count):,.0f} kB")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return 1 when a target was missed, else 0."""
    parser = argparse.ArgumentParser(prog="tools/bench bw4t_world", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of one run")
    parser.add_argument("--repeat", type=int, default=5, help="number of runs of each kind")
    parser.add_argument("--robots", type=int, nargs="+", default=list(ROBOTS))
    parser.add_argument("--profile", default="spec", help="profile of the world")
    options = parser.parse_args(argv)
    table = Table(
        f"The blocks world by itself (bench bw4t_world), profile {options.profile}, large map "
        f"(60 rooms), all robots moving; medians of {options.repeat} runs of {options.seconds:g} "
        "s of processor time"
    )
    for count in options.robots:
        measure(table, options.seconds, options.repeat, count, options.profile)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
