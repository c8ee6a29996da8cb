# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which entity can do which actions, and carrying them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bw4t_world.actions.arguments import shown
from bw4t_world.actions.carrying import Carrying
from bw4t_world.actions.going import Going
from bw4t_world.actions.handling import Handling
from bw4t_world.actions.outcomes import Outcome
from bw4t_world.actions.talking import Talking
from bw4t_world.model.entities import Entity, EPartner, Robot
from bw4t_world.model.errors import ActionError
from bw4t_world.movement.simulation_context import SimulationContext
from bw4t_world.perception.sight import Sight

Handler = Callable[..., Outcome]

DOCUMENT_NAMES = {
    "sendmessage": "sendMessage",
    "pickUpEpartner": "pickUpEPartner",
    "dropEPartner": "putDownEPartner",
}
"""Spellings of the document that no server knows, and what they stand for."""


class Actions:
    """Carries out actions in one world."""

    def __init__(self, context: SimulationContext, sight: Sight) -> None:
        self._profile = profile = context.profile
        self._stepper = context.stepper
        going, handling = Going(context, sight), Handling(context, sight)
        carrying, talking = Carrying(context, sight), Talking(context)
        pick_up: dict[int, Handler] = {0: handling.pick_up_nearest}
        if profile.pick_up_by_id:
            pick_up = {1: handling.pick_up_by_id}
        shared: dict[str, dict[int, Handler]] = {"sendMessage": {2: talking.send}}
        if profile.receive_message_callable:
            shared["receiveMessage"] = {2: talking.receive}
        self._of_epartners = shared
        self._of_robots: dict[str, dict[int, Handler]] = {
            **shared,
            "goTo": {1: going.to_place, 2: going.to_point},
            "goToBlock": {1: going.to_block},
            "navigateObstacles": {0: going.around_obstacles},
            "pickUp": pick_up,
            "putDown": {0: handling.put_down},
            "checkSequenceDone": {0: talking.check_sequence_done},
            "pickUpEPartner": {0: carrying.pick_up},
            "putDownEPartner": {0: carrying.put_down},
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
            self._stepper.sync(entity)
        try:
            return handler(entity, *args)
        except ActionError as error:
            listed = ", ".join(shown(arg) for arg in args)
            raise ActionError(
                f"{entity.name}: Action {action} with parameters [{listed}] failed: {error}"
            ) from None
