# SPDX-License-Identifier: Apache-2.0
"""The page's server on a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import threading

from aiohttp import web

from bw4t_bridge.web.app import make_app
from bw4t_bridge.web.hub import Settings
from bw4t_bridge.web.world_port import WorldPort

LOG = logging.getLogger("bw4t_bridge.web")

ADDRESS = "127.0.0.1"
"""The only address that the server listens at."""


class WebServer:
    """Serves the page of a world to the browsers of this machine.

    ``port`` 0 takes a free port, which :attr:`url` tells after :meth:`start`. Close the server
    before the world's host, or the robots of people are not freed.
    """

    def __init__(self, host: WorldPort, *, port: int = 8090, settings: Settings | None = None):
        self._host = host
        self._port = port
        self._settings = settings or Settings()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._started: threading.Event = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return self._port

    @property
    def url(self) -> str:
        """The address to open in a browser."""
        return f"http://{ADDRESS}:{self._port}/"

    def start(self) -> None:
        """Begin to serve. Raises ``OSError`` when the port cannot be used."""
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def close(self, timeout: float = 10.0) -> None:
        """Free the robots of people, end all connections and the thread. Idempotent."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(timeout)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            if self._started.is_set():
                LOG.exception("the page's server has failed")
            self._failure = error
        finally:
            self._loop.close()
            self._started.set()

    async def _serve(self) -> None:
        app = make_app(self._host, self._settings)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)
        await runner.setup()
        try:
            site = web.TCPSite(runner, ADDRESS, self._port)
            await site.start()
            self._port = runner.addresses[0][1]
            self._started.set()
            await self._stop.wait()
        finally:
            await runner.cleanup()
