# SPDX-License-Identifier: Apache-2.0
"""One browser: gets every event, and of the states the last one as often as it can take it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
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


@dataclass(eq=False)
class Client:
    """A connection to a browser, served by :meth:`run` until it is cancelled or fails."""

    socket: Socket
    _waiting: deque[str] = field(default_factory=deque)
    _picture: Picture | None = None
    _sent: Picture | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _finished: bool = False

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message after those that wait. One too many ends the connection."""
        if len(self._waiting) >= MAX_WAITING:
            self.finish()
            return
        self._waiting.append(_packed(message))
        self._news.set()

    def show(self, picture: Picture) -> None:
        """Let this be the next picture that is sent; one that waits is left out."""
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
                await self.socket.send_str(self._waiting.popleft())
            picture = self._picture
            if picture is not None and picture is not self._sent:
                await self._send(picture)

    async def _send(self, picture: Picture) -> None:
        before = self._sent
        self._sent = picture
        if before is None or before.world is not picture.world:
            await self.socket.send_str(_packed({"type": "world", **picture.world}))
            before = None
        difference = change(before.state if before else {}, picture.state)
        if difference:
            await self.socket.send_str(_packed({"type": "state", **difference}))


def _packed(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
