# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world for learning beside CoGrid's Overcooked: agents' steps a second of CPU time.

Both step a PettingZoo Parallel environment with random actions, in turns. COGRID_PYTHON names the
interpreter of an environment with ``pip install cogrid``; without it there is no ratio.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import gymnasium
import numpy as np

from bw4t_study.learning import parallel_env
from measure.bench.table import Row, Table

PEER = Path(__file__).parent.parent / "floors" / "overcooked.py"
PYTHON = "COGRID_PYTHON"
ROBOTS = 1, 3, 10
SMALL = 3
"""Robots for whom there is a place on the small map."""
WORLDS = 64
RATIO_TARGET = 20.0
ROUNDS = 3


def team_steps(robots: int, seconds: float) -> float:
    """Return the steps of all robots a second."""
    env = parallel_env(robots=robots, map="nine_rooms" if robots <= SMALL else "large")
    random, steps = np.random.default_rng(1), 0
    env.reset(seed=1)
    number = env.episode.actions
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        env.step({name: int(random.integers(number)) for name in env.agents})
        steps += robots
        if not env.agents:
            env.reset()
    return steps / (time.process_time() - begin)


def vector_steps(seconds: float) -> float:
    """Return the steps of many worlds with one robot a second."""
    envs = gymnasium.make_vec("BlocksWorld-v0", num_envs=WORLDS)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    steps, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        envs.step(envs.action_space.sample())
        steps += WORLDS
    return steps / (time.process_time() - begin)


def peer_steps(seconds: float) -> float:
    """Return the same of the peer, in a process of its own."""
    command = [os.environ[PYTHON], str(PEER), str(seconds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout.split()[-1])


def world_bytes(robots: int = 3, worlds: int = 100) -> float:
    """Return the memory that a world takes in a process that has some."""
    page = os.sysconf("SC_PAGE_SIZE")

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * page

    envs = [parallel_env(robots=robots) for _ in range(worlds)]
    envs[0].reset(seed=0)
    before = resident()
    for seed, env in enumerate(envs[1:]):
        env.reset(seed=seed)
        for _ in range(20):
            env.step(dict.fromkeys(env.agents, 5))
    return (resident() - before) / (worlds - 1)


def main(argv: list[str] | None = None) -> int:
    """Measure, print; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(
        prog="tools/bench bw4t_environments", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time of each round")
    seconds = parser.parse_args(argv).seconds
    table = Table("The blocks world for learning (bench bw4t_environments)")
    memory = world_bytes()
    runs = {f"{robots} robots" if robots > 1 else "1 robot": (team_steps, robots, seconds)
            for robots in ROBOTS}  # fmt: skip
    found: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, (measure, *arguments) in runs.items():
            found.setdefault(name, []).append(measure(*arguments))
        found.setdefault(f"{WORLDS} worlds", []).append(vector_steps(seconds))
        if PYTHON in os.environ:
            found.setdefault("peer", []).append(peer_steps(seconds))
    peer = found.pop("peer", None)
    for name, rates in found.items():
        what, value = f"agents' steps a second, {name}", median(rates)
        if peer is None:
            table.add(what, f"{value:.0f}")
            continue
        ratio = value / median(peer)
        table.rows.append(
            Row(what, f"{value:.0f}", f"{median(peer):.0f}", f"{ratio:.1f}",
                f">= {RATIO_TARGET:g}", ratio >= RATIO_TARGET)
        )  # fmt: skip
    table.add("memory of a world with 3 robots", f"{memory / 1e6:.2f} MB")
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
