# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""BW4T to ROS and back, as pure functions: percepts, beliefs, messages, effects and ways.

Axes: BW4T's x grows to the right and its y *downwards*; ROS (REP-103) has y up, so y changes its
sign, and the map's upper left corner is the origin of the frame ``map``. A map unit is a metre.
Percepts in ``percepts`` are raw: their numbers are BW4T's own.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header

from bw4t_bridge.bridge.beliefs import EPartnerBeliefs, RobotBeliefs
from bw4t_runner.percept_streams import PerceptCycle
from bw4t_runner.trips import TripResult
from bw4t_world import Effect, Outcome, Percept, PerceptUpdate
from bw4t_world.maps import BlockColor
from bw4t_world.messages import (
    Message,
    MessageError,
    MessageType,
    Phrasing,
    format_term,
    parse_term,
    parse_text,
)
from bw4t_world.model.percepts import NEGATION, negated
from legacy_robots_msgs.msg import (
    Bw4tBlock,
    Bw4tBlocks,
    Bw4tEffect,
    Bw4tEPartner,
    Bw4tEPartners,
    Bw4tEPartnerState,
    Bw4tGoing,
    Bw4tHeard,
    Bw4tMessage,
    Bw4tPercept,
    Bw4tPercepts,
    Bw4tPlayers,
    Bw4tState,
)

NANOSECONDS = 1_000_000_000


class ConversionError(ValueError):
    """A ROS message says something that BW4T has no words for; the text names it."""


def stamp(nanoseconds: int) -> Time:
    """Return a time since the epoch as a message."""
    seconds, rest = divmod(nanoseconds, NANOSECONDS)
    return Time(sec=seconds, nanosec=rest)


def point(x: float, y: float) -> Point:
    """Return a point of the map frame, in m, from map units with y down."""
    return Point(x=float(x), y=-float(y))


def map_units(x: float, y: float) -> tuple[float, float]:
    """Return a point in map units with y down, from m in the map frame."""
    return x, -y


# --- Percepts ------------------------------------------------------------------------------


def percept(item: Percept, change: int = Bw4tPercept.ADDED) -> Bw4tPercept:
    """Return a percept as a message; ``not(...)`` becomes NEGATED."""
    if item.name == NEGATION:
        item, change = item.args[0], Bw4tPercept.NEGATED
    types, numbers, texts = flat_values(item.args)
    return Bw4tPercept(change=change, name=item.name, types=types, numbers=numbers, texts=texts)


def flat_values(values: tuple[Any, ...]) -> tuple[list[int], list[float], list[str]]:
    """Return arguments as Bw4tPercept has them: types, numbers and texts."""
    types: list[int] = []
    numbers: list[float] = []
    texts: list[str] = []
    _add_values(values, types, numbers, texts)
    return types, numbers, texts


def _add_values(
    values: tuple[Any, ...], types: list[int], numbers: list[float], texts: list[str]
) -> None:
    for value in values:
        if isinstance(value, str):
            types.append(Bw4tPercept.IDENTIFIER)
            texts.append(value)
        elif isinstance(value, float):
            types.append(Bw4tPercept.NUMBER)
            numbers.append(value)
        elif isinstance(value, bool):
            types.append(Bw4tPercept.TRUTH)
            numbers.append(float(value))
        elif isinstance(value, int):
            types.append(Bw4tPercept.INTEGER)
            numbers.append(float(value))
        else:
            types.append(Bw4tPercept.LIST)
            numbers.append(float(len(value)))
            _add_values(value, types, numbers, texts)


def percepts(cycle: PerceptCycle, header: Header) -> Bw4tPercepts:
    """Return one cycle as a message; bw4t_bridge.bridge.serialized_percepts is the fast way."""
    deleted = [percept(item, Bw4tPercept.DELETED) for item in cycle.update.delete]
    added = [percept(item) for item in cycle.update.add]
    return Bw4tPercepts(
        header=header, cycle=cycle.number, tick=cycle.tick, percepts=[*deleted, *added]
    )


