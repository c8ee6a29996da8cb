# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated Nao in a maze of rooms: commands in, events out, time by ``step`` alone.

The rules are those of the document and of docs/originals/nao.md, "State machine". In short:

- What runs, waits, is halted and ends with Exit: :mod:`nao_goal_bridge.protocol.command_sequence`.
  A Halt fails while the Nao grabs or puts down an object.
- A marker or object is spotted if it is in a free straight line of rooms within
  ``sight_range``. GoTo fails for a marker that is not spotted from where the Nao is when the
  walk begins, and for a distance below zero. A Nao that is nearer than the distance asked for
  succeeds where it is; it does not walk back.
- The State is 1 while the Nao walks, to a marker or up to an object, and 0 otherwise.
- The end of a walk is reported as State, Success, Location, See; the end of a grab as Success,
  Holding; of a put-down as Success, Dropped.
- A room is entered when its centre is reached. A Nao halted between two rooms is still in the
  one it left.
- A list of tiles begins with that of the room in which the Nao is, goes on in free straight
  lines, and has at least two: anything else is a Failure, as in the original.

Events are those of profile ``spec``, with all arguments; the commands of all profiles are
understood. In those with tiles a lost link does not stop the Nao, and a Halt is answered at once,
but a walk goes on to the end of its leg, and its Failure comes then. From ``june7`` on, ``late``,
it sees objects and no markers, takes up only what lies in its room, reports a further Success
after each PickUp, and its room after the Success of a walk alone.

Nothing here knows sockets or clocks, and a seed decides what chance decides.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Mapping

from nao_goal_bridge.model.room_map import RoomMap
from nao_goal_bridge.model.walks import corners, in_sight, way_over_tiles
from nao_goal_bridge.model.ways import NoWayError, way_to_marker
from nao_goal_bridge.protocol import events
from nao_goal_bridge.protocol.command_sequence import CommandSequence
from nao_goal_bridge.protocol.dialects import Dialect
from nao_goal_bridge.simulator.activities import Pause, Walk
from nao_goal_bridge.simulator.nao_settings import NaoSettings

_MARK_ON_WALL = 0.5
"""Rooms from the centre of a room to the mark on its wall.

Source: docs/originals/nao.md: a robot stops at d + 0.5.
"""


