# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One browser: gets every message, and of the pictures the last one as often as it can take it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

MAX_WAITING = 1000
"""Messages that may wait for a browser; one that takes no more is let go."""


def packed(message: Mapping[str, Any]) -> str:
    """Return a message as it is sent: JSON in one line. ValueError for a number that is none."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class Socket(Protocol):
    """The part of a WebSocket that is needed to send; both wait while the other side is slow."""

    async def send_str(self, data: str) -> None:
        """Send a text frame."""

    async def send_bytes(self, data: bytes) -> None:
        """Send a binary frame."""


class LatestValue(Protocol):
    """A kind of message of which only the newest is sent."""

    def since(self, sent: Any) -> Iterable[str | bytes]:
        """Return the frames that turn ``sent``, the value sent last or None, into this one."""


@dataclass(frozen=True)
class _Place:
    """Where in the order of what waits the value of a slot goes."""

    slot: str


class Client:
    """A connection to a browser, served by :meth:`run` until it is cancelled or fails.

    Messages arrive in their order, and after the values that were shown before them. A value
    takes the place of one of the same slot that still waits, so a slow browser has gaps, never a
    queue.
    """

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._waiting: deque[str | _Place] = deque()
        self._values: dict[str, LatestValue] = {}
        self._sent: dict[str, LatestValue] = {}
        self._news = asyncio.Event()
        self._finished = False

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message after those that wait. One too many ends the connection."""
        if len(self._waiting) >= MAX_WAITING:
            self.finish()
            return
        self._waiting.append(packed(message))
        self._news.set()

    def show(self, value: LatestValue, slot: str = "") -> None:
        """Send a value, in the place of one of its slot that still waits."""
        if slot not in self._values:
            self._waiting.append(_Place(slot))
        self._values[slot] = value
        self._news.set()

    def forget(self, slot: str) -> None:
        """Forget a slot that is no longer used."""
        self._sent.pop(slot, None)

    def finish(self) -> None:
        """End the connection when all that waits has been sent."""
        self._finished = True
        self._news.set()

    async def run(self) -> None:
        """Send until :meth:`finish`."""
        while not self._finished or self._waiting:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                item = self._waiting.popleft()
                if isinstance(item, _Place):
                    await self._send(item.slot, self._values.pop(item.slot))
                else:
                    await self._socket.send_str(item)

    async def _send(self, slot: str, value: LatestValue) -> None:
        before = self._sent.get(slot)
        if value is before:
            return
        self._sent[slot] = value
        for frame in value.since(before):
            if isinstance(frame, str):
                await self._socket.send_str(frame)
            else:
                await self._socket.send_bytes(frame)
