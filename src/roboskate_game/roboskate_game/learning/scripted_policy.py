# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A scripted skater: pushes the board along with the crane, as with a pole, leans and pivots.

The crane reaches to the ground close behind the board, pushes it away, is lifted and brought back.
While it is off the ground it is held a little to one side: its weight leans the board, and a
leaning board steers. For a sharper turn the tip is planted on one side with all of a key's force,
which takes the load off the tail's wheels, and swept behind the board: the board turns about its
front wheels. It was made for the simulated game; the real one may need other figures.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

from roboskate_game.model.coordinates import BoardInRos, yaw_pitch_roll
from roboskate_game.model.crane import LOWER_LENGTH, RATE_OF_KEY, SHOULDER_HEIGHT, UPPER_LENGTH
from roboskate_game.model.levels import CourseProgress
from roboskate_game.physics.ground import usual_ground
from roboskate_game.protocol.messages import Keys

_NEAR, _FAR = 0.95, 1.85
"""Metres behind the axis of joint 1 between which the tip pushes."""
_RETRACTED, _GENTLE = 1.3, 0.75
"""Beyond that distance the crane swings with this part of a key only, where the road is wide."""
_WIDE = 1.3
"""The same distance in a sharp curve."""
_PRESSING, _HOVERING, _LIFTED = 0.02, 0.15, 0.4
"""Heights of the tip in metres: a little in the ground, just above it, and clear of it."""
_STRAIGHT = math.radians(6.0)
"""Joint 1 must be as near to 0 as this before the tip goes down."""
_LEAD = 0.35
"""Metres that the tip's target runs ahead of the tip."""
_GAIN = 6.0
"""1/s from an angle that is off to a joint's rate."""
_LARGEST_TURN = math.radians(90.0)
_SHARP = math.radians(45.0)
"""With joint 1 wanted further out than this, the crane leans and does not push."""
_SLOW = 0.8
"""m/s below which it pushes all the same."""
_BEND, _BEND_AHEAD, _BEND_SPEED = math.radians(30.0), 6.0, 0.6
"""Bearing of the route ahead (m), and the speed (m/s) up to which it pushes beyond it."""
_LOOK_AHEAD = 3.0
"""Metres ahead on the route at which the board is aimed."""
_PIVOT_FROM, _PIVOT_TO = math.radians(20.0), math.radians(4.0)
"""Errors of the heading from which on, and down to which, the board is turned about the tip."""
_WIDE_ROAD, _PIVOT_WIDE = 4.0, math.radians(40.0)
"""Radius in metres of checkpoints on a road that is wide enough to lean up to that error."""
_PLANTED, _PAST = tuple(map(math.radians, (50.0, 35.0, 20.0))), math.radians(13.0)
"""Joint 1 where the tip is planted, the best first, and how far to the other side it is swept.

Until it is straight behind the board the tip pushes forward, beyond that it pulls back.
"""


@dataclass(frozen=True)
class Reach:
    """Where the tip is, in m: ``radius`` from joint 1's axis, ``height`` above the wheels."""

    radius: float
    height: float


def reach(shoulder: float, elbow: float) -> Reach:
    """Return where the tip is for the angles of joints 2 and 3 (rad)."""
    tilt = shoulder + elbow
    return Reach(
        UPPER_LENGTH * math.sin(shoulder) + LOWER_LENGTH * math.sin(tilt),
        SHOULDER_HEIGHT + UPPER_LENGTH * math.cos(shoulder) + LOWER_LENGTH * math.cos(tilt),
    )


def angles(wanted: Reach) -> tuple[float, float]:
    """Return angles (rad) of joints 2 and 3, elbow up, that bring the tip there or nearly so."""
    up = wanted.height - SHOULDER_HEIGHT
    square = wanted.radius**2 + up**2
    cosine = (square - UPPER_LENGTH**2 - LOWER_LENGTH**2) / (2.0 * UPPER_LENGTH * LOWER_LENGTH)
    elbow = math.acos(max(-1.0, min(1.0, cosine)))
    shoulder = math.atan2(wanted.radius, up) - math.atan2(
        LOWER_LENGTH * math.sin(elbow), UPPER_LENGTH + LOWER_LENGTH * math.cos(elbow)
    )
    return shoulder, elbow


