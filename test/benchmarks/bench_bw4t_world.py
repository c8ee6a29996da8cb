# SPDX-License-Identifier: Apache-2.0
"""How fast the blocks world runs: ``tools/bench bw4t_world [--seconds S] [--repeat N]``.

All robots move all the time, between the corners of the large map (60 rooms). Every figure is
the median and the best of several runs, in processor time of this process, so that other
programs on the machine count little. What the original server reaches, and what is asked of this
one, stands beside it (facts; the original was measured on two such cores).
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from time import process_time
from typing import NamedTuple

from measure import machine

from bw4t_world import Consumer, World
from bw4t_world.maps import EntitySpec, MapSpec, Point, ZoneType, load_map

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
        self._turn = 0
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
    """Let time pass in calls of ``chunk`` ticks; nobody polls."""
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


def report(
    seconds: float, repeat: int, robots: Sequence[int], profile: str, missed: list[str]
) -> Iterator[str]:
    """Yield the lines of the table; put into ``missed`` what is below a target."""
    yield f"bw4t_world, profile {profile}, large map (60 rooms), all robots moving"
    yield machine()
    yield f"median (best) of {repeat} runs of {seconds:g} s of processor time"
    yield ""
    yield (
        f"{'robots':>6}  {'ticks/s, nobody polls':>25}  {'one call a tick':>23}  "
        f"{'target':>8}  {'original':>12}  {'ticks/s, all polled':>22}  {'target':>6}  "
        f"{'us/robot/tick':>13}  {'us/poll':>13}  {'memory kB':>9}"
    )
    for count in robots:
        traffic = Traffic(count, profile)
        traffic.world.tick(50)
        moving = measured(lambda t=traffic: ticks_per_second(t, seconds, 20), repeat)
        single = measured(lambda t=traffic: ticks_per_second(t, seconds, 1), repeat)
        consumers = [traffic.world.connect(name) for name in traffic.names]
        for consumer in consumers:
            consumer.poll()
        polled = measured(
            lambda t=traffic, c=consumers: polled_ticks_per_second(t, c, seconds), repeat
        )
        poll = measured(
            lambda t=traffic, c=consumers: poll_microseconds(t, c, seconds), repeat, min
        )
        traffic.check()
        if moving.median < TARGET_MOVING.get(count, 0):
            missed.append(f"{count} robots moving: {moving.median:,.0f} ticks/s")
        if polled.median < TARGET_POLLED.get(count, 0):
            missed.append(f"{count} robots polled: {polled.median:,.0f} ticks/s")
        if poll.median > TARGET_POLL_US:
            missed.append(f"a poll among {count} robots: {poll.median:.1f} us")
        original = f"{ORIGINAL_UNTHROTTLED.get(count) or ORIGINAL_THROTTLED.get(count, 0):,}"
        original += " of 100" if count in ORIGINAL_THROTTLED else ""
        yield (
            f"{count:>6}  {_pair(moving):>25}  {_pair(single):>23}  "
            f"{_target(TARGET_MOVING, count):>8}  {original:>12}  {_pair(polled):>22}  "
            f"{_target(TARGET_POLLED, count):>6}  {1e6 / polled.median / count:>13.2f}  "
            f"{f'{poll.median:.2f} ({poll.best:.2f})':>13}  {memory_kilobytes(count):>9,.0f}"
        )
    yield ""
    yield f"target of a poll: at most {TARGET_POLL_US:g} us (the original: 93 to 167, 800 at 100)"
    yield "original at 100 and more robots: ticks/s kept when 100 were asked for"


def _pair(figure: Figure) -> str:
    return f"{figure.median:,.0f} ({figure.best:,.0f})"


def _target(targets: dict[int, int], count: int) -> str:
    return f"{targets[count]:,}" if count in targets else "-"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return 1 when a target was missed, else 0."""
    parser = argparse.ArgumentParser(prog="tools/bench bw4t_world", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of one run")
    parser.add_argument("--repeat", type=int, default=5, help="number of runs of each kind")
    parser.add_argument("--robots", type=int, nargs="+", default=list(ROBOTS))
    parser.add_argument("--profile", default="spec", help="profile of the world")
    options = parser.parse_args(argv)
    missed: list[str] = []
    for line in report(options.seconds, options.repeat, options.robots, options.profile, missed):
        print(line, flush=True)
    print("MISSED: " + "; ".join(missed) if missed else "all targets met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
