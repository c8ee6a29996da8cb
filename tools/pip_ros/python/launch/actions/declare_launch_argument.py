# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from launch.action import Action
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.logging import get_logger
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class DeclareLaunchArgument(Action):
    """An argument ``name:=value`` with an optional default and the choices it may have."""

    def __init__(
        self,
        name: str,
        *,
        default_value: SomeSubstitutionsType | None = None,
        description: str | None = None,
        choices: Iterable[str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.name = name
        self.default_value = (
            None if default_value is None else normalize_to_list_of_substitutions(default_value)
        )
        self.choices = None if choices is None else list(choices)
        self.description = description or "no description given"
        if self.choices is not None:
            if not self.choices:
                raise ValueError(f"Argument '{name}' has no choices")
            if description is None:
                self.description = f"One of: {self.choices}"
            else:
                self.description = f"{description}. Valid choices are: {self.choices}"
        #: Whether the argument is inside something that has a condition.
        self.conditionally_included = self.condition is not None

    def execute(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Set the default where no value is given, and check the value.

        Raises:
            RuntimeError: There is no value, or it is not among the choices.

        """
        if self.name not in context.launch_configurations:
            if self.default_value is None:
                raise RuntimeError(
                    f"Required launch argument '{self.name}' (description: "
                    f"'{self.description}') was not provided"
                )
            context.launch_configurations[self.name] = perform_substitutions(
                context, self.default_value
            )
        value = context.launch_configurations[self.name]
        if self.choices is not None and value not in self.choices:
            message = (
                f'Argument "{self.name}" provided value "{value}" is not valid. '
                f"Valid options are: {self.choices}"
            )
            get_logger("launch.actions.declare_launch_argument").error(message)
            raise RuntimeError(message)
        return None
