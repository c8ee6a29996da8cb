# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a person who steers a robot knows: its percepts, and what it remembers of them.

The document's rule holds for people, too: a robot sees blocks only in its own room, and no other
robots. So the state of a person is made of the percepts of the person's robot, not of the world.
Blocks that were seen and are out of sight are remembered where they were. What others say of the
contents of a room is kept until the robot itself looks into it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bw4t_web.view.scene import length
from bw4t_world import PerceptUpdate
from bw4t_world.agents import Beliefs
from bw4t_world.agents.team_knowledge import TeamKnowledge
from bw4t_world.messages import MessageType, Phrasing, parse_term, parse_text
from legacy_robots_web import Fields, State

_T = MessageType
_REPORTS = {_T.CHECKED, _T.ROOM_IS_EMPTY, _T.ROOM_CONTAINS, _T.ROOM_CONTAINS_AMOUNT}


class SeenBlock(NamedTuple):
    """A block as it was seen last; ``place`` is the room that it was in."""

    color: str
    x: float
    y: float
    place: str


class Knowledge:
    """What the percepts of one robot add up to, including what is out of sight."""

    def __init__(self) -> None:
        self.beliefs = Beliefs()
        self.remembered: dict[int, SeenBlock] = {}
        self.robots_near: tuple[tuple[float, float], ...] = ()
        """Where other robots are, in profiles with percepts of that."""
        self._told = TeamKnowledge()
        self._told_by: dict[str, str] = {}

    def update(self, update: PerceptUpdate) -> None:
        """Take in one poll."""
        self.beliefs.update(update)
        self._see_robots(update)
        self._remember()

    def hear(self, phrasing: Phrasing) -> None:
        """Take in what the messages of the last poll say of the contents of rooms."""
        beliefs = self.beliefs
        for sender, text in beliefs.inbox:
            message = parse_text(text, phrasing)
            if message.type is MessageType.UNKNOWN:
                message = parse_term(text, sender, phrasing)
            if sender == beliefs.name or message.room not in beliefs.zones:
                continue
            self._told.hear(sender, message, 0)
            if message.type in _REPORTS:
                self._told_by[message.room] = sender
        self._told.contents.pop(beliefs.room, None)

    def _see_robots(self, update: PerceptUpdate) -> None:
        beliefs = self.beliefs
        numbers = {args[0] for args in update.named("position")}
        if numbers:  # sent on change, and then all of them
            others = (numbers & beliefs.sizes.keys()) - {beliefs.id}
            self.robots_near = tuple(self._position(number) for number in sorted(others))

    def _position(self, number: int) -> tuple[float, float]:
        _, x, y = self.beliefs.positions[number]
        return x, y

    def _remember(self) -> None:
        beliefs = self.beliefs
        here = beliefs.room or beliefs.at
        for number in [
            number
            for number, block in self.remembered.items()
            if number in beliefs.holding or (block.place == here and number not in beliefs.visible)
        ]:
            del self.remembered[number]
        for number, color in beliefs.visible.items():
            if number in beliefs.positions:
                self.remembered[number] = SeenBlock(color, *self._position(number), here)

    def state(self) -> State:
        """Return what can be drawn of this."""
        beliefs = self.beliefs
        state: State = {f"room:{name}": {"closed": True} for name in sorted(beliefs.occupied)}
        for number, block in self.remembered.items():
            state[f"block:{number}"] = {
                "id": number,
                "color": block.color,
                "x": length(block.x),
                "y": length(block.y),
                "zone": block.place,
                "faded": number not in beliefs.visible,
            }
        for room, contents in self._told.contents.items():
            blocks = [[color, count] for color, count in sorted(contents.items()) if count > 0]
            by = self._told_by.get(room, "")
            state[f"report:{room}"] = {"zone": room, "blocks": blocks, "by": by}
        for other in beliefs.epartners:
            is_located = other.id in beliefs.positions
            x, y = self._position(other.id) if is_located else beliefs.location
            state[f"epartner:{other.name}"] = {
                "name": other.name,
                "x": length(x),
                "y": length(y),
                "holder": None if other.holder < 0 else self._name_of_holder(other.holder),
                "abilities": list(other.functionalities),
            }
        for index, (x, y) in enumerate(self.robots_near):
            state[f"robot:?{index}"] = {
                "name": "",
                "kind": "bot",
                "x": length(x),
                "y": length(y),
                "size": 2.0,
                "state": "",
                "held": [],
                "battery": None,
                "played": True,
            }
        state |= {f"player:{name}": {"name": name} for name in sorted(beliefs.players)}
        state["me"] = self._me()
        return state

    def _name_of_holder(self, number: int) -> str:
        return self.beliefs.name if number == self.beliefs.id else "another robot"

    def _me(self) -> Fields:
        beliefs = self.beliefs
        carried = [other for other in beliefs.epartners if other.holder == beliefs.id]
        return {
            "name": beliefs.name,
            "kind": "human",
            "x": length(beliefs.location[0]),
            "y": length(beliefs.location[1]),
            "size": beliefs.size,
            "state": "traveling" if beliefs.is_moving else beliefs.state,
            "at": beliefs.at,
            "in": beliefs.room or None,
            "held": [[n, beliefs.colors.get(n, "")] for n in reversed(beliefs.holding)],
            "capacity": beliefs.capacity,
            "atBlocks": sorted(beliefs.at_blocks),
            "bumped": sorted(beliefs.bumped),
            "battery": round(beliefs.battery, 1),
            "speed": beliefs.speed,
            "colorBlind": beliefs.color_blind,
            "unreachable": beliefs.unreachable,
            "epartner": carried[0].name if carried else None,
        }

    def task(self, seconds: float, *, paused: bool) -> Fields:
        """Return the sequence and how far it is, as perceived."""
        beliefs = self.beliefs
        sequence: list[Any] = list(beliefs.sequence)
        return {
            "sequence": sequence,
            "index": beliefs.sequence_index,
            "seconds": round(seconds, 1),
            "paused": paused,
            "done": bool(sequence) and beliefs.sequence_index >= len(sequence),
        }


def begins_anew(update: PerceptUpdate) -> bool:
    """Whether a poll is the first one: the world was reset, or the robot has just come."""
    return any(True for _ in update.named("ownName"))
