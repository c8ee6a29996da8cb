# SPDX-License-Identifier: Apache-2.0
"""Takes a robot to a place, however often it is stopped on the way."""

from __future__ import annotations

import random
from enum import Enum

from bw4t_world.agents.beliefs import Beliefs
from bw4t_world.agents.geography import Geography
from bw4t_world.agents.player import Player
from bw4t_world.errors import ActionError

Target = str | int
"""The name of a place or the id of a block."""

_GRACE = 2
"""Polls after a goTo before the state percept is trusted to be about it."""

_LOST = 15
"""Polls after which a robot that stands elsewhere than it should is sent again."""

_DETOUR = 25
"""Polls that a step aside may take."""

_BLOCKED_FOR = 400
"""Polls for which a place that let nobody in is gone around."""

_CAREFUL = 100
"""Polls for which a robot goes from zone to zone after it was bumped into."""

_MAX_WAIT = 40


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
        self._aside_until: int | None = None
        self._careful_until = 0
        self._blocked: dict[str, int] = {}
        self.failures = 0
        """How often in a row the way to the present target failed."""
        self.in_the_way = False
        """Whether this robot was ever stopped in a corridor: others then need room to pass."""

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
            self._target, self.failures = target, 0
            self._retry_at = self._aside_until = None
            return self._send(geography)
        if self._step < self._sent_at + _GRACE or self._beliefs.is_moving:
            return Motion.MOVING
        if self._aside_until is not None:
            # Having stepped aside, or failed to.
            self._aside_until = None
            return self._send(geography)
        if self._beliefs.has_collided:
            return self._recover(geography)
        if self._is_there(target):
            return Motion.ARRIVED
        if self._sent != target or self._step > self._sent_at + _LOST:
            return self._send(geography)
        return Motion.MOVING

    def _is_there(self, target: Target) -> bool:
        beliefs = self._beliefs
        return self._sent == target and (
            isinstance(target, int) or target == beliefs.at or target in beliefs.rooms_in
        )

    def _recover(self, geography: Geography) -> Motion:
        if self._retry_at is None:
            self.failures += 1
            self._note_obstacle(geography)
            if self._beliefs.bumped_robots:
                self._careful_until = self._step + _CAREFUL
            longest = min(_MAX_WAIT, 3 * self.failures + 3)
            self._retry_at = self._step + self._choose.randint(1, longest)
        elif self._step >= self._retry_at:
            self._retry_at = None
            # A way around is found to places near by only, so the first collision just makes
            # the robot go from zone to zone.
            if (
                self._beliefs.bumped_robots
                and self.failures % 3 != 1
                and self._try("navigateObstacles")
            ):
                self._sent_at = self._step
            elif self.failures % 4 == 3:
                self._step_aside(geography)
            else:
                self._send(geography)
        return Motion.BLOCKED

    def _note_obstacle(self, geography: Geography) -> None:
        """Remember which place did not let the robot in, unless that is an occupied room."""
        here, beliefs = self._beliefs.at, self._beliefs
        if not isinstance(self._sent, str):
            return
        way = geography.way(here, self._sent)
        following = way[1] if way is not None and len(way) > 1 else None
        if beliefs.bumped_robots:
            self.in_the_way = True
            return
        if following is None or following in beliefs.occupied:
            return
        self.in_the_way = self.in_the_way or following not in geography.rooms
        if self.failures >= 3:
            self._blocked[following] = self._step + _BLOCKED_FOR

    def _step_aside(self, geography: Geography) -> None:
        """Go somewhere near, so that two robots in each other's way can pass."""
        near = geography.neighbours.get(self._beliefs.at, ())
        free = [
            name
            for name in near
            if name not in geography.rooms and name not in self._beliefs.occupied
        ]
        if free and self._try("goTo", self._choose.choice(free)):
            self._sent, self._sent_at = None, self._step
            self._aside_until = self._step + _DETOUR
        else:
            self._send(geography)

    def _send(self, geography: Geography) -> Motion:
        target = self._target
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
        if not self._blocked and not careful:
            return target
        here = self._beliefs.at
        usual = geography.way(here, target)
        if careful and usual is not None and len(usual) > 1:
            return usual[1]
        if usual is None or not set(usual[1:-1]) & set(self._blocked):
            return target
        around = geography.way(here, target, avoid=set(self._blocked) - {target})
        return target if around is None or len(around) < 2 else around[1]

    def _try(self, action: str, *arguments: Target) -> bool:
        try:
            self._player.act(action, *arguments)
        except ActionError:
            return False
        return True
