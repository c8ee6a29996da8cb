# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Limits for the TCP connections of a page's server, and for what it logs of them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.http import HttpProcessingError

if TYPE_CHECKING:
    from legacy_robots_web.access import Handler

MAX_CONNECTIONS = 128
"""TCP connections at a time, WebSockets included; more are closed at once."""
REQUEST_TIMEOUT_S = 5.0
"""From a connection to its first whole request, and between two requests."""
LOG_PERIOD_S = 1.0


class ConnectionLimiter:
    """Makes the protocol of each connection: closes those too many, and those that ask nothing.

    It is the protocol factory of the server that ``runner`` has been set up for; ``middleware``
    belongs to its application. All on the server's loop.
    """

    def __init__(self) -> None:
        self._asking: dict[asyncio.BaseProtocol, asyncio.TimerHandle] = {}
        """Connections that have not yet sent a whole request, with the end of their time."""
        self.runner: web.AppRunner | None = None

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Note that a connection has sent a whole request."""
        if timer := self._asking.pop(request.protocol, None):
            timer.cancel()
        return await handler(request)

    def __call__(self) -> asyncio.BaseProtocol:
        """Return the protocol of a new connection."""
        assert self.runner is not None
        assert self.runner.server is not None
        if len(self.runner.server.connections) >= MAX_CONNECTIONS:
            return _Refused()
        connection = self.runner.server()
        loop = asyncio.get_running_loop()
        self._asking[connection] = loop.call_later(REQUEST_TIMEOUT_S, self._expire, connection)
        return connection

    def _expire(self, connection: web.RequestHandler) -> None:
        del self._asking[connection]
        connection.force_close()


class _Refused(asyncio.Protocol):
    """A connection that is closed at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


class LogLimit(logging.Filter):
    """Lets one record of a kind (its unformatted text) pass in LOG_PERIOD_S.

    The next one has the number of those left out. A request that is no HTTP is one line, without
    a traceback.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is to be logged."""
        kind, now = str(record.msg), self._clock()
        at, left_out = self._kinds.get(kind, (-LOG_PERIOD_S, 0))
        if now - at < LOG_PERIOD_S:
            self._kinds[kind] = at, left_out + 1
            return False
        self._kinds[kind] = now, 0
        error = record.exc_info and record.exc_info[1]
        if isinstance(error, HttpProcessingError):
            reason = error.message.partition("\n")[0].rstrip(":")
            record.msg, record.args = f"{record.getMessage()}: {reason}", ()
            record.exc_info = None
        if left_out:
            record.msg = f"{record.msg} ({left_out} more since the last such line)"
        return True
