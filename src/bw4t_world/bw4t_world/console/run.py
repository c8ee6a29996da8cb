# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The command that lets an example team play."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from typing import TextIO

from bw4t_world.agents import Team
from bw4t_world.drawing import write_png
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario, read_scenario
from bw4t_world.simulation.recorders import recorded_world
from bw4t_world.simulation.world import World

DEFAULT_ROBOTS = 3

MAX_SIMULATED_SECONDS = 1e7

_REDRAW_SECONDS = 0.1
_REPORT_SECONDS = 10.0


def parse_speed(text: str) -> float:
    """Return simulated seconds in a second: a positive number, or infinite for ``max``."""
    if text == "max":
        return math.inf
    try:
        speed = float(text)
    except ValueError:
        speed = math.nan
    if not 0 < speed < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number above 0 nor max")
    return speed


def run(options: argparse.Namespace) -> int:
    """Let a team play; return 0 if it completes the sequence, 1 if not."""
    if not 0 < options.max_seconds <= MAX_SIMULATED_SECONDS:
        raise ValueError(f"--max-seconds must be from 0 to {MAX_SIMULATED_SECONDS:g}")
    make: Callable[..., World] = World
    if options.record is not None:
        make = recorded_world(options.record, map=options.map, team=options.team)
    world = make(
        load_map(options.map, unknown_neighbours="drop" if options.drop else "refuse"),
        _scenario(options),
        profile=options.profile,
        seed=options.seed,
        collisions=options.collisions,
    )
    if not world.snapshot().robots:
        raise ValueError("there are no robots to play with")
    team = Team(world, options.team, seed=world.seed)
    progress = _Progress(sys.stderr, quiet=options.quiet)
    pace = _Pace(world, options.speed)

    def on_step(world: World) -> None:
        progress.show(world)
        pace.keep(world)

    try:
        team.play(round(options.max_seconds / world.profile.tick_seconds), on_step)
    finally:
        world.close()
        progress.end(world)
        sys.stdout.write(f"seed {world.seed}, profile {options.profile}, team {options.team}\n")
        sys.stdout.write("".join(f"{line}\n" for line in world.measures().lines()))
        sys.stdout.flush()
    if options.picture:
        write_png(world.snapshot(), options.picture)
    return 0 if world.is_complete else 1


def _scenario(options: argparse.Namespace) -> Scenario:
    if options.scenario is not None:
        return read_scenario(options.scenario)
    robots = DEFAULT_ROBOTS if options.robots is None else options.robots
    if robots < 1:
        raise ValueError(f"--robots must be at least 1, not {robots}")
    return Scenario(bots=(BotSpec(amount=robots),))


class _Pace:
    """Lets simulated time pass no faster than it should."""

    def __init__(self, world: World, speed: float) -> None:
        self._speed = speed
        self._start = time.monotonic() - world.seconds / speed

    def keep(self, world: World) -> None:
        ahead = self._start + world.seconds / self._speed - time.monotonic()
        if ahead > 0 and self._speed < math.inf:
            time.sleep(ahead)


class _Progress:
    """One line that is written over again on a terminal, a line now and then elsewhere."""

    def __init__(self, stream: TextIO, *, quiet: bool) -> None:
        self._stream = stream
        self._quiet = quiet
        self._is_terminal = stream.isatty()
        self._every = _REDRAW_SECONDS if self._is_terminal else _REPORT_SECONDS
        self._next = time.monotonic() + (0 if self._is_terminal else self._every)

    def show(self, world: World) -> None:
        now = time.monotonic()
        if not self._quiet and now >= self._next:
            self._next = now + self._every
            self._write(world)

    def end(self, world: World) -> None:
        if not self._quiet:
            self._write(world)
            if self._is_terminal:
                self._stream.write("\n")
            self._stream.flush()

    def _write(self, world: World) -> None:
        snapshot = world.snapshot()
        total = len(snapshot.sequence)
        held = "".join(block.color.value[0] for robot in snapshot.robots for block in robot.held)
        due = "-" if snapshot.delivered >= total else snapshot.sequence[snapshot.delivered].value
        bar = "#" * snapshot.delivered + "." * (total - snapshot.delivered)
        line = (
            f"{snapshot.seconds:8.1f} s  [{bar[:40]}] {snapshot.delivered}/{total}  "
            f"due {due:<9}  held {held or '-'}"
        )
        self._stream.write(f"\r{line:<78}" if self._is_terminal else f"{line}\n")
        self._stream.flush()
