# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated game's physics: what is known of it, and that it is always the same."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from roboskate_game.learning.scripted_policy import Reach, Skater, angles, reach, tip
from roboskate_game.model.coordinates import yaw_pitch_roll
from roboskate_game.model.course import CourseError, load_course
from roboskate_game.model.levels import CHECKPOINTS, LEVELS, CourseProgress
from roboskate_game.physics.ground import Ground
from roboskate_game.physics.world import GameWorld, RefusedError
from roboskate_game.protocol.messages import ImageSize, Keys

SIZE = ImageSize(64, 36)
CHECKPOINT_RADII = [5.0] * 7 + [2.0, 1.5, 1.5, 2.0] + [1.5] * 8 + [3.0] * 11 + [2.0, 1.0]


@pytest.fixture
def world():
    return GameWorld(SIZE)


# --- crane --------------------------------------------------------------------------------------


def test_the_tip_is_where_the_original_has_it():
    upright = reach(0.0, 0.0)
    assert (upright.radius, upright.height) == pytest.approx((0.0, 0.3 + 1.1 + 0.9))
    touching = reach(math.radians(55), math.radians(110))
    assert touching.height == pytest.approx(0.06, abs=0.01)  # it touches the ground
    assert touching.radius == pytest.approx(1.1 * 0.819152 + 0.9 * 0.258819, abs=1e-5)
    # Positive joint 1, about an axis that points down, turns it from the tail to the left.
    assert tip(0.0, 1.0) == pytest.approx((-1.0, 0.0))
    assert tip(math.pi / 2, 1.0) == pytest.approx((0.0, 1.0))


@pytest.mark.parametrize("wanted", [Reach(0.95, 0.02), Reach(1.85, 0.02), Reach(1.2, 0.4)])
def test_the_crane_reaches_what_it_can(wanted):
    found = reach(*angles(wanted))
    assert (found.radius, found.height) == pytest.approx((wanted.radius, wanted.height))


@pytest.mark.parametrize("joint", [0, 1, 2])
@pytest.mark.parametrize("key", [1.0, -1.0, 0.5])
def test_joints_follow_the_keys(world, joint, key):
    world.initialize(0, None)
    world.hold(Keys(*(key if i == joint else 0.0 for i in range(3))))
    world.run(0.5)
    board = world.state()
    # 3.67 degrees/s for each of the 40 that a key stands for; 0.5 s are 3.3 of its delays.
    assert math.degrees(board.joint_velocities[joint]) == pytest.approx(146.8 * key, rel=0.04)
    assert all(board.joint_angles[i] == 0.0 for i in range(3) if i != joint)
    world.hold(Keys())
    world.run(2.0)
    assert world.state().joint_velocities[joint] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(
    "force, after, rate",
    [(40, 0.02, 19.6), (250, 0.02, 122.3), (250, 0.04, 170), (1e4, 0.02, 170)],
)
def test_larger_forces_reach_the_largest_rate_sooner(world, force, after, rate):
    world.initialize(0, None)
    world.hold(Keys(force / 40.0, 0.0, 0.0))
    world.run(after)
    # By hand: 3.67 x force x 0.02 s / 0.15 s in the first step, never beyond 170 degrees/s.
    assert math.degrees(world.state().joint_velocities[0]) == pytest.approx(rate, rel=0.01)


@pytest.mark.parametrize("joint, limit", [(0, 180), (1, 90), (2, 125)])
def test_joints_stop_at_their_limits(world, joint, limit):
    world.initialize(0, None)
    # The elbow bends backwards and the shoulder forwards: neither gets to the ground.
    signs = (1.0, -1.0, 1.0)
    world.hold(Keys(*(signs[i] if i == joint else 0.0 for i in range(3))))
    world.run(3.0)
    assert math.degrees(world.state().joint_angles[joint]) == pytest.approx(signs[joint] * limit)
    assert world.state().joint_velocities[joint] == 0.0


def test_the_crane_does_not_go_through_the_ground(world):
    world.initialize(0, None)
    rng = random.Random(1)
    for _ in range(200):
        world.hold(Keys(*(rng.uniform(-1, 1) for _ in range(3))))
        world.run(0.1)
        _, shoulder, elbow = world.state().joint_angles
        assert reach(shoulder, elbow).height > -0.05


