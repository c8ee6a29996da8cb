# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions with messages, and the question whether the sequence is done."""

from __future__ import annotations

from bw4t_world.actions.arguments import shown
from bw4t_world.actions.outcomes import Effect, Outcome
from bw4t_world.model.entities import Entity, Robot
from bw4t_world.model.errors import ActionError
from bw4t_world.movement.simulation_context import SimulationContext

ALL_PLAYERS = "all"
"""The receiver of a broadcast."""

BACKLOG_LIMIT = 10_000
"""Messages kept for one consumer; of more, the oldest are lost (and counted)."""


class Talking:
    """Carries messages in one world."""

    def __init__(self, context: SimulationContext) -> None:
        self._profile = context.profile
        self._registry = context.registry
        self._task = context.task

    def send(self, sender: Entity, receiver: object, text: object) -> Outcome:
        """``sendMessage(Receiver or all, Text)``."""
        if not isinstance(receiver, str):
            raise ActionError(f"Expected an Identifier parameter but got {shown(receiver)}")
        if not isinstance(text, str):
            raise ActionError(f"the text of a message must be text, not {shown(text)}")
        if receiver == ALL_PLAYERS:
            receivers = self._registry.entities()
            if not self._profile.broadcast_to_sender:
                receivers.remove(sender)
        else:
            entity = self._registry.get(receiver)
            if entity is None:
                raise ActionError(f"Entity with name {receiver} has no handler")
            receivers = [entity]
        for entity in receivers:
            deliver(entity, sender.name, text)
        if isinstance(sender, Robot):
            sender.measures.messages += 1
        whom = "all" if receiver == ALL_PLAYERS else receiver
        return Outcome(Effect.SENT, f"{sender.name} told {whom}", len(receivers))

    def receive(self, entity: Entity, sender: object, text: object) -> Outcome:
        """``receiveMessage(Sender, Text)``: put a message into one's own mailbox."""
        if not isinstance(sender, str) or not isinstance(text, str):
            raise ActionError("sender and text of a message must be text")
        deliver(entity, sender, text)
        return Outcome(Effect.SENT, f"{entity.name} received a message", 1)

    def check_sequence_done(self, _: Robot) -> Outcome:
        """``checkSequenceDone``: whether all colours have been delivered."""
        done = self._task.is_complete
        return Outcome(Effect.ANSWERED, f"the sequence is {'' if done else 'not '}done", done)


def deliver(entity: Entity, sender: str, text: str) -> None:
    """Give a message to all consumers of an entity."""
    if not entity.consumers:
        entity.backlog.append((sender, text))
        if len(entity.backlog) > BACKLOG_LIMIT:
            entity.backlog.popleft()
    for consumer in entity.consumers:
        consumer.receive(sender, text)
