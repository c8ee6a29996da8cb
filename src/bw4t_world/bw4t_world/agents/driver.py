# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Takes a robot to a place, however often it is stopped on the way."""

from __future__ import annotations

import random
from enum import Enum
from math import floor

from bw4t_world.agents.beliefs import Beliefs
from bw4t_world.agents.geography import Geography
from bw4t_world.agents.player import Argument, Player
from bw4t_world.model.errors import ActionError

Target = str | int
"""The name of a place or the id of a block."""

_GRACE = 2
"""Polls after a goTo before the state percept is trusted to be about it."""

_LOST = 15
"""Polls after which a robot that stands elsewhere than it should is sent again."""

_BLOCKED_FOR = 400
"""Polls for which a place that could not be entered is avoided."""

_CAREFUL = 100
"""Polls for which a robot goes from zone to zone after it was bumped into."""

_MAX_WAIT = 40

_STRAIGHT = 0.2
"""How often a robot in a crowd steps straight aside, instead of going to the next zone."""

_TINY = 1e-6

_ASIDE = 4
"""Map units that a robot steps aside in a crowd."""


class Motion(Enum):
    """How far a robot is."""

    MOVING = "moving"
    ARRIVED = "arrived"
    BLOCKED = "blocked"


class Driver:
    """Sends one robot on its way, again and again until it is there.

    After a collision it waits a random while and tries again; bumped into a robot, it goes
    around; and where it was stopped repeatedly, it takes another way.
    """

    def __init__(self, player: Player, beliefs: Beliefs, choose: random.Random) -> None:
        self._player = player
        self._beliefs = beliefs
        self._choose = choose
        self._step = 0
        self._target: Target | None = None
        self._sent: Target | None = None
        self._sent_at = 0
        self._retry_at: int | None = None
        self._is_aside = False
        self._is_around = False
        self._may_go_around = False
        self._careful_until = 0
        self._blocked: dict[str, int] = {}
        self.failures = 0
        """How often in a row the way to the present target failed."""
        self.in_the_way = False
        """Whether this robot was ever stopped in a corridor: others then need room to pass."""
        self.stopped_by: set[str] = set()
        """Corridors, one of which another robot has to leave before this one can go on."""

    def tick(self) -> None:
        """Count a poll."""
        self._step += 1
        self._blocked = {name: end for name, end in self._blocked.items() if end > self._step}

    def rest(self) -> None:
        """Forget the target; a robot on its way arrives there nevertheless."""
        self._target = None

    def go_to(self, target: Target, geography: Geography) -> Motion:
        """Bring the robot nearer to a place or a block; called in every poll until it is there."""
        if target != self._target:
            self._target, self.failures, self.stopped_by = target, 0, set()
            self._retry_at, self._is_aside = None, False
            return self._send(geography)
        if self._step < self._sent_at + _GRACE:
            return Motion.MOVING
        if self._beliefs.is_moving:
            if self._is_around and self._beliefs.at == self._sent:
                # The servers would now repeat the way that was blocked.
                return self._send(geography)
            return Motion.MOVING
        if self._beliefs.has_collided and self._go_around():
            return Motion.MOVING
        if self._is_aside:
            # Having stepped aside, or failed to.
            self._is_aside = False
            return self._send(geography)
        if self._beliefs.has_collided:
            return self._recover(geography)
        if self._is_there(target):
            return Motion.ARRIVED
        if self._sent != target or self._step > self._sent_at + _LOST:
            return self._send(geography)
        return Motion.MOVING

    def _go_around(self) -> bool:
        """Try once to get past the robots in the way; whether the robot is on its way again.

        Every goTo begins with the centre of the zone, where another robot may stand; a way
        around does not. It is found to places near by only.
        """
        if not self._beliefs.bumped_robots or not self._may_go_around:
            return False
        self._may_go_around = False
        if not self._try("navigateObstacles"):
            return False
        self._sent_at, self._is_around = self._step, True
        return True

    def _is_there(self, target: Target) -> bool:
        beliefs = self._beliefs
        return self._sent == target and (
            isinstance(target, int) or target == beliefs.at or target == beliefs.room
        )

    def _recover(self, geography: Geography) -> Motion:
        if self._retry_at is None:
            self.failures += 1
            self.stopped_by = set()
            self._note_obstacle(geography)
            if self._beliefs.bumped_robots:
                self._careful_until = self._step + _CAREFUL
            longest = min(_MAX_WAIT, 3 * self.failures + 3)
            self._retry_at = self._step + self._choose.randint(1, longest)
        elif self._step >= self._retry_at:
            self._retry_at = None
            if self.failures % 3 == 2:
                self._step_aside(geography)
            else:
                self._send(geography)
        return Motion.BLOCKED

    def _note_obstacle(self, geography: Geography) -> None:
        """Remember which place did not let the robot in, unless that is an occupied room."""
        here, beliefs = self._beliefs.at, self._beliefs
        if not isinstance(self._sent, str):
            return
        if beliefs.bumped_robots:
            self.in_the_way = True
            return
        way = geography.way(here, self._sent)
        following = way[1] if way is not None and len(way) > 1 else None
        # By the document the robot perceives which place it was. Else it is the next one, or
        # the one that a robot between two zones counts as being at.
        places = (beliefs.zones.keys() & beliefs.bumped) or {following or here, here}
        if following is None or any(map(beliefs.is_occupied_by_another, places)):
            return
        corridors = {place for place in places if place not in geography.rooms}
        if following not in geography.rooms or here not in places:
            self.in_the_way = True
            self.stopped_by = corridors
        if self.failures >= 3:
            blocked = following if following in places else min(places)
            self._blocked[blocked] = self._step + _BLOCKED_FOR

    def _step_aside(self, geography: Geography) -> None:
        """Go somewhere near, so that two robots in each other's way can pass."""
        aside: tuple[Argument, ...] | None = None
        if self._beliefs.bumped_robots and self._choose.random() < _STRAIGHT:
            # Straight along one axis: the way around the others may touch them again.
            x, y = (floor(value + 0.5) for value in self._beliefs.location)
            dx, dy = self._choose.choice(((-1, 0), (1, 0), (0, -1), (0, 1)))
            aside = (float(x + dx * _ASIDE), float(y + dy * _ASIDE))
        else:
            free = [
                name
                for name in geography.neighbours.get(self._beliefs.at, ())
                if name not in geography.rooms and name not in self._beliefs.occupied
            ]
            if free:
                aside = (self._choose.choice(free),)
        if aside is not None and self._try("goTo", *aside):
            self._sent, self._sent_at = None, self._step
            self._is_aside = True
            self._may_go_around = True
        else:
            self._send(geography)

    def _send(self, geography: Geography) -> Motion:
        target = self._target
        self._is_around = False
        self._may_go_around = self._step < self._careful_until
        self._sent_at = self._step
        self._sent = target
        if isinstance(target, str):
            self._sent = self._next_stop(target, geography)
            sent = self._try("goTo", self._sent)
        else:
            sent = target is not None and self._try("goToBlock", target)
        if not sent:
            self.failures += 1
            self._sent = None
        return Motion.MOVING if sent else Motion.BLOCKED

    def _next_stop(self, target: str, geography: Geography) -> str:
        """Return the target, or the first of the places that lead around what is blocked."""
        careful = self._step < self._careful_until
        here = self._beliefs.at
        if careful:
            usual = geography.way(here, target)
            return target if usual is None or len(usual) < 2 else usual[1]
        # The environment may take any of the shortest ways.
        shortest = geography.distance(here, target) + _TINY
        if not any(
            geography.distance(here, place) + geography.distance(place, target) <= shortest
            for place in self._blocked
            if place != target
        ):
            return target
        around = geography.way(here, target, avoid=set(self._blocked) - {target})
        return target if around is None or len(around) < 2 else around[1]

    def _try(self, action: str, *arguments: Argument) -> bool:
        try:
            self._player.act(action, *arguments)
        except ActionError:
            return False
        return True