def percept_update(message: Bw4tPercepts) -> PerceptUpdate:
    """Return what :func:`percepts` was given; raises ConversionError for anything else."""
    update = PerceptUpdate([], [])
    for item in message.percepts:
        decoded = _decoded(item)
        if item.change == Bw4tPercept.DELETED:
            update.delete.append(decoded)
        elif item.change == Bw4tPercept.NEGATED:
            update.add.append(negated(decoded))
        elif item.change == Bw4tPercept.ADDED:
            update.add.append(decoded)
        else:
            raise ConversionError(f"percept {item.name} has the unknown change {item.change}")
    return update


def _decoded(message: Bw4tPercept) -> Percept:
    # Reversed, so that the next one is popped off the end.
    types, numbers = list(message.types)[::-1], list(message.numbers)[::-1]
    texts = list(message.texts)[::-1]

    def value() -> Any:
        kind = types.pop()
        if kind == Bw4tPercept.IDENTIFIER:
            return texts.pop()
        number = numbers.pop()
        if kind == Bw4tPercept.NUMBER:
            return number
        if kind == Bw4tPercept.TRUTH:
            return bool(number)
        if kind == Bw4tPercept.INTEGER:
            return int(number)
        if kind == Bw4tPercept.LIST:
            return tuple([value() for _ in range(int(number))])
        raise ConversionError(f"percept {message.name} has an argument of unknown type {kind}")

    arguments: list[Any] = []
    try:
        while types:
            arguments.append(value())
    except ConversionError:
        raise
    except (IndexError, OverflowError, RecursionError, ValueError):
        numbers.append(0.0)
    if numbers or texts:
        raise ConversionError(
            f"percept {message.name} has {len(message.types)} types, {len(message.numbers)} "
            f"numbers and {len(message.texts)} texts, which do not fit each other"
        )
    return Percept(message.name, tuple(arguments))


# --- Beliefs -------------------------------------------------------------------------------

_STATES = {
    "arrived": Bw4tState.ARRIVED,
    "traveling": Bw4tState.TRAVELING,
    "travelling": Bw4tState.TRAVELING,
    "collided": Bw4tState.COLLIDED,
}


def robot_state(beliefs: RobotBeliefs, header: Header) -> Bw4tState:
    """Return what a robot knows about itself."""
    return Bw4tState(
        header=header,
        id=beliefs.id,
        name=beliefs.name,
        place=beliefs.at,
        room=beliefs.room,
        position=point(*beliefs.location),
        state=_STATES[beliefs.state],
        holding=beliefs.holding,
        gripper_capacity=beliefs.capacity,
        at_blocks=beliefs.at_blocks,
        bumped=list(beliefs.bumped),
        battery=beliefs.battery / 100.0,
        speed=beliefs.speed,
        size=beliefs.size,
        color_blind=beliefs.color_blind,
        old_target_unreachable=beliefs.unreachable,
    )


def battery(beliefs: RobotBeliefs, header: Header) -> BatteryState:
    """Return the charge of a robot; nothing else of its battery is known."""
    return BatteryState(
        header=header,
        voltage=math.nan,
        temperature=math.nan,
        current=math.nan,
        charge=math.nan,
        capacity=math.nan,
        design_capacity=math.nan,
        percentage=beliefs.battery / 100.0,
        power_supply_status=BatteryState.POWER_SUPPLY_STATUS_UNKNOWN,
        power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_UNKNOWN,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_UNKNOWN,
        present=True,
    )


def visible_blocks(beliefs: RobotBeliefs, header: Header) -> Bw4tBlocks:
    """Return the blocks that a robot sees."""
    blocks = [
        Bw4tBlock(id=block.id, color=block.color, position=point(block.x, block.y))
        for block in beliefs.blocks
    ]
    return Bw4tBlocks(header=header, blocks=blocks)


def players(beliefs: RobotBeliefs, header: Header) -> Bw4tPlayers:
    """Return the other players that a robot knows of."""
    others = beliefs.others
    return Bw4tPlayers(
        header=header,
        players=list(beliefs.players),
        robots=[number for number, _ in others],
        sizes=[size for _, size in others],
    )


def visible_epartners(beliefs: RobotBeliefs, header: Header) -> Bw4tEPartners:
    """Return the e-partners that a robot perceives."""
    seen = [
        Bw4tEPartner(
            id=epartner.id,
            name=epartner.name,
            holder=epartner.holder,
            functionalities=list(epartner.functionalities),
            position=point(*beliefs.position_of(epartner.id)),
        )
        for epartner in beliefs.epartners
    ]
    return Bw4tEPartners(header=header, epartners=seen)


