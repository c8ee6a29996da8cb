# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""GOAL's end of the protocol as a library for agents in Python, without ROS.

Example::

    with GoalClient() as nao:  # listens on port 6474, as GOAL did
        nao.wait_for(lambda: nao.location is not None)
        for reply in (nao.go_to(114), nao.pick_up(1), nao.go_to(146), nao.put_down()):
            print(reply.succeeded, reply.message)

The same agent drives a Nao, the simulated Nao, and any robot in ROS behind ``nao_host``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from legacy_robots_core.link.base import LinkObserver, LinkState, LinkStatus, NotConnectedError
from legacy_robots_core.link.tcp import Role
from nao_goal_bridge.bridge.link import NaoLink
from nao_goal_bridge.model.room_map import RoomMap, load_room_map
from nao_goal_bridge.model.ways import NoWayError, go_to_command
from nao_goal_bridge.protocol import ProtocolError
from nao_goal_bridge.protocol.dialects import Dialect
from nao_goal_bridge.protocol.events import (
    Agent,
    Command,
    Dropped,
    Error,
    Holding,
    Location,
    PickUp,
    PutDown,
    Report,
    See,
    SeeObject,
    State,
)
from nao_goal_bridge.protocol.place import PlaceBelief
from nao_goal_bridge.protocol.robot_requests import Outcome, TimeLimits

PORT = 6474


@dataclass(frozen=True)
class Reply:
    """How a command ended."""

    outcome: Outcome
    message: str

    @property
    def succeeded(self) -> bool:
        """Whether the robot has reported Success."""
        return self.outcome is Outcome.SUCCEEDED


