# SPDX-License-Identifier: Apache-2.0
"""What all actions of the bridge have in common: a goal's life from acceptance to result."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any

from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle

from aibo_gti_bridge import conversions
from aibo_gti_bridge.outcomes import Ending, Outcome
from aibo_gti_bridge.protocol import ProtocolError
from aibo_gti_bridge.robot import Robot
from aibo_gti_bridge.sensors import Reading
from legacy_robots_common.completion import Completion
from legacy_robots_common.link import NotConnectedError


class GoalRefusedError(Exception):
    """A goal cannot be carried out; the message says why."""


class RunningGoal:
    """One goal. Everything but ``wait`` is called with the robot's lock held."""

    def __init__(self, robot: Robot, handle: ServerGoalHandle) -> None:
        self.handle = handle
        self.request = handle.request
        self.begun = time.monotonic()
        self.over = False
        self.robot = robot
        self._ending: Completion[Ending] = Completion(robot.node)

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.begun

    def end(self, outcome: Outcome, message: str) -> None:
        """End it, unless it has ended already."""
        if not self.over:
            self.over = True
            self.robot.release(self)
            self._ending.set(Ending(outcome, message))

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """End it because another command takes joints of it; stop the others."""
        if not self.over:
            self.stop_joints(taken)
            self.end(Outcome.INTERRUPTED, reason)

    def stop_joints(self, but: Collection[str]) -> None:
        """Stop what it moves, ``but`` some joints that others move now."""

    async def wait(self) -> Ending:
        """Return how it has ended."""
        return await self._ending.wait()


class RobotAction(ABC):
    """An action server; subclasses say what a goal does.

    Several goals may run at once where they move different joints.
    """

    goal_class: type[RunningGoal] = RunningGoal

    def __init__(self, robot: Robot, action_type: type[Any], name: str) -> None:
        self._robot = robot
        self._type = action_type
        self._name = name
        self._goals: dict[bytes, RunningGoal] = {}
        self._server = ActionServer(
            robot.node,
            action_type,
            name,
            self._execute,
            cancel_callback=self._cancel,
        )

    @abstractmethod
    def _begin(self, goal: Any) -> None:
        """Begin a goal. May end it at once.

        May raise GoalRefusedError, NotConnectedError and ProtocolError.
        """

    def _follow(self, goal: Any, reading: Reading) -> None:  # noqa: B027 - optional
        """Go on with a goal after each reading of the sensors. May raise as ``_begin``."""

    @abstractmethod
    def _stop(self, goal: Any) -> None:
        """Stop the robot because a goal is cancelled. May raise NotConnectedError."""

    def _result(self, goal: Any, ending: Ending) -> Any:
        """Return the result message."""
        return self._type.Result(outcome=conversions.outcome(ending))

    def on_reading(self, reading: Reading) -> None:
        """Go on with all goals. Called on the link's thread with the lock held."""
        for goal in list(self._goals.values()):
            if not goal.over:
                self._guarded(goal, self._follow, goal, reading)

    def link_lost(self, reason: str) -> None:
        """End all goals. Called with the lock held."""
        for goal in list(self._goals.values()):
            goal.end(Outcome.LINK_LOST, reason)

    def _guarded(self, goal: RunningGoal, function: Any, *arguments: Any) -> None:
        """Call ``function``; what it raises ends the goal."""
        try:
            function(*arguments)
        except NotConnectedError as error:
            goal.end(Outcome.LINK_LOST, str(error))
        except (GoalRefusedError, ProtocolError) as error:
            goal.end(Outcome.INVALID, str(error))

    async def _execute(self, handle: ServerGoalHandle) -> Any:
        goal = self.goal_class(self._robot, handle)
        key = bytes(handle.goal_id.uuid)
        with self._robot.lock:
            self._goals[key] = goal
            if self._robot.reading is None:
                goal.end(Outcome.LINK_LOST, "there is no connection with the robot")
            else:
                self._guarded(goal, self._begin, goal)
        ending = await goal.wait()
        with self._robot.lock:
            del self._goals[key]
        if ending.outcome is Outcome.SUCCEEDED:
            handle.succeed()
        elif ending.outcome is Outcome.CANCELED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        self._robot.node.get_logger().info(
            f"{self._name}: {ending.outcome.name.lower().replace('_', ' ')}: {ending.message}"
        )
        return self._result(goal, ending)

    def _cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        with self._robot.lock:
            goal = self._goals.get(bytes(handle.goal_id.uuid))
            if goal is None or goal.over:
                return CancelResponse.REJECT
            self._guarded(goal, self._stop, goal)
            return CancelResponse.ACCEPT
