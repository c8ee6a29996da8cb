# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated physics: conservation, dissipation, stability, and equal bits everywhere."""

from __future__ import annotations

import importlib.util
import math
import random

import numpy as np
import pytest

from roboskate_game.model.rules import Rules, Scorer
from roboskate_game.physics.arithmetic import sine_and_cosine
from roboskate_game.physics.batch import SHARED, Fleet, varied
from roboskate_game.physics.dynamics import EQUATIONS, SkatingBoard, energy, origin
from roboskate_game.physics.ground import Ground, ScalarLookup
from roboskate_game.physics.mechanics import Physics, State

NO_FORCE = (0.0, 0.0, 0.0)
ENGINES = ["python"] + ["numba"] * (importlib.util.find_spec("numba") is not None)


@pytest.fixture(scope="module")
def look():
    return ScalarLookup(Ground())


def flying(look, **changes):
    """Return a board far above the ground, without weight unless ``gravity`` is given."""
    physics = Physics(gravity=changes.pop("gravity", 0.0))
    board = SkatingBoard(look, 0.0, 0.0, 0.0, physics)
    board.mechanics = board.mechanics._replace(pz=500.0, **changes)
    return board


def step(board, forces, count):
    for _ in range(count):
        board.step_forces(forces)
    return board.mechanics


def yaw(state):
    return math.atan2(state.fy, state.fx)


def test_an_arm_swung_in_the_air_turns_the_board_by_what_conservation_says(look):
    # The crane held out behind, and the board's mass as high as that: all moves in one plane.
    physics = Physics(gravity=0.0, board_height=0.3)
    board = SkatingBoard(look, 0.0, 0.0, 0.0, physics)
    s = board.mechanics._replace(pz=500.0, j2=math.pi / 2)
    board.mechanics = EQUATIONS.orient(s[:22], s[22:31], 0.0, 0.0, physics.values())
    step(board, (40.0, 0.0, 0.0), 40)
    state = step(board, NO_FORCE, 200)
    # By hand: elbow 1.2 kg at 1.1 m and tip 0.7 kg at 2.0 m, of 19.9 kg in all. About the common
    # centre of mass, 2.72 / 19.9 m off the axis, they have 4.252 - 19.9 x 0.13668^2 = 3.8802
    # kg m2, the board 2.0 more. Nothing turns as a whole, so the board turns by 3.8802 / 5.8802,
    # 0.65988, of joint 1's angle; joint 1 counts about an axis that points down.
    assert state.j1 > 1.0
    assert yaw(state) == pytest.approx(0.65988 * state.j1, rel=1e-4)
    assert (state.ox, state.oy, state.oz) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert (state.px, state.py, state.pz) == (s.px, s.py, s.pz)


def test_momentum_is_kept_in_the_air_to_the_bit(look):
    board = flying(look, vx=1.0, vy=-2.0, vz=0.5, mx=0.3, my=-0.4, mz=1.0)
    rng = random.Random(4)
    for _ in range(500):
        board.step_forces(tuple(rng.uniform(-250, 250) for _ in range(3)))
    s = board.mechanics
    assert (s.vx, s.vy, s.vz, s.mx, s.my, s.mz) == (1.0, -2.0, 0.5, 0.3, -0.4, 1.0)
    axes = np.array([[s.fx, s.fy, s.fz], [s.lx, s.ly, s.lz], [s.ux, s.uy, s.uz]])
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
    # The board itself moves about the common centre of mass.
    assert origin(s)[1] != pytest.approx((1.0, -2.0, 0.5), abs=1e-3)


def test_a_tumbling_board_keeps_its_energy(look):
    board = flying(look, mx=2.0, my=3.0, mz=1.0)
    physics = Physics(gravity=0.0)
    first = energy(step(board, NO_FORCE, 1), physics)
    for _ in range(50):
        assert energy(step(board, NO_FORCE, 10), physics) == pytest.approx(first, rel=0.02)


