# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Follow robots on their way, and report how each way ended. ROS-free.

The actions goTo, goToBlock and navigateObstacles only begin a way in the original, and percepts
tell how it went on. A :class:`Trip` is the whole of it: it begins with the action, and ends when
the robot arrives, is stopped, or gets another target from anywhere.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from math import hypot, isfinite
from typing import Any

from bw4t_runner.events import Cycle, Going, RunnerEvent
from bw4t_runner.jobs import WorldEndedError
from bw4t_runner.world_port import WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import ActionError, Snapshot, WorldError
from bw4t_world.actions import Effect
from bw4t_world.simulation.snapshots import RobotView


class TripEnd(enum.IntEnum):
    """How a trip ended; the numbers are those of legacy_robots_msgs/Bw4tGoing."""

    ARRIVED = SUCCEEDED = 0
    CLOSED_DOOR = 1
    ROBOT = 2
    OCCUPIED_ZONE = 3
    WALL = 4
    UNREACHABLE = 5
    BATTERY_EMPTY = 6
    REJECTED = INVALID = 7
    PREEMPTED = 8
    CANCELED = 9
    WORLD_RESET = 10
    SHUTDOWN = 11
    LINK_LOST = 12


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
    was then, ``None`` for a robot that has left.
    """

    end: TripEnd
    text: str
    stopped_by: str
    progress: Progress | None


class Trip:
    """One way of one robot. The future ``result`` has its TripResult."""

    is_wanted = True
    """Whether it is to begin, as long as it has not."""

    def __init__(self, player: str, on_progress: Callable[[Progress], None] | None) -> None:
        self.player = player
        self.result: Future[TripResult] = Future()
        self._on_progress = on_progress
        self._told: Progress | None = None

    def tell(self, progress: Progress) -> None:
        """Pass on where the robot is, if that has changed. Called on the runner's thread."""
        if self._on_progress is not None and progress != self._told:
            self._told = progress
            self._on_progress(progress)


class Trips:
    """All trips of one runner; it must get the runner's events.

    ``progress_period`` is the least number of simulated seconds between two calls of a trip's
    ``on_progress``.
    """

    def __init__(self, runner: WorldRunner, *, progress_period: float = 0.1) -> None:
        self._runner = runner
        self._period = progress_period
        self._next_progress = 0.0
        self._trips: dict[str, Trip] = {}

    def begin(
        self,
        player: str,
        action: str,
        *args: Any,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Trip:
        """Let a robot go, by one of the GOING_ACTIONS; from any thread.

        ``on_progress`` is called on the runner's thread, first when the environment has taken the
        action. What it does not take ends as REJECTED or UNREACHABLE.
        """
        trip = Trip(player, on_progress)

        def go(world: WorldPort) -> None:
            if not trip.is_wanted:
                return
            if _leaves_the_map(world, action, args):
                text = f"({args[0]:g}, {args[1]:g}) is outside of the map"
                self._end(trip, TripEnd.UNREACHABLE, text, world.snapshot())
                return
            try:
                outcome = self._runner.act(player, action, *args)
            except ActionError as error:
                # The planner's errors are sentences of the world, see bw4t_world.movement.routes.
                lost = "there is no path" in str(error)
                end = TripEnd.UNREACHABLE if lost else TripEnd.REJECTED
                self._end(trip, end, str(error), world.snapshot())
                return
            if outcome.effect is Effect.UNREACHABLE:
                self._end(trip, TripEnd.UNREACHABLE, outcome.text, world.snapshot())
                return
            progress = progress_of(world.snapshot(), player)
            self._trips[player] = trip
            if progress is not None:
                trip.tell(progress)

        self._runner.submit(go).add_done_callback(lambda job: _end_if_failed(trip, job))
        return trip

    def cancel(self, trip: Trip) -> Future[bool]:
        """Stop the robot where it is; the future's result: whether the trip was still going on."""

        def stop(world: WorldPort) -> bool:
            if self._trips.get(trip.player) is not trip:
                return False
            world.stop(trip.player)
            del self._trips[trip.player]
            text = f"{trip.player} stopped as asked for"
            self._end(trip, TripEnd.CANCELED, text, world.snapshot())
            return True

        return self._runner.submit(stop)

    def abandon(self) -> Future[None]:
        """Stop all robots where they are and drop their trips, which do not end."""

        def stop(world: WorldPort) -> None:
            trips, self._trips = self._trips, {}
            for name in trips:
                with suppress(WorldError):  # a remote world cannot; its robots go on
                    world.stop(name)

        return self._runner.submit(stop)

    def on_event(self, event: object) -> None:
        """Take an event of the runner, on its thread."""
        if isinstance(event, Cycle):
            self._follow(event.snapshot)
        elif isinstance(event, Going):
            trip = self._trips.pop(event.player, None)
            if trip is not None:
                text = f"{event.player} got another target"
                self._end(trip, TripEnd.PREEMPTED, text, self._runner.snapshot)
        elif event is RunnerEvent.RUN:
            self._next_progress = 0.0
            trips, self._trips = self._trips, {}
            for trip in trips.values():
                text = "the world began again"
                self._end(trip, TripEnd.WORLD_RESET, text, self._runner.snapshot)
        elif event is RunnerEvent.ROSTER:
            self._end_trips_of_removed()

    # --- On the runner's thread --------------------------------------------------------------

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

    def _end_trips_of_removed(self) -> None:
        snapshot = self._runner.snapshot
        present = {robot.name for robot in snapshot.robots}
        for name in [name for name in self._trips if name not in present]:
            text = f"{name} was taken out of the world"
            self._end(self._trips.pop(name), TripEnd.WORLD_RESET, text, snapshot)

    def _end(
        self, trip: Trip, end: TripEnd, text: str, snapshot: Snapshot, stopped_by: str = ""
    ) -> None:
        progress = progress_of(snapshot, trip.player)
        if not trip.result.done():
            trip.result.set_result(TripResult(end, text, stopped_by, progress))


def _leaves_the_map(world: WorldPort, action: str, args: tuple[Any, ...]) -> bool:
    """Whether a robot would press against the edge of the map for ever, as in the original."""
    return (
        action == "goTo"
        and len(args) == 2
        and all(map(isfinite, args))
        and (not world.contains(*args))
    )


def _end_if_failed(trip: Trip, job: Future[None]) -> None:
    error = job.exception()
    if error is not None and not trip.result.done():
        end = TripEnd.LINK_LOST if isinstance(error, WorldEndedError) else TripEnd.REJECTED
        trip.result.set_result(TripResult(end, str(error), "", None))


def progress_of(snapshot: Snapshot, name: str) -> Progress | None:
    """Return where a robot is; None where there is none of this name."""
    robot = next((robot for robot in snapshot.robots if robot.name == name), None)
    return None if robot is None else _progress(robot)


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
    if end is TripEnd.WALL:
        return f"{robot.name} collided with a wall of {robot.stopped_by}"
    return f"{robot.name} collided with a closed door of {robot.stopped_by}, which is occupied"
