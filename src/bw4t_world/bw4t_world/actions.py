# SPDX-License-Identifier: Apache-2.0
"""The actions of robots and e-partners, by name and number of arguments.

Names and rules follow the specification, section "Basic Actions", and the servers where the
profile says so (facts, sections 3 and 5). What the environment answers with an error raises
:class:`ActionError`; everything else returns an :class:`Outcome`, which also tells what happened
where an action fails silently.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from enum import Enum
from math import hypot
from typing import Any, NamedTuple

from bw4t_world.blocks import BLOCK_SIZE, Block, BlockField, free_place
from bw4t_world.detours import find_detour
from bw4t_world.engines import Engine
from bw4t_world.entities import Entity, EPartner, Kind, Robot, Stop
from bw4t_world.errors import ActionError, PlacementError
from bw4t_world.ground import Ground, Zone
from bw4t_world.maps.model import Box
from bw4t_world.motion import on_grain
from bw4t_world.movement import Crew, Movement
from bw4t_world.perception import Perception, Task
from bw4t_world.profiles import Profile, PutDownPlace
from bw4t_world.routes import RoutePlanner

EPARTNER_REACH = 1.0
"""Greatest distance of an e-partner that can be picked up, in map units."""

PUT_DOWN_TOLERANCE = 1.0
"""A block that is put down near the robot lies within this of it in x and in y (map units)."""

EVERYBODY = "all"
"""The receiver of a broadcast."""

BACKLOG_LIMIT = 10_000
"""Messages kept for one consumer; of more, the oldest are lost (and counted)."""

_TRIES = 100


class Effect(Enum):
    """What an action did."""

    STARTED = "started"
    PICKED_UP = "picked up"
    PUT_IN_ROOM = "put into the room"
    DELIVERED = "delivered"
    WRONG_DROP = "dropped without being due"
    VANISHED = "vanished"
    SENT = "sent"
    ANSWERED = "answered"
    NOTHING_IN_REACH = "nothing in reach"
    GRIPPER_FULL = "gripper full"
    NO_GRIPPER = "no gripper"
    NOT_A_HUMAN = "not a human"
    HANDS_FULL = "already holding an e-partner"
    HANDS_EMPTY = "not holding an e-partner"
    UNREACHABLE = "unreachable"


_SILENT_FAILURES = frozenset(
    {
        Effect.NOTHING_IN_REACH,
        Effect.GRIPPER_FULL,
        Effect.NO_GRIPPER,
        Effect.NOT_A_HUMAN,
        Effect.HANDS_FULL,
        Effect.HANDS_EMPTY,
        Effect.UNREACHABLE,
    }
)


class Outcome(NamedTuple):
    """What came of an action: its effect, a sentence about it, and a value.

    ``value`` is the id of the block or e-partner that was handled, the answer of
    ``checkSequenceDone``, the number of receivers of a message, or ``None``.
    """

    effect: Effect
    text: str
    value: int | bool | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the action did something; ``False`` for what the original fails silently."""
        return self.effect not in _SILENT_FAILURES


Handler = Callable[..., Outcome]

DOCUMENT_NAMES = {
    "sendmessage": "sendMessage",
    "pickUpEpartner": "pickUpEPartner",
    "dropEPartner": "putDownEPartner",
}
"""Spellings of the document that no server knows, and what they stand for."""


