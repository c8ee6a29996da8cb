# SPDX-License-Identifier: Apache-2.0
"""The people at the controls: who has which robot, with or without a browser at the moment."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from bw4t_bridge.web.controls import Event, Seat
from bw4t_bridge.web.pictures import Picture
from legacy_robots_common.web import Client

KEPT_EVENTS = 200
"""Events that are told again to somebody who comes back."""


@dataclass(eq=False)
class Person:
    """Somebody with a robot. ``token`` is the secret by which a browser is known again.

    ``client`` is ``None`` while the connection is lost; ``release`` is then due to free the
    robot.
    """

    seat: Seat
    client: Client | None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=KEPT_EVENTS))
    picture: Picture | None = None
    release: asyncio.TimerHandle | None = None

    @property
    def name(self) -> str:
        """The name of the robot."""
        return self.seat.name

    def stay(self) -> None:
        """Keep the robot after all."""
        if self.release is not None:
            self.release.cancel()
            self.release = None


class People:
    """Everybody with a robot."""

    def __init__(self) -> None:
        self._by_token: dict[str, Person] = {}
        self._by_client: dict[Client, Person] = {}

    def __iter__(self) -> Iterator[Person]:
        return iter(list(self._by_token.values()))

    def __len__(self) -> int:
        return len(self._by_token)

    def add(self, person: Person) -> None:
        """Take note of somebody who has got a robot."""
        self._by_token[person.token] = person
        if person.client is not None:
            self._by_client[person.client] = person

    def remove(self, person: Person) -> None:
        """Forget somebody."""
        person.stay()
        self._by_token.pop(person.token, None)
        if person.client is not None:
            self._by_client.pop(person.client, None)

    def at(self, client: Client) -> Person | None:
        """Return who is at a browser, if somebody with a robot is."""
        return self._by_client.get(client)

    def known_by(self, token: str) -> Person | None:
        """Return who has a token."""
        return self._by_token.get(token)

    def holder_of(self, robot: str) -> Person | None:
        """Return who steers a robot."""
        return next((person for person in self if person.name == robot), None)

    def connect(self, person: Person, client: Client) -> Client | None:
        """Bring somebody together with a browser; return the one that was theirs before."""
        person.stay()
        before = person.client
        if before is not None:
            self._by_client.pop(before, None)
        person.client = client
        self._by_client[client] = person
        return before

    def disconnect(self, client: Client) -> Person | None:
        """Take note that a browser has gone; return who was there."""
        person = self._by_client.pop(client, None)
        if person is not None:
            person.client = None
        return person