def tip(turn: float, radius: float) -> tuple[float, float]:
    """Return x and y of the tip (m) in base_link: ``turn`` of joint 1 (rad), ``radius`` in m."""
    return (-radius * math.cos(turn), radius * math.sin(turn))


class _Phase(enum.Enum):
    LOWER = enum.auto()
    PUSH = enum.auto()
    LIFT = enum.auto()
    RETURN = enum.auto()
    SWING = enum.auto()
    PLANT = enum.auto()
    PIVOT = enum.auto()


class Skater:
    """Gives the keys to hold down next; call it once for every state, in order.

    ``course`` is followed and updated.
    """

    def __init__(self, course: CourseProgress) -> None:
        self.course = course
        self._phase = _Phase.RETURN
        self._segment = 0
        self._turn = 0.0
        self._error = 0.0
        self._bend = 0.0
        self._side = 0.0

    def keys(self, board: BoardInRos) -> Keys:
        """Return what to hold down until the next state. After the last checkpoint: nothing."""
        self.course.update((board.position[0], board.position[1]))
        if self.course.target is None:
            return Keys()
        turn, shoulder, elbow = board.joint_angles
        at = reach(shoulder, elbow)
        self._turn = self._lean(board)
        self._phase = self._next(self._phase, board, at)
        if self._phase in (_Phase.SWING, _Phase.PLANT, _Phase.PIVOT):
            return self._pivoting(turn, shoulder, elbow)
        wanted = angles(self._target(at))
        # On the ground the crane stays straight behind: a push from the side would turn the board.
        pushing = self._phase in (_Phase.PUSH, _Phase.LOWER)
        wanted_turn = 0.0 if pushing else self._turn
        # An outstretched crane that swings fast tips the board over.
        wide = self.course.radius > _WIDE_ROAD
        limit = _GENTLE if wide and at.radius > _RETRACTED else 1.0
        swing = max(-limit, min(limit, _key(wanted_turn - turn)))
        return Keys(swing, _key(wanted[0] - shoulder), _key(wanted[1] - elbow))

    def _next(self, phase: _Phase, board: BoardInRos, at: Reach) -> _Phase:
        turn = board.joint_angles[0]
        straight = abs(turn) < _STRAIGHT
        if phase is _Phase.SWING and abs(self._side - turn) < _STRAIGHT:
            return _Phase.PLANT
        if phase is _Phase.PLANT and at.height < _PRESSING + 0.03:
            return _Phase.PIVOT
        if phase is _Phase.PIVOT:
            swept = -math.copysign(turn, turn * self._side)
            aimed = math.copysign(self._error, -self._error * self._side)
            if swept > _PAST or aimed < _PIVOT_TO or at.height < -_HOVERING:
                return _Phase.LIFT
        if phase is _Phase.LOWER and at.height < _HOVERING + 0.08 and straight:
            return _Phase.PUSH
        if phase is _Phase.PUSH:
            # A tip that is slower than the ground passes by would brake.
            late = at.radius > _NEAR + 0.4
            slow = _outward(board) < board.linear_velocity[0]
            if at.radius > _FAR or (late and slow):
                return _Phase.LIFT
        if phase is _Phase.LIFT and at.height > 0.8 * _LIFTED:
            return _Phase.RETURN
        near = at.radius < _RETRACTED
        wide = self.course.radius > _WIDE_ROAD
        pivot_from = _PIVOT_WIDE if wide else _PIVOT_FROM
        if phase is _Phase.RETURN and abs(self._error) > pivot_from and near:
            sides = [-math.copysign(side, self._error) for side in _PLANTED]
            self._side = next((side for side in sides if _has_ground(board, side)), 0.0)
            if self._side:
                return _Phase.SWING
        # In a curve, and if it is not about to stop, steering comes first.
        speed = board.linear_velocity[0]
        free = abs(self._turn) < _SHARP or speed < _SLOW
        free = free and (abs(self._bend) < _BEND or speed < _BEND_SPEED)
        if phase is _Phase.RETURN and at.radius < _NEAR + 0.25 and free:
            return _Phase.LOWER
        return phase

    def _pivoting(self, turn: float, shoulder: float, elbow: float) -> Keys:
        """Return the keys that plant the tip on one side and sweep it to the other."""
        if self._phase is _Phase.SWING:
            wanted = angles(Reach(_NEAR, _LIFTED))
            return Keys(
                _key(self._side - turn), _key(wanted[0] - shoulder), _key(wanted[1] - elbow)
            )
        # The whole force of joint 2: the tail's wheels have to slip.
        wanted = angles(Reach(_NEAR, 0.0))
        # Beyond where it ends, so that it does not slow down before.
        sweep = -self._side if self._phase is _Phase.PIVOT else self._side
        return Keys(_key(sweep - turn), 1.0, _key(wanted[1] - elbow))

    def _target(self, at: Reach) -> Reach:
        if self._phase is _Phase.LOWER:
            return Reach(_NEAR, _HOVERING)
        if self._phase is _Phase.PUSH:
            return Reach(at.radius + _LEAD, _PRESSING)
        if self._phase is _Phase.LIFT:
            return Reach(at.radius + 0.1, _LIFTED + 0.1)
        # Held further out, the crane's weight leans the board more.
        near = _WIDE if abs(self._turn) > _SHARP else _NEAR
        return Reach(max(at.radius - _LEAD, near), _LIFTED)

    def _lean(self, board: BoardInRos) -> float:
        """Return the angle of joint 1 that steers towards the line to the next checkpoint."""
        yaw = yaw_pitch_roll(board.rotation)[0]
        x, y, _ = board.position
        self._error, self._bend = (
            math.remainder(math.atan2(aim[1] - y, aim[0] - x) - yaw, 2.0 * math.pi)
            for aim in (self._aim(x, y, _LOOK_AHEAD), self._aim(x, y, _BEND_AHEAD))
        )
        wanted = 2.2 * self._error - 0.8 * board.angular_velocity[2]
        return max(-_LARGEST_TURN, min(_LARGEST_TURN, wanted))

    def _aim(self, x: float, y: float, metres: float) -> tuple[float, float]:
        """Return the point on the route at a distance (m) ahead of x, y."""
        route = self.course.route
        ahead = self._along(x, y)
        while self._segment < len(route) - 2 and ahead > self._length(self._segment):
            self._segment += 1
            ahead = self._along(x, y)
        ahead = max(0.0, ahead) + metres
        segment = self._segment
        while segment < len(route) - 2 and ahead > self._length(segment):
            ahead -= self._length(segment)
            segment += 1
        (ax, ay), (bx, by) = route[segment : segment + 2]
        part = ahead / self._length(segment)
        return (ax + (bx - ax) * part, ay + (by - ay) * part)

    def _length(self, segment: int) -> float:
        """Return the length in metres of a piece of the route, never quite 0."""
        return max(1e-6, math.dist(*self.course.route[segment : segment + 2]))

    def _along(self, x: float, y: float) -> float:
        """Return how far along the present piece of the route x, y is, in metres."""
        (ax, ay), (bx, by) = self.course.route[self._segment : self._segment + 2]
        return ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / self._length(self._segment)


def _has_ground(board: BoardInRos, turn: float) -> bool:
    """Return whether the tip, planted near the board at that joint angle, is on the course."""
    along, left = tip(turn, _NEAR)
    (fx, lx, _), (fy, ly, _), _ = board.rotation
    x, y, _ = board.position
    return usual_ground().contains(x + fx * along + lx * left, y + fy * along + ly * left)


def _outward(board: BoardInRos) -> float:
    """Return the speed in m/s at which the tip moves away from the axis of joint 1."""
    _, shoulder, elbow = board.joint_angles
    _, shoulder_rate, elbow_rate = board.joint_velocities
    later = reach(shoulder + 0.01 * shoulder_rate, elbow + 0.01 * elbow_rate)
    return (later.radius - reach(shoulder, elbow).radius) / 0.01


def _key(error: float) -> float:
    return max(-1.0, min(1.0, _GAIN * error / RATE_OF_KEY))
