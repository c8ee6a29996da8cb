# SPDX-License-Identifier: Apache-2.0
"""A channel that controls a simulator beside its wire: time, entities and worlds. No ROS.

The original knows nothing of it. One JSON object a line goes to and fro over a Unix socket in
Linux's abstract namespace, which no other machine reaches: ``{"do": "step", "with": {"seconds":
0.1}}`` is answered by ``{"ok": VALUE}`` once all of it is done, or by ``{"error": SENTENCE}``.
:class:`Controls` lists the requests.
"""

from __future__ import annotations

import argparse
import functools
import json
import logging
import math
import os
import socketserver
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeVar

from legacy_robots_common.simulator import SimulatorError

T = TypeVar("T")

LONGEST_LINE = 65536
"""Bytes of a request."""
LONGEST_CONTROL_STEP_S = 60.0
CALL_TIMEOUT_S = 30.0
_LOGGER = logging.getLogger("simulator")


class ControlError(Exception):
    """Raised for a request that cannot be carried out; the message says why."""


@dataclass(frozen=True)
class Entity:
    """What is in a simulated world: m and rad in the frame of its Controls.

    ``category`` is ``robot``, ``object`` or ``dynamic_object``.
    """

    name: str
    category: str
    x: float
    y: float
    yaw: float = 0.0


class Controls(ABC):
    """What a simulator lets be done with it. Methods may raise ControlError or ValueError.

    ``abilities`` are of play (it can be paused and go on), reset, place, spawn, delete and load;
    ``frame`` is that of its entities, ``uris`` are what can be spawned, and ``step_s`` the
    shortest step (s). Every simulator can be stepped, and tells its state and entities.
    """

    abilities: frozenset[str] = frozenset()
    frame = "map"
    uris: Sequence[str] = ()
    step_s = 0.1

    def describe(self) -> Mapping[str, Any]:
        """Return the attributes above."""
        return {
            "abilities": sorted(self.abilities),
            "frame": self.frame,
            "uris": list(self.uris),
            "step_s": self.step_s,
        }

    @abstractmethod
    def state(self) -> str:
        """Return ``playing``, ``paused``, or ``stopped``: it stands at its beginning."""

    @abstractmethod
    def step(self, seconds: float = 0.0) -> float:
        """Let time pass, 0 for the shortest step; return the simulated time (s)."""

    @abstractmethod
    def entities(self) -> list[Entity]:
        """Return all entities."""

    def play(self) -> None:
        """Let time pass by itself."""
        raise ControlError("it cannot play by itself")

    def pause(self) -> None:
        """Let time stand still."""
        raise ControlError("it cannot be paused")

    def reset(self) -> None:
        """Begin again, with the same seed; a paused one stays paused."""
        raise ControlError("it cannot be reset")

    def place(self, name: str, x: float, y: float, yaw: float) -> None:
        """Put an entity elsewhere."""
        raise ControlError("its entities cannot be placed")

    def spawn(self, uri: str, x: float, y: float) -> str:
        """Add an entity; return its name."""
        raise ControlError("nothing can be spawned")

    def delete(self, name: str) -> None:
        """Take an entity away."""
        raise ControlError("nothing can be deleted")

    def load(self, uri: str) -> None:
        """Load another world, at its beginning."""
        raise ControlError("it has one world only")


REQUESTS = frozenset(
    (
        *("describe", "state", "step", "entities", "play", "pause"),
        *("reset", "place", "spawn", "delete", "load"),
    )
)