# --- board --------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_levels_begin_at_their_start_and_stay_there(world, level):
    world.initialize(level, None)
    board = world.state()
    start = LEVELS[level].start
    assert board.position == pytest.approx((*start, world.ground.height(*start)))
    assert yaw_pitch_roll(board.rotation) == pytest.approx((LEVELS[level].heading, 0.0, 0.0))
    world.run(5.0)
    assert world.state().position == pytest.approx(board.position, abs=1e-6)


def rolling(world, speed, seconds=4.0):
    """Put a board that rolls at a speed on level 0, after a while."""
    world.initialize(0, None)
    board = world._board
    board.mechanics = board.mechanics._replace(vx=speed)
    world.run(seconds)
    return world.state()


def test_weight_to_one_side_leans_the_board_to_it_and_it_turns_there(world):
    for side in (1.0, -1.0):
        world.initialize(0, None)
        world.hold(Keys(0.0, 0.5, 0.0))
        world.run(0.6)  # tilted by some 40 degrees, clear of the ground
        board = world._board
        board.mechanics = board.mechanics._replace(vx=2.0)
        world.hold(Keys(side, 0.0, 0.0))
        world.run(0.75)
        world.hold(Keys())
        world.run(1.0)
        yaw, _, roll = yaw_pitch_roll(world.state().rotation)
        assert -side * roll > 0.02  # left is up when leaning right
        assert side * yaw > 0.1


def test_wheels_roll_along_and_hold_across(world):
    still = world.state if world.initialize(0, None) else None
    board = world._board
    board.mechanics = board.mechanics._replace(vy=1.0)
    world.run(0.5)
    assert still().linear_velocity_world[1] == pytest.approx(0.0, abs=0.02)
    assert still().position[1] < 0.1
    assert rolling(world, 2.0).linear_velocity[0] == pytest.approx(1.8, abs=0.15)


def test_a_wall_stops_the_board(world):
    world.initialize(0, None)
    board = world._board
    board.mechanics = board.mechanics._replace(vx=-3.0)
    places = []
    for _ in range(60):
        world.run(0.1)
        places.append(world.state().position[0])
    # The yard's hedge is at x -9, the tail 0.45 m behind the centre with a bumper of 0.12 m.
    assert -8.7 < min(places) < -8.3
    # It rolls back, much slower than it came.
    assert 0.0 < world.state().linear_velocity_world[0] < 1.0


def test_the_slope_slows_down_and_speeds_up(world):
    world.initialize(0, None)
    board = world._board
    board.mechanics = board.mechanics._replace(px=33.0, vx=3.0)
    world.run(4.0)
    top = world.state()
    assert 42.0 < top.position[0] < 46.0
    assert top.position[2] == pytest.approx(0.15, abs=0.005)
    # 0.15 m of height are 2 g h = 2.94 m2/s2 of speed squared; drag takes a little more.
    assert top.linear_velocity[0] ** 2 == pytest.approx(9.0 - 2.94, abs=1.3)
    world.initialize(0, None)
    board = world._board
    board.mechanics = board.mechanics._replace(px=60.0, pz=board.mechanics.pz + 0.15, vx=1.5)
    world.run(4.0)
    assert world.state().position[2] == pytest.approx(0.05, abs=0.005)  # down the step
    # Not up again: it is as high as a wheel.
    board.mechanics = board.mechanics._replace(vx=-2.0)
    world.run(6.0)
    assert world.state().position[0] > 62.4


def test_off_the_track_it_falls(world):
    world.initialize(1, None)
    board = world._board
    # To the side of the beam of level 1, on which there is no wall.
    board.mechanics = board.mechanics._replace(py=-64.0, px=109.5)
    heights = []
    for _ in range(100):
        world.run(0.02)
        heights.append(world.state().position[2])
    first = next(i for i, z in enumerate(heights) if z < -0.5)
    drop = [heights[first + i] - heights[first + i - 1] for i in (1, 11)]
    assert (drop[1] - drop[0]) / (10 * 0.02**2) == pytest.approx(-9.81, rel=0.03)
    world.run(10.0)
    assert world.state().position[2] < -29.0
    assert all(map(math.isfinite, world.state().position))
    assert world.state().linear_velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("number", range(len(CHECKPOINTS)))
