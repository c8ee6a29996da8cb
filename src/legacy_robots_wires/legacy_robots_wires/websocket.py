# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A link to a WebSocket server, by aiohttp: one message at a time, text or bytes."""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
from abc import abstractmethod
from collections import deque
from typing import Any, TypeAlias

import aiohttp

from legacy_robots_core.link.base import (
    Backoff,
    Link,
    LinkFault,
    LinkLost,
    LinkObserver,
    NotConnectedError,
)
from legacy_robots_core.link.stream import UNSENT_LIMIT

__all__ = ["WebSocketLink"]

CONNECT_TIMEOUT_S = 2.0
CLOSE_TIMEOUT_S = 1.0
"""How long a server may take to answer a close."""
DATA = (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY)
MOST_UNHANDLED = 1 << 20
"""Bytes that are read before they are handled."""
AT_ONCE = 32
"""Messages that are handled before it is seen again whether more have come."""
_Socket: TypeAlias = "aiohttp.ClientWebSocketResponse[Any]"
LONGEST_MESSAGE = 1 << 20
"""Bytes of a message; a longer one ends the connection."""


class WebSocketLink(Link):
    """Connects to ``url`` (ws://HOST:PORT/PATH); subclasses get its messages on the link's thread.

    The server is asked with a ping every ``heartbeat`` seconds; without an answer in half of that
    the connection ends as a fault, and so it does without a message for ``silence`` seconds: a
    server may answer in the place of its robot. ``greeting`` is sent when the connection opens.
    """

    def __init__(
        self,
        url: str,
        observer: LinkObserver,
        *,
        heartbeat: float = 2.0,
        silence: float = math.inf,
        greeting: str | bytes = "",
        longest: int = LONGEST_MESSAGE,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(url, observer, backoff=backoff, name="websocket-link")
        self._url = url
        self._heartbeat = heartbeat
        self._silence = silence
        self._greeting = greeting
        self._longest = longest
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake = asyncio.Event()
        self._unsent: deque[str | bytes] = deque()
        self._drop_reason = ""

    def opened(self) -> None:
        """Prepare for a new connection; ``send`` works from here on."""

    @abstractmethod
    def received(self, message: str | bytes) -> None:
        """Take a message. May raise LinkFault or ProtocolError, which end the connection."""

    def send(self, message: str | bytes) -> None:
        """Send a message, without ever blocking. Thread-safe.

        Raises NotConnectedError when there is no connection, or the server has stopped reading.
        """
        with self._lock:
            if self._loop is None:
                raise NotConnectedError(f"not connected to {self._peer}")
            if self._unsent and sum(map(len, self._unsent)) + len(message) > UNSENT_LIMIT:
                self._drop_reason = f"{self._peer} has stopped reading"
                self._loop.call_soon_threadsafe(self._wake.set)
                raise NotConnectedError(self._drop_reason)
            self._unsent.append(message)
            self._loop.call_soon_threadsafe(self._wake.set)

    def drop(self, reason: str) -> None:
        """End the connection as a fault, for ``reason``, and connect again. Thread-safe."""
        self._drop_reason = reason
        self.interrupt()

    def interrupt(self) -> None:
        """Wake the loop."""
        with self._lock, contextlib.suppress(RuntimeError):  # the loop may be over
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._wake.set)

    def serve(self) -> None:
        """Serve one connection, in a loop of its own."""
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._wake = asyncio.Event()
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            try:
                socket = await asyncio.wait_for(
                    session.ws_connect(
                        self._url, heartbeat=self._heartbeat, max_msg_size=self._longest
                    ),
                    CONNECT_TIMEOUT_S,
                )
            except aiohttp.InvalidURL as error:
                raise LinkFault(f"{self._url!r} is no address of a WebSocket") from error
            except (aiohttp.ClientError, OSError, asyncio.TimeoutError) as error:
                reason = str(error) or "no answer"
                raise LinkLost(f"cannot connect to {self._url}: {reason}") from error
            try:
                with self._lock:
                    self._drop_reason = ""
                    self._unsent.clear()
                    self._loop = asyncio.get_running_loop()
                if self._greeting:
                    self.send(self._greeting)
                self.opened()
                self.connected(self._url)
                await self._exchange(socket)
            finally:
                with self._lock:
                    self._loop = None
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(socket.close(), CLOSE_TIMEOUT_S)

    async def _exchange(self, socket: _Socket) -> None:
        """Move messages both ways until the connection ends."""
        reading = asyncio.ensure_future(socket.receive())
        waking = asyncio.ensure_future(self._wake.wait())
        unhandled: deque[aiohttp.WSMessage] = deque()
        size = 0  # bytes that are not handled
        heard = time.monotonic()
        try:
            while not self.closing.is_set():
                rest = 0.0 if unhandled else max(0.0, heard + self._silence - time.monotonic())
                await asyncio.wait(
                    (reading, waking), timeout=rest, return_when=asyncio.FIRST_COMPLETED
                )
                if waking.done():
                    self._wake.clear()
                    waking = asyncio.ensure_future(self._wake.wait())
                    if self._drop_reason:
                        raise LinkFault(self._drop_reason)
                    await self._send_unsent(socket)
                if not reading.done() and time.monotonic() - heard >= self._silence:
                    raise LinkFault(f"{self._peer} has been silent for {self._silence:g} s")
                while reading.done() and size < MOST_UNHANDLED:
                    message, heard = reading.result(), time.monotonic()
                    unhandled.append(message)
                    if message.type not in DATA:
                        break  # the last
                    size += len(message.data)
                    reading = asyncio.ensure_future(socket.receive())
                    await asyncio.sleep(0)  # what has come already is there then
                for _ in range(min(len(unhandled), AT_ONCE)):
                    message = unhandled.popleft()
                    size -= len(message.data) if message.type in DATA else 0
                    self._handle(message, socket)
                    if not unhandled:  # that we took long is no silence
                        heard = time.monotonic()
        finally:
            reading.cancel()
            waking.cancel()

    async def _send_unsent(self, socket: _Socket) -> None:
        while self._unsent:
            message = self._unsent[0]
            try:
                sending = socket.send_str if isinstance(message, str) else socket.send_bytes
                await sending(message)  # type: ignore[arg-type]
            except (ConnectionError, RuntimeError) as error:
                raise LinkLost(f"{self._peer}: {error}") from error
            self._unsent.popleft()

    def _handle(self, message: aiohttp.WSMessage, socket: _Socket) -> None:
        if message.type in DATA:
            self.received(message.data)
        elif message.type is aiohttp.WSMsgType.ERROR:
            raise LinkFault(f"{self._peer}: {socket.exception()}")
        elif socket.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG:
            raise LinkFault(f"{self._peer} sent a message of more than {self._longest} bytes")
        else:
            raise LinkLost(f"{self._peer} has closed the connection")