class NaoWorld:
    """The Nao, its maze and what lies there. Deterministic; to be used from one thread."""

    def __init__(
        self,
        room_map: RoomMap,
        seed: int = 0,
        settings: NaoSettings | None = None,
        *,
        dialect: Dialect | None = None,
    ) -> None:
        self._dialect = dialect or Dialect()
        self._late = not self._dialect.has(events.See)
        self._map = room_map
        self._settings = settings or NaoSettings()
        self._random = random.Random(seed)
        self._objects = {m: set(room.objects) for m, room in room_map.rooms.items()}
        self._room = room_map.start
        self._toward: int | None = None  # the neighbour it stands or walks towards, if between
        self._fraction = 0.0  # of the way to that neighbour
        self._held: int | None = None
        self._activity: Walk | Pause | None = None
        self._sequence = CommandSequence(self, self._emit, self._settings.queue_limit)
        self._now = 0.0  # seconds of simulated time
        self._see_due = math.inf
        self._out: list[events.Event] = []

    # --- what can be seen from outside -----------------------------------------------------

    @property
    def room(self) -> int:
        """Marker id of the room the Nao is in."""
        return self._room

    @property
    def held_object(self) -> int | None:
        """Id of the object in the Nao's hands."""
        return self._held

    @property
    def state(self) -> events.RobotState:
        """Whether the Nao walks."""
        return self._sequence.state

    @property
    def exited(self) -> bool:
        """True once the Nao has sat down: its program is to end the link and itself."""
        return self._sequence.exited

    def objects_in(self, marker_id: int) -> frozenset[int]:
        """Return the ids of the objects that lie in a room; KeyError for a room not in the map."""
        return frozenset(self._objects[marker_id])

    def markers_in_sight(self) -> Mapping[int, int]:
        """Return the markers that the Nao spots from its room and their distance in rooms."""
        reach = self._settings.sight_range
        return {
            marker_id: rooms
            for marker_id, rooms in in_sight(self._map, self._room).items()
            if rooms + _MARK_ON_WALL <= reach
        }

    def next_due(self) -> float | None:
        """Return the seconds until something happens by itself; None when nothing will."""
        due = self._next_time()
        return None if due == math.inf else max(0.0, due - self._now)

    # --- what happens ----------------------------------------------------------------------

    def connect(self) -> list[events.Event]:
        """Greet as the dialect does; then come the markers in sight."""
        self._sequence.connect()
        greeting = self._dialect.greeting
        reports: list[events.Event] = [events.Agent(self._settings.agent_id)]
        reports.append(events.Location(self._map.start if self._dialect.walks_on else self._room))
        if self._held is not None:
            reports.append(events.Holding(self._held))
        self._emit(*(report for report in reports if type(report) in greeting))
        if events.State in greeting:
            self._sequence.report_state()
        self._look()
        return self._take()

    def disconnect(self) -> None:
        """Stop at once and forget all commands; a grab or put-down that was going on is undone.

        Replies to commands of a lost link would be stale. But the original since 29 May 2013
        goes on with what runs and waits, and replies over the next connection.
        """
        goes_on = self._dialect.walks_on and not isinstance(self._sequence.running, events.Exit)
        self._sequence.disconnect(goes_on=goes_on)
        if not goes_on:
            self._stop_what_runs()
        self._see_due = math.inf
        self._out.clear()

    def command(self, command: events.Command) -> list[events.Event]:
        """Begin a command; return the events that follow at once."""
        self._sequence.command(command)
        return self._take()

    def step(self, seconds: float) -> list[events.Event]:
        """Let time (s) pass; return its events in order, however long it was."""
        until = self._now + seconds
        while (due := self._next_time()) <= until:
            self._now = due
            if self._activity is not None and self._activity.due <= due:
                self._advance(self._activity)
            else:
                self._look()
        self._now = until
        return self._take()

    def break_down(self) -> list[events.Event]:
        """Simulate a fatal error: stop, answer all commands with one Error, refuse more."""
        self._see_due = math.inf
        self._sequence.break_down()
        self._stop_what_runs()
        return self._take()

    # --- what only a simulator can do ------------------------------------------------------

    @property
    def room_map(self) -> RoomMap:
        """The rooms."""
        return self._map

    def put_in_room(self, marker_id: int) -> None:
        """Put the robot in the centre of a room at once; a walk ends without a reply."""
        self._stop_what_runs()
        self._room, self._toward, self._fraction = marker_id, None, 0.0
        if not self._late:
            self._emit(events.Location(marker_id))
        self._look()

    def linger(self, seconds: float) -> None:
        """Let what the Nao is doing, such as a turn, take longer (s)."""
        if self._activity is not None:
            self._activity.due += seconds

    def lay(self, object_id: int, marker_id: int) -> None:
        """Lay an object on the floor of a room of the map, wherever it was before."""
        self.remove(object_id)
        self._objects[marker_id].add(object_id)

    def remove(self, object_id: int) -> None:
        """Take away an object that lies in a room, if it does."""
        for objects in self._objects.values():
            objects.discard(object_id)

    # --- the body of the command sequence --------------------------------------------------

    def begin(self, command: events.Command) -> None:
        """Begin a command; it may be over at once."""
        if isinstance(command, events.GoTo | events.TurnAndGoTo | events.GoToTiles):
            self._start_go_to(command)
        elif isinstance(command, events.PickUp):
            self._start_pick_up(command)
        elif isinstance(command, events.Exit):
            self._activity = Pause(events.Exit.opcode, self._now + self._settings.sit_time)
        elif self._held is None:
            self._finished(succeeded=False)
        else:
            self._activity = Pause(events.PutDown.opcode, self._now + self._settings.put_down_time)

    def halt(self) -> None:
        """Stop a walk; with tiles a Nao obeys at any time, and reports the end afterwards."""
        halted = self._activity
        if self._dialect.walks_on and halted is not None and not self._sequence.exiting:
            if isinstance(halted, Walk):
                self._end_with_leg(halted)
                self._sequence.halt_accepted()
            else:
                self._stop_what_runs()
                self._emit(events.Success(halted.code))
        elif isinstance(halted, Walk):
            self._sequence.reply(succeeded=False)
            self._stop_what_runs()
        else:
            self._sequence.halt_refused()

    def _end_with_leg(self, walk: Walk) -> None:
        walk.halted = True
        ahead = list(walk.ahead)
        leg_end = corners(self._map, self._room, ahead)[0]
        walk.ahead = deque(ahead[: ahead.index(leg_end) + 1])

    def _stop_what_runs(self) -> None:
        if isinstance(self._activity, Walk):
            self._stand_still(self._activity)
        self._activity = None
        self._sequence.ended()

    # --- commands --------------------------------------------------------------------------

    def _start_go_to(self, command: events.GoTo | events.TurnAndGoTo | events.GoToTiles) -> None:
        try:
            if isinstance(command, events.GoToTiles):
                way = way_over_tiles(self._map, self._room, command.waypoints)
            elif command.marker_id in self.markers_in_sight():
                way = way_to_marker(self._map, self._room, command.marker_id, command.distance)
            else:
                raise NoWayError("it is not in sight")
        except NoWayError:
            self._finished(succeeded=False)
            return
        self._walk(events.GoTo.opcode, way)

    def _start_pick_up(self, command: events.PickUp) -> None:
        """Go up to the object, or to the nearest if none is named, and grab it."""
        spotted = [
            (rooms, object_id, marker_id)
            for marker_id, rooms in self.markers_in_sight().items()
            for object_id in self._objects[marker_id]
            if command.object_id in (None, object_id) and not (self._late and rooms)
        ]
        if self._held is not None or not spotted:
            self._finished(succeeded=False)
            return
        _, object_id, marker_id = min(spotted)
        way = self._map.path(self._room, marker_id)[1:]
        self._walk(events.PickUp.opcode, way, object_id)

    def _finished(self, *reports: events.Event, succeeded: bool) -> None:
        """End the command that ran: report how, and then ``reports``."""
        picked_up = isinstance(self._sequence.running, events.PickUp)
        self._activity = None
        self._sequence.reply(succeeded)
        self._emit(*reports)
        if picked_up and self._late:
            self._emit(events.Success(events.PickUp.opcode))
        self._sequence.ended()

    # --- walking and handling objects ------------------------------------------------------

    def _walk(self, code: int, way: tuple[int, ...], object_id: int | None = None) -> None:
        walk = Walk(code, deque(way), False, self._now, object_id)
        self._activity = walk
        if not way:
            self._arrived(walk, entered=False)
            return
        self._sequence.set_state(events.RobotState.WALKING)
        if self._toward not in (None, way[0]):
            walk.going_back = True
            walk.due = self._now + self._fraction / self._settings.speed
        else:
            self._next_leg(walk)

    def _next_leg(self, walk: Walk) -> None:
        walk.going_back = False
        self._toward = walk.ahead[0]
        walk.due = self._now + (1.0 - self._fraction) / self._settings.speed

    def _stand_still(self, walk: Walk) -> None:
        """Note where between two rooms the Nao has come to."""
        left = (walk.due - self._now) * self._settings.speed
        self._fraction = left if walk.going_back else 1.0 - left
        if self._fraction <= 0.0:
            self._fraction = 0.0
            self._toward = None

    def _advance(self, activity: Walk | Pause) -> None:
        """Run the transitions whose time has come."""
        if isinstance(activity, Pause):
            self._end_of_pause(activity)
            return
        self._fraction = 0.0
        self._toward = None
        if activity.going_back:
            self._next_leg(activity)
            return
        self._room = activity.ahead.popleft()
        if activity.ahead:
            self._enter(reported=not self._late)
            self._next_leg(activity)
        else:
            self._arrived(activity, entered=True)

    def _enter(self, *, reported: bool) -> None:
        """Enter the room that was reached, and report it or not."""
        if reported:
            self._emit(events.Location(self._room))
        self._look()
        if self._held is not None and self._random.random() < self._settings.drop:
            self._emit(self._let_go())

    def _arrived(self, walk: Walk, *, entered: bool) -> None:
        self._sequence.set_state(events.RobotState.HALTED)
        if walk.halted:
            self._enter(reported=False)
            self._finished(succeeded=False)
            return
        if walk.object_id is None:
            # State, Success, Location: Success precedes what it brought about
            # (docs/originals/nao.md).
            self._sequence.reply(succeeded=True)
        if entered:
            self._enter(reported=True)
            if self._late and self._held is None and self._objects[self._room]:
                self._emit(events.SeeObject(0, self._room))  # it cannot distinguish objects
        if walk.object_id is None:
            self._activity = None
            self._sequence.ended()
        elif walk.object_id in self._map.out_of_reach:
            self._finished(succeeded=False)
        else:
            due = self._now + self._settings.grab_time
            self._activity = Pause(walk.code, due, walk.object_id)

    def _end_of_pause(self, pause: Pause) -> None:
        if pause.code == events.PutDown.opcode:
            self._finished(self._let_go(), succeeded=True)
        elif pause.object_id is None:  # it sits
            self._finished(succeeded=True)
        elif self._random.random() < self._settings.grab_failure:
            self._finished(succeeded=False)
        else:
            self._objects[self._room].remove(pause.object_id)
            self._held = pause.object_id
            self._finished(events.Holding(pause.object_id), succeeded=True)

    def _let_go(self) -> events.Event:
        assert self._held is not None
        dropped, self._held = self._held, None
        self._objects[self._room].add(dropped)
        return events.Dropped(dropped)

    # --- reports ---------------------------------------------------------------------------

    def _look(self) -> None:
        """Report the markers in sight. Every distance changes with the room, so all of them."""
        if self.exited:
            self._see_due = math.inf
            return
        if not self._late:
            self._emit(*(events.See(marker, n) for marker, n in self.markers_in_sight().items()))
        rate = 0.0 if self._late else self._settings.see_rate
        self._see_due = self._now + 1.0 / rate if rate > 0 else math.inf

    def _next_time(self) -> float:
        activity = self._activity
        return min(self._see_due, math.inf if activity is None else activity.due)

    def _emit(self, *reports: events.Event) -> None:
        self._out += reports

    def _take(self) -> list[events.Event]:
        out, self._out = self._out, []
        return out
