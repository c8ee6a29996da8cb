# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Other wires for a simulator that serves a stream over TCP: a pseudo-terminal, a WebSocket.

An adapter stands before a ``TcpSimulator`` that listens on a free port, and the simulator's faults
are seen on its wire. A pseudo-terminal has the same bytes; a line is a message of a WebSocket.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import threading
import tty
from abc import abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path

from aiohttp import WSMsgType, web

from legacy_robots_simulation.program import SimulatorError
from legacy_robots_simulation.tcp_simulator import TcpSimulator
from legacy_robots_wires.serial_port import device_path

__all__ = ["SerialAdapter", "WebSocketAdapter"]

RETRY_S = 0.05
"""Seconds between attempts to reach the simulator, which is away during the fault ``restart``."""
READ_BYTES = 65536
MADE_HERE = "legacy_robots_wires: "
"""What the lock beside a simulated device begins with, before the terminal that this leads to."""


class WireAdapter:
    """Runs a simulator and its adapter; a Simulator of :mod:`.program`."""

    def __init__(self, simulator: TcpSimulator) -> None:
        self._simulator = simulator
        self.inject = simulator.inject
        self.when_finished = simulator.when_finished
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="adapter", daemon=True)
        self._started = threading.Event()
        self._failure: BaseException | None = None

    def start(self) -> None:
        """Begin to serve. Raises SimulatorError."""
        self._simulator.start()
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            self.close()
            raise SimulatorError(str(self._failure)) from self._failure

    def close(self) -> None:
        """End both. Idempotent."""
        if self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join()
        self._simulator.close()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except OSError as error:
            self._failure = error
        finally:
            self._started.set()
            self._loop.run_until_complete(_end_tasks())
            self._loop.close()

    async def _serve(self) -> None:
        task = asyncio.ensure_future(self.serve(self._started.set))
        over = asyncio.ensure_future(self._over.wait())
        await asyncio.wait((task, over), return_when=asyncio.FIRST_COMPLETED)
        over.cancel()
        if not task.done():
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    @abstractmethod
    async def serve(self, started: Callable[[], None]) -> None:
        """Serve the wire until it is cancelled; call ``started`` once it does. Raises OSError."""

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a connection with the simulator. Raises OSError while it is away."""
        return await asyncio.open_connection("127.0.0.1", self._simulator.port)

    async def stay_connected(
        self, gained: Callable[[asyncio.StreamWriter | None], None], send: Callable[[bytes], None]
    ) -> None:
        """Be connected whenever the simulator is there; ``send`` gets what it sends."""
        while True:
            try:
                reader, writer = await self.connect()
            except OSError:
                await asyncio.sleep(RETRY_S)
                continue
            try:
                gained(writer)
                while data := await reader.read(READ_BYTES):
                    send(data)
            except ConnectionError:
                pass  # the simulator has hung up
            finally:
                gained(None)
                writer.close()


async def _end_tasks() -> None:
    """Cancel what the server has left behind, such as open WebSockets, and wait for it."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@contextlib.contextmanager
def _linked(device: Path, terminal: str) -> Iterator[None]:
    """Have the link ``device`` lead to a terminal, which a lock beside it names. Raises OSError.

    Nothing is removed that a simulator did not make: a link that is there already is one that was
    left behind where the lock says so, and no process holds it.
    """
    lock = device.with_name(f"{device.name}.lock")
    is_new = not os.path.lexists(lock)
    with lock.open("x+" if is_new else "r+") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OSError(f"another simulator serves {device}") from error
        held.seek(0)
        noted = held.read()
        if not (is_new or noted.startswith(MADE_HERE)):
            raise OSError(f"{lock} is there already, and no simulator has made it")
        try:
            if device.is_symlink() and noted == MADE_HERE + os.readlink(device):
                device.unlink()  # of a simulator that was killed
            if os.path.lexists(device):
                raise OSError(
                    f"{device} is there already, and no simulator has made it: give a simulated "
                    "robot another name, and use a real one with simulate:=false"
                )
            held.truncate(0)
            held.write(MADE_HERE + terminal)
            held.flush()
            device.symlink_to(terminal)
            try:
                yield
            finally:
                if device.is_symlink() and os.readlink(device) == terminal:
                    device.unlink()
        finally:
            lock.unlink(missing_ok=True)


class SerialAdapter(WireAdapter):
    """Serves a pseudo-terminal, to which the link ``device`` leads while it runs.

    ``start`` raises SimulatorError where another simulator serves the device, or there is anything
    of this name already that no simulator has made.
    """

    def __init__(self, simulator: TcpSimulator, device: str) -> None:
        super().__init__(simulator)
        self._device = Path(device_path(device))
        self._writer: asyncio.StreamWriter | None = None

    async def serve(self, started: Callable[[], None]) -> None:
        """Serve until it is cancelled."""
        ours, theirs = pty.openpty()  # both stay open, so that a client may come and go
        loop = asyncio.get_running_loop()
        try:
            tty.setraw(theirs)
            os.set_blocking(ours, False)
            with _linked(self._device, os.ttyname(theirs)):
                try:
                    loop.add_reader(ours, self._received, ours)
                    started()
                    await self.stay_connected(
                        lambda writer: setattr(self, "_writer", writer),
                        lambda data: self._send(ours, data),
                    )
                finally:
                    loop.remove_reader(ours)
        finally:
            os.close(ours)
            os.close(theirs)

    def _received(self, ours: int) -> None:
        data = os.read(ours, READ_BYTES)
        if self._writer is not None:
            self._writer.write(data)

    def _send(self, ours: int, data: bytes) -> None:
        with contextlib.suppress(BlockingIOError):  # lost, where there is no client that reads
            os.write(ours, data)


class WebSocketAdapter(WireAdapter):
    """Serves WebSockets at ``host`` and ``port``, any path: a message is a line, as text."""

    def __init__(self, simulator: TcpSimulator, host: str, port: int) -> None:
        super().__init__(simulator)
        self._where = (host, port)

    async def serve(self, started: Callable[[], None]) -> None:
        """Serve until it is cancelled."""
        app = web.Application()
        app.router.add_get("/{path:.*}", self._handle)
        runner = web.AppRunner(app, shutdown_timeout=0.5)
        await runner.setup()
        try:
            await web.TCPSite(runner, *self._where).start()
            started()
            await self._over.wait()
        finally:
            await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        try:
            reader, writer = await self.connect()
        except OSError:
            raise web.HTTPServiceUnavailable from None
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        sending = asyncio.ensure_future(self._send(reader, socket))
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    writer.write(message.data.encode() + b"\n")
        finally:
            sending.cancel()
            writer.close()
        return socket

    async def _send(self, reader: asyncio.StreamReader, socket: web.WebSocketResponse) -> None:
        """Pass lines on; close the WebSocket when the simulator hangs up."""
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                try:
                    await socket.send_str(line.removesuffix(b"\n").decode())
                except UnicodeDecodeError:
                    await socket.send_bytes(line)
        await socket.close()
