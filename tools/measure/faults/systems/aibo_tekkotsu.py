# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with an AIBO on which Tekkotsu runs, whose emergency stop it releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from std_srvs.srv import SetBool

from aibo_gti_bridge.simulator.tekkotsu import free_port
from legacy_robots_msgs.action import AiboWalkSteps
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import becomes_true
from measure.faults.systems.aibo import Aibo


class AiboTekkotsu(Aibo):
    """Walks and moves its head at once."""

    name = "aibo_tekkotsu"
    launch = "legacy_robots_bringup/aibo.launch.py"
    faults: ClassVar[Mapping[str, str]] = {**Aibo.faults, "flood": "nothing"}
    actions = ("follow_joint_trajectory", "walk_steps")

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        own = [a for a in super().arguments() if not a.startswith("port:=")]
        port = free_port("127.0.0.1")
        return [*own, f"namespace:={self.name}", "wire:=tekkotsu", f"port:={port}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals, and release the robot that was just switched on."""
        streams = super().watch(peer, observer, launch)
        self.prepare()
        return streams

    def prepare(self) -> None:
        """Release the emergency stop. Raises TimeoutError."""
        if not becomes_true(self._is_released):
            raise TimeoutError(f"{self.name}: emergency_stop is refused")

    def _is_released(self) -> bool:
        name = f"{self.namespace}/emergency_stop"
        return bool(self._peer.call(SetBool, name, SetBool.Request(data=False)).success)

    def under_way(self) -> list[Errand]:
        """Walk, and turn the head slowly beside it."""
        mark = self._mark()
        goal = AiboWalkSteps.Goal(x=next(self._way))
        walk = self._action(
            AiboWalkSteps, "walk_steps", goal,
            lambda: self._logged(mark, r"<- walk -?0\.", r"<- walk -?0 m/s, -?0 m/s"),
        )  # fmt: skip
        return [self._turn("neck_nod", 0.5, 6.0), walk]


SYSTEM = AiboTekkotsu
