# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate for learning: environment steps and images a second of CPU time, on one core."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

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
SMALL_TARGET, LARGE_TARGET = 200.0, 60.0
MANY = 64


def rate(call: Callable[[], object], count: int, seconds: float) -> float:
    """Return how often a second of CPU time something is done that ``call`` does ``count`` of."""
    call()
    begin, done = time.process_time(), 0
    while time.process_time() - begin < seconds:
        call()
        done += count
    return done / (time.process_time() - begin)


def steps(table: Table, seconds: float) -> None:
    """Add the steps of one world and of many, with each engine."""
    rng = np.random.default_rng(1)
    engines = ["python"] + ["numba"] * (importlib.util.find_spec("numba") is not None)
    for engine in engines:
        env = RoboSkateNumerical(engine=engine)
        action = (0.2 * rng.uniform(-1, 1, 3)).astype(np.float32)

        def one(env: RoboSkateNumerical = env, action: NDArray[np.float32] = action) -> None:
            if any(env.step(action)[2:4]):
                env.reset()

        env.reset()
        found = rate(one, 1, seconds)
        target = ONE_TARGET if engine == engines[-1] else None
        add(table, f"steps of one world, {engine}", found, target)
        if engine == "python":
            continue
        envs = RoboSkateVector(MANY, engine=engine)
        actions = (0.2 * rng.uniform(-1, 1, (MANY, 3))).astype(np.float32)
        envs.reset(seed=1)
        found = rate(partial(envs.step, actions), MANY, seconds)
        target = MANY_TARGET if engine == engines[-1] else None
        add(table, f"steps of {MANY} worlds, {engine}", found, target)


def steps_with_images(table: Table, seconds: float) -> None:
    """Add the steps of one world and of many that give images of 96 x 54."""
    action = np.full(3, 0.1, np.float32)
    env = RoboSkateImage()
    env.reset()

    def one() -> None:
        if any(env.step(action)[2:4]):
            env.reset()

    add(table, "steps of one world, with images", rate(one, 1, seconds), None)
    envs = RoboSkateImageVector(MANY)
    envs.reset(seed=1)
    found = rate(lambda: envs.step(np.tile(action, (MANY, 1))), MANY, seconds)
    add(table, f"steps of {MANY} worlds, with images", found, None)


def grpc_steps(table: Table, seconds: float) -> None:
    """Add the steps over gRPC, the CPU time of environment and simulator together."""
    game = Simulator(SimulatorConfig(port=0, http_port=0, dialect=Dialect(Profile.GAME)))
    game.start()
    env = RoboSkateNumerical(backend="grpc", port=game.port, profile="game")
    action = np.full(3, 0.1, np.float32)

    def one() -> None:
        if any(env.step(action)[2:4]):
            env.reset()

    try:
        env.reset()
        add(table, "steps of one world, gRPC", rate(one, 1, seconds), None)
    finally:
        env.close()
        game.close()


def mujoco_steps(table: Table, seconds: float) -> None:
    """Add, where MuJoCo is installed, what it makes of a board like ours with rolling wheels."""
    if importlib.util.find_spec("mujoco") is None:
        return
    import mujoco

    wheels = "".join(
        f'<body pos="{x} {y} -.06"><joint type="hinge" axis="0 1 0" damping=".001"/>'
        '<geom type="ellipsoid" size=".06 .03 .06" mass=".2"/></body>'
        for x in (0.38, -0.38)
        for y in (0.18, -0.18)
    )
    free = 'contype="0" conaffinity="0"'
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
        <option timestep="0.02" integrator="implicitfast" iterations="5" ls_iterations="5"/>
        <worldbody><geom type="box" pos="0 0 -1" size="100 100 1"/>
        <body pos="0 0 .15"><freejoint/><geom type="box" size=".45 .18 .03" mass="18" {free}/>
        {wheels}
        <body pos="0 0 .1"><joint axis="0 0 -1" damping="15"/><geom size=".08" mass=".1" {free}/>
        <body pos="0 0 .1"><joint axis="0 -1 0" damping="15"/>
        <geom type="capsule" fromto="0 0 0 0 0 1.1" size=".04" mass="1.2" {free}/>
        <body pos="0 0 1.1"><joint axis="0 -1 0" damping="15"/>
        <geom type="capsule" fromto="0 0 0 0 0 .9" size=".04" mass=".2" {free}/>
        <geom pos="0 0 .9" size=".07" mass=".5"/>
        </body></body></body></body></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    data.qpos[-2:] = np.radians([55.0, 105.0])
    found = rate(lambda: mujoco.mj_step(model, data, nstep=1000), 100, seconds)
    add(table, "steps of one world, MuJoCo, physics alone", found, None)


def images(table: Table, seconds: float) -> None:
    """Add the images of several sizes, in turns from the starts of all levels."""
    world, view = GameWorld(ImageSize(64, 36)), CameraView()
    boards = []
    for level in range(5):
        world.initialize(level, None)
        boards.append(world.scene().board)
    for size, target in (
        (ImageSize(64, 36), SMALL_TARGET), (ImageSize(98, 30), None),
        (ImageSize(200, 60), None), (ImageSize(640, 360), LARGE_TARGET),
        (ImageSize(1920, 1080), None),
    ):  # fmt: skip
        scenes = [Scene(board, size) for board in boards]

        def all_of(scenes: list[Scene] = scenes) -> None:
            for scene in scenes:
                view.draw(scene)

        add(table, f"images of {size.width} x {size.height}",
            rate(all_of, len(scenes), seconds), target)  # fmt: skip


def add(table: Table, what: str, found: float, target: float | None) -> None:
    """Add a rate to the table, with a target if there is one."""
    wanted = "" if target is None else f">= {target:g}/s"
    met = None if target is None else found >= target
    table.add(what, f"{found:.0f}/s of CPU time", wanted, met)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(
        prog="tools/bench roboskate_environments", description=__doc__
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="of CPU time for each row")
    seconds = parser.parse_args(argv).seconds
    table = Table("RoboSkate for learning (bench roboskate_environments)")
    steps(table, seconds)
    steps_with_images(table, seconds)
    grpc_steps(table, seconds)
    mujoco_steps(table, seconds)
    images(table, seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
