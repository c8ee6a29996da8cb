# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated AIBO ERS-7 with a GTI server.

It follows :mod:`aibo_gti_bridge.simulator.world` and speaks the wire of a wire table
(docs/aibo.md), as :mod:`aibo_gti_bridge.protocol.server_session` says. It serves one client; what
is no command at all ends the connection.

When the connection ends the dog stops: it stands still and holds every joint. (The original
probably kept walking; docs/originals/aibo.md, 5.)

Faults happen as with all simulators: cut in the middle of a reply, stall, flood (thousands of
replies that answer no command), garbage, restart.
"""

from __future__ import annotations

from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.commands import SensorValues
from aibo_gti_bridge.protocol.server_codec import encode_reply
from aibo_gti_bridge.protocol.server_session import Session
from aibo_gti_bridge.simulator.dog import FLOOD_MESSAGES, DogSimulator, SimulatorConfig
from aibo_gti_bridge.simulator.world import CYCLE_S

IDLE_PERIOD_S = 0.5


class Simulator(DogSimulator):
    """A simulated AIBO behind a GTI server."""

    def __init__(self, config: SimulatorConfig | None = None) -> None:
        config = config or SimulatorConfig()
        self._wire = config.wire
        super().__init__(config, config.wire.port if config.port is None else config.port)

    def _link_up(self) -> None:
        self._new_session()

    def _link_lost(self) -> None:
        try:
            self._session.end()
        except ProtocolError as error:
            self.log.warning("%s", error)
        self._new_session()

    def _new_session(self) -> None:
        self._session = Session(self._wire, self.world, self.send, self.log.info, self.log.warning)

    def _next_due(self) -> float | None:
        return CYCLE_S / self._time_scale if self._session.active else IDLE_PERIOD_S

    def _advance(self, seconds: float) -> None:
        self._session.advance(seconds * self._time_scale)

    def _received(self, data: bytes) -> None:
        self._session.receive(data)

    # --- faults ----------------------------------------------------------------------------

    def _torn_message(self) -> bytes:
        return self._readings()[:12]

    def _flood(self) -> bytes:
        return self._readings() * FLOOD_MESSAGES

    def _readings(self) -> bytes:
        """Return a reply with all joints."""
        values = tuple(self.world.sensor(name) for name in self._wire.joints)
        return encode_reply(SensorValues(values), self._wire)