def epartner_state(beliefs: EPartnerBeliefs, header: Header) -> Bw4tEPartnerState:
    """Return what an e-partner knows about itself."""
    held_by = Bw4tEPartnerState.UNKNOWN if beliefs.held_by is None else beliefs.held_by
    return Bw4tEPartnerState(
        header=header,
        name=beliefs.name,
        functionalities=list(beliefs.functionalities),
        position=point(*beliefs.location),
        place=beliefs.place,
        room=beliefs.room,
        rooms=list(beliefs.rooms),
        held_by=held_by,
        taken=beliefs.is_taken,
        left_behind=beliefs.left_behind,
    )


# --- Messages ------------------------------------------------------------------------------


def heard(sender: str, text: str, phrasing: Phrasing, header: Header) -> Bw4tHeard:
    """Return a received message, parsed as natural language or as a GOAL term."""
    parsed = parse_text(text, phrasing)
    if parsed.type is MessageType.UNKNOWN:
        parsed = parse_term(text, sender, phrasing)
    term = ""
    if parsed.type is not MessageType.UNKNOWN:
        with suppress(MessageError):
            term = format_term(parsed, sender, phrasing)
    message = said(parsed, text)
    return Bw4tHeard(header=header, sender=sender, text=text, message=message, term=term)


def said(message: Message, text: str) -> Bw4tMessage:
    """Return a message with its text."""
    return Bw4tMessage(
        type=message.type.value,
        text=text,
        room=message.room or "",
        color="" if message.color is None else message.color.value,
        player=message.player or "",
        has_number=message.number is not None,
        number=message.number or 0,
    )


def to_message(message: Bw4tMessage) -> Message:
    """Return what a ROS message says; raises ConversionError for unknown types and colours."""
    try:
        kind = MessageType(message.type)
    except ValueError:
        known = ", ".join(item.value for item in MessageType)
        raise ConversionError(
            f"there is no message of type {message.type!r}; the types are {known}"
        ) from None
    if kind is MessageType.UNKNOWN:
        return Message.unknown(message.text)
    try:
        color = BlockColor.from_text(message.color) if message.color else None
    except ValueError as error:
        raise ConversionError(str(error)) from None
    return Message(
        kind,
        room=message.room or None,
        color=color,
        player=message.player or None,
        number=message.number if message.has_number else None,
    )


# --- Effects and ways ----------------------------------------------------------------------

_EFFECTS = {
    Effect.PICKED_UP: Bw4tEffect.PICKED_UP,
    Effect.PUT_IN_ROOM: Bw4tEffect.PUT_IN_ROOM,
    Effect.DELIVERED: Bw4tEffect.DELIVERED,
    Effect.WRONG_DROP: Bw4tEffect.WRONG_DROP,
    Effect.VANISHED: Bw4tEffect.VANISHED,
    Effect.SENT: Bw4tEffect.SENT,
    Effect.NOTHING_IN_REACH: Bw4tEffect.NOTHING_IN_REACH,
    Effect.GRIPPER_FULL: Bw4tEffect.GRIPPER_FULL,
    Effect.NO_GRIPPER: Bw4tEffect.NO_GRIPPER,
    Effect.NOT_A_HUMAN: Bw4tEffect.NOT_A_HUMAN,
    Effect.HANDS_FULL: Bw4tEffect.HANDS_FULL,
    Effect.HANDS_EMPTY: Bw4tEffect.HANDS_EMPTY,
}


def effect(outcome: Outcome) -> Bw4tEffect:
    """Return what came of an action that takes no time."""
    number = -1 if outcome.value is None else int(outcome.value)
    return Bw4tEffect(
        code=_EFFECTS[outcome.effect],
        success=outcome.succeeded,
        message=outcome.text,
        id=number,
    )


def rejected(reason: str) -> Bw4tEffect:
    """Return that the environment answered with an error."""
    return Bw4tEffect(code=Bw4tEffect.REJECTED, success=False, message=reason, id=-1)


def going(result: TripResult) -> Bw4tGoing:
    """Return how a way ended."""
    return Bw4tGoing(code=int(result.end), stopped_by=result.stopped_by, message=result.text)
