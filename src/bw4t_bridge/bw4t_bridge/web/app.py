# SPDX-License-Identifier: Apache-2.0
"""The web application: the page's files, and the WebSocket that it talks to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web

from bw4t_bridge.web.access import guard, require_same_origin
from bw4t_bridge.web.clients import Client
from bw4t_bridge.web.hub import Hub, Settings
from bw4t_bridge.web.wishes import read_wish
from bw4t_bridge.web.world_port import WorldPort

STATIC = Path(__file__).parent / "static"

MAX_CONNECTIONS = 64
MAX_FRAME = 4096
"""Bytes of one request of a browser."""

MAX_BURST, REQUESTS_PER_SECOND = 40.0, 20.0
"""How many requests a browser may make at once, and on and on."""

_HEARTBEAT = 10.0
_LOG = logging.getLogger("bw4t_bridge.web")


class _Sockets:
    """Serves the WebSockets of one application."""

    def __init__(self, port: WorldPort, settings: Settings) -> None:
        self._port = port
        self._settings = settings
        self._hub: Hub | None = None
        self._open: set[web.WebSocketResponse] = set()

    async def lifetime(self, _: web.Application) -> AsyncIterator[None]:
        """Let the hub run while the application does."""
        self._hub = Hub(self._port, self._settings)
        running = asyncio.ensure_future(self._hub.run())
        yield
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        await self._hub.close()

    async def end(self, _: web.Application) -> None:
        """Close all connections, so that nobody waits for them."""
        for socket in tuple(self._open):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server ends")

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one browser until it goes."""
        require_same_origin(request)
        if len(self._open) >= MAX_CONNECTIONS:
            raise web.HTTPServiceUnavailable(text="Too many pages are connected.\n")
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT, max_msg_size=MAX_FRAME, compress=False, timeout=2.0
        )
        await socket.prepare(request)
        assert self._hub is not None
        self._open.add(socket)
        client = Client(socket)
        self._hub.enter(client)
        sending = asyncio.ensure_future(self._send(client, socket))
        try:
            await self._receive(client, socket)
        finally:
            self._open.discard(socket)
            self._hub.exit(client)
            client.finish()
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending
        return socket

    async def _send(self, client: Client, socket: web.WebSocketResponse) -> None:
        with contextlib.suppress(ConnectionError):
            await client.run()
        await socket.close()

    async def _receive(self, client: Client, socket: web.WebSocketResponse) -> None:
        assert self._hub is not None
        allowance = _Allowance(asyncio.get_running_loop().time())
        async for frame in socket:
            if frame.type is not WSMsgType.TEXT:
                await socket.close(code=WSCloseCode.UNSUPPORTED_DATA)
                return
            if not allowance.take(asyncio.get_running_loop().time()):
                await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too many requests")
                return
            try:
                wish = read_wish(frame.data)
            except ValueError as error:
                client.tell({"type": "error", "text": str(error)})
                continue
            await self._hub.grant(client, wish)


class _Allowance:
    """How many requests a browser may still make (a token bucket)."""

    def __init__(self, now: float) -> None:
        self._left, self._at = MAX_BURST, now

    def take(self, now: float) -> bool:
        self._left = min(MAX_BURST, self._left + (now - self._at) * REQUESTS_PER_SECOND)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


async def _index(_: web.Request) -> web.FileResponse:
    return web.FileResponse(STATIC / "index.html")


def make_app(host: WorldPort, settings: Settings | None = None) -> web.Application:
    """Return the application of a world, a :class:`bw4t_bridge.host.WorldHost`.

    It answers only to pages that it served itself under a loopback name; bind it to loopback.
    """
    sockets = _Sockets(host, settings or Settings())
    app = web.Application(middlewares=[guard])
    app.router.add_get("/", _index)
    app.router.add_get("/ws", sockets.serve)
    app.router.add_static("/static", STATIC)
    app.cleanup_ctx.append(sockets.lifetime)
    app.on_shutdown.append(sockets.end)
    return app
