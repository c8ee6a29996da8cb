# SPDX-License-Identifier: Apache-2.0
"""What a person who steers a robot knows: its percepts, and what it remembers of them.

The document's rule holds for people, too: a robot sees blocks only in its own room, and no other
robots. So the state of a person is made of the percepts of the person's robot, not of the world.
Blocks that were seen and are out of sight are remembered where they were.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bw4t_bridge.web.scene import length
from bw4t_world import PerceptUpdate, World
from bw4t_world.agents import Beliefs
from bw4t_world.percepts import NEGATION, Percept
from bw4t_world.profiles import Delivery
from legacy_robots_common.web import Fields, State

_EPARTNER_PERCEPTS = frozenset({"getEPartners", "epartner"})


class SeenBlock(NamedTuple):
    """A block as it was seen last; ``place`` is the room that it was in."""

    color: str
    x: float
    y: float
    place: str


class SeenEPartner(NamedTuple):
    """An e-partner in sight; ``holder`` is the id of the robot that carries it, or -1."""

    name: str
    holder: int
    abilities: tuple[str, ...]


class Knowledge:
    """What the percepts of one robot add up to, including what is out of sight."""

    def __init__(self, delivery: Delivery) -> None:
        self.beliefs = Beliefs()
        self.remembered: dict[int, SeenBlock] = {}
        self.epartners: dict[int, SeenEPartner] = {}
        self.at_blocks: set[int] = set()
        self.robots_near: tuple[tuple[float, float], ...] = ()
        """Where other robots are, in profiles with percepts of that."""
        self.speed = 0.5
        self.unreachable = False
        self._delivery = delivery
        self._positions: dict[int, tuple[float, float]] = {}
        self._robot_ids: set[int] = set()
        self._own_id: int | None = None

    def update(self, update: PerceptUpdate) -> None:
        """Take in one poll."""
        self.beliefs.update(update)
        if self._delivery is Delivery.EIS_0_5:
            self.epartners = {}
        for percept in update.delete:
            self._retract(percept)
        for percept in update.add:
            if percept.name == NEGATION:
                self._retract(percept.args[0])
            else:
                self._learn(percept)
        self._see_robots(update)
        self._remember()

    def _learn(self, percept: Percept) -> None:
        name, args = percept
        if name == "position":
            self._positions[args[0]] = (args[1], args[2])
        elif name == "atBlock":
            self.at_blocks.add(args[0])
        elif name in _EPARTNER_PERCEPTS:
            self.epartners[args[0]] = SeenEPartner(args[1], args[2], tuple(args[3]))
        elif name == "robotSize":
            self._robot_ids.add(args[0])
        elif name == "robot":
            self._own_id = args[0]
        elif name == "speed":
            self.speed = args[0]
        elif name == "oldTargetUnreachable":
            self.unreachable = bool(args[1])

    def _retract(self, percept: Percept) -> None:
        if percept.name == "atBlock":
            self.at_blocks.discard(percept.args[0])
        elif percept.name in _EPARTNER_PERCEPTS:
            self.epartners.pop(percept.args[0], None)

    def _see_robots(self, update: PerceptUpdate) -> None:
        ids = {args[0] for args in update.named("position")}
        if ids:  # sent on change, and then all of them
            others = (ids & self._robot_ids) - {self._own_id}
            self.robots_near = tuple(self._positions[number] for number in sorted(others))

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
            if number in self._positions:
                self.remembered[number] = SeenBlock(color, *self._positions[number], here)

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
        for number, other in self.epartners.items():
            x, y = self._positions.get(number, beliefs.location)
            state[f"epartner:{other.name}"] = {
                "name": other.name,
                "x": length(x),
                "y": length(y),
                "holder": None if other.holder < 0 else self._name_of_holder(other.holder),
                "abilities": list(other.abilities),
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
        return self.beliefs.name if number == self._own_id else "another robot"

    def _me(self) -> Fields:
        beliefs = self.beliefs
        carried = [other for other in self.epartners.values() if other.holder == self._own_id]
        return {
            "name": beliefs.name,
            "kind": "human",
            "x": length(beliefs.location[0]),
            "y": length(beliefs.location[1]),
            "size": beliefs.size,
            "state": "traveling" if beliefs.is_moving else beliefs.state,
            "at": beliefs.at,
            "in": beliefs.room,
            "held": [[n, beliefs.colors.get(n, "")] for n in reversed(beliefs.holding)],
            "capacity": beliefs.capacity,
            "atBlocks": sorted(self.at_blocks),
            "bumped": sorted(beliefs.bumped),
            "battery": round(beliefs.battery, 1),
            "speed": self.speed,
            "colorBlind": beliefs.color_blind,
            "unreachable": self.unreachable,
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


def knowledge_of(world: World) -> Knowledge:
    """Return the knowledge of a robot that has not perceived anything in this world."""
    return Knowledge(world.profile.percept_delivery)
