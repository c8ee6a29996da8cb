# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with gti_host: a GTI client walks the simulated dog, and every part is killed."""

from __future__ import annotations

import math
import socket
import struct
import threading
import time
from collections.abc import Mapping
from typing import ClassVar

from geometry_msgs.msg import TwistStamped
from sensor_msgs.msg import JointState

from legacy_robots_common.node import qos
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import End, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, FREEZE, KILL, STOP, System, becomes_true

PAN = 13
"""Id of the neck's pan."""
ROUND_S = 0.05


REDIAL = "redial"
"""The client ends the connection, and connects again at once."""


class Client(threading.Thread):
    """A GTI client of bare sockets that turns left and right, asks for the pan, and reconnects."""

    def __init__(self, port: int) -> None:
        super().__init__(name="client", daemon=True)
        self._port = port
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.unanswered = 0
        """Queries to which neither an answer nor the end of the connection came."""
        self.answers = 0
        self._at_once = False

    def run(self) -> None:
        """Drive the robot until the program ends."""
        while True:
            try:
                self._drive()
            except OSError:
                if not self._at_once:
                    time.sleep(0.1)
                self._at_once = False

    def drop(self) -> None:
        """Go without a word, as a killed program does."""
        with self._lock:
            if self._socket is not None:
                linger = struct.pack("ii", 1, 0)
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self._socket.shutdown(socket.SHUT_RD)
                self._socket.close()

    def redial(self) -> None:
        """End the connection in order; the thread connects again at once."""
        with self._lock:
            if self._socket is not None:
                self._at_once = True
                self._socket.shutdown(socket.SHUT_RDWR)

    def turn_head(self, degrees: float) -> None:
        """Send a moveJoints, if there is a connection."""
        self._send(struct.pack("<iiiiiid", 4, 24, 1, 0, PAN, 300, degrees))

    def _send(self, data: bytes) -> None:
        with self._lock:
            if self._socket is not None:
                try:
                    self._socket.sendall(data)
                except OSError:
                    pass  # the next query notices

    def _drive(self) -> None:
        sock = socket.create_connection(("127.0.0.1", self._port), 20.0)
        with self._lock:
            self._socket = sock
        number = 0
        try:
            while True:
                if number % 8 == 0:
                    turn = 0.3 if number % 16 else -0.3
                    self._send(struct.pack("<ii3dii", 6, 32, 0.0, 0.0, turn, -1, 0))
                self._send(struct.pack("<iiii", 1, 8, 1, PAN))
                answer = b""
                while len(answer) < 8:
                    piece = sock.recv(8 - len(answer))
                    if not piece:
                        raise ConnectionResetError
                    answer += piece
                self.answers += 1
                number += 1
                time.sleep(ROUND_S)
        except TimeoutError:
            self.unanswered += 1
            raise
        finally:
            with self._lock:
                self._socket = None
            sock.close()


class HeadErrand:
    """A moveJoints, which GTI does not answer: the dog's joints tell whether it was done."""

    name = "moveJoints"

    def __init__(self, system: GtiHost, degrees: float) -> None:
        self._system = system
        self._degrees = degrees
        system.client.turn_head(degrees)

    def end(self, timeout: float) -> End:
        """Wait until the head is there; it need not be, as GTI promises nothing."""
        done = becomes_true(lambda: abs(self._system.pan - math.radians(self._degrees)) < 0.1)
        return End(succeeded=done, reason=f"{self.name}: the head is at {self._system.pan:.2f}")


class QueryErrand:
    """The client's queries: each is answered, or its connection ends."""

    name = "querySensors"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._before = client.answers

    def end(self, timeout: float) -> End:
        """Wait for the next answers."""
        client, deadline = self._client, time.monotonic() + timeout
        while client.answers < self._before + 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        answered = client.answers >= self._before + 2 and not client.unanswered
        return End(lost=bool(client.unanswered), succeeded=answered, reason="querySensors")


class GtiHost(System):
    """Turns the dog and its head through the host."""

    name = "gti_host"
    node = "gti_host"
    main_stream = ((TwistStamped, "aibo/cmd_vel"),)
    faults: ClassVar[Mapping[str, str]] = {
        KILL + "gti_host": "link",
        STOP + "gti_host": "link",
        CLIENT: "link",
        KILL + "bridge": "diagnostics",
        KILL + "simulator": "diagnostics",
        FREEZE + "simulator": "diagnostics",
        REDIAL: "link",
    }
    of_peer = instant = frozenset({REDIAL})

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        port = self._ports()
        self.client = Client(port)
        self.pan = math.nan
        self._degrees = 20.0
        parameters = self._scratch / "gti_host.yaml"
        parameters.write_text("/**/gti_host:\n  ros__parameters:\n    robot_timeout: 0.5\n")
        return [
            f"port:={port}", f"robot_port:={self._ports()}", "robot_namespace:=/gti_host/aibo",
            "enable_stamped_cmd_vel:=true", f"params_file:={parameters}",
        ]  # fmt: skip

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the velocities and the dog's joints, and begin to drive."""
        streams = super().watch(peer, observer, launch)
        states = f"{self.namespace}/aibo/joint_states"
        peer.subscribe_with(JointState, states, self._on_joints, qos.stream(10))
        self.client.start()
        return streams

    def _on_joints(self, message: JointState) -> None:
        self.pan = dict(zip(message.name, message.position, strict=True))["neck_pan"]

    def inject(self, fault: str) -> bool:
        """Have the client connect anew."""
        if fault == REDIAL:
            self.client.redial()
        return fault == REDIAL

    def kill_client(self) -> Errand:
        """Have the client go; it comes back by itself."""
        self.client.drop()
        return QueryErrand(self.client)

    def under_way(self) -> list[Errand]:
        """Go on asking."""
        return [QueryErrand(self.client)]

    def while_away(self) -> list[Errand]:
        """Ask for nothing beside the client's queries."""
        return [QueryErrand(self.client)]

    def proof(self) -> Errand:
        """Turn the head."""
        self._degrees = -self._degrees
        return HeadErrand(self, self._degrees)


SYSTEM = GtiHost
