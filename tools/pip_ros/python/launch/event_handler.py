# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of the reactions to events."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from launch.event import Event
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.utilities import normalize_to_list_of_entities


class BaseEventHandler:
    """A matcher and what follows from a matching event."""

    def __init__(self, *, matcher: Callable[[Event], bool], handle_once: bool = False) -> None:
        self._matcher = matcher
        self.handle_once = handle_once

    def matches(self, event: Event) -> bool:
        """Return whether this handler wants `event`."""
        return self._matcher(event)

    def handle(self, event: Event, context: LaunchContext) -> list[LaunchDescriptionEntity]:
        """Return the entities to visit because of `event`."""
        raise NotImplementedError


class EventHandler(BaseEventHandler):
    """Visit fixed entities for each matching event."""

    def __init__(
        self,
        *,
        matcher: Callable[[Event], bool],
        entities: LaunchDescriptionEntity | Iterable[LaunchDescriptionEntity] | None = None,
        handle_once: bool = False,
    ) -> None:
        super().__init__(matcher=matcher, handle_once=handle_once)
        self._entities = normalize_to_list_of_entities(entities)

    def handle(self, event: Event, context: LaunchContext) -> list[LaunchDescriptionEntity]:
        """Return the fixed entities."""
        return self._entities
