# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Carries an agent's commands out with a robot in ROS: the body of the host.

Everything is called on the node's executor.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, cast

from geometry_msgs.msg import PoseStamped

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.remote import Remote, RemoteAction, RemoteService
from legacy_robots_common.goals.requests import End, Observer, Request
from nao_goal_bridge.host.hands import Manipulation, ObjectsInRooms
from nao_goal_bridge.host.legs import legs
from nao_goal_bridge.host.parameters import Parameters
from nao_goal_bridge.host.senses import Senses
from nao_goal_bridge.host.servers import remote
from nao_goal_bridge.model.room_map import RoomMap
from nao_goal_bridge.model.walks import way_over_tiles
from nao_goal_bridge.model.ways import NoWayError, way_to_marker
from nao_goal_bridge.protocol.command_sequence import CommandSequence
from nao_goal_bridge.protocol.dialects import Profile
from nao_goal_bridge.protocol.events import (
    Command,
    Dropped,
    Event,
    Exit,
    GoTo,
    GoToTiles,
    Holding,
    Location,
    PickUp,
    PutDown,
    RobotState,
    See,
    SeeObject,
    TurnAndGoTo,
)

UNKNOWN_OBJECT = 0
"""The id in Holding of an object without one, as in the original's last version."""

ARRIVAL_TIMEOUT_S = 0.5
"""How long /tf may lag behind the result of a navigation (s)."""


