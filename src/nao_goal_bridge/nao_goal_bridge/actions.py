# SPDX-License-Identifier: Apache-2.0
"""The actions: goals become tickets of the command queue, and tickets' ends become results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy_robots_msgs.msg import NaoSighting
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node

from legacy_robots_common.completion import Completion
from nao_goal_bridge import conversions
from nao_goal_bridge.commands import CommandQueue
from nao_goal_bridge.protocol import Command
from nao_goal_bridge.tickets import HaltAnswer, Outcome, Phase, Result, Ticket
from nao_goal_bridge.topics import RobotTopics


class _Goal:
    """One goal from its acceptance to its result."""

    def __init__(self, node: Node, handle: ServerGoalHandle, feedback: Any) -> None:
        self.handle = handle
        self.feedback = feedback
        self.ended: Completion[Result] = Completion(node)
        self.cancellation: Completion[Result | str] | None = None
        """Set while a cancellation waits; gets the reason when nothing comes of it."""
        self.ticket: Ticket | None = None

    def on_done(self, result: Result) -> None:
        """Pass on how the command ended. Called once, on any thread."""
        # A goal that is being cancelled ends after its state has become CANCELING, see cancel.
        (self.cancellation or self.ended).set(result)

    def on_halt(self, answer: HaltAnswer, text: str) -> None:
        """Pass on that a cancellation came to nothing; when the robot halted, on_done follows."""
        if answer is not HaltAnswer.HALTED and self.cancellation is not None:
            cancellation, self.cancellation = self.cancellation, None
            cancellation.set(text)


class CommandAction:
    """One action server whose goals are commands of the robot.

    Parameters
    ----------
    to_command
        Turns a goal message into a command; raises InvalidCommandError.
    on_busy
        Called when the queue may have become busy, so that its time limits are watched.
    marker_of
        Returns the marker that a goal's feedback follows; None where it follows none.

    """

    def __init__(
        self,
        node: Node,
        action_type: type[Any],
        name: str,
        to_command: Callable[[Any], Command],
        queue: CommandQueue,
        topics: RobotTopics,
        on_busy: Callable[[], None],
        marker_of: Callable[[Any], int] | None = None,
    ) -> None:
        self._node = node
        self._type = action_type
        self._name = name
        self._to_command = to_command
        self._queue = queue
        self._topics = topics
        self._on_busy = on_busy
        self._marker_of = marker_of
        self._goals: dict[bytes, _Goal] = {}
        self._server = ActionServer(
            node,
            action_type,
            name,
            execute_callback=self._execute,
            cancel_callback=self._cancel,
        )

    def saw(self, sighting: NaoSighting) -> None:
        """Tell the goals that walk to this marker. Called on the link's thread."""
        if self._marker_of is None:
            return
        for goal in list(self._goals.values()):
            if self._marker_of(goal.handle.request) == sighting.marker_id:
                goal.feedback.marker_seen = True
                goal.feedback.sighting = sighting
                self._publish(goal)

    def state_changed(self) -> None:
        """Tell all goals the robot's new state. Called on the link's thread."""
        for goal in list(self._goals.values()):
            self._publish(goal)

    def destroy(self) -> None:
        """Give the server back."""
        self._server.destroy()

    def _publish(self, goal: _Goal) -> None:
        goal.feedback.robot_state = self._topics.state
        goal.handle.publish_feedback(goal.feedback)

    async def _execute(self, handle: ServerGoalHandle) -> Any:
        goal = _Goal(self._node, handle, self._type.Feedback())
        key = bytes(handle.goal_id.uuid)
        self._goals[key] = goal
        try:
            result = await self._carry_out(goal)
        finally:
            del self._goals[key]
        if result.outcome is Outcome.SUCCEEDED:
            handle.succeed()
        elif result.outcome is Outcome.HALTED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        self._node.get_logger().info(
            f"{self._name}: {result.outcome.name.lower().replace('_', ' ')}: {result.message}"
        )
        return self._type.Result(outcome=conversions.outcome(result))

    async def _carry_out(self, goal: _Goal) -> Result:
        def on_phase(phase: Phase) -> None:
            goal.feedback.phase = int(phase)
            self._publish(goal)

        request = goal.handle.request
        goal.ticket = Ticket(lambda: self._to_command(request), goal.on_done, on_phase)
        self._queue.submit(goal.ticket)
        self._on_busy()
        return await goal.ended.wait()

    async def _cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        """Halt the robot; accept only when it did, so that nobody takes a refusal for a stop."""
        goal = self._goals.get(bytes(handle.goal_id.uuid))
        if goal is None or goal.ticket is None or goal.cancellation is not None:
            return CancelResponse.REJECT
        cancellation: Completion[Result | str] = Completion(self._node)
        goal.cancellation = cancellation
        self._queue.cancel(goal.ticket, goal.on_halt)
        self._on_busy()
        result = await cancellation.wait()
        if isinstance(result, str):
            self._node.get_logger().warning(f"{self._name} is not cancelled: {result}")
            return CancelResponse.REJECT
        goal.ended.set(result)
        return CancelResponse.ACCEPT if result.outcome is Outcome.HALTED else CancelResponse.REJECT
