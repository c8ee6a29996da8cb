# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The worlds for learning: steps and images a second of CPU time, on one core."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing

import gymnasium
import numpy as np

from bw4t_study.learning import parallel_env
from measure.bench.table import Table
from roboskate_game.drawing.camera import CameraView
from roboskate_game.environments import (
    RoboSkateImage,
    RoboSkateImageVector,
    RoboSkateNumerical,
    RoboSkateVector,
)
from roboskate_game.physics.world import GameWorld, Scene
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.protocol.messages import ImageSize
from roboskate_game.simulator.program import Simulator, SimulatorConfig

ONE_TARGET, MANY_TARGET = 20000.0, 90000.0
SIZES = {(64, 36): 200.0, (98, 30): None, (200, 60): None, (640, 360): 60.0, (1920, 1080): None}
"""Sizes of images (pixels), and how many a second there have to be."""
MANY, PEER_WORLDS = 64, 256
PEERS = ("RoboSkateNumerical-v0", "HalfCheetah-v5", "Ant-v5")
SMALL = 3
"""Robots for whom there is a place on the small map of the blocks world."""


def rate(call: Callable[[], object], count: int, seconds: float) -> float:
    """Return how often a second of CPU time something is done that ``call`` does ``count`` of."""
    call()
    begin, done = time.process_time(), 0
    while time.process_time() - begin < seconds:
        call()
        done += count
    return done / (time.process_time() - begin)


def add(table: Table, what: str, found: float, target: float | None = None) -> None:
    """Add a rate to the table, with a target if there is one."""
    wanted = "" if target is None else f">= {target:g}/s"
    table.add(
        what, f"{found:.0f}/s of CPU time", wanted, None if target is None else found >= target
    )


def stepped(env: gymnasium.Env) -> Callable[[], None]:
    """Return what does a step of one world, and resets it where its episode has ended."""
    shape = env.action_space.shape
    action = (0.2 * np.random.default_rng(1).uniform(-1, 1, shape)).astype(np.float32)
    env.reset(seed=1)

    def one() -> None:
        if any(env.step(action)[2:4]):
            env.reset()

    return one


def roboskate(table: Table, seconds: float) -> None:
    """Add RoboSkate's steps, with each engine, with images and over gRPC, and its images."""
    engines = ["python"] + ["numba"] * (importlib.util.find_spec("numba") is not None)
    for engine in engines:
        found = rate(stepped(RoboSkateNumerical(engine=engine)), 1, seconds)
        add(table, f"roboskate: steps of one world, {engine}", found,
            ONE_TARGET if engine == engines[-1] else None)  # fmt: skip
    actions = (0.2 * np.random.default_rng(1).uniform(-1, 1, (MANY, 3))).astype(np.float32)
    for envs, target, what in (
        (RoboSkateVector(MANY, engine=engines[-1]), MANY_TARGET, engines[-1]),
        (RoboSkateImageVector(MANY), None, "with images"),
    ):
        envs.reset(seed=1)
        found = rate(lambda: envs.step(actions), MANY, seconds)  # noqa: B023
        add(table, f"roboskate: steps of {MANY} worlds, {what}", found, target)
    add(table, "roboskate: steps of one world, with images",
        rate(stepped(RoboSkateImage()), 1, seconds))  # fmt: skip
    with closing(
        Simulator(SimulatorConfig(port=0, http_port=0, dialect=Dialect(Profile.GAME)))
    ) as game:
        game.start()
        with closing(RoboSkateNumerical(backend="grpc", port=game.port, profile="game")) as env:
            add(table, "roboskate: steps of one world, gRPC", rate(stepped(env), 1, seconds))
    world, view = GameWorld(ImageSize(64, 36)), CameraView()
    boards = []
    for level in range(5):
        world.initialize(level, None)
        boards.append(world.scene().board)
    for (width, height), target in SIZES.items():
        scenes = [Scene(board, ImageSize(width, height)) for board in boards]
        found = rate(lambda: [view.draw(scene) for scene in scenes], len(scenes), seconds)  # noqa: B023
        add(table, f"roboskate: images of {width} x {height}", found, target)


def peers(table: Table, seconds: float) -> None:
    """Add MuJoCo's environments beside ours, one world and many, where mujoco is installed."""
    if importlib.util.find_spec("mujoco") is None:
        return
    for name in PEERS:
        found = rate(stepped(gymnasium.make(name)), 1, seconds)
        add(table, f"{name}: steps of one world", found)
        mode = None if name == PEERS[0] else "sync"
        envs = gymnasium.make_vec(name, num_envs=PEER_WORLDS, vectorization_mode=mode)
        envs.reset(seed=1)
        random = np.random.default_rng(1)
        actions = (0.2 * random.uniform(-1, 1, envs.action_space.shape)).astype(np.float32)
        found = rate(lambda: envs.step(actions), PEER_WORLDS, seconds)  # noqa: B023
        add(table, f"{name}: steps of {PEER_WORLDS} worlds", found)


def blocks_world(table: Table, seconds: float) -> None:
    """Add the steps of all robots of a team, and of many worlds with one robot."""
    for robots in (1, 3, 10):
        env = parallel_env(robots=robots, map="nine_rooms" if robots <= SMALL else "large")
        random = np.random.default_rng(1)
        env.reset(seed=1)
        number = env.episode.actions

        def one() -> None:
            env.step({name: int(random.integers(number)) for name in env.agents})  # noqa: B023
            if not env.agents:  # noqa: B023
                env.reset()  # noqa: B023

        add(table, f"bw4t: agents' steps, {robots} of them", rate(one, robots, seconds))
    envs = gymnasium.make_vec("BlocksWorld-v0", num_envs=MANY)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    found = rate(lambda: envs.step(envs.action_space.sample()), MANY, seconds)
    add(table, f"bw4t: agents' steps, {MANY} worlds", found)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="tools/bench environments", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of CPU time for each row")
    seconds = parser.parse_args(argv).seconds
    table = Table("The worlds for learning (bench environments)")
    roboskate(table, seconds)
    peers(table, seconds)
    blocks_world(table, seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
