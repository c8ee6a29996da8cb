# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Consumers of percepts: each gets its own, complete stream."""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol

from bw4t_world.actions import BACKLOG_LIMIT, Outcome
from bw4t_world.model.choices import Delivery
from bw4t_world.model.entities import Entity, Robot
from bw4t_world.model.errors import WorldError
from bw4t_world.model.percepts import Percept, PerceptUpdate
from bw4t_world.model.policies import Stream
from bw4t_world.movement.time_stepping import TimeStepper
from bw4t_world.perception.players import Perception


class ConsumerOwner(Protocol):
    """What a consumer needs of its world."""

    def disconnect(self, consumer: Consumer) -> None:
        """Close a consumer."""

    def act(self, name: str, action: str, *args: Any) -> Outcome:
        """Do an action of a robot or e-partner."""


class Consumer:
    """A connection to one robot or e-partner; made by :meth:`bw4t_world.World.connect`.

    Consumers of one entity do not disturb each other: *once* means once for each, a change is a
    change since the last poll of each, and each gets every message.
    """

    __slots__ = (
        "_entity",
        "_events",
        "_perception",
        "_stepper",
        "_stream",
        "_world",
        "delivery",
        "is_player",
        "lost_messages",
        "name",
    )

    def __init__(
        self, world: ConsumerOwner, name: str, delivery: Delivery, *, is_player: bool
    ) -> None:
        self._world = world
        self.name = name
        self.delivery = delivery
        self.is_player = is_player
        self.lost_messages = 0
        self._entity: Entity | None = None
        self._stream: Stream | None = None
        self._stepper: TimeStepper | None = None
        self._perception: Perception | None = None
        self._events: deque[Percept] = deque()

    def __repr__(self) -> str:
        return f"<Consumer of {self.name}{'' if self.is_connected else ', closed'}>"

    @property
    def entity(self) -> Entity | None:
        """The robot or e-partner that this perceives through; ``None`` once it is closed."""
        return self._entity

    @property
    def is_connected(self) -> bool:
        """Whether the entity is still there and the consumer was not closed."""
        return self._entity is not None

    def poll(self) -> PerceptUpdate:
        """Return what there is to perceive since the last poll, by the policy of each percept.

        Raises :class:`WorldError` after :meth:`close` and when the entity has been removed.
        """
        entity, stream, stepper = self._entity, self._stream, self._stepper
        if entity is None or stream is None or stepper is None:
            raise WorldError(f"{self.name} has been removed, or its consumer closed")
        if isinstance(entity, Robot):
            stepper.sync(entity)
        events: list[Percept] = []
        if self._events:
            events = list(self._events)
            self._events.clear()
        return stream.poll(entity, events)

    def act(self, action: str, *args: Any) -> Outcome:
        """Do an action of this entity; see :meth:`bw4t_world.World.act`."""
        return self._world.act(self.name, action, *args)

    def close(self) -> None:
        """Stop perceiving. Closing twice does no harm."""
        self._world.disconnect(self)

    def receive(self, sender: str, text: str) -> None:
        """Take a message that the entity got."""
        if self._perception is not None:
            self.notify(self._perception.message(sender, text))

    def notify(self, event: Percept) -> None:
        """Take a percept that is sent exactly once, with the next poll."""
        self._events.append(event)
        if len(self._events) > BACKLOG_LIMIT:
            self._events.popleft()
            self.lost_messages += 1

    def attach(
        self, entity: Entity, stream: Stream, stepper: TimeStepper, perception: Perception
    ) -> None:
        """Begin to perceive through an entity, as if nothing had been perceived before."""
        self._entity, self._stream = entity, stream
        self._stepper, self._perception = stepper, perception
        self._events.clear()

    def detach(self) -> None:
        """Stop perceiving."""
        self._entity = self._stream = self._stepper = self._perception = None
        self._events.clear()
