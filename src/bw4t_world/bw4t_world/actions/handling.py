# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions that handle blocks: pickUp and putDown."""

from __future__ import annotations

from math import hypot

from bw4t_world.actions.arguments import block_in_zone
from bw4t_world.actions.outcomes import Effect, Outcome
from bw4t_world.maps.model import Box
from bw4t_world.model.blocks import BLOCK_SIZE, free_place
from bw4t_world.model.choices import PutDownPlace
from bw4t_world.model.entities import Robot
from bw4t_world.model.errors import ActionError, PlacementError
from bw4t_world.model.ground import Block, Zone
from bw4t_world.model.motion import on_grain
from bw4t_world.movement.simulation_context import SimulationContext
from bw4t_world.perception.sight import Sight

PUT_DOWN_TOLERANCE = 1.0
"""A block that is put down near the robot lies within this of it in x and in y (map units)."""

_TRIES = 100


class Handling:
    """Lets robots pick up and put down blocks in one world (docs/originals/bw4t.md, 3)."""

    def __init__(self, context: SimulationContext, sight: Sight) -> None:
        self._profile = context.profile
        self._ground = context.ground
        self._field = context.field
        self._registry = context.registry
        self._task = context.task
        self._movement = context.movement
        self._rng = context.rng
        self._sight = sight

    def pick_up_by_id(self, robot: Robot, block_id: object) -> Outcome:
        """``pickUp(Block)``: a block of the robot's zone."""
        block = block_in_zone(self._field, robot, block_id)
        if block is None:
            raise ActionError("there is no block")
        in_reach = hypot(block.x - robot.x, block.y - robot.y) <= robot.reach
        return self._pick_up(robot, block if in_reach else None)

    def pick_up_nearest(self, robot: Robot) -> Outcome:
        """``pickUp``: the nearest block in reach."""
        near = self._sight.blocks_in_reach(robot)
        return self._pick_up(robot, near[0] if near else None)

    def _pick_up(self, robot: Robot, block: Block | None) -> Outcome:
        if not robot.can_grip:
            return Outcome(Effect.NO_GRIPPER, f"{robot.name} cannot grip")
        if not robot.gripper_is_free:
            return Outcome(
                Effect.GRIPPER_FULL, f"{robot.name} holds {len(robot.held)} blocks already"
            )
        if block is None:
            return Outcome(Effect.NOTHING_IN_REACH, f"no block is close enough to {robot.name}")
        self._field.take(block)
        robot.held.append(block)
        robot.measures.blocks_picked_up += 1
        robot.version += 1
        return Outcome(Effect.PICKED_UP, f"{robot.name} picked up block {block.id}", block.id)

    def put_down(self, robot: Robot) -> Outcome:
        """``putDown``: the block on top of the stack."""
        if not robot.held:
            raise ActionError("bot is not holding any block")
        block = robot.held.pop()
        robot.version += 1
        if self._at_drop_zone(robot):
            return self._drop(robot, block)
        zone = robot.zone
        if zone is None or not zone.is_room:
            return Outcome(Effect.VANISHED, f"block {block.id} left the environment", block.id)
        self._field.put(block, *self._place_for_block(robot, zone))
        return Outcome(Effect.PUT_IN_ROOM, f"block {block.id} lies in {zone.name}", block.id)

    def _at_drop_zone(self, robot: Robot) -> bool:
        drop_zone = self._ground.drop_zone
        if self._profile.drop_zone_by_box:
            outline = Box(robot.x, robot.y, robot.size, robot.size)
            return drop_zone.spec.box.intersects(outline)
        return drop_zone in robot.zones

    def _drop(self, robot: Robot, block: Block) -> Outcome:
        task = self._task
        if task.is_complete or task.sequence[task.index] is not block.color:
            robot.measures.wrong_drops += 1
            due = "nothing" if task.is_complete else task.sequence[task.index]
            text = f"block {block.id} is {block.color}, but {due} is due; it is gone"
            return Outcome(Effect.WRONG_DROP, text, block.id)
        robot.measures.good_drops += 1
        task.index += 1
        self._registry.news += 1
        if task.is_complete:
            task.completed_at = self._movement.now
        text = f"block {block.id} delivered, {task.index} of {len(task.sequence)}"
        return Outcome(Effect.DELIVERED, text, block.id)

    def _place_for_block(self, robot: Robot, room: Zone) -> tuple[float, float]:
        box, rng = room.spec.box, self._rng
        if self._profile.put_down_place is PutDownPlace.ANYWHERE_WITHIN_5:
            return box.x + rng.uniform(-5.0, 5.0), box.y + rng.uniform(-5.0, 5.0)
        if self._profile.put_down_place is PutDownPlace.FREE_PLACE:
            try:
                return free_place(room.spec, room.blocks.values(), rng, crowded=True)
            except PlacementError:
                return box.x, box.y  # less room than a block needs
        for _ in range(_TRIES):
            x, y = _within(
                box,
                robot.x + rng.uniform(-PUT_DOWN_TOLERANCE, PUT_DOWN_TOLERANCE),
                robot.y + rng.uniform(-PUT_DOWN_TOLERANCE, PUT_DOWN_TOLERANCE),
            )
            if all(
                abs(x - other.x) >= BLOCK_SIZE or abs(y - other.y) >= BLOCK_SIZE
                for other in room.blocks.values()
            ):
                return x, y
        return _within(box, robot.x, robot.y)


def _within(box: Box, x: float, y: float) -> tuple[float, float]:
    """Return where a block can lie in a box, as near as possible to a point."""
    half = BLOCK_SIZE / 2
    across, along = max(0.0, box.width / 2 - half), max(0.0, box.height / 2 - half)
    return (
        on_grain(min(max(x, box.x - across), box.x + across)),
        on_grain(min(max(y, box.y - along), box.y + along)),
    )
