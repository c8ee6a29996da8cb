# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: ROS 2 in GOAL's place towards a Nao."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

from std_srvs.srv import Trigger

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.drive import offer_navigation
from legacy_robots_common.goals.policies import GoalQueue
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_core.link.tcp import Role
from legacy_robots_msgs.action import NaoGoTo, NaoPickUp, NaoPutDown
from nao_goal_bridge.bridge import conversions
from nao_goal_bridge.bridge.actions import CommandServer, RoomDrive
from nao_goal_bridge.bridge.link import NaoLink
from nao_goal_bridge.bridge.location_input import LocationInput
from nao_goal_bridge.bridge.menu import RobotMenu
from nao_goal_bridge.bridge.parameters import Parameters
from nao_goal_bridge.bridge.topics import RobotTopics
from nao_goal_bridge.model.room_map import RoomMapError, load_room_map
from nao_goal_bridge.protocol import Dialect, Profile, events
from nao_goal_bridge.protocol.exchange import EXITING, Ready
from nao_goal_bridge.protocol.place import PlaceBelief
from nao_goal_bridge.protocol.robot_requests import Outcome, Phase

HOUSEKEEPING_PERIOD_S = 1.0


class NaoBridge(BridgeNode):
    """Actions, services and topics of one Nao.

    Reports are published on the link's thread as they come; goals and services run on the
    executor. Raises ParameterError, or StartupError for a room map that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(
            "bridge",
            hardware_id="GOAL-Nao",
            warn_on={
                "refused connections": "further robots turned away",
                "stray replies": "replies to nothing",
                "dropped sightings": "sightings dropped in a flood",
            },
            **{"namespace": "nao", **node_arguments},
        )
        p = self._settings = declare_parameters(self, Parameters)
        try:
            dialect = Dialect(Profile(p.profile), p.code_width)
            room_map = load_room_map(p.room_map)
        except ValueError as error:
            raise ParameterError(f"parameter 'code_width': {error}") from error
        except RoomMapError as error:
            raise StartupError(str(error)) from error
        self._unanswered: set[ThreadsafeFuture[tuple[bool, str]]] = set()
        self._greets_with_object = events.Holding in dialect.greeting
        believes = {"believed": True, "ignored": False}
        self._place = PlaceBelief(
            dialect,
            believes_greeting=believes.get(p.greeting_location, not dialect.greets),
            clock=self.now,
        )
        map_frame = p.frame_prefix + p.map_frame
        self._topics = RobotTopics(self, room_map, p.map_frame, p.frame_prefix)
        self._robot = NaoLink(
            Role(p.role),
            p.host,
            p.port,
            self,
            dialect,
            limits=p.time_limits,
            flood_limit=p.flood_limit,
        )
        self.use_link(self._robot, p.first_connection_timeout)
        self._exchange = self._robot.exchange
        self._queue = GoalQueue(
            p.queue_length,
            lambda: self._exchange.is_free and not self._place.is_awaited,
            lambda goal: goal.server.send_feedback(goal, phase=Phase.QUEUED),
        )

        def serve(
            action_type: type[Any], name: str, to_command: Callable[[Any], events.Command | None]
        ) -> CommandServer:
            return CommandServer(
                self,
                action_type,
                name,
                to_command,
                self._queue,
                self._exchange,
                self._topics,
                self._place,
                self._on_sent_end,
            )

        self._go_to = serve(
            NaoGoTo,
            "go_to",
            lambda goal: conversions.go_to_command(
                goal.marker_id, goal.distance, dialect, room_map, self._place.room
            ),
        )
        pick_up = serve(
            NaoPickUp,
            "pick_up",
            lambda goal: conversions.pick_up_command(goal.object_id, dialect),
        )
        put_down = serve(NaoPutDown, "put_down", lambda goal: events.PutDown())
        self._servers = (self._go_to, pick_up, put_down)
        names_objects = dialect.carries(events.PickUp, "object_id")
        self._menu = RobotMenu(self, room_map, self._servers, names_objects=names_objects)
        drive = RoomDrive(map_frame, self._go_to, room_map, self._topics)
        offer_navigation(self, drive)
        LocationInput(self, drive, room_map, self._set_location)
        self.create_service(Trigger, "halt", self._halt)
        self.create_service(Trigger, "exit", self._exit)
        self.timer(HOUSEKEEPING_PERIOD_S, self._housekeeping)

    def diagnostics(self) -> Mapping[str, str]:
        """Return profile and queue for /diagnostics."""
        return {"profile": self._settings.profile, "waiting goals": str(self._queue.waiting)}

    # --- on the link's thread --------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        """Publish a report; begin the next goal when the robot is ready for it."""
        if isinstance(event, Ready):
            self._advance_queue()
            return
        self.counters.add("events")
        is_place = self._place.report(event, owes_reply=self._exchange.owes_reply)
        if isinstance(event, events.Location) and not is_place:
            self.get_logger().info(f"{event} is not believed")
            return
        sighting = self._topics.apply(event)
        if is_place:
            self._menu.show(self._topics.location)
            self._advance_queue()
        if sighting is not None:
            self.counters.add("sightings")
            self._go_to.publish_sighting(sighting)
        elif isinstance(event, events.State):
            for server in self._servers:
                server.publish_state()
        elif isinstance(event, events.Error):
            self.counters.add("robot errors")
            text = "the robot reported a fatal error; its state is unknown"
            for server in self._servers:
                server.end_goals("ROBOT_ERROR", text)
            self.end_goals("LINK_LOST", text)  # Nav2's outcomes have no such name

    def on_connected(self) -> None:
        """Wait for the robot's place, and for what it holds."""
        self._place.connected()
        self._show_place_lost()
        if self._greets_with_object:
            self._topics.hands_are_empty()

    def make_safe(self, reason: str) -> None:
        """Halt a robot that has a command, where it can be reached."""
        outcome = Outcome.SHUTDOWN if self.stopping else Outcome.LINK_LOST
        self._exchange.close(outcome, reason)

    def on_disconnected(self, reason: str) -> None:
        """Mark the latched topics as not valid."""
        self._place.lose(f"the robot is gone: {reason}")
        self._topics.invalidate(self._place.detail)
        self._menu.show(self._topics.location)

    def _on_sent_end(self, code: int, outcome: IntEnum) -> None:
        """Handle the end of a command that the robot was sent. Any thread."""
        if self._place.ended(code, outcome):
            self._show_place_lost()

    def _show_place_lost(self) -> None:
        self._topics.lose_place(self._place.detail)
        self._menu.show(self._topics.location)

    def _advance_queue(self) -> None:
        if self._queue.waiting:
            self.call_soon(self._queue.advance)

    # --- on the executor -------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        """Whether the services have been answered too."""
        return super().settled and not self._unanswered

    def _set_location(self, room: int | None) -> str:
        """Believe that the robot is in ``room``, or nothing for None; return why not, or ""."""
        if not self.connected:
            return self.why_not_connected()
        if self._exchange.owes_reply:
            return "the robot may still walk: what it was told before has not ended"
        if self._exchange.has_command:
            return "the robot has a command, which may lead it elsewhere"
        if room is None:
            self._place.lose("cleared on request")
            self._show_place_lost()
        else:
            self._place.set(room)
            self._topics.apply(events.Location(room))
            self._menu.show(self._topics.location)
            self._advance_queue()
        return ""

    async def _halt(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        answer = self._new_answer()
        self.first_connection.drop("halted on request")

        def on_answer(halted: bool, text: str) -> None:
            if halted:
                self._queue.end_waiting("HALTED", "halted before the command was sent")
            answer.set_result((halted, text))

        self._exchange.halt("halted on request", on_answer)
        return await self._answered(answer, response)

    async def _exit(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        answer = self._new_answer()
        if self._exchange.exit(lambda exits, text: answer.set_result((exits, text))):
            self._queue.end_waiting("HALTED", EXITING)
        return await self._answered(answer, response)

    def _new_answer(self) -> ThreadsafeFuture[tuple[bool, str]]:
        answer: ThreadsafeFuture[tuple[bool, str]] = ThreadsafeFuture(self.executor)
        self._unanswered.add(answer)
        return answer

    async def _answered(
        self, answer: ThreadsafeFuture[tuple[bool, str]], response: Trigger.Response
    ) -> Trigger.Response:
        response.success, response.message = await answer
        self._unanswered.remove(answer)  # rclpy sends the response in the same step
        return response

    def _housekeeping(self) -> None:
        self._topics.redraw()
        if self._place.expire():
            if self._place.room is None:
                self._show_place_lost()
            self._queue.advance()
        period = self._settings.probe_period
        silence = self.now() - self._robot.last_heard
        if period and silence >= period and self._exchange.is_free:
            # A Halt changes nothing where nothing moves.
            self._exchange.halt("asked for a sign of life")


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(NaoBridge, Parameters))
