# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The scan for a ball, on a head that does what it is told."""

from __future__ import annotations

from math import radians, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aibo_gti_bridge.model.ball_search import BallSearch, HeadMove, Stage
from aibo_gti_bridge.model.joints import BY_NAME, HEAD
from aibo_gti_bridge.model.kinematics import HORIZONTAL_FOV, IMAGE_TOP

START = {"neck_tilt": radians(-5), "neck_pan": 0.0, "neck_nod": 0.0}
SCALE = tan(HORIZONTAL_FOV / 2)


class Head:
    """Turns as it is told, and sees a ball in a direction (rad left, rad up)."""

    def __init__(self, ball: tuple[float, float] | None) -> None:
        self.position = dict(START)
        self.ball = ball
        self._begun, self._move, self._from = 0.0, HeadMove({}, 1.0), dict(START)

    def tell(self, now: float, move: HeadMove) -> None:
        for name, target in move.targets.items():
            joint = BY_NAME[name]
            assert joint.lower <= target <= joint.upper
            speed = abs(target - self.position[name]) / move.duration
            assert speed <= joint.max_speed
        self._begun, self._move, self._from = now, move, dict(self.position)

    def at(self, now: float) -> None:
        part = min(1.0, (now - self._begun) / self._move.duration)
        for name, target in self._move.targets.items():
            self.position[name] = self._from[name] + part * (target - self._from[name])

    def sees(self) -> tuple[float, float] | None:
        if self.ball is None:
            return None
        left = self.ball[0] - self.position["neck_pan"]
        up = self.ball[1] - self.position["neck_tilt"] - self.position["neck_nod"]
        if max(abs(left), abs(up)) > 1.2:
            return None
        x, y = -tan(left) / SCALE, -tan(up) / SCALE
        return (x, y) if abs(x) <= 1.0 and abs(y) <= IMAGE_TOP else None


def search(head: Head, period: float = 0.066) -> tuple[BallSearch, float]:
    looking, now = BallSearch(), 0.0
    while not looking.over:
        head.at(now)
        move = looking.update(now, head.position, head.sees())
        if move is not None:
            head.tell(now, move)
        now += period
        assert now < 20.0
    return looking, now


@pytest.mark.parametrize("left", [-1.4, -0.9, -0.3, 0.0, 0.2, 1.0, 1.5])
@pytest.mark.parametrize("up", [-0.8, -0.3, 0.0, 0.4])
def test_a_ball_is_found_and_looked_at(left: float, up: float) -> None:
    head = Head((left, up))
    looking, seconds = search(head)
    assert looking.stage is Stage.FOUND
    seen = head.sees()
    assert seen is not None
    assert abs(seen[0]) < 0.1
    assert abs(seen[1]) < 0.1
    assert seconds < 9.0


def test_no_ball_is_not_found_in_the_time_a_search_may_take() -> None:
    looking, seconds = search(Head(None))
    assert looking.stage is Stage.NOT_FOUND
    assert 5.0 < seconds < 15.0
    assert looking.update(99.0, START, (0.0, 0.0)) is None


def test_a_ball_beyond_the_heads_reach_is_found_at_its_limit() -> None:
    reach = BY_NAME["neck_pan"].upper
    head = Head((reach + 0.2, 0.0))
    looking, _ = search(head)
    assert looking.stage is Stage.FOUND
    assert head.position["neck_pan"] == pytest.approx(reach)
    assert head.sees() == pytest.approx((-tan(0.2) / SCALE, 0.0), abs=0.1)


def test_a_ball_that_disappears_is_searched_for_again() -> None:
    head = Head((0.3, 0.0))
    looking = BallSearch()
    assert looking.update(0.0, head.position, head.sees()) is not None
    assert looking.stage is Stage.CENTRING
    assert looking.update(0.3, head.position, None) is None
    assert looking.update(0.7, head.position, None) is not None
    assert looking.stage is Stage.SCANNING


def test_a_head_that_is_stuck_does_not_keep_the_search_from_its_end() -> None:
    looking, now = BallSearch(), 0.0
    while not looking.over:
        looking.update(now, START, None)
        now += 0.1
        assert now < 60.0
    assert looking.stage is Stage.NOT_FOUND


@given(
    st.lists(
        st.tuples(
            st.floats(0.0, 2.0),
            st.none() | st.tuples(st.floats(-1, 1), st.floats(-IMAGE_TOP, IMAGE_TOP)),
        ),
        max_size=40,
    )
)
def test_whatever_is_seen_the_head_stays_within_its_limits(
    seen: list[tuple[float, tuple[float, float] | None]],
) -> None:
    looking, now, head = BallSearch(), 0.0, dict(START)
    for wait, ball in seen:
        now += wait
        move = looking.update(now, head, ball)
        if move is not None:
            assert set(move.targets) == set(HEAD)
            for name, target in move.targets.items():
                assert BY_NAME[name].lower <= target <= BY_NAME[name].upper
            head = dict(move.targets)
