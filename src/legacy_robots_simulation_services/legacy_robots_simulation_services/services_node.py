# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The services of simulation_interfaces over a simulator's control channel, as a node.

It runs beside a bridge and is none of its business: the simulator does what it is asked here as a
real robot would do it by itself.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_core.link.base import Link, LinkLost, LinkObserver
from legacy_robots_simulation.control_channel import ControlClient
from legacy_robots_simulation.controls import ControlError
from legacy_robots_simulation_services.services import offer_simulation


@dataclass(frozen=True)
class Parameters:
    """Those of the node ``simulation``."""

    control: str = parameter("", "name of the simulator's control channel, its --control")


class ControlLink(Link):
    """Keeps the client of a control channel connected."""

    def __init__(self, client: ControlClient, observer: LinkObserver) -> None:
        super().__init__(f"the simulator at {client.name!r}", observer, name="control")
        self._client = client

    def time_passed(self) -> None:
        """Do nothing: the simulator sends nothing unasked."""

    def interrupt(self) -> None:
        """Wake the link's thread."""
        self._client.interrupt()

    def serve(self) -> None:
        """Serve one connection."""
        try:
            self._client.connect()
        except ControlError as error:
            raise LinkLost(str(error)) from error
        try:
            if not self.closing.is_set():
                self.connected(self._peer)
                self._client.wait_until_lost()
            raise LinkLost("the simulator has gone")
        finally:
            self._client.close()


class SimulatorNode(BridgeNode):
    """Offers simulation_interfaces for a simulator with a control channel."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("simulation", hardware_id="simulator", **node_arguments)
        name = declare_parameters(self, Parameters).control
        if not name:
            raise StartupError("parameter 'control' is empty: it names the simulator's --control")
        client = ControlClient(name)
        self.use_link(ControlLink(client, self))
        self._simulation_services = offer_simulation(self, client)

    def close(self) -> None:
        """End the connection and the services. Idempotent."""
        super().close()
        if self._simulation_services is not None:
            self._simulation_services.close()


def main() -> None:
    """Run the node until a signal."""
    sys.exit(run(SimulatorNode, Parameters))
