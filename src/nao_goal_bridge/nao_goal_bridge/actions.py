# SPDX-License-Identifier: Apache-2.0
"""The actions: each goal is a command of the robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy_robots_msgs.action import NaoGoTo
from legacy_robots_msgs.msg import NaoSighting
from rclpy.action.server import ServerGoalHandle

from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.goal_policies import GoalQueue
from legacy_robots_common.goals import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_common.threadsafe_future import ThreadsafeFuture
from nao_goal_bridge import conversions
from nao_goal_bridge.exchange import CommandExchange, Outcome, Phase
from nao_goal_bridge.protocol import Command, ProtocolError
from nao_goal_bridge.topics import RobotTopics


class CommandGoal(Goal):
    """A goal with the feedback that was published last."""

    def __init__(self, server: GoalServer[Any], handle: ServerGoalHandle) -> None:
        super().__init__(server, handle)
        self.feedback = server.action_type.Feedback()


class CommandServer(GoalServer[CommandGoal]):
    """An action whose goals are commands of the robot.

    Parameters
    ----------
    to_command
        Turns a goal message into a command, None where there is nothing to do; raises
        GoalRefusedError.
    queue
        What the actions of this robot share: it takes one command at a time.

    """

    def __init__(
        self,
        node: BridgeNode,
        action_type: type[Any],
        name: str,
        to_command: Callable[[Any], Command | None],
        queue: GoalQueue,
        exchange: CommandExchange,
        topics: RobotTopics,
    ) -> None:
        super().__init__(node, action_type, name, Outcome, policy=queue, goal_type=CommandGoal)
        self._to_command = to_command
        self._exchange = exchange
        self._topics = topics
        self._is_walk = action_type is NaoGoTo
        self._shown: CommandGoal | None = None

    def begin(self, goal: CommandGoal) -> None:
        """Send the robot the command."""
        try:
            command = self._to_command(goal.request)
            if command is None:
                goal.end(Outcome.SUCCEEDED, "the robot is there already; it was not told")
                return
            if self._is_walk:
                self._shown = goal
                self._topics.show_goal((goal.request.marker_id, goal.request.distance))
            self._exchange.begin(command, goal.end, lambda phase: self.publish(goal, phase=phase))
        except ProtocolError as error:
            raise GoalRefusedError(str(error)) from error

    def on_end(self, goal: Goal) -> None:
        """Take the way away that is drawn for the goal."""
        super().on_end(goal)
        if goal is self._shown:
            self._shown = None
            self._topics.show_goal(None)

    def cancel(self, goal: CommandGoal) -> ThreadsafeFuture[bool]:
        """Halt the robot; when it has halted the goal's end answers the client."""
        answer: ThreadsafeFuture[bool] = ThreadsafeFuture(self.node.executor)

        def on_answer(halted: bool, text: str) -> None:
            if not halted:
                self.node.get_logger().warning(f"{self.name} is not cancelled: {text}")
                answer.set_result(False)

        self._exchange.halt("cancelled", on_answer)
        return answer

    def result(self, goal: CommandGoal, ending: Ending) -> Any:
        """Return the result message."""
        return self.action_type.Result(outcome=conversions.outcome(ending))

    def publish(self, goal: CommandGoal, **changes: Any) -> None:
        """Send feedback with ``changes`` to its fields, and the robot's present state."""
        for name, value in changes.items():
            setattr(goal.feedback, name, value)
        goal.feedback.robot_state = self._topics.state
        goal.publish_feedback(goal.feedback)

    def publish_queued(self, goal: CommandGoal) -> None:
        """Send that ``goal`` has to wait."""
        self.publish(goal, phase=Phase.QUEUED)

    def publish_state(self) -> None:
        """Send the robot's new state to all goals."""
        for goal in self.goals:
            self.publish(goal)

    def publish_sighting(self, sighting: NaoSighting) -> None:
        """Send a sighting to the goals that walk to this marker. Of ``go_to`` only."""
        for goal in self.goals:
            if goal.request.marker_id == sighting.marker_id:
                self.publish(goal, marker_seen=True, sighting=sighting)
