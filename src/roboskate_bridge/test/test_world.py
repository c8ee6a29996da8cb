# SPDX-License-Identifier: Apache-2.0
"""The simulated game's physics: what is known of it, and that it is always the same."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from roboskate_bridge.controller import Skater
from roboskate_bridge.coordinates import yaw_pitch_roll
from roboskate_bridge.crane import Reach, angles, reach, tip
from roboskate_bridge.levels import LEVELS, Course
from roboskate_bridge.protocol import ImageSize, Keys
from roboskate_bridge.simulation.track import game_track
from roboskate_bridge.simulation.world import GameWorld, RefusedError

SIZE = ImageSize(64, 36)


@pytest.fixture
def world():
    return GameWorld(SIZE)


# --- crane --------------------------------------------------------------------------------------


def test_the_tip_is_where_it_is_known_to_be():
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
    world.run(0.4)
    board = world.state()
    # 3.67 degrees/s for each of the 40 that a key stands for.
    assert math.degrees(board.joint_velocities[joint]) == pytest.approx(146.8 * key, rel=0.02)
    assert all(board.joint_angles[i] == 0.0 for i in range(3) if i != joint)
    world.hold(Keys())
    world.run(1.0)
    assert world.state().joint_velocities[joint] == pytest.approx(0.0, abs=1e-3)


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
def test_levels_begin_at_their_start(world, level):
    world.initialize(level, None)
    board = world.state()
    assert board.position == (*LEVELS[level].start, 0.0)
    assert yaw_pitch_roll(board.rotation) == pytest.approx((LEVELS[level].heading, 0.0, 0.0))
    world.run(5.0)
    assert world.state().position == pytest.approx((*LEVELS[level].start, 0.0), abs=1e-6)


def test_weight_to_one_side_leans_the_board_to_it_and_it_turns_there(world):
    for side, sign in ((1.0, 1.0), (-1.0, -1.0)):
        world.initialize(0, None)
        skater = Skater(Course(0))
        for _ in range(300):  # get going
            world.hold(skater.keys(world.state()))
            world.run(0.02)
        world.hold(Keys(0.0, -0.4, 0.0))
        world.run(0.4)
        world.hold(Keys(side, 0.0, 0.0))
        world.run(0.5)
        world.hold(Keys())
        world.run(0.5)
        yaw, _, roll = yaw_pitch_roll(world.state().rotation)
        assert math.copysign(1.0, -roll) == sign  # left is up when leaning right
        assert abs(roll) > 0.02
        assert math.copysign(1.0, yaw) == sign
        assert abs(yaw) > 0.02


def test_off_the_track_it_falls(world):
    world.initialize(1, None)
    skater = Skater(Course(0))  # the wrong way: straight on, where the beam ends
    heights = []
    for _ in range(3000):
        keys = skater.keys(world.state())
        world.hold(Keys(0.0, keys.a_d, keys.w_e))
        world.run(0.02)
        heights.append(world.state().position[2])
        if heights[-1] < -7.0:
            break
    assert heights[-1] < -7.0
    first = next(i for i, z in enumerate(heights) if z < 0.0)
    fallen = heights[first + 49] - heights[first - 1]
    assert fallen == pytest.approx(-0.5 * 9.81 * 1.0**2, rel=0.05)  # within one second
    for _ in range(500):
        world.run(0.02)
    assert all(map(math.isfinite, world.state().position))


def test_the_track_has_the_known_widths():
    track = game_track()

    def width(x, y, dx, dy):
        """Return how far there is ground along a line through x, y, to both sides, in metres."""

        def free(sign):
            steps = (0.01 * sign * i for i in range(2000))
            return next(abs(d) for d in steps if not track.contains(x + dx * d, y + dy * d))

        return free(1) + free(-1)

    assert width(30.0, 0.0, 0.0, 1.0) == pytest.approx(14.0, abs=0.1)
    middle = math.radians(45)
    at = (72.5 + 35.2 * math.sin(middle), -35.2 * (1 - math.cos(middle)))
    assert width(*at, math.cos(middle), math.sin(middle)) == pytest.approx(12.0, abs=0.2)
    assert width(107.69, -60.0, 1.0, 0.0) == pytest.approx(2.5, abs=0.1)
    assert width(95.0, -75.2, 0.17, -0.985) == pytest.approx(3.3, abs=0.1)
    assert width(63.75, -40.0, 0.0, 1.0) == pytest.approx(7.0, abs=0.3)
    for level in LEVELS:
        for x, y in (level.start, *level.checkpoints, *level.route):
            assert track.contains(x, y)


def test_the_track_is_continuous():
    track = game_track()
    route = Course(0, whole_map=True).route
    for (ax, ay), (bx, by) in pairwise(route):
        for i in range(100):
            assert track.contains(ax + (bx - ax) * i / 100, ay + (by - ay) * i / 100)


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
    with pytest.raises(RefusedError, match="no level 3"):
        world.initialize(3, None)
    world.initialize(0, None)
    world.hold(Keys(1.0, 0.0, 0.0))
    world.shutdown()
    world.initialize(0, None)
    assert world.keys == Keys()


# --- the scripted skater ------------------------------------------------------------------------


@pytest.mark.parametrize("step", [0.02, 0.05, 0.1])
def test_the_skater_reaches_the_checkpoints_of_level_0(world, step):
    world.initialize(0, None)
    skater = Skater(Course(0))
    for _ in range(round(150 / step)):
        world.hold(skater.keys(world.state()))
        world.run(step)
        if skater.course.target is None:
            break
    assert skater.course.reached == 3
    assert skater.keys(world.state()) == Keys()


def test_the_skater_gets_over_the_whole_map(world):
    world.initialize(0, None)
    skater = Skater(Course(0, whole_map=True))
    for _ in range(round(250 / 0.02)):
        world.hold(skater.keys(world.state()))
        world.run(0.02)
        if skater.course.target is None:
            break
    assert skater.course.reached == 10


def test_a_course_knows_distance_and_bearing():
    course = Course(0)
    assert course.target == (30.0, 0.0)
    assert course.distance((0.0, 40.0)) == 50.0
    assert course.bearing((30.0, -10.0), 0.0) == pytest.approx(math.pi / 2)  # to the left
    assert course.bearing((30.0, -10.0), math.pi) == pytest.approx(-math.pi / 2)
    assert not course.update((20.0, 0.0))
    assert course.update((28.0, 0.0))
    assert course.reached == 1
    with pytest.raises(IndexError, match="no level 3"):
        Course(3)