class HostBody:
    """Walks by goals of a navigation, and picks up and puts down, for a CommandSequence.

    Parameters
    ----------
    node
        Sends goals and logs why a command has failed.
    emit
        Reports an event to the agent.
    on_lost
        Called when the state of the robot has become unknown, with the reason.

    """

    def __init__(
        self,
        node: BridgeNode,
        parameters: Parameters,
        room_map: RoomMap,
        emit: Callable[[Event], None],
        on_lost: Callable[[str], None],
    ) -> None:
        """Raise ValueError for a type that is not installed, or does not fit."""
        p = parameters
        self._node = node
        self._emit = emit
        self._on_lost = on_lost
        self._map = room_map
        self._frame = p.frame_prefix + p.map_frame
        self._go_to_unseen = p.go_to_unseen
        self._see_period = 1.0 / p.see_rate if p.see_rate else math.inf
        self._see_in = math.inf
        self.sequence = CommandSequence(self, emit, p.queue_length)
        self.senses = Senses(node, p, room_map)
        self._objects = ObjectsInRooms(room_map)
        self._navigation = remote(node, p.navigation_type, p.navigation)
        self._limits = p.limits
        self._silence = min(p.server_timeout, p.pose_timeout)  # of /tf, s
        self._late = p.profile == Profile.NAOVIGATE.value
        fields = self._navigation.message_type.get_fields_and_field_types()
        if fields.get("pose") != "geometry_msgs/PoseStamped":
            raise ValueError(f"the goal of {p.navigation_type} has no PoseStamped pose")
        self._servers: list[RemoteAction | RemoteService] = [self._navigation]
        self._pick_up = self._manipulation(p.pick_up, p.pick_up_type, p)
        self._put_down = self._manipulation(p.put_down, p.put_down_type, p)
        self._task: Request[Any] | None = None
        self._asked: object = None  # changes with each task
        self._legs: list[PoseStamped] = []
        self._target: int | None = None  # the room in which the walk ends
        self._arriving_until = math.inf  # a walk has ended, and /tf is awaited
        self._halting = False
        self._reported: int | None = None  # the room that the agent knows of
        self._held: int | None = None

    def _manipulation(self, name: str, kind: str, p: Parameters) -> Manipulation | None:
        if not name:
            return None
        self._servers.append(remote(self._node, kind, name))
        return Manipulation(self._servers[-1], p.object_field)

    def destroy(self) -> None:
        """Destroy the clients."""
        for server in self._servers:
            server.destroy()

    @property
    def idle(self) -> bool:
        """Whether nothing is under way in ROS."""
        return self._task is None

    @property
    def held(self) -> int | None:
        """The object that the robot holds."""
        return self._held

    # --- the agent -------------------------------------------------------------------------

    def greet(self, agent: Event) -> None:
        """Introduce the robot to an agent that has just connected."""
        self.sequence.connect()
        self._emit(agent)
        self.senses.look()
        self._reported = self.senses.room
        if self._reported is not None:
            self._emit(Location(self._reported))
        if self._held is not None:
            self._emit(Holding(self._held))
        self.sequence.report_state()
        self._report_sight()

    def abandon(self) -> None:
        """Stop what runs: the agent is gone, or the program ends."""
        self.sequence.disconnect()
        self._give_up()

    def break_down(self) -> None:
        """Report to the agent that the robot's state is unknown, and stop the running command."""
        self.sequence.break_down()
        self._give_up()

    def _give_up(self) -> None:
        """Stop what runs; end a command of which an exception has left nothing that ends it."""
        self.halt()
        if self._task is None and self.sequence.running is not None:
            self._target, self._arriving_until = None, math.inf
            self._legs.clear()
            self.sequence.ended()

    def look(self, passed: float) -> None:
        """Report what has changed over the last ``passed`` seconds: room, motion, sight."""
        if self._arriving_until < math.inf:
            self._arrive()
        self.senses.look()
        if self._task is not None and not self._halting:
            self._check_robot()
        if not self._walking:
            walks = self.senses.moves
            self.sequence.set_state(RobotState.WALKING if walks else RobotState.HALTED)
        if not self._walking or self.senses.room != self._target:
            self._report_room()  # of the target, the result comes first
        self._see_in -= passed
        if self._see_in <= 0.0:
            self._report_sight()

    def _check_robot(self) -> None:
        """Fail what runs if the robot's pose is too old: its program is dead, or stopped."""
        age = self.senses.pose_age
        if self._task is None or age <= self._silence:
            return
        task, self._task, self._asked = self._task, None, None  # its reports are ignored now
        task.cancel()
        self._legs.clear()
        reason = f"no new pose of the robot on /tf for {age:.1f} s"
        if self._walking:
            self._end_walk(reason)
        else:
            self._over(reason)

    # --- the body of the command sequence --------------------------------------------------

    def begin(self, command: Command) -> None:
        """Begin a command."""
        self._halting = False
        if isinstance(command, GoTo | TurnAndGoTo | GoToTiles):
            self._walk(command)
        elif isinstance(command, PickUp):
            self._begin_pick_up(command)
        elif isinstance(command, PutDown):
            self._begin_put_down()
        elif isinstance(command, Exit):
            self._over()  # it stands

    def halt(self) -> None:
        """Cancel what runs; its server answers whether it stops."""
        self._halting = True
        if self._task is not None:
            self._task.cancel()
        elif self._arriving_until < math.inf:
            self._end_walk("")

    # --- walking ---------------------------------------------------------------------------

    @property
    def _walking(self) -> bool:
        return self._target is not None

    def _walk(self, command: GoTo | TurnAndGoTo | GoToTiles) -> None:
        here = self.senses.room  # as of the last look
        if here is None:
            self._over(self.senses.why_no_room())
            return
        try:
            if isinstance(command, GoToTiles):
                way = way_over_tiles(self._map, here, command.waypoints)
            elif not self._go_to_unseen and command.marker_id not in self.senses.in_sight:
                raise NoWayError(f"marker {command.marker_id} is not in sight from room {here}")
            else:
                way = way_to_marker(self._map, here, command.marker_id, command.distance)
        except NoWayError as error:
            self._over(str(error))
            return
        if not way:
            self._over()
            return
        self._legs = legs(self._map, self._frame, here, way)
        self._target = self.senses.expected_room = way[-1]
        self._next_leg()

    def _next_leg(self) -> None:
        goal = self._navigation.message_type()
        goal.pose = self._legs.pop(0)
        goal.pose.header.stamp = self._node.stamp()
        self._ask(
            self._navigation,
            goal,
            self._leg_ended,
            lambda: self.sequence.set_state(RobotState.WALKING),
        )

    def _leg_ended(self, succeeded: bool, reason: str) -> None:
        if succeeded and self._legs and not self._halting:
            self._next_leg()
            return
        if self._legs:
            reason = "halted on the way" if succeeded else reason
            self._legs.clear()
            succeeded = False
        if succeeded:
            self._arriving_until = time.monotonic() + ARRIVAL_TIMEOUT_S
            self._arrive()
        else:
            self._end_walk(reason)

    def _arrive(self) -> None:
        """End the walk when /tf shows the robot at its goal: the next command begins there."""
        if self.senses.room != self._target:
            self.senses.look()
        if self.senses.room == self._target or time.monotonic() >= self._arriving_until:
            self._end_walk("")

    def _end_walk(self, reason: str) -> None:
        self._target = None
        self._arriving_until = math.inf
        self.senses.forget_motion()
        if not self._halting:  # else it is reported after what waited has failed
            self.sequence.set_state(RobotState.HALTED)
        self._over(reason)

    # --- handling objects ------------------------------------------------------------------

    def _begin_pick_up(self, command: PickUp) -> None:
        if self._held is not None:
            self._over(f"the robot holds object {self._held}")
        elif self._pick_up is None:
            taken = self._objects.take(self.senses.room, command.object_id)
            if isinstance(taken, str):
                self._over(taken)
            else:
                self._has_taken(taken)
        else:
            named = UNKNOWN_OBJECT if command.object_id is None else command.object_id

            def ended(succeeded: bool, reason: str) -> None:
                if succeeded:
                    self._has_taken(named)
                else:
                    self._over(reason)

            self._handle(self._pick_up, command.object_id, ended)

    def _has_taken(self, object_id: int) -> None:
        self._held = object_id
        self._over("", Holding(object_id))

    def _begin_put_down(self) -> None:
        if self._held is None:
            self._over("the robot holds nothing")
        elif self._put_down is None:
            self._objects.lay(self.senses.room, self._held)
            self._has_laid_down(True, "")
        else:
            self._handle(self._put_down, self._held, self._has_laid_down)

    def _handle(
        self, hand: Manipulation, object_id: int | None, on_end: Callable[[bool, str], None]
    ) -> None:
        try:
            message = hand.message(object_id)
        except OverflowError as error:
            self._over(str(error))
        else:
            self._ask(hand.server, message, on_end)

    def _has_laid_down(self, succeeded: bool, reason: str) -> None:
        if succeeded and self._held is not None:
            dropped, self._held = self._held, None
            self._over("", Dropped(dropped))
        else:
            self._over(reason)

    # --- small parts -----------------------------------------------------------------------

    def _ask(
        self,
        server: Remote,
        message: Any,
        on_end: Callable[[bool, str], None],
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        asked = self._asked = object()

        def current(function: Callable[..., None]) -> Callable[..., None]:
            """Return ``function`` as long as nothing else was begun or given up."""
            return lambda *arguments: function(*arguments) if self._asked is asked else None

        def ended(end: End) -> None:
            self._task = None
            on_end(end.succeeded, end.reason)

        observer = Observer(
            current(ended),
            current(on_start),
            on_refused=current(self._refused),
            on_lost=current(self._lost),
        )
        self._task = server.send(message, observer, self._limits)

    def _refused(self) -> None:
        self._halting = False
        self._node.get_logger().info(f"{self.sequence.running} is not halted: its server refused")
        self.sequence.halt_refused()

    def _lost(self, reason: str) -> None:
        self._task = None
        self._on_lost(reason)

    def _over(self, reason: str = "", *events: Event) -> None:
        """End the command that runs: it has failed if there is a ``reason``."""
        if reason:
            self._node.get_logger().warning(f"{self.sequence.running} failed: {reason}")
        walked = isinstance(self.sequence.running, GoTo | TurnAndGoTo | GoToTiles)
        if self._late and self._halting and not self.sequence.exiting:
            self.sequence.set_state(RobotState.HALTED)
            self.sequence.halt_accepted()
        self.sequence.reply(not reason)
        for event in events:
            self._emit(event)
        if walked:
            self._report_room()
        self.sequence.ended()

    def _report_room(self) -> None:
        room = self.senses.room
        if room is None or room == self._reported:
            return
        self._reported = room
        self._emit(Location(room))
        self._report_sight()

    def _report_sight(self) -> None:
        self._see_in = self._see_period
        for marker, rooms in self.senses.in_sight.items():
            self._emit(See(marker, rooms))
        if self._pick_up is None and self._held is None and self.senses.room is not None:
            tile = self.senses.room
            for object_id in self._objects.in_room(tile):
                self._emit(cast(Event, SeeObject(object_id, tile)))
