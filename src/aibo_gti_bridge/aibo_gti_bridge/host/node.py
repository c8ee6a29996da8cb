# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""gti_host: any ROS 2 robot in the place of an AIBO, driven by a GTI client such as Golog."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

from aibo_gti_bridge.host import robot_map as maps
from aibo_gti_bridge.host.parameters import Parameters
from aibo_gti_bridge.host.robot import RosRobot
from aibo_gti_bridge.host.robot_map import MapError
from aibo_gti_bridge.protocol import wire_table as wire_tables
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.server_session import Session
from aibo_gti_bridge.protocol.wire_table import WireTable
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_core.link.base import LinkLost, NotConnectedError
from legacy_robots_core.link.tcp import Role, TcpLink

TICK_S = 0.025
"""Time between two looks at walks and searches."""
SETTLING_S = 0.1
"""Time for the last stop and cancellations to leave."""


class HostLink(TcpLink):
    """Serves one GTI client at a time with a robot behind it."""

    def __init__(
        self, host: str, port: int, wire: WireTable, robot: RosRobot, node: GtiHost
    ) -> None:
        super().__init__(Role.LISTEN, host, port, node)
        self._wire = wire
        self._robot = robot
        self._node = node
        self._session: Session | None = None
        self._advanced = self._due = 0.0
        self._last_was_walk = False

    def opened(self) -> None:
        """Begin with a new connection."""
        log = self._node.get_logger()
        self._session = Session(self._wire, self._robot, self._reply, self._log, log.warning)
        self._robot.client_heard = self._advanced = time.monotonic()
        self._last_was_walk = False

    def _log(self, text: str) -> None:
        """Log a command; of velocities that follow one another only the first."""
        walk = text.startswith("<- Walk(")
        if not (walk and self._last_was_walk):
            self._node.get_logger().info(text)
        self._last_was_walk = walk

    def _reply(self, data: bytes) -> None:
        self._node.counters.add("replies")
        self.send(data)

    def received(self, data: bytes) -> None:
        """Take what the peer has sent. Raises ProtocolError or LinkLost."""
        assert self._session is not None
        self._robot.client_heard = time.monotonic()
        if not self._session.active:
            self._advanced = self._robot.client_heard
            self._due = self._advanced + TICK_S
        try:
            self._session.receive(data)
        except ProtocolError as error:
            # A client's nonsense is no fault of the server: it ends that connection only.
            self.observer.on_problem("protocol errors", f"the client is sent away: {error}")
            raise LinkLost(str(error)) from error
        except NotConnectedError as error:
            raise LinkLost(str(error)) from error

    def ended(self) -> None:
        """Check that nothing is cut off. Raises ProtocolError."""
        assert self._session is not None
        try:
            self._session.end()
        except ProtocolError as error:
            self.observer.on_problem("protocol errors", str(error))

    def next_due(self) -> float | None:
        """Return when ``tick`` is due, s."""
        active = self._session is not None and self._session.active
        return self._due if active else None

    def tick(self) -> None:
        """Do what is due. Raises LinkFault or LinkLost."""
        assert self._session is not None
        now = time.monotonic()
        passed, self._advanced = now - self._advanced, now
        self._due = max(self._due + TICK_S, now)
        try:
            self._session.advance(passed)
        except NotConnectedError as error:
            raise LinkLost(str(error)) from error


class GtiHost(BridgeNode):
    """The GTI server of one ROS 2 robot. Raises ParameterError, or StartupError for a bad map."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(
            "gti_host", hardware_id="GTI client", namespace="gti_host", **node_arguments
        )
        p = declare_parameters(self, Parameters)
        self._stopped_at: float | None = None
        try:
            wire = wire_tables.load(wire_tables.split(p.wire_overlays))
            self._map = maps.placed(maps.load(p.map), "/" + p.robot_namespace.strip("/"))
            self._robot = RosRobot(self, self._map, p)
        except (wire_tables.WireError, MapError) as error:
            raise StartupError(str(error)) from error
        self._server = HostLink(p.host, p.port, wire, self._robot, self)
        self.use_link(self._server)

    @property
    def port(self) -> int:
        """The TCP port on which clients are waited for."""
        return self._server.port

    def make_safe(self, reason: str) -> None:
        """Stop the robot."""
        self._robot.stop_everything()

    def stop(self) -> None:
        """Send the client away and stop the robot; leave the stop a moment to arrive.

        Raises TimeoutError, once the robot is stopped, where the client's thread does not end.
        """
        try:
            self._server.close()  # first: from now on its commands must not be carried out
        finally:
            super().stop()
            self._stopped_at = time.monotonic()

    @property
    def settled(self) -> bool:
        """Whether the last stop has left."""
        waited = self._stopped_at is None or time.monotonic() - self._stopped_at > SETTLING_S
        return waited and super().settled

    def diagnostics(self) -> Mapping[str, str]:
        """Return which map is used and whether the robot is heard."""
        silence = self._robot.silence
        heard = "never" if silence < 0.0 else f"{silence:.1f} s ago"
        return {"map": self._map.name, "robot heard": heard}


def main() -> None:
    """Run the host until SIGINT or SIGTERM."""
    sys.exit(run(GtiHost, Parameters))