class CallQueue:
    """Calls of other threads that the simulator's own thread carries out, in order."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake = wake
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def call(self, function: Callable[[], T]) -> T:
        """Return what ``function`` returns on the simulator's thread. Raises ControlError."""
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise ControlError("the simulator has ended")
            self._calls.append((function, future))
        self._wake()
        try:
            return future.result(CALL_TIMEOUT_S)
        except FutureTimeoutError as error:
            raise ControlError(f"the simulator does not answer in {CALL_TIMEOUT_S} s") from error

    def carry_out(self) -> Callable[[], None]:
        """Carry out what was asked for; return what tells the callers, to be called at the end.

        To be called on the simulator's thread.
        """
        answers: list[Callable[[], None]] = []
        while self._calls:
            function, future = self._calls.popleft()
            try:
                answers.append(functools.partial(future.set_result, function()))
            except Exception as error:
                answers.append(functools.partial(future.set_exception, error))

        def tell() -> None:
            for answer in answers:
                answer()

        return tell

    def close(self) -> None:
        """Refuse what waits and what comes."""
        with self._lock:
            self._closed = True
        while self._calls:
            self._calls.popleft()[1].set_exception(ControlError("the simulator has ended"))


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
        if name not in REQUESTS:
            raise ControlError(f"{name!r} is none of {', '.join(sorted(REQUESTS))}")
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
    parser.add_argument(
        "--paused",
        action="store_true",
        help="time stands still at first, until the control channel lets it pass",
    )


class Stepped(Protocol):
    """A simulator whose time passes on a thread of its own."""

    calls: CallQueue
    is_paused: bool

    def step(self, seconds: float) -> None:
        """Let time pass while it stands still; on its thread, as the next."""

    def begin_again(self) -> None:
        """Begin again, with the same seed."""


class SteppedControls(Controls):
    """Controls of a simulator whose time passes on a thread of its own.

    A subclass has the methods that begin with an underscore, called on that thread.
    """

    abilities = frozenset(("play", "reset", "place"))

    def __init__(self, simulator: Stepped) -> None:
        self._simulator = simulator
        self._stepped_s = 0.0
        self._is_stopped = False

    def _entities(self) -> list[Entity]:
        raise NotImplementedError

    def _place(self, name: str, x: float, y: float, yaw: float) -> None:
        raise NotImplementedError

    def state(self) -> str:
        """Return how time passes."""
        if not self._simulator.is_paused:
            return "playing"
        return "stopped" if self._is_stopped else "paused"

    def step(self, seconds: float = 0.0) -> float:
        """Let time pass while it stands still; return the sum of such times (s)."""
        seconds = checked_seconds(seconds, self.step_s)
        if not self._simulator.is_paused:
            raise ControlError("it is playing: pause it, then step")
        self._simulator.calls.call(lambda: self._simulator.step(seconds))
        self._is_stopped = False
        self._stepped_s += seconds
        return self._stepped_s

    def play(self) -> None:
        """Let time pass by itself."""
        self._set_paused(False)

    def pause(self) -> None:
        """Let time stand still."""
        self._set_paused(True)

    def _set_paused(self, is_paused: bool) -> None:
        def change() -> None:
            self._simulator.is_paused = is_paused

        self._simulator.calls.call(change)
        self._is_stopped = False

    def reset(self) -> None:
        """Begin again."""
        self._simulator.calls.call(self._simulator.begin_again)
        self._stepped_s = 0.0
        self._is_stopped = True

    def entities(self) -> list[Entity]:
        """Return all entities."""
        return self._simulator.calls.call(self._entities)

    def place(self, name: str, x: float, y: float, yaw: float) -> None:
        """Put an entity elsewhere."""

        def change() -> None:
            found(self._entities(), name)
            self._place(name, x, y, yaw)

        self._simulator.calls.call(change)


def checked_seconds(seconds: float, step_s: float) -> float:
    """Return the seconds to step, ``step_s`` for 0. Raises ControlError."""
    if not 0.0 <= seconds <= LONGEST_CONTROL_STEP_S:
        raise ControlError(f"a step takes 0 to {LONGEST_CONTROL_STEP_S} s, not {seconds}")
    return seconds or step_s


def found(entities: Sequence[Entity], name: str) -> Entity:
    """Return the entity called ``name``. Raises ControlError."""
    for entity in entities:
        if entity.name == name:
            return entity
    raise ControlError(f"there is no entity {name!r}")
