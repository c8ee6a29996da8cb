# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What can be done with a simulation besides its wire: time, entities and worlds. No ROS.

:class:`Controls` is the one interface. A simulator implements it and serves it by its
:mod:`~legacy_robots_simulation.control_channel`, whose client implements it for another
process; a world inside a node implements it directly.
:mod:`~legacy_robots_simulation_services.services` offers any of them as simulation_interfaces.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["ControlError", "Controls", "Entity"]

LONGEST_CONTROL_STEP_S = 60.0
UNREADABLE = 103
"""``result`` of a world that cannot be read, see simulation_interfaces/LoadWorld."""


class ControlError(Exception):
    """Raised for what cannot be done; the message says why.

    ``result`` is a code of simulation_interfaces, by default that of a failed operation.
    """

    def __init__(self, text: str, result: int = 4) -> None:
        super().__init__(text)
        self.result = result


class State(str, enum.Enum):
    """How time passes: by itself, not, or not since the beginning."""

    PLAYING = "playing"
    PAUSED = "paused"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Entity:
    """What is in a simulated world: m and rad in the frame of its Controls.

    ``category`` is one of simulation_interfaces/EntityCategory in lower case: ``robot``,
    ``human``, ``object`` or ``dynamic_object``.
    """

    name: str
    category: str
    x: float
    y: float
    yaw: float = 0.0


class Controls(ABC):
    """What can be done with a simulation. Methods block; they raise ControlError or ValueError.

    ``abilities`` are of play (it can be paused and go on), reset, reset_spawned, place, spawn,
    delete and load; ``basic_abilities`` are step and entities, which every simulator has.
    ``frame`` is that of its entities, ``uris`` are what can be spawned, at a place that is asked
    for if ``spawns_anywhere``, and ``step_s`` is the shortest step (s).
    """

    abilities: frozenset[str] = frozenset()
    basic_abilities = frozenset(("step", "entities"))
    frame = "map"
    uris: Sequence[str] = ()
    spawns_anywhere = True
    step_s = 0.1

    @abstractmethod
    def state(self) -> State:
        """Return how time passes."""

    def step(self, seconds: float = 0.0) -> float:
        """Let time pass, 0 for the shortest step; return the simulated time (s)."""
        raise ControlError("it cannot be stepped")

    def entities(self) -> list[Entity]:
        """Return all entities."""
        raise ControlError("it has no entities")

    def play(self) -> None:
        """Let time pass by itself."""
        raise ControlError("it cannot play by itself")

    def pause(self) -> None:
        """Let time stand still."""
        raise ControlError("it cannot be paused")

    def reset(self) -> None:
        """Begin again, with the same seed; a paused one stays paused."""
        raise ControlError("it cannot be reset")

    def reset_spawned(self) -> None:
        """Take away what was spawned, and nothing else."""
        raise ControlError("what was spawned is not reset alone")

    def place(self, name: str, x: float, y: float, yaw: float) -> None:
        """Put an entity elsewhere."""
        raise ControlError("its entities cannot be placed")

    def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Add an entity, whose name may begin with ``name``; return its full name."""
        raise ControlError("nothing can be spawned")

    def delete(self, name: str) -> None:
        """Take an entity away."""
        raise ControlError("nothing can be deleted")

    def load(self, uri: str) -> None:
        """Load another world, at its beginning."""
        raise ControlError("it has one world only")


def checked_seconds(seconds: float, step_s: float) -> float:
    """Return the seconds to step, ``step_s`` for 0. Raises ControlError."""
    if not 0.0 <= seconds <= LONGEST_CONTROL_STEP_S:
        raise ControlError(f"a step takes 0 to {LONGEST_CONTROL_STEP_S} s, not {seconds}")
    return seconds or step_s


def found(entities: Sequence[Entity], name: str) -> Entity:
    """Return the entity called ``name``. Raises ControlError."""
    for entity in entities:
        if entity.name == name:
            return entity
    raise ControlError(f"there is no entity {name!r}")