class GoalClient(LinkObserver):
    """A robot as an agent sees it. Thread-safe; use it as a context manager.

    Commands block until the robot has answered and never raise: what went wrong is in the Reply.
    A command waits for the one before; ``halt`` and ``exit`` do not. A connection that is lost
    comes back by itself.

    Parameters
    ----------
    role, host, port
        Listen for a robot, as GOAL did, or dial one.
    dialect
        How events are written.
    room_map
        For dialects whose GoTo lists tiles.
    limits
        How long the robot may take to answer.
    believes_greeting
        Whether the Location that the robot sends when it connects is believed; None: unless the
        original's robots of the dialect claim their start room then.
    on_report
        Gets each event of the robot, on a thread of the client.

    """

    def __init__(
        self,
        role: Role = Role.LISTEN,
        host: str = "127.0.0.1",
        port: int = PORT,
        dialect: Dialect | None = None,
        room_map: RoomMap | None = None,
        limits: TimeLimits | None = None,
        on_report: Callable[[Report], object] = lambda report: None,
        believes_greeting: bool | None = None,
    ) -> None:
        self._dialect = dialect or Dialect()
        self._map = room_map or load_room_map()
        self._on_report = on_report
        self._changed = threading.Condition()
        self._turn = threading.Lock()
        self._link = NaoLink(role, host, port, self, self._dialect, limits=limits)
        self.agent_id: int | None = None
        """How the robot has introduced itself."""
        self.held: int | None = None
        """The object that it holds."""
        if believes_greeting is None:
            believes_greeting = not self._dialect.greets
        self._place = PlaceBelief(self._dialect, believes_greeting=believes_greeting)
        self.walking = False
        self.sightings: dict[int, int] = {}
        """Rooms to each marker that it has seen from its room."""
        self.objects: set[int] = set()
        """Objects that it has seen from its room, in profiles from ``june7`` on."""

    def __enter__(self) -> GoalClient:
        """Begin to listen or to dial, and return itself."""
        self._link.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Halt a robot that has a command, and end the connection."""
        self._link.exchange.close(Outcome.SHUTDOWN, "the agent has ended")
        self._link.close()

    @property
    def connected(self) -> bool:
        """Whether a robot is connected."""
        return self._link.status.state is LinkState.CONNECTED

    @property
    def location(self) -> int | None:
        """The room in which the robot is; None: it is not known."""
        return self._place.room

    def set_location(self, room: int | None) -> None:
        """Believe that the robot, which must not be walking, is in ``room``; None: in none."""
        with self._changed:
            if room is None:
                self._place.lose("cleared by the agent")
            else:
                self._place.set(room)
            self._changed.notify_all()

    @property
    def status(self) -> LinkStatus:
        """State of the link, with the reason."""
        return self._link.status

    def wait_for(self, condition: Callable[[], bool], timeout: float | None = None) -> bool:
        """Wait until ``condition`` holds, asked after each event; False after ``timeout`` s."""
        with self._changed:
            return self._changed.wait_for(condition, timeout)

    # --- commands --------------------------------------------------------------------------

    def go_to(self, marker_id: int, distance: int = 0) -> Reply:
        """Walk to a marker and stop ``distance`` rooms before it."""
        exchange = self._link.exchange
        self.wait_for(lambda: exchange.is_free or not self.connected)
        place = self._place
        self.wait_for(lambda: not (place.is_awaited and self.connected), place.report_timeout)
        if self._place.is_missing:
            return Reply(Outcome.PLACE_UNKNOWN, self._place.detail)
        try:
            command = go_to_command(marker_id, distance, self._dialect, self._map, self.location)
        except NoWayError as error:
            return Reply(Outcome.INVALID, str(error))
        if command is None:
            return Reply(Outcome.SUCCEEDED, "the robot is there already; no command was sent")
        return self.command(command)

    def pick_up(self, object_id: int) -> Reply:
        """Pick an object up; profiles from ``june10`` on cannot name it."""
        named = self._dialect.carries(PickUp, "object_id")
        return self.command(PickUp(object_id if named else None))

    def put_down(self) -> Reply:
        """Put down what is held."""
        return self.command(PutDown())

    def halt(self) -> Reply:
        """Stop the robot; its command ends as HALTED, unless it refuses."""
        return self._answer(lambda done: self._link.exchange.halt("halted", done))

    def exit(self) -> Reply:
        """Have the robot sit down and end its program."""
        return self._answer(lambda done: self._link.exchange.exit(done))

    def command(self, command: Command) -> Reply:
        """Give a command other than Halt and Exit, and wait for its end."""
        ended: Future[Reply] = Future()

        def end(outcome: Outcome, message: str) -> None:
            self._place.ended(command.opcode, outcome)
            ended.set_result(Reply(outcome, message))

        with self._turn:
            exchange = self._link.exchange
            self.wait_for(lambda: exchange.is_free or not self.connected)
            if not self.connected:
                return Reply(Outcome.LINK_LOST, self.status.detail)
            try:
                exchange.send_command(command, end)
            except ProtocolError as error:
                return Reply(Outcome.INVALID, str(error))
            except NotConnectedError as error:
                return Reply(Outcome.LINK_LOST, str(error))
            return ended.result()

    def _answer(self, ask: Callable[[Callable[[bool, str], object]], object]) -> Reply:
        answered: Future[Reply] = Future()

        def done(succeeded: bool, text: str) -> None:
            answered.set_result(Reply(Outcome.SUCCEEDED if succeeded else Outcome.FAILED, text))

        ask(done)
        return answered.result()

    # --- LinkObserver, on the link's thread ------------------------------------------------

    def on_status(self, status: LinkStatus) -> None:
        """End the pending command if the robot is disconnected."""
        with self._changed:
            if status.state is LinkState.CONNECTED:
                self.held = None  # a robot that holds something says so when it greets
                self._place.connected()
            else:
                self._link.exchange.close(Outcome.LINK_LOST, status.detail)
                self.agent_id = None
                self._place.lose(f"the robot is gone: {status.detail}")
                self.walking = False
            self._changed.notify_all()

    def on_event(self, event: Any) -> None:
        """Keep what the robot reports."""
        with self._changed:
            if isinstance(event, Report):
                self._place.report(event, owes_reply=self._link.exchange.owes_reply)
            if isinstance(event, Agent):
                self.agent_id = event.agent_id
            elif isinstance(event, Location):
                self.sightings.clear()
                self.objects.clear()
            elif isinstance(event, See):
                self.sightings[event.marker_id] = event.distance
            elif isinstance(event, SeeObject):
                self.objects.add(event.object_id)
            elif isinstance(event, Holding):
                self.held = event.object_id
            elif isinstance(event, Dropped):
                self.held = None
            elif isinstance(event, State):
                self.walking = bool(event.state)
            elif isinstance(event, Error):
                self._link.exchange.close(Outcome.ROBOT_ERROR, "the robot reported a fatal error")
            self._changed.notify_all()
        if isinstance(event, Report):
            self._on_report(event)
