# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Look for a schedule in which a goal gets an end that is not the robot's.

``python -m nao_goal_bridge.schedules.search --schedules 1000000`` writes what it has found.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from nao_goal_bridge.protocol.exchange import CommandExchange
from nao_goal_bridge.schedules.bench import Bench, Budget, Violation
from nao_goal_bridge.schedules.original import Kind

STEPS = 60
"""Steps of a schedule before all that is under way comes to its end."""
SPEEDS = (0.02, 1.0, 10.0)
"""Weights of what can happen next."""


class Found(Exception):  # noqa: N818 - the result of a search
    """Raised for a schedule that ends in a Violation; the message lists its steps."""


def run(
    seed: int,
    budget: Budget | None = None,
    exchange_type: type[CommandExchange] = CommandExchange,
    *,
    is_early: bool = False,
) -> int:
    """Run the schedule of a number and return its steps. Raises Found."""
    chance = random.Random(seed)
    bench = Bench(replace(budget or Budget()), exchange_type, is_early=is_early)
    speeds: dict[str, float] = {}
    done: list[str] = []
    try:
        running = chance.choice((None, Kind.WALK, Kind.PICK_UP, Kind.PUT_DOWN))
        bench.start(running)
        done.append(f"connects, running {running}")
        for _ in range(STEPS):
            steps = bench.steps()
            if not steps:
                break
            # How fast each thing is in comparison differs from schedule to schedule.
            chances = [
                speeds.setdefault(name.split()[0], chance.choice(SPEEDS)) for name, _ in steps
            ]
            name, step = chance.choices(steps, chances)[0]
            done.append(name)
            step()
            bench.check()
        done.append("drain")
        bench.drain()
    except Violation as error:
        raise Found(f"{error}\nschedule {seed}: {', '.join(done)}") from error
    return len(done)


def search(
    seeds: range,
    budget: Budget | None = None,
    exchange_type: type[CommandExchange] = CommandExchange,
    *,
    is_early: bool = False,
) -> int:
    """Run the schedules of ``seeds`` and return how many steps they had. Raises Found."""
    return sum(run(seed, budget, exchange_type, is_early=is_early) for seed in seeds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, and return 1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--schedules", type=int, default=100_000, help="how many are tried")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--goals", type=int, default=2)
    parser.add_argument("--cuts", type=int, default=2)
    parser.add_argument("--halts", type=int, default=2)
    parser.add_argument(
        "--early", action="store_true", help="a robot of may24 or may31 instead of the last one"
    )
    given = parser.parse_args(arguments)
    budget = Budget(given.goals, given.cuts, given.halts, expiries=min(given.cuts, 1))
    begun = time.monotonic()
    try:
        seeds = range(given.first, given.first + given.schedules)
        steps = search(seeds, budget, is_early=given.early)
    except Found as found:
        sys.stdout.write(f"{found}\n")
        return 1
    seconds = time.monotonic() - begun
    tried = f"{given.schedules} schedules of {steps} steps in {seconds:.0f} s"
    sys.stdout.write(f"{tried}: nothing found\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
