# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions ``kick`` and ``get_up``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_core.link.base import NotConnectedError
from legacy_robots_msgs.action import LuarGetUp, LuarKick
from luar_bridge.parts.outcome import Outcome, outcome
from luar_bridge.parts.walk.body_memory import BodyMemory
from luar_bridge.protocol.ros_body import DONE, KICKS, Motion, Order

FOLLOW_PERIOD_S = 0.05
TIMEOUT_S = 40.0
"""Longer than the robot itself takes until it gives up an order."""


class OrderGoal(Goal):
    """A goal with the number of its order, from ``begin`` on."""

    number: int | None = None


class OrderServer(GoalServer[OrderGoal]):
    """An action that is one order to the robot; a newer goal of any of ``servers`` ends it."""

    servers: list[OrderServer]

    def __init__(self, node: BridgeNode, body: BodyMemory, action: type[Any], name: str) -> None:
        self._body = body
        self.servers = [self]
        super().__init__(
            node,
            action,
            name,
            Outcome,
            goal_type=OrderGoal,
            needs_link=False,  # rcmBody says itself whether the robot runs
        )
        self._timer = node.timer(FOLLOW_PERIOD_S, self._follow_all)
        self._timer.cancel()

    def order(self, request: Any) -> Order:
        """Return the order of a goal. Raises GoalRefusedError."""
        raise NotImplementedError

    def missing(self) -> str:
        """Return why there is no rcmBody, while Lua's processes are not there either."""
        try:
            if not self.node.connected:
                self._body.look(self.node.now())
        except NotConnectedError as error:
            return str(error)
        return ""

    def begin(self, goal: OrderGoal) -> None:
        """Send the order."""
        self._body.look(self.node.now())
        order = self.order(goal.request)
        for server in self.servers:
            for other in server.goals:
                if other is not goal and other.number is not None:  # else it has not begun
                    other.end(Outcome.PREEMPTED, f"a newer goal, of {self.name}, took its place")
        goal.number = self._body.send_order(order)
        self._timer.reset()

    def cancel(self, goal: OrderGoal) -> bool:
        """End the goal; the robot cannot break off what it does."""
        return goal.end(Outcome.CANCELED, "cancelled; the robot ends a motion that has begun")

    def result(self, goal: OrderGoal, ending: Ending) -> Any:
        """Return the result message."""
        return self.action_type.Result(outcome=outcome(ending))

    def _follow_all(self) -> None:
        for goal in self.goals:
            self.guarded(goal, self._follow, goal)
        if not self.goals:
            self._timer.cancel()

    def _follow(self, goal: OrderGoal) -> None:
        if goal.number is None:
            return
        self._body.look(self.node.now())
        goal.publish_feedback(self.action_type.Feedback(motion=int(self._body.motion)))
        if self._body.done_count >= goal.number:
            if self._body.result == DONE:
                goal.end(Outcome.SUCCEEDED, "done")
            else:
                doing = self._body.motion.name.lower()
                goal.end(Outcome.FAILED, f"the robot has not done it; its motion: {doing}")
        elif goal.elapsed > TIMEOUT_S:
            goal.end(Outcome.FAILED, f"not done within {TIMEOUT_S:g} s")


class KickAction(OrderServer):
    """The action ``kick``; ``is_ball_left`` says on which side of the robot the ball is."""

    def __init__(
        self, node: BridgeNode, body: BodyMemory, is_ball_left: Callable[[], bool]
    ) -> None:
        self._is_ball_left = is_ball_left
        super().__init__(node, body, LuarKick, "kick")

    def order(self, request: LuarKick.Goal) -> Order:
        """Return the kick, if the robot stands or walks."""
        forward = "kickForwardLeft" if self._is_ball_left() else "kickForwardRight"
        name = request.kick or forward
        if name not in KICKS:
            raise GoalRefusedError(f"{name!r} is no kick; there are {', '.join(KICKS)}")
        if self._body.motion is not Motion.WALK:
            doing = self._body.motion.name.lower()
            raise GoalRefusedError(f"the robot cannot kick now; its motion: {doing}")
        return KICKS[name]


class GetUpAction(OrderServer):
    """The action ``get_up``."""

    def __init__(self, node: BridgeNode, body: BodyMemory) -> None:
        super().__init__(node, body, LuarGetUp, "get_up")

    def order(self, request: LuarGetUp.Goal) -> Order:
        """Return the one order."""
        return Order.STAND_UP
