# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions of human bots with e-partners: pickUpEPartner and putDownEPartner."""

from __future__ import annotations

from math import hypot

from bw4t_world.actions.outcomes import Effect, Outcome
from bw4t_world.model.entities import Kind, Robot
from bw4t_world.movement.simulation_context import SimulationContext
from bw4t_world.perception.sight import Sight

EPARTNER_REACH = 1.0
"""Greatest distance of an e-partner that can be picked up, in map units."""


class Carrying:
    """Lets human bots carry e-partners in one world (docs/originals/bw4t.md, 3)."""

    def __init__(self, context: SimulationContext, sight: Sight) -> None:
        self._registry = context.registry
        self._sight = sight

    def pick_up(self, robot: Robot) -> Outcome:
        """``pickUpEPartner``: the nearest e-partner in reach that is not carried."""
        if robot.kind is not Kind.HUMAN:
            return Outcome(Effect.NOT_A_HUMAN, f"{robot.name} is no human bot; nothing happens")
        if robot.epartner is not None:
            return Outcome(Effect.HANDS_FULL, f"{robot.name} holds {robot.epartner.name} already")
        near = [
            (hypot(other.x - robot.x, other.y - robot.y), other.id, other)
            for other in self._registry.epartners.values()
            if other.holder is None
        ]
        near = [item for item in near if item[0] <= EPARTNER_REACH]
        if not near:
            return Outcome(
                Effect.NOTHING_IN_REACH, f"no e-partner is close enough to {robot.name}"
            )
        epartner = min(near)[2]
        epartner.holder, epartner.was_held = robot, True
        robot.epartner = epartner
        text = f"{robot.name} picked up {epartner.name}"
        return Outcome(Effect.PICKED_UP, text, epartner.id)

    def put_down(self, robot: Robot) -> Outcome:
        """``putDownEPartner``: the e-partner that the robot carries."""
        epartner = robot.epartner
        if epartner is None:
            return Outcome(Effect.HANDS_EMPTY, f"{robot.name} holds no e-partner")
        self._sight.epartner_position(epartner)
        epartner.holder = robot.epartner = None
        text = f"{robot.name} put down {epartner.name}"
        return Outcome(Effect.PUT_IN_ROOM, text, epartner.id)
