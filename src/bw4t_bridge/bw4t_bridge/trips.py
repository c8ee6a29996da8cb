# SPDX-License-Identifier: Apache-2.0
"""Following robots on their way, to tell how each way ended. ROS-free.

The actions goTo, goToBlock and navigateObstacles only begin a way in the original, and percepts
tell how it went on. A :class:`Trip` is the whole of it: it begins with the action, and ends when
the robot arrives, is stopped, or is sent elsewhere by anybody.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from math import hypot
from typing import Any

from bw4t_bridge.host import HostEvent, WorldHost
from bw4t_world import ActionError, Snapshot, World
from bw4t_world.actions import Effect
from bw4t_world.snapshots import RobotView


class TripEnd(Enum):
    """How a trip ended; the values are words for log messages."""

    ARRIVED = "arrived"
    CLOSED_DOOR = "collided with a closed door"
    ROBOT = "collided with a robot"
    OCCUPIED_ZONE = "collided with an occupied zone"
    WALL = "collided with a wall"
    UNREACHABLE = "unreachable"
    BATTERY_EMPTY = "battery empty"
    REJECTED = "rejected"
    PREEMPTED = "preempted"
    CANCELED = "canceled"
    WORLD_RESET = "world reset"


_STOPS = {
    "arrived": TripEnd.ARRIVED,
    "closed door": TripEnd.CLOSED_DOOR,
    "robot": TripEnd.ROBOT,
    "occupied zone": TripEnd.OCCUPIED_ZONE,
    "wall": TripEnd.WALL,
    "battery empty": TripEnd.BATTERY_EMPTY,
}


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a robot is: position in map units (y down), its zone, and the length of its way."""

    x: float
    y: float
    zone: str
    remaining: float


@dataclass(frozen=True, slots=True)
class TripResult:
    """How a trip ended.

    ``stopped_by`` names the room, zone or robot of a collision. ``progress`` is where the robot
    was then, ``None`` for a robot that is not there any more.
    """

    end: TripEnd
    text: str
    stopped_by: str
    progress: Progress | None


class Trip:
    """One way of one robot. The future ``result`` has its TripResult."""

    def __init__(self, player: str, on_progress: Callable[[Progress], None] | None) -> None:
        self.player = player
        self.result: Future[TripResult] = Future()
        self._on_progress = on_progress
        self._told: Progress | None = None

    def tell(self, progress: Progress) -> None:
        """Pass on where the robot is, if that is news. Called on the host's thread."""
        if self._on_progress is not None and progress != self._told:
            self._told = progress
            self._on_progress(progress)


