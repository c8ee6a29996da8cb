# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A policy that MaskablePPO of sb3-contrib learns, and what it is compared with.

The robots of a team share it; each decides when it stands, by what it has perceived and heard.
All are judged by the simulated seconds until the sequence is complete, on the same worlds. Needs
sb3-contrib, matplotlib and SciPy.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from math import dist
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bw4t_study.learning.episodes import Rules
from bw4t_study.learning.robot import DROP_ZONE
from bw4t_study.learning.single import NAME, BlocksWorldEnv
from bw4t_study.learning.team import WORLD_SEEDS
from bw4t_world import World
from bw4t_world.agents import TEAMS, Beliefs, Geography, Team
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario

TEST_SEEDS = range(WORLD_SEEDS, WORLD_SEEDS + 40)
"""Worlds of the comparison; those of the training have smaller seeds."""

EVALUATIONS = 20
"""Points of the curve."""

MAX_S = 300.0
"""Simulated seconds of an episode; it counts for a sequence that is not complete."""

OMNISCIENT = "omniscient"

LEARNED = "MaskablePPO"

MaskedPolicy = Callable[[Any, Any], int]


def rules(map_name: str, robots: int) -> dict[str, Any]:
    """Return the rules of the episodes."""
    return {
        "map": map_name,
        "robots": robots,
        "max_s": MAX_S,
        "step_s": 0.1,
        "until_stop": True,
        "talks": robots > 1,
        "second": -0.03,
        "wrong_drop": -0.1,
        "holding": 0.3,
    }


def learn(
    map_name: str, directory: Path, *, robots: int, steps: int, seed: int, worlds: int
) -> dict[str, Any]:
    """Train, and write ``policy.zip``, ``curve.csv``, ``references.json`` and ``curve.png``.

    Returns what is in ``references.json``. Raises ImportError, MapError, ValueError and OSError.
    """
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    from bw4t_study.learning.network import PlacesPolicy

    torch.set_num_threads(1)
    directory.mkdir(parents=True, exist_ok=True)
    env_rules = rules(map_name, robots)
    envs = make_vec_env(BlocksWorldEnv, worlds, seed=seed, env_kwargs=env_rules)
    played = {name: play_team(map_name, name, robots) for name in TEAMS}
    if robots == 1:
        played[OMNISCIENT] = play_omniscient(map_name)
    model = MaskablePPO(
        PlacesPolicy,
        envs,
        n_steps=max(2, min(128, steps // worlds)),
        batch_size=512,
        n_epochs=4,
        gamma=0.995,
        learning_rate=lambda left: 1e-3 * max(0.05, left),
        ent_coef=0.01,
        seed=seed,
        device="cpu",
    )
    rows: list[dict[str, float]] = []
    references: dict[str, Any] = {}
    begin = process_time()

    def decide(seen: Any, mask: Any) -> int:
        return int(model.predict(seen, action_masks=mask)[0])

    def evaluate(local: dict[str, Any], _: dict[str, Any]) -> bool:
        done = local["self"].num_timesteps
        if done >= len(rows) * steps / EVALUATIONS:
            cpu_s = round(process_time() - begin, 1)
            played[LEARNED] = play_policy(env_rules, decide)
            for name, games in played.items():
                references[name] = comparison(played[LEARNED], games)
            now = references[LEARNED]
            row = {"decisions": done, "cpu_s": cpu_s}
            rows.append(row | {key: now[key] for key in ("seconds", "complete")})
            _write(directory, rows, references)
            model.save(directory / "policy.zip")
        return True

    model.learn(steps, callback=evaluate)
    return references


def play_policy(rules: dict[str, Any], policy: MaskedPolicy) -> list[float]:
    """Return the seconds of a policy in each world of :data:`TEST_SEEDS`."""
    env = BlocksWorldEnv(**rules)
    results = []
    for seed in TEST_SEEDS:
        observation, _ = env.begin(seed)
        ended = False
        while not ended:
            action = policy(observation, env.action_masks())
            observation, _, complete, over, _ = env.step(action)
            ended = complete or over
        results.append(_seconds(env.episode.world))
    return results


def play_team(map_name: str, team: str, robots: int) -> list[float]:
    """Return the same for an example team."""
    results = []
    for seed in TEST_SEEDS:
        world = _world(map_name, seed, robots)
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


def _world(map_name: str, seed: int, robots: int = 1) -> World:
    scenario = Scenario(bots=(BotSpec(amount=robots),))
    return World(
        load_map(map_name), scenario, profile=Rules().profile, seed=seed, collisions=False
    )


def _seconds(world: World) -> float:
    done = world.measures().completion_seconds
    return MAX_S if done is None else float(done)


def comparison(learned: list[float], games: list[float]) -> dict[str, Any]:
    """Return mean seconds, the share of complete games, and the policy's time in terms of these.

    Limits are of 95 %: Student's t, Wilson's, and a bootstrap of pairs by seed.
    """
    from bw4t_study.analysis.effects import RESAMPLES, interval

    seconds, low, high = interval(games)
    complete, *share = interval([float(game < MAX_S) for game in games], share=True)
    pairs = np.random.default_rng(1).integers(len(games), size=(RESAMPLES, len(games)))
    ratios = np.array(learned)[pairs].sum(1) / np.array(games)[pairs].sum(1)
    return {
        "seconds": round(seconds, 3),
        "seconds_95": [round(low, 3), round(high, 3)],
        "complete": round(complete, 3),
        "complete_95": [round(limit, 3) for limit in share],
        "policy_takes_times": round(sum(learned) / sum(games), 3),
        "policy_takes_times_95": [round(float(x), 3) for x in np.quantile(ratios, (0.025, 0.975))],
        "games": games,
    }


def _write(directory: Path, rows: list[dict[str, float]], references: dict[str, Any]) -> None:
    from matplotlib.figure import Figure

    (directory / "references.json").write_text(json.dumps(references, indent=1))
    with (directory / "curve.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    figure = Figure(figsize=(6, 3.4), layout="constrained", dpi=90)
    axes = figure.subplots()
    axes.plot([r["decisions"] for r in rows], [r["seconds"] for r in rows], label=LEARNED)
    others = [name for name in references if name != LEARNED]
    for name, style in zip(others, ("--", ":", "-"), strict=False):
        seconds = references[name]["seconds"]
        axes.axhline(seconds, linestyle=style, color="black", linewidth=1, label=name)
    axes.set(xlabel="decisions", ylabel="simulated s until complete", ylim=(0, MAX_S * 1.02))
    axes.legend()
    figure.savefig(directory / "curve.png")
