# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An ordered collection of actions, and the arguments that they declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from launch.launch_description_entity import LaunchDescriptionEntity
from launch.utilities import normalize_to_list_of_entities

if TYPE_CHECKING:
    from launch.actions.declare_launch_argument import DeclareLaunchArgument
    from launch.launch_context import LaunchContext


class LaunchDescription(LaunchDescriptionEntity):
    """What a launch file returns."""

    def __init__(self, initial_entities: Iterable[LaunchDescriptionEntity] | None = None) -> None:
        self._entities = normalize_to_list_of_entities(initial_entities)

    def visit(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Return the entities."""
        return list(self._entities)

    def describe_sub_entities(self) -> list[LaunchDescriptionEntity]:
        """Return the entities."""
        return list(self._entities)

    @property
    def entities(self) -> list[LaunchDescriptionEntity]:
        """The entities in order."""
        return self._entities

    def add_entity(self, entity: LaunchDescriptionEntity) -> None:
        """Append `entity`."""
        self.add_action(entity)

    def add_action(self, action: LaunchDescriptionEntity) -> None:
        """Append `action`."""
        self._entities += normalize_to_list_of_entities(action)

    def get_launch_arguments(self) -> list[DeclareLaunchArgument]:
        """Return the declared arguments, also those of included files, first ones first."""
        found: dict[str, DeclareLaunchArgument] = {}
        for argument in self._declared(self):
            found.setdefault(argument.name, argument)
        return list(found.values())

    @classmethod
    def _declared(cls, entity: LaunchDescriptionEntity) -> Iterable[DeclareLaunchArgument]:
        from launch.actions.declare_launch_argument import DeclareLaunchArgument

        for sub in entity.describe_sub_entities():
            if isinstance(sub, DeclareLaunchArgument):
                yield sub
            yield from cls._declared(sub)
