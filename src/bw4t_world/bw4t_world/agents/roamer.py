# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How a robot of the example teams moves among others: entering, waiting, making way, charging."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from math import inf

from bw4t_world.agents.agent import Agent
from bw4t_world.agents.driver import Motion
from bw4t_world.agents.geography import DROP_ZONE
from bw4t_world.agents.player import Player
from bw4t_world.messages import Message, MessageType, Phrasing

DOOR = 4.0
"""Width of a door, in map units: no larger robot gets into a room."""

AVOID = 1500
"""Steps for which a room that cannot be entered is left alone."""

_FAILURES = 8
"""Failed ways to a room that is not occupied before the room is left alone."""

_QUEUE = 30.0
"""Map units that an occupied room counts as farther away than a free one."""

_MAKE_WAY = 40
"""Steps for which a robot that was asked to stays away from where it stood."""

_ASK_AGAIN = 20
"""Steps after which a robot asks again to be let pass."""

_TRIES_ASIDE = 2
"""Failed ways to a place aside before another one is tried."""

_LONG_WAIT = 100
"""Steps that a robot waits in front of a door; after these it waits farther away."""

_RESERVE = 1.3
"""How much more charge than the way should take a robot wants to have."""

_CHARGED = 95.0
"""Percent from which a battery counts as full."""


class Roamer(Agent):
    """A robot that moves without blocking others; a subclass picks the task."""

    def __init__(
        self, player: Player, *, seed: int = 0, phrasing: Phrasing = Phrasing.DOCUMENT
    ) -> None:
        super().__init__(player, seed=seed, phrasing=phrasing)
        self._avoid: dict[str, int] = {}
        self._told_waiting: str | None = None
        self._refuge: str | None = None
        self._make_way_until = 0
        self._aside: str | None = None
        self._ask_again_at = 0
        self._waited = 0
        self._charging = False

    @abstractmethod
    def _rooms_to_wait_in(self) -> list[str]:
        """Return the free rooms that no player needs to enter."""

    @abstractmethod
    def _give_up(self) -> None:
        """Forget what the robot was about to do."""

    # --- Going and waiting -----------------------------------------------------------------

    def _nearest(self, places: Iterable[str]) -> str | None:
        """Return the place with the shortest way, an occupied room counting as farther."""
        here = self.beliefs.room or self.beliefs.at
        distances = {
            place: self.geography.distance(here, place)
            + (_QUEUE if self.beliefs.is_occupied_by_another(place) else 0.0)
            for place in places
        }
        reachable = [place for place, distance in distances.items() if distance < inf]
        return min(reachable, key=lambda place: (distances[place], place), default=None)

    def _enter(self, room: str) -> bool:
        """Go into a room, or near it while another robot is inside."""
        if self.beliefs.is_occupied_by_another(room):
            self._wait_near(room)
            return True
        self._told_waiting = None
        motion = self.driver.go_to(room, self.geography)
        if motion is Motion.BLOCKED and self.driver.failures > _FAILURES and room != DROP_ZONE:
            self._avoid[room] = self.steps + AVOID
            self.driver.rest()
            if not self.beliefs.holding:
                self._give_up()
        return True

    def _wait_near(self, room: str) -> None:
        """Wait outside a room, where those who leave it can pass."""
        beliefs, geography = self.beliefs, self.geography
        front = geography.front_of(room)
        place = front
        if self.driver.in_the_way:
            around = self._corridors_beside(front)
            if beliefs.bumped_robots and beliefs.at in around and len(around) > 1:
                # Another robot wants to pass just here.
                around.remove(beliefs.at)
            place = self._nearest(self._rooms_to_wait_in()) or self._nearest(around) or front
        if place in (beliefs.room, beliefs.at):
            if self._told_waiting != room and room != DROP_ZONE:
                self._told_waiting = room
                self.say(Message(MessageType.AM_WAITING_OUTSIDE_ROOM, room=room))
            self._waited += 1
            if self._waited > _LONG_WAIT:
                # A robot inside may be waiting for this one to let it out.
                self.driver.in_the_way = True
            if not self.driver.in_the_way:
                return
        else:
            self._waited = 0
        self.driver.go_to(place, geography)

    def _corridors_beside(self, place: str) -> list[str]:
        rooms = {*self.geography.rooms, DROP_ZONE}
        return [name for name in self.geography.neighbours.get(place, ()) if name not in rooms]

    def _make_way(self) -> None:
        """Leave a room, and where corridors are narrow, stand in a room that no player needs."""
        beliefs, geography = self.beliefs, self.geography
        if not self.driver.in_the_way or beliefs.size >= DOOR:
            if beliefs.room:
                self._refuge = geography.front_of(beliefs.room)
            if self._refuge is not None:
                arrived = self.driver.go_to(self._refuge, geography) is Motion.ARRIVED
                self._refuge = None if arrived else self._refuge
            return
        useless = self._rooms_to_wait_in()
        if beliefs.room not in useless:
            refuge = self._nearest(useless)
            if refuge is not None:
                self.driver.go_to(refuge, geography)

    def _asked_to_make_way(self, place: str | None) -> None:
        """Handle a message that a player wants to go where this robot may be standing."""
        if place == self.beliefs.at and not self.beliefs.room:
            self.driver.in_the_way = True
            self._make_way_until = self.steps + _MAKE_WAY
            self._aside = None

    def _ask_to_make_way(self) -> None:
        """Tell a robot that stands in the next corridor that this one wants to go there."""
        places = self.driver.stopped_by
        if places and self.steps >= self._ask_again_at:
            self._ask_again_at = self.steps + _ASK_AGAIN
            for place in sorted(places):
                self.say(Message(MessageType.AM_WAITING_OUTSIDE_ROOM, room=place))

    def _step_aside(self) -> bool:
        """Leave this corridor to who asked for it; whether that is still to be done."""
        beliefs, geography = self.beliefs, self.geography
        if self.steps >= self._make_way_until:
            self._aside = None
            return False
        if self._aside is None:
            if beliefs.is_moving:
                return False  # about to leave anyway
            near = [
                name
                for name in geography.neighbours.get(beliefs.at, ())
                if name != DROP_ZONE and name not in beliefs.occupied
            ]
            if not near:
                return False
            self._aside = self.choose.choice(near)
        self.driver.go_to(self._aside, geography)
        if self.driver.failures > _TRIES_ASIDE:
            self._aside = None
        return True

    # --- The battery -----------------------------------------------------------------------

    def _charge(self, target: str | None = None) -> bool:
        """Drive to a charger when the battery would not last for going to a target as well."""
        beliefs, geography = self.beliefs, self.geography
        if beliefs.battery >= _CHARGED:
            self._charging = False
            return False
        here = beliefs.room or beliefs.at
        chargers = beliefs.chargers or {
            name for name in geography.centers if name.startswith("Charge")
        }
        charger = min(chargers, key=lambda name: geography.distance(here, name), default=None)
        if charger is None:
            return False
        if not self._charging:
            if target is None or beliefs.battery_per_unit <= 0.0:
                return False
            way = geography.distance(here, target) + geography.distance(target, DROP_ZONE)
            way += geography.distance(DROP_ZONE, charger)
            if beliefs.battery >= way * beliefs.battery_per_unit * _RESERVE:
                return False
            self._charging = True
        self.driver.go_to(charger, geography)
        return True
