# SPDX-License-Identifier: Apache-2.0
"""One browser: gets every event, and of the states the last one as often as it can take it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

from bw4t_bridge.web.scene import State, change

MAX_WAITING = 1000
"""Messages that may wait for a browser; one that takes no more is let go."""


class Socket(Protocol):
    """The part of a WebSocket that is needed to send."""

    async def send_str(self, data: str) -> None:
        """Send a text frame; waits while the other side is slow."""


@dataclass(frozen=True)
class Picture:
    """A state with the description of the map it belongs to."""

    world: dict[str, Any]
    state: State


class Client:
    """A connection to a browser, served by :meth:`run` until it is cancelled or fails.

    Messages arrive in their order, and after the pictures that were shown before them.
    """

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._waiting: deque[str | None] = deque()  # None is where the picture goes
        self._picture: Picture | None = None
        self._sent: Picture | None = None
        self._news = asyncio.Event()
        self._finished = False

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message after those that wait. One too many ends the connection."""
        if len(self._waiting) >= MAX_WAITING:
            self.finish()
            return
        self._waiting.append(_packed(message))
        self._news.set()

    def show(self, picture: Picture) -> None:
        """Send a picture, in the place of one that still waits."""
        if None not in self._waiting:
            self._waiting.append(None)
        self._picture = picture
        self._news.set()

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
                message = self._waiting.popleft()
                if message is not None:
                    await self._socket.send_str(message)
                elif self._picture is not None and self._picture is not self._sent:
                    await self._send(self._picture)

    async def _send(self, picture: Picture) -> None:
        before = self._sent
        self._sent = picture
        if before is None or before.world is not picture.world:
            await self._socket.send_str(_packed({"type": "world", **picture.world}))
            before = None
        difference = change(before.state if before else {}, picture.state)
        if difference:
            await self._socket.send_str(_packed({"type": "state", **difference}))


def _packed(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
