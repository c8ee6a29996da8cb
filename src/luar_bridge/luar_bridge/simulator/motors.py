# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The joints of a simulated Nao: where Lua would have them, and motors that go there. No ROS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.simulator.world import SoccerScene

CYCLE_S = 0.01
MAXIMUM_SPEED = 6.0
"""rad/s of a motor, about a Nao's."""


class Motors:
    """Joints (rad, in the memory's order) that follow the dcmActuator at ``path``.

    As the original's NaoQi module has them, see docs/originals/luar.md, 2.
    """

    def __init__(self, path: Path, positions: Sequence[float]) -> None:
        self._path = path
        self.positions = list(positions)
        self._targets = list(positions)

    def cycle(self) -> None:
        """Go on by 10 ms; joints keep their targets while nothing can be read."""
        try:
            with Segment(self._path) as segment:
                reported = segment.snapshot
                names = ("command", "hardness", "velocity")
                command, hardness, velocity = (
                    reported.numbers(n, len(self.positions)) for n in names
                )
                disabled = (reported.number("disable") or 0.0) > 0.0
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
            command = hardness = velocity = None
            disabled = True
        if command and hardness and velocity and not disabled:
            for joint, target in enumerate(self._targets):
                if hardness[joint] <= 0.0:
                    continue
                step = command[joint] - target
                if velocity[joint] > 0.0:
                    step = _limited(step, CYCLE_S * velocity[joint])
                self._targets[joint] += step
        for joint, target in enumerate(self._targets):
            step = _limited(target - self.positions[joint], CYCLE_S * MAXIMUM_SPEED)
            self.positions[joint] += step


def _limited(value: float, most: float) -> float:
    return min(max(value, -most), most)


def joint_angles(scene: SoccerScene) -> list[float]:
    """Return angles in JOINTS' order for a robot that stands, or walks in place of its gait."""
    phase = 2.0 * math.pi * scene.gait()
    swing = math.sin(phase) if scene.walking else 0.0
    lift = abs(swing)
    knees = (0.9 + (0.25 * lift if swing > 0 else 0.0), 0.9 + (0.25 * lift if swing < 0 else 0.0))
    arms = (1.6 + 0.3 * swing, 1.6 - 0.3 * swing)
    roll = 0.05 * math.cos(phase) if scene.walking else 0.0
    return [
        scene.head_yaw, scene.head_pitch,
        arms[0], 0.15, -1.2, -0.4,
        0.0, roll, -0.45 - 0.2 * swing, knees[0], -0.45, -roll,
        0.0, roll, -0.45 + 0.2 * swing, knees[1], -0.45, -roll,
        arms[1], -0.15, 1.2, 0.4,
    ]  # fmt: skip
