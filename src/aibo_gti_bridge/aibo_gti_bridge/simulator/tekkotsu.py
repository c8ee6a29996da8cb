# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated AIBO ERS-7 with Tekkotsu's own ports, see :mod:`..protocol.tekkotsu_session`.

As on the robot a port is open while its behaviour runs and no client is connected with it, and a
world state is dropped while four wait for a client that does not read. The dog goes on when a
client leaves. Faults happen to the port of the world state; a stall and a restart to all.
"""

from __future__ import annotations

import logging
import math
import select
import time

from aibo_gti_bridge.protocol.tekkotsu import Door
from aibo_gti_bridge.protocol.tekkotsu_session import TekkotsuSession
from aibo_gti_bridge.simulator.dog import FLOOD_MESSAGES, DogSimulator, SimulatorConfig
from aibo_gti_bridge.simulator.world import CYCLE_S
from legacy_robots_core.link.tcp_sockets import (
    ConnectionFailedError,
    Listener,
    TcpStream,
    address,
)
from legacy_robots_simulation.connection_source import Acceptor
from legacy_robots_simulation.program import Fault, SimulatorError
from legacy_robots_simulation.tcp_simulator import LONGEST_STEP_S

WAITING_STATES = 4
ATTEMPTS = 50
"""To find a free port with free ones at the right distances."""


class _StatePort(Acceptor):
    """The port of the world state, closed while its behaviour does not run."""

    runs = False

    def open(self, now: float, *, first: bool = False) -> None:
        """Listen, if the behaviour runs."""
        self.due = math.inf
        if self.runs:
            super().open(now, first=first)


class _Port:
    """Another port: it listens while it is ``wanted`` and has no client."""

    def __init__(self, door: Door, host: str, port: int, log: logging.Logger) -> None:
        self.door = door
        self.stream: TcpStream | None = None
        self._host, self._port, self._log = host, port, log
        self._listener: Listener | None = None

    def update(self, *, wanted: bool) -> None:
        """Listen or not. Raises ConnectionFailedError."""
        listens = wanted and self.stream is None
        if listens and self._listener is None:
            self._listener = Listener(self._host, self._port)
        elif not listens and self._listener is not None:
            self._listener.close()
            self._listener = None
        if not wanted and self.stream is not None:
            self._lose("the behaviour has ended")

    def register(self, poller: select.poll) -> None:
        """Have ``poller`` watch the sockets."""
        if self._listener is not None:
            poller.register(self._listener, select.POLLIN)
        if self.stream is not None:
            unsent = select.POLLOUT if self.stream.unsent else 0
            poller.register(self.stream, select.POLLIN | unsent)

    def serve(self, ready: dict[int, int]) -> bytes:
        """Accept, send and return what has arrived."""
        if self._listener is not None and self._listener.fileno() in ready:
            self.stream = self._listener.accept()
            if self.stream is not None:
                self._log.info("connected with %s: port %d", self.stream.peer, self.door)
        if self.stream is None or self.stream.fileno() not in ready:
            return b""
        try:
            self.stream.flush()
            data = self.stream.receive()
        except OSError as error:
            self._lose(error.strerror or "error")
            return b""
        if data == b"":
            self._lose("closed")
        return data or b""

    def send(self, data: bytes) -> None:
        """Send what fits; what a client does not read is lost, as the robot's buffers are full."""
        if self.stream is not None and not self.stream.unsent:
            try:
                self.stream.send(data)
            except OSError as error:
                self._lose(error.strerror or "error")

    def _lose(self, reason: str) -> None:
        assert self.stream is not None
        self._log.info("port %d: the client has gone: %s", self.door, reason)
        self.stream.close()
        self.stream = None

    def close(self) -> None:
        """Close all."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None
        self.update(wanted=False)


class TekkotsuSimulator(DogSimulator):
    """A simulated AIBO on which Tekkotsu runs; ``port`` is its menu's."""

    def __init__(self, config: SimulatorConfig) -> None:
        port = Door.CONTROLLER if config.port is None else config.port
        self._controller = port or free_port(config.host)
        super().__init__(config, Door.STATE.beside(self._controller))
        self._states = _StatePort(config.host, Door.STATE.beside(self._controller), self.log)
        self._source = self._states
        self._ports: dict[Door, _Port] = {
            door: _Port(door, config.host, door.beside(self._controller), self.log)
            for door in Door
            if door is not Door.STATE
        }
        self._away_until = -math.inf

    @property
    def port(self) -> int:
        """The port of the menu; the others keep their distances from it."""
        return self._controller

    @property
    def listening(self) -> bool:
        """Whether the robot is switched on."""
        return time.monotonic() >= self._away_until

    @property
    def session(self) -> TekkotsuSession:
        """What runs on the robot: to be looked at inside ``wait_for`` only."""
        return self._session

    def start(self) -> None:
        """Begin to listen; raises SimulatorError if a port cannot be had."""
        try:
            self._update_ports()
        except ConnectionFailedError as error:
            raise SimulatorError(str(error)) from error
        self.log.info("listening on %s", address(self._config.host, self.port))
        super().start()

    def close(self) -> None:
        """End the connections and the thread. Idempotent."""
        super().close()
        self._switch_off()

    def tap_back(self) -> None:
        """Turn the emergency stop on or off, as two taps on the dog's back do."""
        self.calls.call(self._session.tap_back)

    def begin_again(self) -> None:
        """Switch the robot off and on."""
        super().begin_again()
        self._switch_off()

    def _switch_off(self) -> None:
        for port in self._ports.values():
            port.close()

    def _new_session(self) -> None:
        self._session = TekkotsuSession(self.world, self._send_to, self.log.info, self.log.warning)
        self._left_over = 0.0

    def _send_to(self, door: Door, data: bytes) -> None:
        self._ports[door].send(data)

    # --- TcpSimulator ----------------------------------------------------------------------

    def _link_up(self) -> None:
        pass

    def _link_lost(self) -> None:
        pass

    def _received(self, data: bytes) -> None:
        pass  # nothing on the robot reads it

    def _next_due(self) -> float | None:
        return CYCLE_S / self._time_scale

    def _advance(self, seconds: float) -> None:
        self._left_over += seconds * self._time_scale
        while self._left_over >= CYCLE_S - 1e-9:
            self._left_over -= CYCLE_S
            self._session.advance(CYCLE_S)
            if self._stream is not None:
                state = self._session.world_state()
                if len(self._stream.unsent) <= (WAITING_STATES - 1) * len(state):
                    self.send(state)

    def _register_beside(self, poller: select.poll, now: float) -> float:
        if now < self._away_until:
            return self._away_until
        for port in self._ports.values():
            port.register(poller)
        if self._stream is not None or self.is_paused:
            return math.inf
        return self._now + CYCLE_S / self._time_scale

    def _serve_beside(self, ready: dict[int, int], now: float) -> None:
        if now < self._away_until:
            return
        if self._stream is None:  # else time has passed already
            passed, self._now = now - self._now, now
            if not self.is_paused:
                self._advance(min(passed, LONGEST_STEP_S))
        for door, port in self._ports.items():
            self._session.receive(door, port.serve(ready))
        try:
            self._update_ports()
        except ConnectionFailedError as error:
            self.log.warning("%s; trying again", error)

    def _update_ports(self) -> None:
        running = self._session.running
        for door, port in self._ports.items():
            port.update(wanted=door in running)
        runs = Door.STATE in running
        if runs != self._states.runs:
            self._states.runs = runs
            if runs:
                self._states.open(time.monotonic())
            else:
                self.hang_up("the behaviour has ended")
                self._states.close()

    # --- faults ----------------------------------------------------------------------------

    def _have(self, fault: str, now: float) -> None:
        super()._have(fault, now)
        if fault == Fault.RESTART:
            self._away_until = now + self._fault_seconds
            self.world.stop_everything()
            self._switch_off()
            self._new_session()

    def _torn_message(self) -> bytes:
        return self._session.world_state()[:100]

    def _flood(self) -> bytes:
        return self._session.world_state() * FLOOD_MESSAGES


def free_port(host: str) -> int:
    """Return a free port for the menu, with free ones at the distances of the others."""
    reason = ""
    for _ in range(ATTEMPTS):
        found: list[Listener] = []
        try:
            found.append(Listener(host, 0))
            port = found[0].port
            if Door.STOP.beside(port) < 65536:
                found += [Listener(host, door.beside(port)) for door in list(Door)[1:]]
                return port
        except ConnectionFailedError as error:
            reason = str(error)
        finally:
            for listener in found:
                listener.close()
    raise SimulatorError(f"no free ports: {reason}")
