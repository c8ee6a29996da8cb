# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server of EIS clients on a thread of its own: JSON lines over TCP, on loopback."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from bw4t_java.eis import values
from bw4t_java.eis.roster import EisError, Roster, Session, error_of
from bw4t_runner.jobs import WorldEndedError
from bw4t_runner.loaded_map import LoadedMap
from bw4t_runner.world_port import WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import PerceptUpdate, WorldError

UNSENT_LIMIT = 8 << 20
"""Bytes that wait for a client that does not read; with more the connection ends."""
MAX_PENDING = 1000
"""Requests of a client that wait for the world; no more are read before some are answered."""
START_TIMEOUT_S = 30.0
EXPECTED = (EisError, values.ProtocolError, WorldError)


class EisServer:
    """Serves EIS clients in the world of a runner.

    ``port`` 0 takes a free port, which :attr:`port` tells after :meth:`start`. ``on_problem`` gets
    a counter and a text for what goes wrong with a client. Close the server before the runner.
    """

    def __init__(
        self,
        runner: WorldRunner,
        *,
        loaded_map: LoadedMap,
        address: str = "127.0.0.1",
        port: int = 0,
        on_problem: Callable[[str, str], None],
    ) -> None:
        self.port = port
        self._address = address
        self._runner = runner
        self._roster = Roster(runner, loaded_map)
        self._on_problem = on_problem
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._run, name="eis", daemon=True)

    @property
    def clients(self) -> int:
        """How many clients are there."""
        return self._roster.clients

    def start(self) -> None:
        """Begin to serve. Raises OSError when the port cannot be used."""
        self._thread.start()
        begun = asyncio.run_coroutine_threadsafe(self._listen(), self._loop)
        try:
            begun.result(START_TIMEOUT_S)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End all connections and the thread. Idempotent."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._end(), self._loop)
            self._thread.join()

    def on_runner_event(self) -> None:
        """Notify the clients of what has changed. Called on the runner's thread."""
        self._runner.submit(self._roster.sync)

    # --- The thread ------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(
            self._serve, self._address, self.port, limit=values.LINE_LIMIT
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def _end(self) -> None:
        if self._server is not None:
            self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()  # one may wait for answers of a world that stands still
        await asyncio.gather(*others, return_exceptions=True)
        self._loop.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = Session(lambda message: self._later(self._send, writer, message))
        free = asyncio.Semaphore(MAX_PENDING)
        self._writers.add(writer)
        self._submit(lambda world: self._roster.join(session))
        try:
            while line := await reader.readline():
                await free.acquire()
                self._take(session, writer, line).add_done_callback(
                    lambda _: self._later(free.release)
                )
        except values.ProtocolError as error:
            self._on_problem("protocol errors", f"an EIS client is cut off: {error}")
        except ValueError:
            limit = f"a line is longer than {values.LINE_LIMIT} bytes"
            self._on_problem("protocol errors", f"an EIS client is cut off: {limit}")
        except OSError:
            pass  # it has gone
        finally:
            self._writers.discard(writer)
            writer.close()
            self._submit(lambda world: self._roster.drop(session))

    def _take(self, session: Session, writer: asyncio.StreamWriter, line: bytes) -> Future[Any]:
        request = values.parse_request(line)
        answer = self._submit(lambda world: self._roster.answer(world, session, request))
        answer.add_done_callback(lambda done: self._later(self._reply, writer, request, done))
        return answer

    def _submit(self, job: Callable[[WorldPort], Any]) -> Future[Any]:
        return self._runner.submit(job)

    def _later(self, function: Callable[..., None], *args: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            pass  # the server has ended

    def _reply(
        self, writer: asyncio.StreamWriter, request: dict[str, Any], done: Future[Any]
    ) -> None:
        error = done.exception()
        if error is None:
            value = done.result()
            if isinstance(value, PerceptUpdate):
                value = values.update_value(value)
            self._send(writer, {"id": request["id"], "value": value})
            return
        if isinstance(error, WorldEndedError):
            writer.close()
            return
        if not isinstance(error, EXPECTED):
            self._on_problem("exceptions", f"{request['op']}: {type(error).__name__}: {error}")
        kind, reason = error_of(error if isinstance(error, Exception) else Exception(str(error)))
        self._send(writer, {"id": request["id"], "error": kind, "text": reason})

    def _send(self, writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
        if writer.is_closing():
            return
        writer.write(values.encode(message))
        if writer.transport.get_write_buffer_size() > UNSENT_LIMIT:
            self._on_problem("dropped clients", "an EIS client is cut off: it does not read")
            writer.transport.abort()