class Trips:
    """All trips of one host. Make it before the host is started.

    ``progress_period`` is the least number of simulated seconds between two calls of a trip's
    ``on_progress``.
    """

    def __init__(self, host: WorldHost, *, progress_period: float = 0.1) -> None:
        self._host = host
        self._period = progress_period
        self._next_progress = 0.0
        self._trips: dict[str, Trip] = {}
        host.on_going(self._sent_elsewhere)
        host.on_cycle(lambda snapshot, _: self._follow(snapshot))
        host.on_event(self._happened)

    def begin(
        self,
        player: str,
        action: str,
        *args: Any,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Trip:
        """Let a robot go, by one of the GOING_ACTIONS; from any thread.

        ``on_progress`` is called on the host's thread, first when the environment has taken the
        action. What it does not take ends as REJECTED or UNREACHABLE.
        """
        trip = Trip(player, on_progress)

        def go(world: World) -> None:
            try:
                outcome = self._host.act(player, action, *args)
            except ActionError as error:
                # The planner's errors are sentences of the world, see bw4t_world.routes.
                lost = "there is no path" in str(error)
                end = TripEnd.UNREACHABLE if lost else TripEnd.REJECTED
                self._end(trip, end, str(error), world.snapshot())
                return
            if outcome.effect is Effect.UNREACHABLE:
                self._end(trip, TripEnd.UNREACHABLE, outcome.text, world.snapshot())
                return
            self._trips[player] = trip
            robot = _robot(world.snapshot(), player)
            if robot is not None:
                trip.tell(_progress(robot))

        job = self._host.submit(go)
        if job.cancelled():
            text = "the world has ended"
            trip.result.set_result(TripResult(TripEnd.WORLD_RESET, text, "", None))
        else:
            job.add_done_callback(lambda done: _settle(trip, done))
        return trip

    def cancel(self, trip: Trip) -> Future[bool]:
        """Stop the robot where it is; the future tells whether the trip was still going on."""

        def stop(world: World) -> bool:
            if self._trips.get(trip.player) is not trip:
                return False
            del self._trips[trip.player]
            world.stop(trip.player)
            self._end(
                trip, TripEnd.CANCELED, f"{trip.player} stopped as asked for", world.snapshot()
            )
            return True

        return self._host.submit(stop)

    # --- On the host's thread --------------------------------------------------------------

    def _sent_elsewhere(self, player: str) -> None:
        trip = self._trips.pop(player, None)
        if trip is not None:
            text = f"{player} was sent elsewhere"
            self._end(trip, TripEnd.PREEMPTED, text, self._host.snapshot)

    def _follow(self, snapshot: Snapshot) -> None:
        if not self._trips:
            return
        is_time = snapshot.seconds >= self._next_progress
        if is_time:
            self._next_progress = snapshot.seconds + 0.999 * self._period
        for robot in snapshot.robots:
            trip = self._trips.get(robot.name)
            if trip is None:
                continue
            if robot.state == "traveling":
                if is_time:
                    trip.tell(_progress(robot))
                continue
            del self._trips[robot.name]
            end = _STOPS.get(robot.stop, TripEnd.ARRIVED)
            self._end(trip, end, _sentence(robot, end), snapshot, robot.stopped_by)

    def _happened(self, event: HostEvent) -> None:
        snapshot = self._host.snapshot
        if event in (HostEvent.RUN, HostEvent.END):
            self._next_progress = 0.0
            text = "the world began again" if event is HostEvent.RUN else "the world has ended"
            for trip in self._trips.values():
                self._end(trip, TripEnd.WORLD_RESET, text, snapshot)
            self._trips.clear()
        elif event is HostEvent.ROSTER:
            present = {robot.name for robot in snapshot.robots}
            for name in [name for name in self._trips if name not in present]:
                text = f"{name} was taken out of the world"
                self._end(self._trips.pop(name), TripEnd.WORLD_RESET, text, snapshot)

    def _end(
        self, trip: Trip, end: TripEnd, text: str, snapshot: Snapshot, stopped_by: str = ""
    ) -> None:
        robot = _robot(snapshot, trip.player)
        progress = None if robot is None else _progress(robot)
        trip.result.set_result(TripResult(end, text, stopped_by, progress))


def _settle(trip: Trip, job: Future[None]) -> None:
    """End a trip whose job was never begun, because the host has ended."""
    if job.cancelled() and not trip.result.done():
        result = TripResult(TripEnd.WORLD_RESET, "the world has ended", "", None)
        trip.result.set_result(result)


def _robot(snapshot: Snapshot, name: str) -> RobotView | None:
    return next((robot for robot in snapshot.robots if robot.name == name), None)


def _progress(robot: RobotView) -> Progress:
    length, x, y = 0.0, robot.x, robot.y
    for next_x, next_y in robot.path:
        length += hypot(next_x - x, next_y - y)
        x, y = next_x, next_y
    return Progress(robot.x, robot.y, robot.zone or "", length)


def _sentence(robot: RobotView, end: TripEnd) -> str:
    if end is TripEnd.ARRIVED:
        return f"{robot.name} arrived at {robot.zone or f'({robot.x:g}, {robot.y:g})'}"
    if end is TripEnd.BATTERY_EMPTY:
        return f"the battery of {robot.name} is empty"
    if end is TripEnd.ROBOT:
        return f"{robot.name} collided with {robot.stopped_by}"
    if end is TripEnd.OCCUPIED_ZONE:
        return f"{robot.name} collided with the occupied zone {robot.stopped_by}"
    occupied = ", which is occupied" if end is TripEnd.CLOSED_DOOR else ""
    return f"{robot.name} {end.value} of {robot.stopped_by}{occupied}"
