# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The web application of a page: its files, and the WebSocket that it talks to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import traceback
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeAlias

from aiohttp import WSCloseCode, WSMsgType, web

from legacy_robots_core.palette import FILE as PALETTE_FILE
from legacy_robots_web.access import (
    check_origin,
    guard,
    hosts_of,
    names_loopback,
    require_same_origin,
)
from legacy_robots_web.clients import Client

LOG = logging.getLogger("legacy_robots_web")

COMMON = Path(__file__).parent / "static"
"""What several pages draw alike."""

MAX_CONNECTIONS = 64
MAX_FRAME = 4096
"""Bytes of one request of a browser."""

_MAX_READ = 256 * MAX_FRAME  # more left unread may lose the code with which we close

REQUESTS_PER_SECOND = 20.0
"""How many requests a browser may make on and on; twice as many at once."""

SEND_BUFFER = 256 * 1024
"""Bytes that the system may buffer for a browser that does not read."""

RESTART_DELAY_S = 1.0
"""What has failed starts again after this time."""

_HEARTBEAT = 10.0

ProblemReporter: TypeAlias = Callable[[str, str], None]
"""Gets a counter (a plural noun) and a text, as LinkObserver.on_problem."""


def log_problem(counter: str, text: str) -> None:
    """Log a problem of a page."""
    LOG.error("%s", text)


class Hub(Protocol):
    """Serves all browsers of a page, on the loop of its server."""

    async def run(self) -> None:
        """Run the page's periodic work until cancelled.

        After an exception, which is reported, it is called again.
        """

    async def close(self) -> None:
        """Release all resources."""

    def enter(self, client: Client) -> None:
        """Handle a new browser connection."""

    def exit(self, client: Client) -> None:
        """Handle a closed browser connection."""

    async def receive(self, client: Client, text: str) -> None:
        """Handle a request of a browser, a text frame; raises nothing."""


class _Sockets:
    """Serves the WebSockets of one application."""

    def __init__(
        self,
        make_hub: Callable[[], Hub],
        requests_per_second: float,
        on_problem: ProblemReporter,
        origins: Collection[str],
        max_frame: int,
    ) -> None:
        self._origins = origins
        self._max_frame = max_frame
        self._make_hub = make_hub
        self._on_problem = on_problem
        self._requests_per_second = requests_per_second
        self._hub: Hub | None = None
        self._open: set[web.WebSocketResponse] = set()

    async def lifetime(self, _: web.Application) -> AsyncIterator[None]:
        """Let the hub run while the application does."""
        self._hub = hub = self._make_hub()
        running = asyncio.ensure_future(self._run(hub))
        yield
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        await hub.close()

    async def _run(self, hub: Hub) -> None:
        while True:
            try:
                return await hub.run()
            except Exception:
                text = f"the page failed and goes on:\n{traceback.format_exc()}"
                self._on_problem("exceptions", text)
                await asyncio.sleep(RESTART_DELAY_S)

    async def end(self, _: web.Application) -> None:
        """Close all connections, so that the server's shutdown does not wait for them."""
        for open_socket in tuple(self._open):
            await open_socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server ends")

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one browser until it disconnects."""
        require_same_origin(request, self._origins)
        if len(self._open) >= MAX_CONNECTIONS:
            raise web.HTTPServiceUnavailable(text="Too many pages are connected.\n")
        response = web.WebSocketResponse(
            heartbeat=_HEARTBEAT, max_msg_size=_MAX_READ, compress=False, timeout=2.0
        )
        await response.prepare(request)
        if request.transport is not None:
            wire: socket.socket = request.transport.get_extra_info("socket")
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        assert self._hub is not None
        self._open.add(response)
        client = Client(response)
        self._hub.enter(client)
        sending = asyncio.ensure_future(self._send(client, response))
        try:
            await self._receive(client, response)
        finally:
            self._open.discard(response)
            self._hub.exit(client)
            client.finish()
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending
        return response

    async def _send(self, client: Client, response: web.WebSocketResponse) -> None:
        try:
            await client.run()
        except ConnectionError:
            pass  # it has gone
        except Exception:
            text = f"a browser cannot be sent what it shows:\n{traceback.format_exc()}"
            self._on_problem("exceptions", text)
        await response.close()

    async def _receive(self, client: Client, response: web.WebSocketResponse) -> None:
        assert self._hub is not None
        allowance = _Allowance(self._requests_per_second, asyncio.get_running_loop().time())
        async for frame in response:
            if frame.type is not WSMsgType.TEXT:
                await response.close(code=WSCloseCode.UNSUPPORTED_DATA)
                return
            if len(frame.data.encode()) > self._max_frame:
                await response.close(code=WSCloseCode.MESSAGE_TOO_BIG)
                return
            if not allowance.take(asyncio.get_running_loop().time()):
                await response.close(
                    code=WSCloseCode.POLICY_VIOLATION, message=b"too many requests"
                )
                return
            await self._hub.receive(client, frame.data)


class _Allowance:
    """How many requests a browser may still make (a token bucket)."""

    def __init__(self, rate: float, now: float) -> None:
        self._rate = rate
        self._left, self._at = 2.0 * rate, now

    def take(self, now: float) -> bool:
        self._left = min(2.0 * self._rate, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


def page_app(
    make_hub: Callable[[], Hub],
    static: Path,
    is_allowed: Callable[[str], bool] = names_loopback,
    *,
    requests_per_second: float = REQUESTS_PER_SECOND,
    files: Mapping[str, Path] = MappingProxyType({}),
    origins: Collection[str] = (),
    max_frame: int = MAX_FRAME,
    on_problem: ProblemReporter = log_problem,
) -> web.Application:
    """Return the application of the page ``static``/index.html, with ``static`` below /static.

    What several pages draw alike is below /common; ``files`` are further files by their paths.

    Its WebSocket is /ws; ``make_hub`` is called on the server's loop. It answers only to pages
    that it served itself, under a host that ``is_allowed``. A browser that sends more than
    ``requests_per_second`` for long, or a request above ``max_frame`` bytes, is disconnected.
    ``origins`` are those of reverse proxies, such as ``https://study.example.org``, which pass on
    the host; ValueError for others. ``on_problem`` gets exceptions of the hub
    and its pictures.
    """
    known = frozenset(map(check_origin, origins))
    proxied = hosts_of(known)
    sockets = _Sockets(make_hub, requests_per_second, on_problem, known, max_frame)

    async def index(_: web.Request) -> web.FileResponse:
        return web.FileResponse(static / "index.html")

    async def palette(_: web.Request) -> web.FileResponse:
        return web.FileResponse(PALETTE_FILE)

    app = web.Application(
        middlewares=[guard(lambda host: is_allowed(host) or host.lower() in proxied)]
    )
    app.router.add_get("/", index)
    app.router.add_get("/ws", sockets.serve)
    app.router.add_static("/static", static)
    app.router.add_get("/common/palette.css", palette)
    app.router.add_static("/common", COMMON)

    async def further(request: web.Request) -> web.FileResponse:
        return web.FileResponse(files[request.path])

    for path in files:
        app.router.add_get(path, further)
    app.cleanup_ctx.append(sockets.lifetime)
    app.on_shutdown.append(sockets.end)
    return app
