# SPDX-License-Identifier: Apache-2.0
"""A poor network between the two ends of a TCP wire: delay, loss and cuts."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Coroutine
from typing import Any

RETRANSMISSION_S = 0.2
"""How much later what was lost comes, and all behind it: Linux's shortest time for TCP."""
_CHUNK = 1460


class SlowWire:
    """Connects each connection to ``port`` with the port ``to``, both of loopback.

    Each way, bytes arrive ``delay`` seconds later, and a part ``loss`` of the segments only with
    their retransmission. A context manager; on a thread of its own.
    """

    def __init__(self, port: int, to: int, *, delay: float, loss: float, seed: int = 0) -> None:
        self._port, self._to = port, to
        self._delay, self._loss = delay, loss
        self._chance = random.Random(seed)
        self._ends: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="slow wire")

    def __enter__(self) -> SlowWire:
        """Begin to listen. Raises OSError where the port is taken."""
        self._thread.start()
        self._server = self._on_loop(asyncio.start_server(self._serve, "127.0.0.1", self._port))
        return self

    def __exit__(self, *exception: object) -> None:
        """End all connections."""
        self._server.close()
        self.cut()
        self._on_loop(asyncio.sleep(0))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def cut(self) -> None:
        """End all connections in the middle of what they transmit."""
        self._on_loop(self._cut())

    def _on_loop(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10.0)

    async def _cut(self) -> None:
        for end in self._ends:
            end.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        ends = {writer, far_writer}
        self._ends |= ends
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))
        for end in ends:
            end.transport.abort()
        self._ends -= ends

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        due = 0.0
        on_its_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                at, data = await on_its_way.get()
                await asyncio.sleep(at - self._loop.time())
                if not data:
                    raise ConnectionResetError  # also ends the other direction
                writer.write(data)
                await writer.drain()

        delivering = asyncio.ensure_future(deliver())
        while not delivering.done():
            data = await reader.read(_CHUNK)
            late = RETRANSMISSION_S if self._chance.random() < self._loss else 0.0
            due = max(due, self._loop.time() + self._delay + late)
            on_its_way.put_nowait((due, data))
            if not data:
                break
        await delivering
