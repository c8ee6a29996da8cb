# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments, groups and inclusion of other launch files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from launch.action import Action
from launch.actions.basic import OpaqueFunction, SetLaunchConfiguration
from launch.actions.declare_launch_argument import DeclareLaunchArgument
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.launch_description_source import LaunchDescriptionSource
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import (
    normalize_to_list_of_entities,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)

_Entities = list[LaunchDescriptionEntity]


def _call(function: Callable[[LaunchContext], None]) -> OpaqueFunction:
    return OpaqueFunction(function=function)


class GroupAction(Action):
    """Do several actions, by default in a scope of their own.

    The scope holds launch configurations (with ROS namespace, global parameters and remappings)
    and the environment. With ``forwarding=False`` it starts with only ``launch_configurations``.
    """

    def __init__(
        self,
        actions: Iterable[LaunchDescriptionEntity],
        *,
        scoped: bool = True,
        forwarding: bool = True,
        launch_configurations: Mapping[Any, SomeSubstitutionsType] | None = None,
        **left_over_kwargs: Any,
    ) -> None:
        super().__init__(**left_over_kwargs)
        self._actions = normalize_to_list_of_entities(actions)
        self._scoped = scoped
        self._forwarding = forwarding
        self._configurations = [
            (normalize_to_list_of_substitutions(name), normalize_to_list_of_substitutions(value))
            for name, value in (launch_configurations or {}).items()
        ]

    def describe_sub_entities(self) -> _Entities:
        """Return the actions."""
        return self._actions

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Return the actions between the ends of their scope."""
        if not self._scoped:
            return [_call(self._set_configurations), *self._actions]
        return [_call(self._open_scope), *self._actions, _call(self._close_scope)]

    def _set_configurations(self, context: LaunchContext) -> None:
        context.launch_configurations.update(self._performed(context))

    def _open_scope(self, context: LaunchContext) -> None:
        performed = self._performed(context)
        context.push_launch_configurations()
        context.push_environment()
        if not self._forwarding:
            context.launch_configurations.clear()
            context.reset_environment()
        context.launch_configurations.update(performed)

    def _performed(self, context: LaunchContext) -> dict[str, str]:
        return {
            perform_substitutions(context, name): perform_substitutions(context, value)
            for name, value in self._configurations
        }

    @staticmethod
    def _close_scope(context: LaunchContext) -> None:
        context.pop_environment()
        context.pop_launch_configurations()


class IncludeLaunchDescription(Action):
    """Do what another launch file describes.

    As in the original, the included file shares the scope of the including one: its arguments
    stay set afterwards. A GroupAction around it keeps them apart.
    """

    def __init__(
        self,
        launch_description_source: LaunchDescriptionSource | SomeSubstitutionsType,
        *,
        launch_arguments: (
            Iterable[tuple[SomeSubstitutionsType, SomeSubstitutionsType]] | None
        ) = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(launch_description_source, LaunchDescriptionSource):
            from launch.launch_description_sources import AnyLaunchDescriptionSource

            launch_description_source = AnyLaunchDescriptionSource(launch_description_source)
        self._source = launch_description_source
        self._arguments = [
            (normalize_to_list_of_substitutions(name), normalize_to_list_of_substitutions(value))
            for name, value in (launch_arguments or ())
        ]

    def describe(self) -> str:
        """Return the location."""
        return f"IncludeLaunchDescription({self._source.location})"

    def describe_sub_entities(self) -> _Entities:
        """Return the included description where it can be known before launching."""
        description = self._source.try_get_launch_description_without_context()
        return [] if description is None else [description]

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Set the arguments and return the included description.

        Raises:
            RuntimeError: A required argument of the included file is not given.

        """
        description = self._source.get_launch_description(context)
        given = [perform_substitutions(context, name) for name, _ in self._arguments]
        for argument in description.get_launch_arguments():
            if (
                argument.default_value is None
                and not argument.conditionally_included
                and argument.name not in context.launch_configurations
                and argument.name not in given
            ):
                raise RuntimeError(
                    f"Included launch description missing required argument '{argument.name}' "
                    f"(description: '{argument.description}'), given: [{', '.join(given)}]"
                )
        path = self._source.location
        context.push_locals()
        context.extend_locals(
            {
                "current_launch_file_path": path,
                "current_launch_file_directory": os.path.dirname(path),
            }
        )
        settings = [SetLaunchConfiguration(name, value) for name, value in self._arguments]
        return [*settings, description, _call(lambda context: context.pop_locals())]


__all__ = ["DeclareLaunchArgument", "GroupAction", "IncludeLaunchDescription"]