def test_every_checkpoint_is_on_the_ground(number):
    ground, checkpoint = Ground(), CHECKPOINTS[number]
    assert checkpoint.radius == CHECKPOINT_RADII[number]
    # The centre itself, or at least somewhere within the radius.
    assert any(
        ground.contains(
            checkpoint.x + r * checkpoint.radius * math.cos(a),
            checkpoint.y + r * checkpoint.radius * math.sin(a),
        )
        for r in (0.0, 0.5, 0.95)
        for a in (0.0, 1.6, 3.1, 4.7)
    )


def test_the_ground_has_the_known_widths():
    ground = Ground()

    def width(x, y, dx, dy):
        """Return how far there is ground along a line through x, y, to both sides, in metres."""

        def free(sign):
            steps = (0.01 * sign * i for i in range(3000))
            return next(abs(d) for d in steps if not ground.contains(x + dx * d, y + dy * d))

        return free(1) + free(-1)

    assert width(10.0, 0.0, 0.0, 1.0) == pytest.approx(27.2, abs=0.2)  # yard
    assert width(30.0, 0.0, 0.0, 1.0) == pytest.approx(13.8, abs=0.2)
    assert width(50.0, 0.0, 0.0, 1.0) == pytest.approx(12.6, abs=0.2)
    for degrees in (20, 45, 70):
        turn = math.radians(degrees)
        at = (72.5 + 35.2 * math.sin(turn), -35.2 + 35.2 * math.cos(turn))
        assert width(*at, math.sin(turn), math.cos(turn)) == pytest.approx(12.4, abs=0.25)
    assert width(107.69, -52.0, 1.0, 0.0) == pytest.approx(13.4, abs=0.2)
    assert width(107.69, -65.0, 1.0, 0.0) == pytest.approx(2.7, abs=0.2)
    assert width(90.0, -77.4, 0.0, 1.0) == pytest.approx(3.1, abs=0.2)
    assert width(80.0, -65.0, 1.0, 0.0) == pytest.approx(3.1, abs=0.2)
    assert width(72.2, -38.3, 0.0, 1.0) == pytest.approx(6.7, abs=0.3)  # top of the S
    assert width(55.6, -57.2, 0.0, 1.0) == pytest.approx(6.7, abs=0.3)
    assert width(47.7, -30.0, 1.0, 0.0) == pytest.approx(1.8, abs=0.2)  # level 3
    assert ground.height(20.0, 0.0) == 0.0
    assert ground.height(38.25, 0.0) == pytest.approx(0.075)  # half way up the slope
    assert ground.height(61.0, 0.0) - ground.height(63.0, 0.0) == pytest.approx(0.1)  # the step


