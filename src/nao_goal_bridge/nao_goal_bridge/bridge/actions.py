# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions: each goal is a command of the robot, and each pose of Nav2's goals a room."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from math import hypot
from typing import Any, cast

from rclpy.action.server import ServerGoalHandle

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.drive import Drive, OutsideMapError, Place
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalServer
from legacy_robots_common.goals.policies import GoalQueue
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_msgs.action import NaoGoTo, NaoPickUp, NaoPutDown
from legacy_robots_msgs.msg import NaoSighting
from nao_goal_bridge.bridge import conversions
from nao_goal_bridge.bridge.topics import RobotTopics
from nao_goal_bridge.model.room_map import Room, RoomMap
from nao_goal_bridge.protocol import Command, GoTo, PickUp, PutDown
from nao_goal_bridge.protocol.exchange import CommandExchange
from nao_goal_bridge.protocol.place import PlaceBelief
from nao_goal_bridge.protocol.robot_requests import Outcome, Phase

_OPCODES = {
    NaoGoTo: GoTo.opcode,
    NaoPickUp: PickUp.opcode,
    NaoPutDown: PutDown.opcode,
}


class CommandGoal(Goal):
    """A goal with the feedback that was published last."""

    def __init__(self, server: GoalServer[Any], handle: ServerGoalHandle) -> None:
        super().__init__(server, handle)
        self.feedback = server.action_type.Feedback()
        self.is_sent = False
        """Whether the robot was sent the command."""


class CommandServer(GoalServer[CommandGoal]):
    """An action whose goals are commands of the robot.

    ``to_command`` turns a goal message into a command, or None where there is nothing to do; it
    may raise GoalRefusedError. All actions share ``queue``: the robot takes one command at a time.
    ``on_sent_end`` gets the opcode and the outcome of each command that the robot was sent.
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
        place: PlaceBelief,
        on_sent_end: Callable[[int, enum.IntEnum], object],
    ) -> None:
        super().__init__(node, action_type, name, Outcome, policy=queue, goal_type=CommandGoal)
        self._place = place
        self._on_sent_end = on_sent_end
        self._code = _OPCODES[action_type]
        self._to_command = to_command
        self._exchange = exchange
        self._topics = topics
        self._is_walk = action_type is NaoGoTo
        self._shown: CommandGoal | None = None

    def begin(self, goal: CommandGoal) -> None:
        """Send the robot the command."""
        if self._is_walk and self._place.is_missing:
            goal.end(Outcome.PLACE_UNKNOWN, f"{self._place.detail}; set_location sets the room")
            return
        command = self._to_command(goal.request)
        if command is None:
            goal.end(Outcome.SUCCEEDED, "the robot is there already; no command was sent")
            return
        if self._is_walk:
            self._shown = goal
            self._topics.show_goal((goal.request.marker_id, goal.request.distance))
        goal.is_sent = True
        # The robot may report, on the link's thread, before the exchange calls back.
        goal.feedback.phase = Phase.EXECUTING
        self._exchange.send_command(command, goal.end, lambda p: self.send_feedback(goal, phase=p))

    def on_end(self, goal: Goal) -> None:
        """Take the way away that is drawn for the goal, before the next one may begin."""
        outcome = goal.outcome
        if cast(CommandGoal, goal).is_sent and outcome is not None:
            self._on_sent_end(self._code, outcome)
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

    def send_feedback(self, goal: CommandGoal, **changes: Any) -> None:
        """Send feedback with ``changes`` to its fields, and the robot's present state."""
        for name, value in changes.items():
            setattr(goal.feedback, name, value)
        goal.feedback.robot_state = self._topics.state
        goal.publish_feedback(goal.feedback)

    def publish_state(self) -> None:
        """Send the robot's new state to all goals."""
        for goal in self.goals:
            self.send_feedback(goal)

    def publish_sighting(self, sighting: NaoSighting) -> None:
        """Send a sighting to the goals that walk to this marker. Of ``go_to`` only."""
        for goal in self.goals:
            if goal.request.marker_id == sighting.marker_id:
                self.send_feedback(goal, marker_seen=True, sighting=sighting)


class RoomDrive(Drive):
    """Goes to the room in which a pose is; its orientation is dropped, since rooms have none."""

    def __init__(
        self, frame: str, go_to: CommandServer, room_map: RoomMap, topics: RobotTopics
    ) -> None:
        super().__init__(frame, go_to)
        self._room_map = room_map
        self._topics = topics

    def legs(self, goal: Place) -> Iterator[NaoGoTo.Goal]:
        """Yield one ``go_to``."""
        yield NaoGoTo.Goal(marker_id=self.room(goal).marker_id)

    def place(self) -> Place | None:
        """Return the centre of the room that the robot reported last; None while there is none."""
        location = self._topics.location
        room = self._room_map.rooms.get(location.marker_id) if location.valid else None
        return None if room is None else Place(room.x, room.y)

    def room(self, goal: Place) -> Room:
        """Return the room in which a place is. Raises OutsideMapError."""
        rooms = self._room_map.rooms.values()
        room = min(rooms, key=lambda room: hypot(room.x - goal.x, room.y - goal.y))
        half = 0.5 * self._room_map.room_size
        if not (abs(room.x - goal.x) <= half and abs(room.y - goal.y) <= half):  # nor NaN
            raise OutsideMapError(
                f"({goal.x:g}, {goal.y:g}) is in no room of the map; "
                f"the nearest is {room.marker_id} at ({room.x:g}, {room.y:g})"
            )
        return room
