# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A policy that MaskablePPO of sb3-contrib learns, and what it is compared with.

One robot, one decision each time it stands. All are judged by the simulated seconds until the
sequence is complete, on the same worlds. Needs sb3-contrib and matplotlib.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from math import dist
from pathlib import Path
from typing import Any

import numpy as np

from bw4t_study.learning.episodes import DROP_ZONE, Rules
from bw4t_study.learning.single import NAME, BlocksWorldEnv
from bw4t_world import World
from bw4t_world.agents import TEAMS, Beliefs, Geography, Team
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario

TEST_SEEDS = range(1_000_000_000, 1_000_000_020)
"""Worlds of the comparison."""

EVALUATIONS = 20
"""Points of the curve."""

MAX_S = 300.0
"""Simulated seconds of an episode; it counts for a sequence that is not complete."""

OMNISCIENT = "omniscient"

MaskedPolicy = Callable[[Any, Any], int]


def learn(map_name: str, directory: Path, *, steps: int, seed: int, worlds: int) -> None:
    """Train, and write ``policy.zip``, ``curve.csv``, ``references.json`` and ``curve.png``.

    Raises ImportError, MapError and OSError.
    """
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    torch.set_num_threads(1)
    directory.mkdir(parents=True, exist_ok=True)
    rules = {"map": map_name, "max_s": MAX_S, "until_stop": True}
    rules |= {"wrong_drop": -0.1, "holding": 0.3}
    references = {name: _mean(play_team(map_name, name)) for name in TEAMS}
    references[OMNISCIENT] = _mean(play_omniscient(map_name))
    (directory / "references.json").write_text(json.dumps(references, indent=1))
    envs = make_vec_env(BlocksWorldEnv, worlds, seed=seed, env_kwargs=rules)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=256,
        n_epochs=6,
        gamma=0.995,
        learning_rate=lambda left: 1e-3 * max(0.05, left),
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )
    rows: list[dict[str, float]] = []

    def evaluate(local: dict[str, Any], _: dict[str, Any]) -> bool:
        done = local["self"].num_timesteps
        if done >= len(rows) * steps / EVALUATIONS:
            played = play_policy(
                map_name, lambda seen, mask: int(model.predict(seen, action_masks=mask)[0])
            )
            complete = float(np.mean([seconds < MAX_S for seconds in played]))
            rows.append({"decisions": done, "seconds": _mean(played), "complete": complete})
            _write(directory, rows, references)
        return True

    model.learn(steps, callback=evaluate)
    model.save(directory / "policy.zip")


def _mean(values: list[float]) -> float:
    return round(float(np.mean(values)), 3)


def play_policy(map_name: str, policy: MaskedPolicy) -> list[float]:
    """Return the seconds of a policy in each world of :data:`TEST_SEEDS`."""
    env = BlocksWorldEnv(map=map_name, max_s=MAX_S, until_stop=True)
    results = []
    for seed in TEST_SEEDS:
        env.episode.reset(seed)
        ended = False
        while not ended:
            action = policy(env.episode.observe(NAME), env.action_masks())
            _, complete, over = env.episode.step({NAME: action})
            ended = complete or over
        results.append(_seconds(env.episode.world))
    return results


def play_team(map_name: str, team: str) -> list[float]:
    """Return the same for one robot of an example team."""
    results = []
    for seed in TEST_SEEDS:
        world = _world(map_name, seed)
        Team(world, team, seed=seed).play(round(MAX_S / world.profile.tick_seconds))
        results.append(_seconds(world))
    return results


def play_omniscient(map_name: str) -> list[float]:
    """Return the same for a robot that is told where all blocks are.

    It brings each colour by the shortest way that there is, the first from where it starts: with
    one gripper no robot is faster, but for how it walks around in a room.
    """
    return [_omniscient(_world(map_name, seed)) for seed in TEST_SEEDS]


def _omniscient(world: World) -> float:
    robot, beliefs = world.connect(NAME), Beliefs()

    def do(action: str, *arguments: str | int, until_seen: int = -1) -> None:
        robot.act(action, *arguments)
        beliefs.update(robot.poll())
        while beliefs.is_moving and until_seen not in beliefs.visible:
            world.tick()
            beliefs.update(robot.poll())

    beliefs.update(robot.poll())
    ways = Geography(beliefs.zones)
    start = beliefs.at or DROP_ZONE
    for color in beliefs.sequence:
        _, room, block = min(
            (
                ways.distance(start, b.zone)
                + ways.distance(b.zone, DROP_ZONE)
                + 2.0 * dist((b.x, b.y), ways.centers[b.zone]),
                b.zone,
                b.id,
            )
            for b in world.snapshot().blocks
            if b.color.value == color and b.zone
        )
        do("goTo", room, until_seen=block)
        do("goToBlock", block)
        do("pickUp")
        do("goTo", DROP_ZONE)
        do("putDown")
        start = DROP_ZONE
    return _seconds(world)


def _world(map_name: str, seed: int) -> World:
    rules = Rules(robots=1)
    scenario = Scenario(bots=(BotSpec(),))
    return World(load_map(map_name), scenario, profile=rules.profile, seed=seed, collisions=False)


def _seconds(world: World) -> float:
    done = world.measures().completion_seconds
    return MAX_S if done is None else float(done)


def _write(directory: Path, rows: list[dict[str, float]], references: dict[str, float]) -> None:
    from matplotlib.figure import Figure

    with (directory / "curve.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    figure = Figure(figsize=(6, 3.4), layout="constrained", dpi=90)
    axes = figure.subplots()
    axes.plot([r["decisions"] for r in rows], [r["seconds"] for r in rows], label="MaskablePPO")
    for (name, seconds), style in zip(references.items(), ("--", ":", "-"), strict=False):
        axes.axhline(seconds, linestyle=style, color="black", linewidth=1, label=name)
    axes.set(xlabel="decisions", ylabel="simulated s until complete", ylim=(0, MAX_S * 1.02))
    axes.legend()
    figure.savefig(directory / "curve.png")