@pytest.mark.parametrize("level", range(3))
def test_the_ground_goes_on_from_checkpoint_to_checkpoint(level):
    ground, route = Ground(), CourseProgress(level, whole_map=True).route
    for (ax, ay), (bx, by) in pairwise(route[:-1]):
        for i in range(100):
            at = (ax + (bx - ax) * i / 100, ay + (by - ay) * i / 100)
            # Straight from one to the next cuts the corners of the course by no more than 1 m.
            assert any(
                ground.contains(at[0] + dx, at[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)
            ), at


def test_levels_3_and_4_go_on_over_discs_and_beams():
    ground = Ground()
    way = [(47.8, -36.4), (47.6, -23.2), (39.6, -15.4), (30.6, -15.4), (30.6, -27.5)]
    way += [(30.6, -54.6), (20.6, -54.6), (0.5, -75.0), (0.5, -126.0)]
    for (ax, ay), (bx, by) in pairwise(way):
        for i in range(101):
            assert ground.contains(ax + (bx - ax) * i / 100, ay + (by - ay) * i / 100)
    assert LEVELS[3].start == way[0]
    assert LEVELS[4].start == way[4]
    with pytest.raises(IndexError, match="level 3 has no known checkpoints, only 0 to 2"):
        CourseProgress(3)


def test_a_course_file_that_cannot_be_is_said(tmp_path):
    file = tmp_path / "course.yaml"
    for text, complaint in (
        ("[", "cannot be read"), ("{}", "no course"),
        ("{cell: 1, checkpoints: [[1, 2]]}", "no course"),
    ):  # fmt: skip
        file.write_text(text)
        with pytest.raises(CourseError, match=complaint):
            load_course(file)


# --- time ---------------------------------------------------------------------------------------


def drive(world, level, pieces, seed=3):
    """Drive with random keys that change every 0.2 s; cut each into runs of ``pieces`` seconds."""
    world.initialize(level, None)
    rng = random.Random(seed)
    states = []
    for _ in range(100):
        world.hold(Keys(*(rng.uniform(-1, 1) for _ in range(3))))
        for piece in pieces:
            world.run(piece)
        states.append(world.state())
    return states


def test_the_same_keys_give_the_same_bits():
    first = drive(GameWorld(SIZE), 0, [0.2])
    assert first == drive(GameWorld(SIZE), 0, [0.2])
    # However the time is cut, and with what is left over carried to the next call.
    assert first == drive(GameWorld(SIZE), 0, [0.05] * 4)
    assert first == drive(GameWorld(SIZE), 0, [0.007, 0.013, 0.08, 0.1])
    assert first != drive(GameWorld(SIZE), 0, [0.2], seed=4)


def test_a_level_begun_anew_is_the_same_again(world):
    assert drive(world, 0, [0.2]) == drive(world, 0, [0.2])


def test_total_time_is_what_was_asked_for(world):
    world.initialize(0, None)
    totals = [world.run(0.05) for _ in range(100)]
    assert totals == [pytest.approx((i + 1) * 0.05, abs=1e-12) for i in range(100)]
    world.initialize(0, None)
    assert world.run(0.01) == 0.01


def test_nothing_is_done_without_a_level(world):
    for call in (world.state, world.scene, world.shutdown, lambda: world.run(0.1),
                 lambda: world.hold(Keys())):  # fmt: skip
        with pytest.raises(RefusedError, match="no level is loaded"):
            call()
    with pytest.raises(RefusedError, match="no level 5"):
        world.initialize(5, None)
    world.initialize(0, None)
    world.hold(Keys(1.0, 0.0, 0.0))
    world.shutdown()
    world.initialize(0, None)
    assert world.keys == Keys()


# --- the scripted skater ------------------------------------------------------------------------


@pytest.mark.parametrize("step", [0.02, 0.05])
def test_the_skater_finishes_all_levels_in_one_episode(world, step):
    world.initialize(0, None)
    skater = Skater(CourseProgress(0, whole_map=True))
    for _ in range(round(400 / step)):
        world.hold(skater.keys(world.state()))
        world.run(step)
        if skater.course.target is None:
            break
    assert skater.course.reached == 31
    assert skater.keys(world.state()) == Keys()


@pytest.mark.parametrize("step", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_skater_finishes_each_level(world, level, step):
    world.initialize(level, None)
    skater = Skater(CourseProgress(level))
    for _ in range(round(150 / step)):
        world.hold(skater.keys(world.state()))
        world.run(step)
        if skater.course.target is None:
            break
    assert skater.course.target is None


def test_progress_knows_distance_and_bearing():
    course = CourseProgress(0)
    assert course.target == (30.0, 0.0)
    assert course.distance((0.0, 40.0)) == 50.0
    assert course.bearing((30.0, -10.0), 0.0) == pytest.approx(math.pi / 2)  # to the left
    assert course.bearing((30.0, -10.0), math.pi) == pytest.approx(-math.pi / 2)
    assert not course.update((24.9, 0.0))
    assert course.update((25.1, 0.0))
    assert course.reached == 1
    # Each level's checkpoints; the last of the course is steered towards, not reached.
    assert [len(CourseProgress(level).route) for level in range(3)] == [9, 14, 13]
    assert CourseProgress(0, whole_map=True).route[-1] == (47.5, -30.0)
