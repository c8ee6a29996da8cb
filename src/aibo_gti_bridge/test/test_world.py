# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated dog, its sensors and its room."""

from __future__ import annotations

from math import cos, hypot, pi, sin, tan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aibo_gti_bridge.model import kinematics as k
from aibo_gti_bridge.model.joints import BY_NAME, NAMES
from aibo_gti_bridge.model.motion_library import MotionLibrary
from aibo_gti_bridge.model.poses import STANDING
from aibo_gti_bridge.model.room import Ball, Box, Room
from aibo_gti_bridge.simulator.world import CYCLE_S, DogWorld, Press, Settings

EXACT = Settings(x=0.0, noise=0.0)


def empty(width: float = 6.0, *balls: Ball) -> Room:
    return Room(width=width, depth=width, balls=list(balls), boxes=[])


def test_it_stands_on_four_paws_and_feels_gravity() -> None:
    world = DogWorld(empty(), settings=EXACT)
    place, rotation, feet = world.stance()
    assert place[2] == pytest.approx(0.1355, abs=0.001)
    assert rotation == pytest.approx(np.eye(3), abs=0.01)
    assert all(height < 0.002 for height in feet.values())
    for name in ("LFrPaw", "RFrPaw", "LBkPaw", "RBkPaw"):
        assert world.sensors[name] == 1.0
    assert world.sensors["DAccel"] == pytest.approx(-9.807, abs=0.01)
    assert world.sensors["BAccel"] == pytest.approx(0.0, abs=0.02)


def test_sitting_tips_the_body_back() -> None:
    world = DogWorld(empty(), settings=EXACT)
    world.play(MotionLibrary().motion("sit"))
    world.step(2.5)
    # The nose is up: gravity pulls backward, so the reaction that is measured points forward.
    assert world.sensors["BAccel"] < -1.0
    total = sum(world.sensors[name] ** 2 for name in ("BAccel", "LAccel", "DAccel")) ** 0.5
    assert total == pytest.approx(9.807, abs=0.01)


def test_sensors_change_once_a_cycle() -> None:
    world = DogWorld(empty(), settings=EXACT)
    world.move_joints({"neck_pan": (1.0, 1.0)})
    seen = []
    for _ in range(16):
        world.step(0.008)
        seen.append(world.sensors["NECK:pan"])
    assert len(set(seen)) == 4 + (seen[0] == 0.0)
    assert CYCLE_S == 0.032


@pytest.mark.parametrize("name", NAMES)
def test_joints_turn_within_their_speed_and_limits_and_in_the_time_asked_for(name: str) -> None:
    joint = BY_NAME[name]
    world = DogWorld(empty(), settings=EXACT)
    world.move_joints({name: (99.0, 0.0)})
    before = world.body.positions[name]
    for _ in range(200):
        world.step(0.008)
        now = world.body.positions[name]
        assert abs(now - before) <= joint.max_speed * 0.008 + 1e-9
        before = now
    assert before == pytest.approx(joint.upper)
    middle = (joint.lower + joint.upper) / 2.0
    world.move_joints({name: (middle, 2.0)})
    world.step(1.0)
    assert world.body.positions[name] == pytest.approx((before + middle) / 2.0, abs=0.02)
    world.step(1.01)
    assert world.body.positions[name] == pytest.approx(middle)
    assert not world.body.moving


def test_a_velocity_persists_and_is_approached_and_limited() -> None:
    world = DogWorld(empty(), settings=EXACT)
    world.walk(9.0, 0.0, 0.0)
    world.step(0.25)
    assert world.walker.velocity[0] == pytest.approx(0.09, abs=0.01)
    world.step(10.0)
    assert world.walker.velocity == (0.18, 0.0, 0.0)
    x = world.x
    world.walk(0.0, 0.0, 0.0)
    world.step(1.0)
    assert not world.walker.walking
    assert 0.01 < world.x - x < 0.1
    world.step(1.0)
    for name in NAMES[:12]:
        assert world.body.positions[name] == pytest.approx(STANDING[name])


def test_left_and_counter_clockwise_are_positive() -> None:
    world = DogWorld(empty(), settings=EXACT)
    world.walk_steps(0.0, 0.1, 0.0, 2)
    world.step(1.5)
    assert (world.x, world.y) == pytest.approx((0.0, 0.1), abs=1e-6)
    world.walk_steps(0.0, 0.0, 0.5, 2)
    world.step(1.5)
    assert world.yaw == pytest.approx(0.5)


