# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the control channel can do with a simulated AIBO. Metres in the frame ``room``."""

from __future__ import annotations

from typing import Protocol

from aibo_gti_bridge.model.room import Ball
from aibo_gti_bridge.simulator.world import CYCLE_S, DOG_RADIUS_M, DogWorld
from legacy_robots_simulation.controls import ControlError, Entity, found
from legacy_robots_simulation.stepped_controls import Stepped, SteppedControls

DOG = "aibo"


class SimulatedDog(Stepped, Protocol):
    """A simulator of a dog in a room."""

    @property
    def world(self) -> DogWorld:
        """The dog and its room."""


class DogControls(SteppedControls):
    """The dog and the balls of its room; steps are cycles of its sensors."""

    abilities = SteppedControls.abilities | {"spawn", "delete"}
    frame = "room"
    step_s = CYCLE_S

    def __init__(self, simulator: SimulatedDog, colours: tuple[str, ...]) -> None:
        super().__init__(simulator)
        self._dog = simulator
        self.uris = colours

    def _balls(self) -> dict[str, Ball]:
        """Return the balls by name: their colour, from the second of a colour on a number too."""
        named: dict[str, Ball] = {}
        for ball in self._dog.world.room.balls:
            number = 1 + sum(other.colour == ball.colour for other in named.values())
            named[f"{ball.colour}_ball" + (f"_{number}" if number > 1 else "")] = ball
        return named

    def _entities(self) -> list[Entity]:
        world = self._dog.world
        return [
            Entity(DOG, "robot", world.x, world.y, world.yaw),
            *(Entity(n, "dynamic_object", b.x, b.y) for n, b in self._balls().items()),
        ]

    def _place(self, name: str, x: float, y: float, yaw: float) -> None:
        world = self._dog.world
        if name == DOG:
            self._check(x, y, DOG_RADIUS_M)
            world.x, world.y, world.yaw = x, y, yaw
            return
        ball = self._balls()[name]
        self._check(x, y, ball.radius)
        ball.x, ball.y, ball.vx, ball.vy = x, y, 0.0, 0.0

    def _check(self, x: float, y: float, radius: float) -> None:
        if self._dog.world.room.allowed(x, y, radius) != (x, y):
            raise ControlError(f"({x}, {y}) is in or beyond a wall or box")

    def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Put a ball of the colour ``uri`` on the floor."""

        def add() -> str:
            ball = Ball(uri, x, y)
            self._check(x, y, ball.radius)
            self._dog.world.room.balls.append(ball)
            return next(name for name, known in self._balls().items() if known is ball)

        return self._simulator.calls.call(add)

    def delete(self, name: str) -> None:
        """Take a ball away."""

        def remove() -> None:
            found(self._entities(), name)
            if name == DOG:
                raise ControlError("the dog stays")
            ball = self._balls()[name]
            balls = self._dog.world.room.balls
            balls[:] = [other for other in balls if other is not ball]

        self._simulator.calls.call(remove)
