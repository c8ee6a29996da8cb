# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Look around for a ball with the three head joints: what to do next, without clocks or I/O.

The head sweeps from side to side in rows at several heights; as soon as the ball is seen it is
turned to the middle of the image. On success the head points at the ball's centre, otherwise it is
left anywhere (docs/originals/aibo.md, 2, searchBall). The pattern and its speed are our own; the
original's are unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import atan, radians

from aibo_gti_bridge.model.joints import BY_NAME, HEAD
from aibo_gti_bridge.model.kinematics import IMAGE_SCALE

ROWS = (
    (radians(-5.0), radians(-10.0)),  # the floor from 0.3 m on
    (radians(-50.0), radians(0.0)),  # the floor before the paws
    (radians(-5.0), radians(25.0)),  # above
)
"""Tilt and nod (rad) of the rows that are looked along, in order."""
SWEEP_RAD = radians(85.0)
SWEEP_SPEED_RAD_S = 1.4
"""rad/s; several images see a ball while it crosses the picture."""
TURN_SPEED_RAD_S = 2.0
"""rad/s, between rows and towards a ball."""
MIN_MOVE_S = 0.1
"""Seconds, the shortest time given to a move."""
CENTRED_WITHIN = 0.08
"""Generalised image units from the middle within which a ball counts as in the middle."""
LOST_AFTER_S = 0.6
"""Time after which a ball that is not seen is searched for again."""
ARRIVED_WITHIN_RAD = radians(2.0)


class Stage(Enum):
    """What the search is doing."""

    SCANNING = "scanning"
    CENTRING = "centring"
    FOUND = "found"
    NOT_FOUND = "not found"


@dataclass(frozen=True)
class HeadMove:
    """Turn head joints to ``targets`` (rad, by name) within ``duration`` (s)."""

    targets: Mapping[str, float]
    duration: float


def _clipped(name: str, angle: float) -> float:
    joint = BY_NAME[name]
    return min(max(angle, joint.lower), joint.upper)


class BallSearch:
    """One search. Feed it with :meth:`update` until ``stage`` is FOUND or NOT_FOUND."""

    def __init__(self) -> None:
        self.stage = Stage.SCANNING
        self._waypoints: list[tuple[tuple[float, float, float], float]] | None = None
        self._target: tuple[float, float, float] | None = None
        self._due = 0.0
        self._seen = 0.0

    @property
    def over(self) -> bool:
        """Whether the search has ended."""
        return self.stage in (Stage.FOUND, Stage.NOT_FOUND)

    def update(
        self, now: float, head: Mapping[str, float], ball: tuple[float, float] | None
    ) -> HeadMove | None:
        """Take what is measured at ``now`` (s) and return the next move, or None to wait.

        ``head`` are the positions of the head joints (rad, by name), ``ball`` is the ball's place
        in the image (generalised units) or None while it is not seen.
        """
        position = (head["neck_tilt"], head["neck_pan"], head["neck_nod"])
        if self.over:
            return None
        if ball is not None:
            self._seen = now
            return self._centre(now, position, *ball)
        if self.stage is Stage.CENTRING:
            if now - self._seen < LOST_AFTER_S:
                return None
            self.stage = Stage.SCANNING
            self._target = None
        return self._scan(now, position)

    def _scan(self, now: float, position: tuple[float, float, float]) -> HeadMove | None:
        if self._waypoints is None:
            self._waypoints = self._plan(position[1])
        if self._target is not None:
            arrived = all(
                abs(a - b) < ARRIVED_WITHIN_RAD
                for a, b in zip(position, self._target, strict=True)
            )
            if not arrived and now < self._due + 1.0:
                return None  # on its way, or late by less than a second
        if not self._waypoints:
            self.stage = Stage.NOT_FOUND
            return None
        target, speed = self._waypoints.pop(0)
        return self._move(now, position, target, speed)

    def _plan(self, pan: float) -> list[tuple[tuple[float, float, float], float]]:
        """Return where to look, one after the other, beginning with the nearer side."""
        side = 1.0 if pan >= 0 else -1.0
        waypoints = []
        for tilt, nod in ROWS:
            waypoints.append(((tilt, side * SWEEP_RAD, nod), TURN_SPEED_RAD_S))
            side = -side
            waypoints.append(((tilt, side * SWEEP_RAD, nod), SWEEP_SPEED_RAD_S))
        return waypoints

    def _centre(
        self, now: float, position: tuple[float, float, float], x: float, y: float
    ) -> HeadMove | None:
        tilt, pan, nod = position
        wanted_pan = pan - atan(x * IMAGE_SCALE)
        wanted_nod = nod - atan(y * IMAGE_SCALE)
        target_nod = _clipped("neck_nod", wanted_nod)
        # The tilt makes up for what is beyond the nod's range; the next image corrects it.
        target = (
            _clipped("neck_tilt", tilt + wanted_nod - target_nod),
            _clipped("neck_pan", wanted_pan),
            target_nod,
        )
        still = self.stage is Stage.CENTRING and now >= self._due
        reached = all(
            abs(a - b) < ARRIVED_WITHIN_RAD for a, b in zip(position, target, strict=True)
        )
        if still and (max(abs(x), abs(y)) < CENTRED_WITHIN or reached):
            self.stage = Stage.FOUND
            return None
        if self.stage is Stage.CENTRING and now < self._due:
            return None
        self.stage = Stage.CENTRING
        return self._move(now, position, target, TURN_SPEED_RAD_S)

    def _move(
        self,
        now: float,
        position: tuple[float, float, float],
        target: tuple[float, float, float],
        speed: float,
    ) -> HeadMove:
        way = max(abs(a - b) for a, b in zip(position, target, strict=True))
        duration = max(way / speed, MIN_MOVE_S)
        self._target = target
        self._due = now + duration + MIN_MOVE_S
        return HeadMove(dict(zip(HEAD, target, strict=True)), duration)