def test_a_walk_of_some_steps_ends_by_itself() -> None:
    world = DogWorld(empty(), settings=EXACT)
    world.walk(0.1, 0.0, 0.0, 4)
    world.step(5.0)
    assert world.x == pytest.approx(0.2)
    assert not world.walker.walking
    world.walk(0.1, 0.0, 0.0, 0)
    world.step(1.0)
    assert world.x == pytest.approx(0.2)


def test_walls_and_boxes_stop_it_and_a_ball_rolls() -> None:
    room = Room(width=2.0, depth=2.0, balls=[Ball("pink", 0.4, 0.0)], boxes=[])
    world = DogWorld(room, settings=EXACT)
    world.walk(0.18, 0.0, 0.0)
    world.step(20.0)
    assert world.x == pytest.approx(1.0 - 0.16)
    assert room.balls[0].x > 0.8
    room = Room(width=4.0, depth=4.0, balls=[], boxes=[Box(0.6, 0.0, 0.2, 0.2, 0.3)])
    world = DogWorld(room, settings=EXACT)
    world.walk(0.18, 0.0, 0.0)
    world.step(20.0)
    assert world.x == pytest.approx(0.5 - 0.16, abs=1e-6)


def test_distances() -> None:
    world = DogWorld(empty(2.0), settings=EXACT)
    world.move_joints({"neck_nod": (-STANDING["neck_tilt"], 0.1)})  # look straight ahead
    world.step(0.5)
    # 1 m from the wall; the sensor is 152 mm before the body's middle by its chain, the neck
    # being at -5°, and its ray points 2° down and 0.6° to the right.
    assert world.sensors["FarIRDist"] == pytest.approx(848.0, abs=3.0)
    assert world.sensors["NearIRDist"] == 500.0
    # 135.5 mm above the floor, 3.4 mm lower, and 30° down.
    assert world.sensors["ChestIRDist"] == pytest.approx(132.1 * 2.0, abs=2.0)


def test_a_ball_is_seen_where_it_is() -> None:
    world = DogWorld(empty(6.0, Ball("green", 1.0, 0.2)), settings=EXACT)
    seen = world.seen["green"]
    place, rotation, _ = world.stance()
    eye, head = k.pose_of("camera", world.body.positions)
    towards = (rotation @ head).T @ (np.array([1.0, 0.2, 0.045]) - place - rotation @ eye)
    assert seen.visible
    assert seen.x == pytest.approx(-towards[1] / towards[0] / tan(k.HORIZONTAL_FOV / 2), abs=1e-6)
    assert seen.y == pytest.approx(-towards[2] / towards[0] / tan(k.HORIZONTAL_FOV / 2), abs=1e-6)
    radius = 0.045 / np.linalg.norm(towards) / tan(k.HORIZONTAL_FOV / 2)
    assert seen.area == pytest.approx(pi * radius**2, rel=0.02)


def test_balls_behind_it_behind_a_box_and_too_far_away_are_not_seen() -> None:
    room = Room(
        width=20.0,
        depth=20.0,
        balls=[Ball("pink", -1.0, 0.0), Ball("blue", 1.5, 0.0), Ball("green", 9.0, 3.0)],
        boxes=[Box(1.0, 0.0, 0.2, 0.4, 0.4)],
    )
    world = DogWorld(room, settings=EXACT)
    world.step(0.2)
    assert [world.seen[c].visible for c in ("pink", "blue", "green")] == [False, False, False]
    assert "orange" not in world.seen


def test_a_ball_appears_and_disappears_after_more_than_one_image() -> None:
    ball = Ball("pink", 1.0, 0.0)
    world = DogWorld(empty(6.0, ball), settings=EXACT)
    ball.x = -1.0
    visible = []
    for _ in range(4):
        world.step(CYCLE_S)
        visible.append(world.seen["pink"].visible)
    assert visible == [True, False, False, False]


@pytest.mark.parametrize("angle", [-1.2, -0.5, 0.0, 0.7, 1.3])
@pytest.mark.parametrize("distance", [0.45, 0.8, 2.0])
def test_a_search_finds_the_ball_and_looks_at_it(angle: float, distance: float) -> None:
    ball = Ball("pink", distance * cos(angle), distance * sin(angle))
    world = DogWorld(empty(6.0, ball), 3, Settings(x=0.0))
    world.search("pink")
    for _ in range(600):
        world.step(CYCLE_S)
        found = world.search_result()
        if found is not None:
            break
    assert found
    assert hypot(world.seen["pink"].x, world.seen["pink"].y) < 0.15


