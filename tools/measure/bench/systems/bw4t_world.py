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
from typing import NamedTuple

from bw4t_world import Consumer, World
from bw4t_world.maps import EntitySpec, MapSpec, Point, ZoneType, load_map
from measure.bench.table import Row, Table

ROBOTS = (1, 3, 10, 100, 1000)
ORIGINAL_UNTHROTTLED = {1: 397_000, 3: 132_000, 10: 38_000}
ORIGINAL_THROTTLED = {100: 93, 500: 59, 1000: 29}
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
        self._homes = {zone.name: zone.box.center for zone in self.world.map.zones}
        self._heading: dict[str, str] = {}
        self._turn = 0.0
        for name in self.names:
            self._send(name)

    def _send(self, name: str) -> None:
        """Send a robot to the corner opposite of where it went, or of where it is."""
        heading = self._heading.get(name)
        if heading is None:
            robot = next(r for r in self.world.snapshot().robots if r.name == name)
            heading = min(
                CORNERS,
                key=lambda c: abs(self._homes[c].x - robot.x) + abs(self._homes[c].y - robot.y),
            )
        target = CORNERS[3 - CORNERS.index(heading)]
        self._heading[name] = target
        self.world.act(name, "goTo", target)

    def redirect(self, ticks: int) -> None:
        """Send those on who are due after some more ticks; all are once in 400 ticks."""
        due = len(self.names) * ticks / NEW_GOAL_AFTER
        self._turn, before = self._turn + due, self._turn
        for index in range(int(before), int(self._turn)):
            self._send(self.names[index % len(self.names)])

    def check(self) -> None:
        """Raise unless all robots are on their way."""
        standing = [r.name for r in self.world.snapshot().robots if r.state != "traveling"]
        if standing:
            raise AssertionError(f"robots that do not move: {standing[:5]}")


def ticks_per_second(traffic: Traffic, seconds: float, chunk: int) -> float:
    """Let time pass in calls of ``chunk`` ticks; not polled."""
    done, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        for _ in range(max(1, 20 // chunk)):
            traffic.world.tick(chunk)
            traffic.redirect(chunk)
            done += chunk
    return done / spent


def polled_ticks_per_second(
    traffic: Traffic, consumers: Sequence[Consumer], seconds: float
) -> float:
    """Let every robot be polled after every tick."""
    done, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        traffic.world.tick()
        traffic.redirect(1)
        for consumer in consumers:
            consumer.poll()
        done += 1
    return done / spent


def poll_microseconds(traffic: Traffic, consumers: Sequence[Consumer], seconds: float) -> float:
    """Return the time of one poll of a moving robot, without that of the tick before."""
    polls, polling, start = 0, 0.0, process_time()
    while process_time() - start < seconds:
        traffic.world.tick()
        traffic.redirect(1)
        before = process_time()
        for consumer in consumers:
            consumer.poll()
        polling += process_time() - before
        polls += len(consumers)
    return polling / polls * 1e6


class Figure(NamedTuple):
    """Steps a second."""

    median: float
    best: float


def measured(run: Callable[[], float], repeat: int, best: Callable[..., float] = max) -> Figure:
    """Return the median and the best of some runs."""
    gc.collect()
    runs = [run() for _ in range(repeat)]
    return Figure(statistics.median(runs), best(runs))


def memory_kilobytes(robots: int) -> float:
    """Return what a world, its consumers, and 400 polled ticks leave in memory."""
    tracemalloc.start()
    traffic = Traffic(robots)
    consumers = [traffic.world.connect(name) for name in traffic.names]
    for _ in range(40):
        traffic.world.tick(10)
        for consumer in consumers:
            consumer.poll()
    kilobytes = tracemalloc.get_traced_memory()[0] / 1024
    tracemalloc.stop()
    return kilobytes


def add(
    table: Table, what: str, figure: Figure, target: float | None = None, original: str = ""
) -> None:
    """Add ticks a second beside what is asked for and what the original server reaches."""
    reached = f"{figure.median:,.0f} ticks/s, best {figure.best:,.0f}"
    aim = "" if target is None else f">= {target:,.0f}"
    met = None if target is None else figure.median >= target
    table.rows.append(Row(what, reached, original, "", aim, met))


def original(count: int) -> str:
    """Return what the original reaches with so many robots; from 100 on it was asked for 100/s."""
    if count in ORIGINAL_UNTHROTTLED:
        return f"original: {ORIGINAL_UNTHROTTLED[count]:,}"
    return f"original: {ORIGINAL_THROTTLED[count]} of 100" if count in ORIGINAL_THROTTLED else ""


def measure(table: Table, seconds: float, repeat: int, count: int, profile: str) -> None:
    """Add the rows of a number of robots."""
    traffic = Traffic(count, profile)
    traffic.world.tick(50)
    moving = measured(lambda: ticks_per_second(traffic, seconds, 20), repeat)
    single = measured(lambda: ticks_per_second(traffic, seconds, 1), repeat)
    consumers = [traffic.world.connect(name) for name in traffic.names]
    for consumer in consumers:
        consumer.poll()
    polled = measured(lambda: polled_ticks_per_second(traffic, consumers, seconds), repeat)
    poll = measured(lambda: poll_microseconds(traffic, consumers, seconds), repeat, min)
    traffic.check()
    robots = f"{count} robots" if count > 1 else "1 robot"
    add(table, f"{robots}, not polled", moving, TARGET_MOVING.get(count), original(count))
    add(table, f"{robots}, not polled, one call a tick", single)
    add(table, f"{robots}, all polled every tick", polled, TARGET_POLLED.get(count))
    table.add(f"{robots}, a robot's part of a tick", f"{1e6 / polled.median / count:.2f} µs")
    table.add(
        f"{robots}, one poll", f"{poll.median:.2f} µs, best {poll.best:.2f}",
        f"<= {TARGET_POLL_US:g} µs", poll.median <= TARGET_POLL_US,
    )  # fmt: skip
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
