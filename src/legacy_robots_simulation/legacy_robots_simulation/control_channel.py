# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A channel that controls a simulator beside its wire: time, entities and worlds. No ROS.

The original knows nothing of it. One JSON object a line goes to and fro over a Unix socket in
Linux's abstract namespace, which no other machine reaches: ``{"do": "step", "with": {"seconds":
0.1}}`` is answered by ``{"ok": VALUE}`` once all of it is done, or by ``{"error": SENTENCE}``.
The requests are the methods of :class:`Controls`, and ``describe`` for its attributes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import math
import os
import select
import socket
import socketserver
import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, BinaryIO

from legacy_robots_simulation.controls import ControlError, Controls, Entity, State
from legacy_robots_simulation.program import SimulatorError, add_switch
from legacy_robots_simulation.stepped_controls import CALL_TIMEOUT_S

__all__ = ["add_control_argument"]

LONGEST_LINE = 65536
"""Bytes of a request."""
ANSWER_TIMEOUT_S = 2.0 * CALL_TIMEOUT_S
"""A client disconnects from a simulator that takes longer for an answer."""
REQUESTS = frozenset(name for name, member in vars(Controls).items() if callable(member))
_LOGGER = logging.getLogger("simulator")


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False
    controls: Controls
    lock: threading.Lock


class _Client(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        try:
            while line := self.rfile.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    self._send({"error": f"a request has at most {LONGEST_LINE} bytes"})
                    return
                with self.server.lock:
                    answer = _answer(self.server.controls, line)
                self._send(answer)
        except OSError:
            pass  # it has gone

    def _send(self, answer: Mapping[str, Any]) -> None:
        self.wfile.write(json.dumps(answer).encode() + b"\n")


def _answer(controls: Controls, line: bytes) -> Mapping[str, Any]:
    try:
        request = json.loads(line)
        name, arguments = request["do"], request.get("with", {})
        if name == "describe":
            return {"ok": _description(controls)}
        if name not in REQUESTS:
            raise ControlError(f"{name!r} is none of {', '.join(sorted(REQUESTS))}, describe")
        for key, value in arguments.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise ControlError(f"{key} must be finite, not {value}")
        value = getattr(controls, name)(**arguments)
        return {"ok": [asdict(entity) for entity in value] if name == "entities" else value}
    except ControlError as error:
        return {"error": str(error)}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        return {"error": f"not understood: {type(error).__name__}: {error}"}
    except Exception as error:
        _LOGGER.exception("control has failed")
        return {"error": f"unexpected {type(error).__name__}: {error}"}


def _description(controls: Controls) -> Mapping[str, Any]:
    return {
        "abilities": sorted(controls.abilities),
        "frame": controls.frame,
        "uris": list(controls.uris),
        "step_s": controls.step_s,
    }


def address(name: str) -> bytes:
    """Return the abstract address of the socket called ``name``."""
    return b"\0legacy_robots/" + os.fsencode(name)


class ControlServer:
    """Serves ``controls`` at the socket called ``name``; without a name it does nothing."""

    def __init__(self, controls: Controls, name: str) -> None:
        self._name = name
        self._controls = controls
        self._server: _Server | None = None

    def start(self) -> None:
        """Begin to serve; raises SimulatorError where the name is taken."""
        if not self._name:
            return
        try:
            self._server = _Server(address(self._name), _Client)
        except OSError as error:
            message = f"control {self._name!r} cannot be served: {error.strerror}"
            raise SimulatorError(message) from error
        self._server.controls = self._controls
        self._server.lock = threading.Lock()
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.25,), name="control", daemon=True).start()

    def close(self) -> None:
        """End. Idempotent."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


def add_control_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--control`` and ``--paused``."""
    parser.add_argument(
        "--control",
        default="",
        metavar="NAME",
        help="serve what pauses, steps and changes this simulator at the abstract Unix socket "
        "of this name (default: not served)",
    )
    add_switch(
        parser, "--paused", "time stands still at first, until the control channel lets it pass"
    )


class ControlClient(Controls):
    """The controls of a simulator in another process. Thread-safe; one request at a time.

    Methods raise ControlError for what the simulator refuses, and without a connection; a
    simulator that does not answer within ANSWER_TIMEOUT_S is disconnected.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None
        self._answers: BinaryIO | None = None

    def connect(self) -> None:
        """Connect, and learn what the simulator can do. Raises ControlError."""
        self.close()
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(ANSWER_TIMEOUT_S)
        try:
            connection.connect(address(self.name))
        except OSError as error:
            connection.close()
            raise ControlError(f"it is not there: {error.strerror}") from error
        self._connection, self._answers = connection, connection.makefile("rb")
        description = self._request("describe")
        self.abilities = frozenset(description["abilities"])
        self.frame, self.uris = description["frame"], description["uris"]
        self.step_s = description["step_s"]

    def wait_until_lost(self) -> None:
        """Return when the simulator has gone, or after :meth:`interrupt`."""
        if (connection := self._connection) is not None:
            poll = select.poll()
            poll.register(connection, select.POLLHUP)
            poll.poll()

    def interrupt(self) -> None:
        """End the connection, and a request that waits for its answer."""
        if (connection := self._connection) is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End the connection. Idempotent."""
        self.interrupt()
        with self._lock:
            for end in (self._answers, self._connection):
                if end is not None:
                    end.close()
            self._answers = self._connection = None

    def _request(self, request: str, /, **arguments: Any) -> Any:
        line = json.dumps({"do": request, "with": arguments}).encode() + b"\n"
        with self._lock:
            if self._connection is None or self._answers is None:
                raise ControlError(f"there is no connection with the simulator {self.name!r}")
            try:
                self._connection.sendall(line)
                answer = json.loads(self._answers.readline())
                if "error" not in answer:
                    return answer["ok"]
            except (OSError, ValueError, KeyError, TypeError) as error:
                self.interrupt()
                raise ControlError(f"the simulator {self.name!r} has gone: {error}") from error
        raise ControlError(str(answer["error"]))

    def state(self) -> State:
        """Return how time passes."""
        return State(self._request("state"))

    def step(self, seconds: float = 0.0) -> float:
        """Let time pass, 0 for the shortest step; return the simulated time (s)."""
        return float(self._request("step", seconds=seconds))

    def entities(self) -> list[Entity]:
        """Return all entities."""
        return [Entity(**entity) for entity in self._request("entities")]

    def play(self) -> None:
        """Let time pass by itself."""
        self._request("play")

    def pause(self) -> None:
        """Let time stand still."""
        self._request("pause")

    def reset(self) -> None:
        """Begin again."""
        self._request("reset")

    def reset_spawned(self) -> None:
        """Take away what was spawned."""
        self._request("reset_spawned")

    def place(self, name: str, x: float, y: float, yaw: float) -> None:
        """Put an entity elsewhere."""
        self._request("place", name=name, x=x, y=y, yaw=yaw)

    def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Add an entity; return its name."""
        return str(self._request("spawn", uri=uri, name=name, x=x, y=y))

    def delete(self, name: str) -> None:
        """Take an entity away."""
        self._request("delete", name=name)

    def load(self, uri: str) -> None:
        """Load another world."""
        self._request("load", uri=uri)