@pytest.mark.parametrize("seed", range(8))
def test_energy_never_grows_unforced(look, seed):
    rng = random.Random(seed)
    board = SkatingBoard(look, 0.0, 0.0, 0.0)
    # Bring the crane to somewhere, still in the air, and drop all of it.
    m = board.mechanics
    board.mechanics = m._replace(pz=m.pz + 100.0)
    step(board, tuple(rng.uniform(-60, 60) for _ in range(3)), 40)
    step(board, NO_FORCE, 120)  # the joints come to rest
    m = board.mechanics
    x, y, z = origin(m)[0]
    board.mechanics = m._replace(
        pz=m.pz - z + rng.uniform(0.3, 0.6), px=m.px - x, py=m.py - y,
        vx=rng.uniform(-3, 3), vy=rng.uniform(-1, 1), vz=0.0,
        mx=rng.uniform(-4, 4), my=rng.uniform(-4, 4), mz=rng.uniform(-2, 2),
    )  # fmt: skip
    board.step_forces(NO_FORCE)
    physics = Physics()
    # What springs hold for a moment comes back: never more than at the beginning.
    first = energy(board.mechanics, physics)
    least = first
    for _ in range(40):
        step(board, NO_FORCE, 25)
        now = energy(board.mechanics, physics)
        assert now <= first * (1.0 + 1e-3)
        least = min(least, now)
    assert least < 0.9 * first
    assert all(map(math.isfinite, board.mechanics))


def test_the_tip_holds_and_slips_as_friction_says(look):
    # The crane pushes backwards on the ground: the board goes forward, and the tip stays.
    def pushed(friction):
        board = SkatingBoard(look, 0.0, 0.0, 0.0, Physics(tip_friction=friction))
        m = board.mechanics
        while board.mechanics.tz > 0.12:
            s = board.mechanics
            board.step_forces(
                (0.0, 100 * (math.radians(55) - s.j2), 100 * (math.radians(110) - s.j3))
            )
        tips = []
        for _ in range(25):
            board.step_forces((0.0, 35.0, -35.0))
            s = board.mechanics
            x = origin(s)[0][0] + s.fx * s.tx + s.lx * s.ty + s.ux * s.tz
            tips.append(x)
        return origin(board.mechanics)[0][0] - m.px, tips[-1] - tips[5]

    held, slipped = pushed(1.2), pushed(0.1)
    # With grip the board goes further, and the tip slides less.
    assert held[0] > 1.3 * slipped[0]
    assert abs(slipped[1]) > 1.8 * abs(held[1])


def test_a_push_from_the_side_tips_the_board_over(look):
    board = SkatingBoard(look, 0.0, 0.0, 0.0)
    step(board, NO_FORCE, 10)
    board.mechanics = board.mechanics._replace(mx=60.0)
    state = step(board, NO_FORCE, 100)
    assert state.uz < 0.3
    # It comes to rest on its side.
    state = step(board, NO_FORCE, 1000)
    assert math.hypot(state.vx, state.vy, state.vz) < 0.3
    assert state.pz > -0.3


def test_wild_forces_break_nothing(look):
    for force in (250.0, 1e4, 1e300):
        board = SkatingBoard(look, 0.0, 0.0, 0.0)
        rng = random.Random(2)
        for _ in range(300):
            forces = tuple(rng.choice((-force, force)) for _ in range(3))
            step(board, forces, 5)
            assert all(map(math.isfinite, board.mechanics))
            assert max(map(abs, (board.mechanics.w1, board.mechanics.w2))) <= math.radians(170.1)
        assert math.hypot(*board.mechanics[7:10]) < 60.0


def test_larger_forces_lift_the_board(look):
    """The tip on the ground: 40 cannot lift the board's tail, 250 can, 10,000 does at once."""

    def highest(force):
        board = SkatingBoard(look, 0.0, 0.0, 0.0)
        for _ in range(100):
            s = board.mechanics
            board.step_forces(
                (0.0, 100 * (math.radians(52) - s.j2), 100 * (math.radians(108) - s.j3))
            )
        nods = [step(board, (0.0, force, 0.0), 1).fz for _ in range(25)]
        return -min(nods)

    assert highest(20.0) < 0.05
    assert highest(250.0) > 0.2
    assert highest(1e4) > 0.2


