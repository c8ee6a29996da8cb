# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What it costs to record a game of the blocks world, with ten players.

The same games are played with and without a record, in turns, in processor time of this process.
All players perceive and act in each tick, and the cost is that at 50 ticks a second.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bw4t_study.record import RecordedWorld
from bw4t_world import World
from bw4t_world.agents import Team
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario
from measure.bench.table import Table

PLAYERS = 10
TICKS_A_SECOND = 50
COST_TARGET = 0.03
"""Part of a core."""


def play(games: int, directory: Path | None) -> tuple[float, int]:
    """Play games; return the processor time (s), and the ticks of the worlds."""
    scenario = Scenario(bots=(BotSpec(amount=PLAYERS),))
    ticks, begin = 0, time.process_time()
    for seed in range(games):
        spec = load_map("large")
        world = (
            World(spec, scenario, seed=seed)
            if directory is None
            else RecordedWorld(spec, scenario, directory=directory, seed=seed)
        )
        team = Team(world, "searchers", seed=seed)
        team.ticks_per_step = 1
        while not world.is_complete:
            team.step()
        ticks += world.now
        team.close()
        if directory is not None:
            world.close()
    return time.process_time() - begin, ticks


def main(argv: list[str] | None = None) -> int:
    """Measure, print; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench bw4t_records", description=__doc__)
    parser.add_argument("--games", type=int, default=1, help="games of a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds with and without a record")
    options = parser.parse_args(argv)
    costs, shares, ticks, size = [], [], 0, 0
    for _ in range(options.rounds):
        plain, ticks = play(options.games, None)
        with tempfile.TemporaryDirectory() as directory:
            recorded, same = play(options.games, Path(directory))
            size = sum(file.stat().st_size for file in Path(directory).iterdir())
        assert ticks == same, "a record changed the games"
        seconds = ticks / TICKS_A_SECOND
        costs.append((recorded - plain) / seconds)
        shares.append(recorded / plain - 1.0)
    table = Table(
        f"Recording the blocks world (bench bw4t_records): {PLAYERS} players on the large map, "
        f"medians of {options.rounds} rounds of {options.games} games, {ticks} ticks"
    )
    cost = median(costs)
    table.add(
        f"cost at {TICKS_A_SECOND} ticks a second", f"{cost:.2%} of a core",
        f"<= {COST_TARGET:.0%}", cost <= COST_TARGET,
    )  # fmt: skip
    table.add("more than the world and its agents take alone", f"{median(shares):.1%}")
    minutes = ticks / TICKS_A_SECOND / 60
    table.add("size of the records", f"{size / minutes / 1000:.0f} kB a minute")
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
