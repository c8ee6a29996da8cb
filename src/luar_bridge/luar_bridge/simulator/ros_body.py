# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated robot in ROS's hands: it obeys rcmBody as lua/BodyFSM.lua does. No ROS."""

from __future__ import annotations

import math
from pathlib import Path

from luar_bridge.model.pose import Pose
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.game_control import GameState
from luar_bridge.protocol.ros_body import (
    DONE,
    FAILED,
    VELOCITY_TIMEOUT_S,
    WALK_PARAMETERS,
    Motion,
    Order,
)
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.simulator.world import KICK_HITS_S, KICK_S, KICK_SPEED, TURN_SPEED, SoccerScene

MAX_SPEED = (0.16, 0.1, TURN_SPEED)
"""m/s, m/s, rad/s: about what the original's walk.velLimit allow with its step time."""
REACH_M = 0.3
"""How near the ball has to be to be hit."""
_STANDS = (GameState.INITIAL, GameState.SET, GameState.FINISHED)
_LASTS_S = {Motion.KICK: KICK_S, Motion.FALLING: 1.0, Motion.STANDUP: 4.6, Motion.STANCE: 0.5}
_THEN = {
    Motion.KICK: Motion.WALK,
    Motion.FALLING: Motion.STANDUP,
    Motion.STANDUP: Motion.STANCE,
    Motion.STANCE: Motion.WALK,
}
_WALK = (0.44, 0.30, 0.02, 0.0475, 0.016, 0.025)
"""The robot's own, in WALK_PARAMETERS' order: those of the original under Webots."""
_DIRECTIONS = {Order.KICK_SIDE_LEFT: math.pi / 2, Order.KICK_SIDE_RIGHT: -math.pi / 2}


class RosDrivenBody:
    """Walks, kicks and gets up as the segment at ``path`` says. Times are those of the scene."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._counts: tuple[int, int] | None = None
        """velocity_count and order_count, as they were last."""
        self._velocity_at = -math.inf
        self._order: int | None = None
        self._until = self._hits_at = math.inf
        self.motion = Motion.WALK
        self.written = dict.fromkeys(("count", "motion", "done_count", "result"), 0.0)
        """What the robot writes of it."""
        self.walk: dict[str, float] = {}
        """What it tells in mcmWalk; its gait is as it was."""

    def stand(self) -> None:
        """Stand, as at the beginning of a scene."""
        self.motion, self._until, self._velocity_at = Motion.WALK, math.inf, -math.inf

    def fall(self, now: float) -> None:
        """Fall; the robot gets up by itself, as the original's Motion does."""
        self._enter(Motion.FALLING, now)

    def speed(self, scene: SoccerScene) -> Pose:
        """Return the speed of the walk (m/s, m/s, rad/s) after another look at the segment."""
        now = scene.time
        velocity = self._look(now)
        if now >= self._hits_at:
            self._hits_at = math.inf
            self._hit(scene)
        if now >= self._until:
            self._enter(_THEN[self.motion], now)
        if self._order is not None and self.motion is Motion.WALK:
            self._finish(DONE)
        self.written |= {"count": self.written["count"] + 1.0, "motion": float(self.motion)}
        obeys = not scene.penalised and scene.state not in _STANDS and self.motion is Motion.WALK
        if not obeys or now - self._velocity_at > VELOCITY_TIMEOUT_S:
            return (0.0, 0.0, 0.0)
        forward, left, turn = (
            min(max(wanted, -most), most) for wanted, most in zip(velocity, MAX_SPEED, strict=True)
        )
        return forward, left, turn

    def _look(self, now: float) -> Pose:
        """Take new velocities and orders; return the velocity."""
        try:
            with Segment(self._path) as segment:
                reported = segment.snapshot
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
            return (0.0, 0.0, 0.0)
        velocity = reported.numbers("velocity", 3) or (0.0, 0.0, 0.0)
        given = reported.numbers("parameters", len(_WALK)) or (0.0,) * len(_WALK)
        for value, own, (name, least, most) in zip(
            given, _WALK, WALK_PARAMETERS.values(), strict=True
        ):
            self.walk[name] = min(max(value, least), most) if value else own
        names = ("velocity_count", "order_count", "order")
        velocities, orders, order = (int(reported.number(name) or 0) for name in names)
        if self._counts is None:  # what was said before the robot began
            self._finish_as(orders, FAILED)
        else:
            if self._counts[0] != velocities:
                self._velocity_at = now
            if self._counts[1] != orders:
                self._counts = velocities, orders
                self._begin(order, now)
        self._counts = velocities, orders
        return velocity[0], velocity[1], velocity[2]

    def _begin(self, order: int, now: float) -> None:
        if order == Order.STAND_UP:
            self._order = order
        elif order in Order.__members__.values() and self.motion is Motion.WALK:
            self._order = order
            self._enter(Motion.KICK, now)
        else:
            self._finish(FAILED)

    def _enter(self, motion: Motion, now: float) -> None:
        if self._order not in (None, Order.STAND_UP) and motion is Motion.FALLING:
            self._finish(FAILED)
        self.motion, self._until = motion, now + _LASTS_S.get(motion, math.inf)
        self._hits_at = now + KICK_HITS_S if motion is Motion.KICK else math.inf

    def _hit(self, scene: SoccerScene) -> None:
        x, y = scene.ball_in_robot
        if math.hypot(x, y) < REACH_M and self._order is not None:
            turn = _DIRECTIONS.get(Order(self._order), 0.0)
            scene.kick_ball(scene.pose[2] + turn, KICK_SPEED)

    def _finish(self, result: int) -> None:
        assert self._counts is not None
        self._finish_as(self._counts[1], result)

    def _finish_as(self, order_count: int, result: int) -> None:
        self._order = None
        self.written |= {"result": float(result), "done_count": float(order_count)}
