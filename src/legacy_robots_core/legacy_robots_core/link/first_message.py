# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A link that is up with its first valid message: what comes before it, and how long."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from legacy_robots_core.link.base import (
    LinkFault,
    LinkLost,
    LinkStatus,
    ProtocolError,
)

if TYPE_CHECKING:
    from legacy_robots_core.link.framing import Framing

GARBLED_S = 2.0
"""Seconds from the first byte after which a stream of invalid messages is a fault."""
MOST_INVALID = 2
"""Invalid messages that are none yet: the one in whose middle the stream was joined."""
LOOK_S = 0.1


class OpenLink(Protocol):
    """What is asked of a StreamLink."""

    observer: Any
    now: Callable[[], float]

    @property
    def status(self) -> LinkStatus:
        """The present status."""

    def received(self, data: bytes) -> None:
        """Take a message."""

    def garbled(self, detail: str) -> str:
        """Return what to say where no message is valid."""


class FirstMessage:
    """Takes data until a message is valid; then calls ``is_up``, before its event is reported.

    It stands before the observer of ``link`` meanwhile. ``patience`` has the seconds in which the
    message has to come.
    """

    def __init__(
        self,
        link: OpenLink,
        framing: Framing | None,
        patience: float,
        is_up: Callable[[], None],
    ) -> None:
        self._link, self._framing, self._is_up = link, framing, is_up
        self._patience = patience
        self._late = link.now() + patience
        self._look = math.inf
        self._size = 0
        self._invalid: list[str] = []
        self._observer = link.observer
        link.observer = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._observer, name)

    def on_event(self, event: Any) -> None:
        """Report that the link is up, then the event."""
        self._over()
        self._observer.on_event(event)

    @property
    def due(self) -> float:
        """When ``judge`` is to be called, in the link's time."""
        return min(self._late, self._look)

    def take(self, data: bytes) -> None:
        """Take data; what is invalid before the first valid message is passed over."""
        if not self._size:
            self._look = self._link.now() + GARBLED_S
        self._size += len(data)
        try:
            messages = self._framing.feed(data) if self._framing else [data]
        except ProtocolError as error:
            self._invalid.append(str(error))
            return
        for message in messages:
            try:
                self._link.received(message)
            except ProtocolError as error:
                if self._is_over:
                    raise
                self._invalid.append(str(error))
            else:
                self._over()

    def judge(self, now: float) -> None:
        """Raise LinkLost or LinkFault where no valid message has come, and none is to."""
        if now >= self._late and not self._size:
            raise LinkLost(f"{self._link.status.peer} has been silent for {self._patience:g} s")
        if now >= self._late or (now >= self._look and len(self._invalid) > MOST_INVALID):
            last = f"; the last: {self._invalid[-1]}" if self._invalid else ""
            raise LinkFault(self._link.garbled(f"{self._size} bytes without one{last}"))
        if now >= self._look:
            self._look = now + LOOK_S

    def give_back(self) -> None:
        """Stand before the observer no longer."""
        if not self._is_over:
            self._link.observer = self._observer

    @property
    def _is_over(self) -> bool:
        return self._link.observer is not self

    def _over(self) -> None:
        if not self._is_over:
            self.give_back()
            self._is_up()
