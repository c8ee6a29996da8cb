# SPDX-License-Identifier: Apache-2.0
"""A scripted skater: pushes the board along with the crane, as with a pole, and steers by leaning.

The crane reaches to the ground close behind the board, pushes it away, is lifted and brought back.
While it is off the ground it is held a little to one side: its weight leans the board, and a
leaning board steers. It was made for the simulated game; the real one may need other figures.
"""

from __future__ import annotations

import enum
import math

from roboskate_bridge.coordinates import BoardInRos, yaw_pitch_roll
from roboskate_bridge.crane import RATE_OF_KEY, Reach, angles, reach
from roboskate_bridge.levels import CourseProgress
from roboskate_bridge.protocol import Keys

_NEAR, _FAR = 0.95, 1.85
"""Metres behind the axis of joint 1 between which the tip pushes."""
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
_LOOK_AHEAD = 3.0
"""Metres ahead on the route at which the board is aimed."""


class _Phase(enum.Enum):
    LOWER = enum.auto()
    PUSH = enum.auto()
    LIFT = enum.auto()
    RETURN = enum.auto()


class Skater:
    """Gives the keys to hold down next; call it once for every state, in order.

    ``course`` is followed and updated.
    """

    def __init__(self, course: CourseProgress) -> None:
        self.course = course
        self._phase = _Phase.RETURN
        self._segment = 0
        self._turn = 0.0

    def keys(self, board: BoardInRos) -> Keys:
        """Return what to hold down until the next state. After the last checkpoint: nothing."""
        self.course.update((board.position[0], board.position[1]))
        if self.course.target is None:
            return Keys()
        turn, shoulder, elbow = board.joint_angles
        at = reach(shoulder, elbow)
        self._turn = self._lean(board)
        self._phase = self._next(self._phase, board, at)
        wanted = angles(self._target(at))
        # On the ground the crane stays straight behind: a push from the side would turn the board.
        pushing = self._phase in (_Phase.PUSH, _Phase.LOWER)
        wanted_turn = 0.0 if pushing else self._turn
        return Keys(_key(wanted_turn - turn), _key(wanted[0] - shoulder), _key(wanted[1] - elbow))

    def _next(self, phase: _Phase, board: BoardInRos, at: Reach) -> _Phase:
        straight = abs(board.joint_angles[0]) < _STRAIGHT
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
        # In a sharp curve, and if it is not about to stop, steering comes first.
        free = abs(self._turn) < _SHARP or board.linear_velocity[0] < _SLOW
        if phase is _Phase.RETURN and at.radius < _NEAR + 0.25 and free:
            return _Phase.LOWER
        return phase

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
        aim = self._aim(x, y)
        error = math.remainder(math.atan2(aim[1] - y, aim[0] - x) - yaw, 2.0 * math.pi)
        wanted = 2.2 * error - 0.8 * board.angular_velocity[2]
        return max(-_LARGEST_TURN, min(_LARGEST_TURN, wanted))

    def _aim(self, x: float, y: float) -> tuple[float, float]:
        """Return the point on the route that lies a little ahead of x, y."""
        route = self.course.route
        ahead = self._along(x, y)
        while self._segment < len(route) - 2 and ahead > self._length(self._segment):
            self._segment += 1
            ahead = self._along(x, y)
        ahead = max(0.0, ahead) + _LOOK_AHEAD
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


def _outward(board: BoardInRos) -> float:
    """Return the speed in m/s at which the tip moves away from the axis of joint 1."""
    _, shoulder, elbow = board.joint_angles
    _, shoulder_rate, elbow_rate = board.joint_velocities
    later = reach(shoulder + 0.01 * shoulder_rate, elbow + 0.01 * elbow_rate)
    return (later.radius - reach(shoulder, elbow).radius) / 0.01


def _key(error: float) -> float:
    return max(-1.0, min(1.0, _GAIN * error / RATE_OF_KEY))
