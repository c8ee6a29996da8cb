# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the control channel can do with a simulated Luar robot. Metres on the field."""

from __future__ import annotations

from typing import Protocol

from legacy_robots_simulation.controls import ControlError, Entity
from legacy_robots_simulation.stepped_controls import Stepped, SteppedControls
from luar_bridge.model import field as soccer_field
from luar_bridge.simulator.world import SoccerScene

_BALL = "ball"
_MARGIN = 0.4
"""m beyond the lines that belong to the field."""


class SimulatedRobot(Stepped, Protocol):
    """A simulator of a robot on the field."""

    scene: SoccerScene


class SceneControls(SteppedControls):
    """The robot and the ball; steps are those of motion."""

    step_s = 0.01

    def __init__(self, simulator: SimulatedRobot) -> None:
        super().__init__(simulator)
        self._robot = simulator

    @property
    def _name(self) -> str:
        return f"player_{self._robot.scene.player}"

    def _entities(self) -> list[Entity]:
        scene = self._robot.scene
        return [
            Entity(self._name, "robot", *scene.pose),
            Entity(_BALL, "dynamic_object", scene.ball.x, scene.ball.y),
        ]

    def _place(self, name: str, x: float, y: float, yaw: float) -> None:
        scene = self._robot.scene
        half = soccer_field.HALF_LENGTH + _MARGIN, soccer_field.HALF_WIDTH + _MARGIN
        if abs(x) > half[0] or abs(y) > half[1]:
            raise ControlError(f"({x}, {y}) is beyond the field of {half[0]} by {half[1]} m")
        if name == _BALL:
            if scene.on_kick is not None:
                raise ControlError("the ball is the referee's")
            scene.ball.x, scene.ball.y, scene.ball.vx, scene.ball.vy = x, y, 0.0, 0.0
        else:
            scene.pose = (x, y, yaw)