# --- the same bits ------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_worlds_in_a_fleet_move_as_each_would_alone(look, engine):
    rng = np.random.default_rng(7)
    fleet = Fleet(12, engine=engine)
    different = varied(rng, {"board_mass": (0.5, 2.0), "tip_friction": (0.5, 1.5)})
    for i in range(12):
        fleet.place(i, i % 5, different if i == 5 else None)
    boards = []
    for i in range(12):
        boards.append(SkatingBoard(look, 0.0, 0.0, 0.0, different if i == 5 else None))
        boards[i].mechanics = State(*fleet.rows[i].tolist())
    for _ in range(60):
        forces = rng.uniform(-250, 250, (12, 3))
        fleet.run(forces, 10)
        for board, force in zip(boards, forces.tolist(), strict=True):
            step(board, tuple(force), 10)
    alone = np.array([board.mechanics for board in boards])
    assert (alone == fleet.rows).all()
    fallen = fleet.report()[:, 1] < -1.0
    assert 0 < fallen.sum() < 12


def pushed(engine, sub_steps, seconds=4.0):
    """Return where a board is that the crane pushes, without feedback: a row of State."""
    fleet = Fleet(1, engine=engine, sub_steps=sub_steps)
    fleet.run(np.array([[0.0, 80.0, 160.0]]), 40)  # lowered
    for step in range(round(seconds / 0.2)):
        shoulder, elbow = math.sin(0.4 * step), math.cos(0.4 * step)
        fleet.run(np.array([[0.0, 40.0 * shoulder, 60.0 * elbow]]), 10)
    return fleet.rows[0]


def test_sub_steps_are_alike_in_every_engine_and_come_nearer_to_one_motion(look):
    expected = pushed("python", 4)
    assert all(np.array_equal(pushed(engine, 4), expected) for engine in ENGINES[1:])
    board = SkatingBoard(look, 0.0, 0.0, 0.0, sub_steps=4)
    fleet = Fleet(1, sub_steps=4)
    board.mechanics = State(*fleet.rows[0].tolist())
    fleet.run(np.array([[40.0, 40.0, 40.0]]), 30)
    assert np.array_equal(step(board, (40.0, 40.0, 40.0), 30), fleet.rows[0])
    x = {n: float(pushed(ENGINES[-1], n)[0]) for n in (1, 16, 32)}
    assert abs(x[16] - x[32]) < 0.02 < abs(x[1] - x[32])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fleet_none_of_whose_worlds_run_stays_as_it_is(engine):
    fleet = Fleet(3, engine=engine)
    before = fleet.rows.copy()
    fleet.run(np.empty((0, 3)), 10, np.array([], dtype=np.intp))
    assert (fleet.rows == before).all()


def test_some_worlds_of_a_fleet_can_run_alone():
    fleet = Fleet(3, engine="python")
    before = fleet.rows.copy()
    fleet.run(np.full((1, 3), 40.0), 5, np.array([1]))
    assert (fleet.rows[[0, 2]] == before[[0, 2]]).all()
    assert (fleet.rows[1] != before[1]).any()


@pytest.mark.parametrize("count", [3, SHARED + 5])
def test_whole_steps_are_alike_in_every_engine(count):
    pytest.importorskip("numba")
    rng, found = np.random.default_rng(1), {}
    forces = rng.uniform(-250, 250, (6, count, 3))
    for engine in ENGINES:
        fleet, scorer = Fleet(count, engine=engine), Scorer(count, Rules.MODERN)
        everywhere = np.arange(count)
        fleet.begin(everywhere, np.zeros(count, np.intp), scorer)
        for step, force in enumerate(forces):
            some = everywhere[step % 2 :: 2]
            fleet.play(force[some], 5, some, scorer)
        found[engine] = fleet.rows, scorer.numbers, fleet.report()
    for numbers in zip(*found.values(), strict=True):
        assert all(np.array_equal(numbers[0], each) for each in numbers)


def test_sine_and_cosine():
    angles = np.linspace(-4.0, 4.0, 2001)
    sines, cosines = np.array([sine_and_cosine(angle) for angle in angles.tolist()]).T
    assert np.abs(sines - np.sin(angles)).max() < 2e-9
    assert np.abs(cosines - np.cos(angles)).max() < 2e-9


def test_what_cannot_vary_is_said():
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="no parameter 'colour'"):
        varied(rng, {"colour": (0.5, 1.5)})
    with pytest.raises(ValueError, match="board_mass"):
        varied(rng, {"board_mass": (2.0, 1.0)})
    with pytest.raises(ValueError, match="engine"):
        Fleet(1, engine="steam")
