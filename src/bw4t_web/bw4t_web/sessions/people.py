# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The people that steer robots, with or without a browser at the moment, and what they see."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bw4t_web.sessions.controls import Event, PlayerSession
from legacy_robots_web import Client, State, change, packed

KEPT_EVENTS = 200
"""Events that are sent again to a person who comes back."""


@dataclass(frozen=True)
class PageView:
    """What a browser is shown: a state of a world, with the description of its map."""

    world: dict[str, Any]
    state: State

    def since(self, sent: PageView | None) -> Iterator[str]:
        """Return the map where it is another one, and what has changed."""
        if sent is None or sent.world is not self.world:
            yield packed({"type": "world", **self.world})
            sent = None
        difference = change(sent.state if sent else {}, self.state)
        if difference:
            yield packed({"type": "state", **difference})


@dataclass(eq=False)
class Person:
    """A person who steers a robot. ``token`` is the secret by which a browser is recognised.

    ``client`` is ``None`` while the connection is lost; ``release`` is then due to free the
    robot.
    """

    session: PlayerSession
    client: Client | None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=KEPT_EVENTS))
    view: PageView | None = None
    release: asyncio.TimerHandle | None = None

    @property
    def name(self) -> str:
        """The name of the robot."""
        return self.session.name

    def stay(self) -> None:
        """Keep the robot after all."""
        if self.release is not None:
            self.release.cancel()
            self.release = None


class People:
    """All people who steer robots."""

    def __init__(self) -> None:
        self._by_token: dict[str, Person] = {}
        self._by_client: dict[Client, Person] = {}

    def __iter__(self) -> Iterator[Person]:
        return iter(list(self._by_token.values()))

    def __len__(self) -> int:
        return len(self._by_token)

    def add(self, person: Person) -> None:
        """Add a person."""
        self._by_token[person.token] = person
        if person.client is not None:
            self._by_client[person.client] = person

    def remove(self, person: Person) -> None:
        """Remove a person."""
        person.stay()
        self._by_token.pop(person.token, None)
        if person.client is not None:
            self._by_client.pop(person.client, None)

    def at(self, client: Client) -> Person | None:
        """Return the person at a browser, if there is one."""
        return self._by_client.get(client)

    def known_by(self, token: str) -> Person | None:
        """Return the person with a token."""
        return self._by_token.get(token)

    def holder_of(self, robot: str) -> Person | None:
        """Return the person that steers a robot."""
        return next((person for person in self if person.name == robot), None)

    def connect(self, person: Person, client: Client) -> Client | None:
        """Set a person's browser; return the one that was theirs before."""
        person.stay()
        before = person.client
        if before is not None:
            self._by_client.pop(before, None)
        person.client = client
        self._by_client[client] = person
        return before

    def disconnect(self, client: Client) -> Person | None:
        """Handle a closed browser connection; return the person that used it."""
        person = self._by_client.pop(client, None)
        if person is not None:
            person.client = None
        return person
