# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate beside MuJoCo's HalfCheetah-v5 and Ant-v5: steps a second, memory, and pictures."""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial

import gymnasium
import numpy as np

import roboskate_game.environments  # noqa: F401 - registers the names
from measure.bench.systems.roboskate_environments import add, rate
from measure.bench.table import Table
from roboskate_game.drawing.camera import CameraView
from roboskate_game.physics.world import GameWorld, Scene
from roboskate_game.protocol.messages import ImageSize

OURS, PEERS = "RoboSkateNumerical-v0", ("HalfCheetah-v5", "Ant-v5")
COUNTS = (1, 8, 64, 256, 1024)
SIZES = ((64, 36), (96, 54), (160, 90))
SMALL_TARGET = 1000.0


def measured(name: str, count: int, seconds: float) -> tuple[float, float]:
    """Return steps a second of CPU time, and this process's largest memory in MB."""
    rng = np.random.default_rng(1)
    if count == 1:
        env = gymnasium.make(name)
        env.reset(seed=1)
        action = 0.2 * rng.uniform(-1.0, 1.0, env.action_space.shape).astype(np.float32)

        def one() -> None:
            if any(env.step(action)[2:4]):
                env.reset()

        found = rate(one, 1, seconds)
    else:
        envs = gymnasium.make_vec(
            name, num_envs=count, vectorization_mode=None if name == OURS else "sync"
        )
        envs.reset(seed=1)
        actions = 0.2 * rng.uniform(-1.0, 1.0, envs.action_space.shape).astype(np.float32)
        found = rate(partial(envs.step, actions), count, seconds)
    return found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def pictures(table: Table, seconds: float) -> None:
    """Add the pictures of several sizes, in turns from the starts of all levels."""
    world, view = GameWorld(ImageSize(64, 36)), CameraView()
    boards = []
    for level in range(5):
        world.initialize(level, None)
        boards.append(world.scene().board)
    for width, height in SIZES:
        scenes = [Scene(board, ImageSize(width, height)) for board in boards]

        def every(scenes: list[Scene] = scenes) -> None:
            for scene in scenes:
                view.draw(scene)

        found = rate(every, len(scenes), seconds)
        add(
            table,
            f"pictures of {width} x {height}",
            found,
            SMALL_TARGET if (width, height) == SIZES[0] else None,
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure each environment and number of worlds in a process of its own."""
    parser = argparse.ArgumentParser(prog="tools/bench roboskate_peers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of CPU time for each row")
    parser.add_argument("--only", nargs=2, metavar=("NAME", "WORLDS"), help="print one as JSON")
    arguments = parser.parse_args(argv)
    if arguments.only is not None:
        name, count = arguments.only
        sys.stdout.write(json.dumps(measured(name, int(count), arguments.seconds)))
        return 0
    table = Table("RoboSkate beside MuJoCo (bench roboskate_peers)")
    peers = PEERS if importlib.util.find_spec("mujoco") is not None else ()
    for name in (OURS, *peers):
        for count in COUNTS:
            command = [sys.executable, "-m", "measure.bench", "roboskate_peers"]
            command += ["--seconds", str(arguments.seconds), "--only", name, str(count)]
            with tempfile.TemporaryDirectory() as folder:  # MuJoCo writes its log where it runs
                done = subprocess.run(
                    command, capture_output=True, text=True, check=True, cwd=folder
                )
            found, memory = json.loads(done.stdout)
            table.add(
                f"{name}, {count} worlds", f"{found:.0f} steps/s of CPU time, {memory:.0f} MB"
            )
    pictures(table, arguments.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