class Actions:
    """Carries out actions in one world."""

    def __init__(
        self,
        *,
        ground: Ground,
        field: BlockField,
        crew: Crew,
        task: Task,
        movement: Movement,
        engine: Engine,
        perception: Perception,
        profile: Profile,
        rng: random.Random,
    ) -> None:
        self._ground = ground
        self._field = field
        self._crew = crew
        self._task = task
        self._movement = movement
        self._engine = engine
        self._perception = perception
        self._profile = profile
        self._rng = rng
        self._routes = RoutePlanner(ground)
        pick_up: dict[int, Handler] = {0: self._pick_up_nearest}
        if profile.pick_up_by_id:
            pick_up = {1: self._pick_up_by_id}
        shared: dict[str, dict[int, Handler]] = {"sendMessage": {2: self._send_message}}
        if profile.receive_message_callable:
            shared["receiveMessage"] = {2: self._receive_message}
        self._of_epartners = shared
        self._of_robots: dict[str, dict[int, Handler]] = {
            **shared,
            "goTo": {1: self._go_to_place, 2: self._go_to_point},
            "goToBlock": {1: self._go_to_block},
            "navigateObstacles": {0: self._navigate_obstacles},
            "pickUp": pick_up,
            "putDown": {0: self._put_down},
            "checkSequenceDone": {0: self._check_sequence_done},
            "pickUpEPartner": {0: self._pick_up_epartner},
            "putDownEPartner": {0: self._put_down_epartner},
        }

    def names(self, entity: Entity) -> dict[str, tuple[int, ...]]:
        """Return the actions that an entity supports, with their numbers of arguments."""
        table = self._table(entity)
        names = {name: tuple(handlers) for name, handlers in table.items()}
        if self._profile.document_action_names:
            names |= {also: names[name] for also, name in DOCUMENT_NAMES.items() if name in names}
        return names

    def _table(self, entity: Entity) -> dict[str, dict[int, Handler]]:
        return self._of_epartners if isinstance(entity, EPartner) else self._of_robots

    def perform(self, entity: Entity, action: str, args: tuple[Any, ...]) -> Outcome:
        """Carry out an action; :class:`ActionError` if the environment answers with an error."""
        name = action
        if self._profile.document_action_names:
            name = DOCUMENT_NAMES.get(action, action)
        handlers = self._table(entity).get(name)
        if handlers is None:
            raise ActionError(f"{entity.name}: Entity does not support action: {action}")
        handler = handlers.get(len(args))
        if handler is None:
            allowed = " or ".join(str(number) for number in handlers)
            raise ActionError(
                f"{entity.name}: Entity does not support action: {action} with {len(args)} "
                f"parameters; it takes {allowed}"
            )
        if isinstance(entity, Robot):
            self._engine.settle(entity)
        try:
            return handler(entity, *args)
        except ActionError as error:
            shown = ", ".join(_shown(arg) for arg in args)
            raise ActionError(
                f"{entity.name}: Action {action} with parameters [{shown}] failed: {error}"
            ) from None

    # --- Going somewhere -----------------------------------------------------------------

    def _go_to_place(self, robot: Robot, place: object) -> Outcome:
        if not isinstance(place, str):
            raise ActionError(f"Expected an Identifier parameter but got {_shown(place)}")
        zone = self._ground.by_name.get(place)
        if zone is None:
            raise ActionError(f"unknown place {place}")
        return self._walk(robot, zone.center, self._routes.through_centers, f"to {place}")

    def _go_to_point(self, robot: Robot, x: object, y: object) -> Outcome:
        point = _number(x), _number(y)
        planner = self._routes.through_centers
        if self._profile.goto_point_shortcuts:
            planner = self._routes.with_shortcuts
        outcome = self._walk(robot, point, planner, f"to ({point[0]:g}, {point[1]:g})")
        if not self._ground.inside(*point):
            text = f"{outcome.text}, which is outside of the map, so it will never arrive"
            outcome = outcome._replace(text=text)
        return outcome

    def _go_to_block(self, robot: Robot, block_id: object) -> Outcome:
        block = self._block_in_zone(robot, block_id)
        if block is None or block not in self._perception.visible_blocks(robot):
            where = " in the room" if self._profile.block_error_names_room else ""
            raise ActionError(f"there is no block with id={_shown(block_id)}{where}")
        target = block.x, block.y
        return self._walk(robot, target, self._routes.through_centers, f"to block {block.id}")

    def _walk(
        self,
        robot: Robot,
        target: tuple[float, float],
        planner: Callable[[float, float, float, float], list[tuple[float, float]]],
        where: str,
    ) -> Outcome:
        waypoints = planner(robot.x, robot.y, *target)
        self._movement.follow(robot, waypoints)
        robot.target = waypoints[-1]
        self._engine.rethink(robot)
        return Outcome(Effect.STARTED, f"{robot.name} goes {where}")

    def _navigate_obstacles(self, robot: Robot) -> Outcome:
        if robot.target is None:
            raise ActionError("there is no target: the robot was never told to go anywhere")
        if self._profile.navigate_needs_collision and not robot.collided:
            raise ActionError("there is no obstacle: the robot has not collided")
        for obstacle in robot.obstacles:
            self._engine.settle(obstacle)
        detour = find_detour(self._ground, robot, robot.target, robot.obstacles)
        if detour is None:
            robot.unreachable = True
            robot.version += 1
            return Outcome(Effect.UNREACHABLE, f"{robot.name} finds no way around the obstacles")
        repeated = robot.abandoned or list(robot.waypoints())
        if not (self._profile.detour_repeats_plan and repeated):
            repeated = [robot.target]
        for obstacle in robot.obstacles:
            self._free(obstacle)
        self._movement.follow(robot, [*detour, *repeated])
        self._engine.rethink(robot)
        return Outcome(Effect.STARTED, f"{robot.name} tries another way")

    def _free(self, robot: Robot) -> None:
        robot.collided = False
        robot.obstacles = []
        robot.stop, robot.stopped_by = Stop.NONE, ""
        robot.version += 1
        self._engine.rethink(robot)

    # --- Blocks --------------------------------------------------------------------------

    def _block_in_zone(self, robot: Robot, block_id: object) -> Block | None:
        if isinstance(block_id, bool) or not isinstance(block_id, (int, float)):
            raise ActionError(f"Expected a Numeral parameter but got {_shown(block_id)}")
        block = self._field.get(block_id)
        if block is None or robot.zone is None or block.zone is not robot.zone:
            return None
        return block

    def _pick_up_by_id(self, robot: Robot, block_id: object) -> Outcome:
        block = self._block_in_zone(robot, block_id)
        if block is None:
            raise ActionError("there is no block")
        in_reach = hypot(block.x - robot.x, block.y - robot.y) <= robot.reach
        return self._pick_up(robot, block if in_reach else None)

    def _pick_up_nearest(self, robot: Robot) -> Outcome:
        near = self._perception.blocks_in_reach(robot)
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

    def _put_down(self, robot: Robot) -> Outcome:
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
        self._crew.news += 1
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

    # --- E-partners ----------------------------------------------------------------------

    def _pick_up_epartner(self, robot: Robot) -> Outcome:
        if robot.kind is not Kind.HUMAN:
            return Outcome(Effect.NOT_A_HUMAN, f"{robot.name} is no human bot; nothing happens")
        if robot.epartner is not None:
            return Outcome(Effect.HANDS_FULL, f"{robot.name} holds {robot.epartner.name} already")
        near = [
            (hypot(other.x - robot.x, other.y - robot.y), other.id, other)
            for other in self._crew.epartners.values()
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

    def _put_down_epartner(self, robot: Robot) -> Outcome:
        epartner = robot.epartner
        if epartner is None:
            return Outcome(Effect.HANDS_EMPTY, f"{robot.name} holds no e-partner")
        self._perception.epartner_position(epartner)
        epartner.holder = robot.epartner = None
        text = f"{robot.name} put down {epartner.name}"
        return Outcome(Effect.PUT_IN_ROOM, text, epartner.id)

    # --- Messages and questions ----------------------------------------------------------

    def _send_message(self, sender: Entity, receiver: object, text: object) -> Outcome:
        if not isinstance(receiver, str):
            raise ActionError(f"Expected an Identifier parameter but got {_shown(receiver)}")
        if not isinstance(text, str):
            raise ActionError(f"the text of a message must be text, not {_shown(text)}")
        if receiver == EVERYBODY:
            receivers = self._crew.entities()
            if not self._profile.broadcast_to_sender:
                receivers.remove(sender)
        else:
            entity = self._crew.get(receiver)
            if entity is None:
                raise ActionError(f"Entity with name {receiver} has no handler")
            receivers = [entity]
        for entity in receivers:
            deliver(entity, sender.name, text)
        if isinstance(sender, Robot):
            sender.measures.messages += 1
        whom = "everybody" if receiver == EVERYBODY else receiver
        return Outcome(Effect.SENT, f"{sender.name} told {whom}", len(receivers))

    def _receive_message(self, entity: Entity, sender: object, text: object) -> Outcome:
        if not isinstance(sender, str) or not isinstance(text, str):
            raise ActionError("sender and text of a message must be text")
        deliver(entity, sender, text)
        return Outcome(Effect.SENT, f"{entity.name} received a message", 1)

    def _check_sequence_done(self, _: Robot) -> Outcome:
        done = self._task.is_complete
        return Outcome(Effect.ANSWERED, f"the sequence is {'' if done else 'not '}done", done)


def deliver(entity: Entity, sender: str, text: str) -> None:
    """Put a message into the mailbox of everybody who perceives through an entity."""
    if not entity.consumers:
        entity.backlog.append((sender, text))
        if len(entity.backlog) > BACKLOG_LIMIT:
            entity.backlog.popleft()
    for consumer in entity.consumers:
        consumer.receive(sender, text)


def _within(box: Box, x: float, y: float) -> tuple[float, float]:
    """Return where a block can lie in a box, as near as possible to a point."""
    half = BLOCK_SIZE / 2
    across, along = max(0.0, box.width / 2 - half), max(0.0, box.height / 2 - half)
    return (
        on_grain(min(max(x, box.x - across), box.x + across)),
        on_grain(min(max(y, box.y - along), box.y + along)),
    )


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ActionError(f"Expected a Numeral parameter but got {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ActionError(f"a coordinate must be finite, not {_shown(value)}")
    return number


def _shown(value: object) -> str:
    try:
        return f"{value!r}"[:80]
    except ValueError:  # integers with thousands of digits have no text
        return f"a huge {type(value).__name__}"
