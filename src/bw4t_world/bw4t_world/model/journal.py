# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What happens in a world, passed to listeners.

These are the lines that the original writes into its log: every action with what came of it,
collisions, empty batteries, rooms entered, and the completion of the sequence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple


class EventKind(Enum):
    """What happened."""

    ACTION = "action"
    """An action was carried out; the text is that of its outcome."""
    ERROR = "error"
    """An action was answered with an error; the text is the error's."""
    ENTERED = "entered"
    """A robot entered the room, drop zone or blockade that the text names."""
    ARRIVED = "arrived"
    """A robot came to its target."""
    COLLIDED = "collided"
    """A robot was stopped; the text says by what."""
    BATTERY_EMPTY = "battery empty"
    COMPLETED = "completed"
    """The sequence is complete."""
    NOTE = "note"
    """The owner of the world has something to say, for example that a person came to the page."""


class Event(NamedTuple):
    """Something that happened to a robot or e-partner, after ``tick`` ticks."""

    tick: int
    kind: EventKind
    entity: str
    text: str

    def __str__(self) -> str:
        """Return a line of a log."""
        line = f"[{self.tick}] {self.entity} {self.kind.value}"
        return f"{line}: {self.text}" if self.text else line


Listener = Callable[[Event], None]


class Journal:
    """Keeps events until the world is at rest, and then hands them on to listeners.

    Without listeners nothing is kept.
    """

    __slots__ = ("_events", "_is_telling", "listeners")

    def __init__(self) -> None:
        self.listeners: list[Listener] = []
        self._events: deque[Event] = deque()
        self._is_telling = False

    def note(self, tick: int, kind: EventKind, entity: str, text: str = "") -> None:
        """Keep an event for the listeners."""
        if self.listeners:
            self._events.append(Event(tick, kind, entity, text))

    def tell(self) -> None:
        """Hand all events on, in order; those too that listeners cause meanwhile."""
        if self._is_telling:
            return
        self._is_telling = True
        try:
            while self._events:
                event = self._events.popleft()
                for listener in tuple(self.listeners):
                    listener(event)
        finally:
            self._is_telling = False
