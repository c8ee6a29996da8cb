# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Text, launch configurations, environment, paths and expressions."""

from __future__ import annotations

import importlib
import os
import shutil
from typing import Any

from launch.launch_context import LaunchContext
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution, SubstitutionFailure
from launch.utilities import (
    describe_substitutions,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)


class LaunchConfiguration(Substitution):
    """The value of a launch configuration, in most cases a launch argument."""

    def __init__(self, variable_name: SomeSubstitutionsType, *, default: Any = None) -> None:
        self.variable_name = normalize_to_list_of_substitutions(variable_name)
        self._default = None
        if default is not None:
            if isinstance(default, (bool, int, float)):
                default = str(default)
            self._default = normalize_to_list_of_substitutions(default)

    def describe(self) -> str:
        """Return the name."""
        return f"LaunchConfig({describe_substitutions(self.variable_name)})"

    def perform(self, context: LaunchContext) -> str:
        """Return the value or the default.

        Raises:
            SubstitutionFailure: There is neither.

        """
        name = perform_substitutions(context, self.variable_name)
        if name in context.launch_configurations:
            return str(context.launch_configurations[name])
        if self._default is None:
            raise SubstitutionFailure(f"launch configuration '{name}' does not exist")
        return perform_substitutions(context, self._default)


class EnvironmentVariable(Substitution):
    """The value of an environment variable at launch time."""

    def __init__(
        self,
        name: SomeSubstitutionsType,
        *,
        default_value: SomeSubstitutionsType | None = None,
    ) -> None:
        self._name = normalize_to_list_of_substitutions(name)
        self._default = (
            None if default_value is None else normalize_to_list_of_substitutions(default_value)
        )

    def describe(self) -> str:
        """Return the name."""
        return f"EnvVar({describe_substitutions(self._name)})"

    def perform(self, context: LaunchContext) -> str:
        """Return the value or the default.

        Raises:
            SubstitutionFailure: There is neither.

        """
        name = perform_substitutions(context, self._name)
        value = context.environment.get(name)
        if value is not None:
            return str(value)
        if self._default is None:
            raise SubstitutionFailure(f"environment variable '{name}' does not exist")
        return perform_substitutions(context, self._default)


class PathJoinSubstitution(Substitution):
    """Path parts joined by the separator of the system."""

    def __init__(self, substitutions: SomeSubstitutionsType) -> None:
        # As on Jazzy, each item is one path part: a nested list is refused.
        self.substitutions = normalize_to_list_of_substitutions(substitutions)

    def describe(self) -> str:
        """Return the parts."""
        return f"PathJoin('{describe_substitutions(self.substitutions)}')"

    def perform(self, context: LaunchContext) -> str:
        """Return the path."""
        parts = [context.perform_substitution(sub) for sub in self.substitutions]
        if not parts:
            raise SubstitutionFailure("PathJoinSubstitution has no parts")
        return os.path.join(*parts)


class PythonExpression(Substitution):
    """The text of an evaluated Python expression, with the given modules' names at hand."""

    def __init__(
        self,
        expression: SomeSubstitutionsType,
        python_modules: SomeSubstitutionsType = ("math",),
    ) -> None:
        self.expression = normalize_to_list_of_substitutions(expression)
        self.python_modules = normalize_to_list_of_substitutions(python_modules)

    def describe(self) -> str:
        """Return the expression and the modules."""
        modules = ", ".join(sub.describe() for sub in self.python_modules)
        return f"PythonExpr({describe_substitutions(self.expression)}, [{modules}])"

    def perform(self, context: LaunchContext) -> str:
        """Return the value as text; whatever the expression raises is passed on."""
        scope: dict[str, Any] = {}
        for sub in self.python_modules:
            name = context.perform_substitution(sub)
            module = importlib.import_module(name)
            scope[name] = module
            if name == "math":
                scope.update(vars(module))
        return str(eval(perform_substitutions(context, self.expression), {}, scope))


class FindExecutable(Substitution):
    """The absolute path of a program on the PATH."""

    def __init__(self, *, name: SomeSubstitutionsType) -> None:
        self.name = normalize_to_list_of_substitutions(name)

    def describe(self) -> str:
        """Return the name."""
        return f"FindExec({describe_substitutions(self.name)})"

    def perform(self, context: LaunchContext) -> str:
        """Return the path.

        Raises:
            SubstitutionFailure: There is no such program.

        """
        name = perform_substitutions(context, self.name)
        path = shutil.which(name)
        if path is None:
            raise SubstitutionFailure(f"executable '{name}' not found on the PATH")
        return path


class ThisLaunchFile(Substitution):
    """The path of the launch file that is being processed."""

    _key = "current_launch_file_path"

    def perform(self, context: LaunchContext) -> str:
        """Return the path.

        Raises:
            SubstitutionFailure: No launch file is being processed.

        """
        value = context.get_locals_as_dict().get(self._key)
        if value is None:
            raise SubstitutionFailure(
                f"{type(self).__name__} used outside of a launch file (in a script)"
            )
        return str(value)


class ThisLaunchFileDir(ThisLaunchFile):
    """The folder of the launch file that is being processed."""

    _key = "current_launch_file_directory"


class LocalSubstitution(Substitution):
    """A local value by its dotted name, for example ``event.reason`` in an event handler."""

    def __init__(self, expression: str, description: str | None = None) -> None:
        self._expression = expression
        self._description = description

    def describe(self) -> str:
        """Return the description or the name."""
        return f"LocalVar('{self._description or self._expression}')"

    def perform(self, context: LaunchContext) -> str:
        """Return the value as text.

        Raises:
            SubstitutionFailure: There is no such value.

        """
        first, *rest = self._expression.split(".")
        try:
            value = context.get_locals_as_dict()[first]
            for name in rest:
                value = getattr(value, name)
        except (KeyError, AttributeError):
            raise SubstitutionFailure(
                f"'{self._expression}' is not a value at this point of the launch"
            ) from None
        return str(value)
