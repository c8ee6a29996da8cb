# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server of a page, on a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import threading
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from aiohttp import web

from legacy_robots_web.app import RESTART_DELAY_S, ProblemReporter, log_problem
from legacy_robots_web.connections import REQUEST_TIMEOUT_S, ConnectionLimiter, LogLimit

LOG = logging.getLogger("legacy_robots_web.server")
"""What clients can cause; bounded."""
LOG.addFilter(LogLimit())
T = TypeVar("T")
LOOPBACK = "127.0.0.1"


class ServerThread:
    """Serves the application that ``make_app`` returns; it is made on the server's thread.

    ``port`` 0 takes a free port, see :attr:`url` after :meth:`start`. An exception that
    ends the server is reported to ``on_problem``, and it starts again RESTART_DELAY_S later.
    """

    def __init__(
        self,
        make_app: Callable[[], web.Application],
        *,
        port: int,
        address: str = LOOPBACK,
        on_problem: ProblemReporter = log_problem,
    ) -> None:
        self._make_app = make_app
        self._port = port
        self._address = address
        self._on_problem = on_problem
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._closing = threading.Event()
        self._started: threading.Event = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return self._port

    @property
    def url(self) -> str:
        """The address to open in a browser of this machine."""
        try:
            address = ipaddress.ip_address(self._address)
        except ValueError:
            return f"http://{self._address}:{self._port}/"
        if address.is_unspecified:
            return f"http://{LOOPBACK}:{self._port}/"
        return f"http://{f'[{address}]' if address.version == 6 else address}:{self._port}/"

    def start(self) -> None:
        """Begin to serve. Raises ``OSError`` when address or port cannot be used."""
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def close(self, timeout: float = 10.0) -> None:
        """End all connections and the thread. Idempotent."""
        self._closing.set()
        if self._thread.is_alive():
            self.call_soon(lambda: self._stop.set())
            self._thread.join(timeout)

    def call_soon(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call ``function`` on the server's thread, if it still runs. Thread-safe."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            pass  # it has ended

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the server's thread while it serves. Thread-safe."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _run(self) -> None:
        while True:
            self._loop = loop = asyncio.new_event_loop()
            asyncio.set_event_loop(loop)
            try:
                loop.run_until_complete(self._serve())
                return
            except BaseException as error:
                if not self._started.is_set():
                    self._failure = error
                    return
                text = f"the page's server failed and starts again:\n{traceback.format_exc()}"
                self._on_problem("exceptions", text)
            finally:
                loop.close()
                self._started.set()
            if self._closing.wait(RESTART_DELAY_S):
                return

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        if self._closing.is_set():
            return
        app, limiter, loop = self._make_app(), ConnectionLimiter(), asyncio.get_running_loop()
        app.middlewares.append(limiter.middleware)
        loop.set_exception_handler(_log_loop_problem)
        limiter.runner = runner = web.AppRunner(
            app,
            access_log=None,
            shutdown_timeout=2.0,
            keepalive_timeout=REQUEST_TIMEOUT_S,
            logger=LOG,
        )
        await runner.setup()
        try:
            server = await loop.create_server(limiter, self._address, self._port)
            self._port = server.sockets[0].getsockname()[1]
            self._started.set()
            await self._stop.wait()
            server.close()
        finally:
            await runner.cleanup()


def _log_loop_problem(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    LOG.error(context["message"], exc_info=context.get("exception"))
