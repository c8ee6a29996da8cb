# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with an AIBO on which Tekkotsu runs, whose emergency stop it releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from std_srvs.srv import SetBool

from aibo_gti_bridge.simulator.tekkotsu import free_port
from aibo_gti_bridge.system import SYSTEM as DECLARED
from legacy_robots_common.system import Goals
from legacy_robots_testing import polling
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.observer import Observer, Stream
from measure.faults.registered import campaign_of

Aibo: Any = campaign_of(DECLARED)
RELEASED_S = 60.0
"""In which a robot has come up on a busy machine, and can be released."""


class AiboTekkotsu(Aibo):
    """Walks and moves its head at once."""

    name = "aibo_tekkotsu"
    faults: ClassVar[Mapping[str, str]] = {**Aibo.faults, "flood": "nothing"}
    goals: ClassVar[tuple[Goals, ...]] = (
        Aibo.goals[0],
        Goals(
            "walk_steps",
            "legacy_robots_msgs/action/AiboWalkSteps",
            ({"x": 0.15}, {"x": -0.15}),
            truth=((r"<- walk -?0\.", r"<- walk -?0 m/s, -?0 m/s"),) * 2,
        ),
    )

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        port = free_port("127.0.0.1")
        return [f"namespace:={self.name}", "wire:=tekkotsu", f"port:={port}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals, and release the robot that was just switched on."""
        streams: list[Stream] = super().watch(peer, observer, launch)
        self.prepare()
        return streams

    def prepare(self) -> None:
        """Release the emergency stop. Raises TimeoutError."""
        polling.until(self._is_released, f"{self.name}: emergency_stop is refused", RELEASED_S)

    def _is_released(self) -> bool:
        name = f"{self.namespace}/emergency_stop"
        return bool(self._peer.call(SetBool, name, SetBool.Request(data=False)).success)


SYSTEM = AiboTekkotsu