def test_the_last_command_for_a_joint_counts() -> None:
    wave = MotionLibrary().motion("wave")
    world = DogWorld(empty(), settings=EXACT)
    world.walk(0.1, 0.0, 0.0)
    world.step(0.5)
    world.play(wave)
    world.step(1.5)
    assert not world.walker.walking
    assert world.sensors["LFrPaw"] == 0.0
    assert world.body.playing == "wave.mot"
    world.move_joints({"neck_pan": (-0.5, 0.2)})
    world.step(0.4)
    assert world.body.positions["neck_pan"] == pytest.approx(-0.5)
    assert world.body.playing == "wave.mot"
    world.walk(0.1, 0.0, 0.0)
    world.step(0.1)
    assert world.body.positions["tail_pan"] != 0.0
    world.step(5.0)
    assert world.body.playing is None
    assert world.walker.walking


def test_stopping_everything() -> None:
    world = DogWorld(empty(), settings=EXACT)
    world.walk(0.1, 0.0, 0.0)
    world.move_joints({"neck_pan": (1.0, 3.0)})
    world.search("pink")
    world.step(0.5)
    world.stop_everything()
    held = dict(world.body.positions)
    world.step(1.0)
    assert not world.active
    assert world.body.positions == held
    assert world.search_result() is None


def test_presses_and_battery() -> None:
    press = Press("HeadBut", at=0.5, seconds=0.5, value=0.6)
    world = DogWorld(empty(), settings=Settings(charge=0.5, presses=(press,)))
    world.step(0.3)
    assert world.sensors["HeadBut"] == 0.0
    world.step(0.4)
    assert world.sensors["HeadBut"] == pytest.approx(0.6)
    world.step(0.5)
    assert world.sensors["HeadBut"] == 0.0
    before = world.charge
    world.walk(0.18, 0.0, 0.0)
    world.step(60.0)
    assert 0.0 < before - world.charge < 0.05


commands = st.one_of(
    st.tuples(st.just("walk"), st.floats(-1, 1), st.floats(-1, 1), st.floats(-3, 3)),
    st.tuples(st.just("steps"), st.floats(-1, 1), st.floats(-1, 1), st.floats(-3, 3)),
    st.tuples(st.just("move"), st.sampled_from(NAMES), st.floats(-4, 4), st.floats(0, 2)),
    st.tuples(st.just("play"), st.sampled_from(MotionLibrary().names())),
    st.tuples(st.just("search"), st.sampled_from(["pink", "green"])),
    st.tuples(st.just("stop")),
    st.tuples(st.just("wait"), st.floats(0.0, 1.0)),
)


def obey(world: DogWorld, command: tuple) -> None:
    kind, *arguments = command
    if kind == "walk":
        world.walk(*arguments)
    elif kind == "steps":
        world.walk_steps(*arguments, 3)
    elif kind == "move":
        world.move_joints({arguments[0]: (arguments[1], arguments[2])})
    elif kind == "play":
        world.play(MotionLibrary().motion(arguments[0]))
    elif kind == "search":
        world.search(arguments[0])
    elif kind == "stop":
        world.stop_everything()
    else:
        world.step(arguments[0])


@settings(max_examples=40, deadline=None)
@given(st.lists(commands, max_size=15), st.integers(0, 3))
def test_whatever_it_is_told_it_stays_within_its_limits_and_is_deterministic(
    reported: list[tuple], seed: int
) -> None:
    worlds = [DogWorld(seed=seed), DogWorld(seed=seed)]
    for world in worlds:
        for command in reported:
            obey(world, command)
            for name, position in world.body.positions.items():
                assert BY_NAME[name].lower - 1e-9 <= position <= BY_NAME[name].upper + 1e-9
            assert abs(world.x) <= world.room.width / 2
            assert abs(world.y) <= world.room.depth / 2
    assert worlds[0].sensors == worlds[1].sensors
    assert worlds[0].body.positions == worlds[1].body.positions
    assert (worlds[0].x, worlds[0].y, worlds[0].yaw) == (worlds[1].x, worlds[1].y, worlds[1].yaw)
