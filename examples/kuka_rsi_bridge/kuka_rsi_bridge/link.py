# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The connection with a KUKA controller, which sends first and is answered in the same cycle."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_robots_core.link.base import LinkObserver
from legacy_robots_core.link.stream import Liveness
from legacy_robots_core.link.tcp import Role
from legacy_robots_wires.udp import UdpLink

from . import protocol
from .parameters import Parameters

SILENCE_S = 0.5
"""Seconds without a telegram after which the link is lost; there are 83 or 250 a second."""


class KukaRsiLink(UdpLink):
    """Waits for the controller, and corrects the axes towards ``targets``."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        super().__init__(
            Role.LISTEN, p.host, p.port, observer, liveness=Liveness(silence=SILENCE_S)
        )
        self._most = p.max_step
        self.targets: Sequence[float] | None = None
        """Where the axes are to be (rad); None: where they are."""
        self._sent: list[float] | None = None
        self._late = 0

    def opened(self) -> None:
        """Leave the axes where they are."""
        self.targets, self._sent, self._late = None, None, 0

    def received(self, data: bytes) -> None:
        """Answer, which cannot wait, and report the state. Raises ProtocolError."""
        state = protocol.parse(data)
        targets = self.targets
        # What was sent counts, not what is measured: the arm follows some cycles later. An answer
        # that was late was ignored.
        if targets is None or self._sent is None or state.late != self._late:
            self._sent = list(state.positions)
        self._late = state.late
        corrections = [
            min(max(to - now, -self._most), self._most)
            for to, now in zip(targets or self._sent, self._sent, strict=True)
        ]
        self.send(protocol.answer(corrections, state.cycle))
        self._sent = [now + by for now, by in zip(self._sent, corrections, strict=True)]
        self.observer.on_event(state)
