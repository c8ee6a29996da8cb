# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a launch description comes from."""

from __future__ import annotations

import importlib.util
import os
from importlib.machinery import SourceFileLoader
from types import ModuleType

from launch._text_substitution import TextSubstitution
from launch.launch_context import LaunchContext
from launch.launch_description import LaunchDescription
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import (
    describe_substitutions,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)


class InvalidLaunchFileError(Exception):
    """A launch file could not be loaded."""


def load_python_launch_file(path: str) -> LaunchDescription:
    """Run the Python launch file at `path` and return its description.

    Raises:
        InvalidLaunchFileError: The file cannot be read or run, or has no
            ``generate_launch_description()``.

    """
    if not os.path.isfile(path):
        raise InvalidLaunchFileError(f"launch file '{path}' does not exist")
    try:
        loader = SourceFileLoader("python_launch_file", path)
        spec = importlib.util.spec_from_loader(loader.name, loader)
        assert spec is not None
        module: ModuleType = importlib.util.module_from_spec(spec)
        # Compiling here leaves no __pycache__ beside the launch file.
        exec(compile(loader.get_data(path), path, "exec"), module.__dict__)
    except Exception as error:
        raise InvalidLaunchFileError(
            "Caught multiple exceptions when trying to load file of format [py]:\n"
            f" - {type(error).__name__}: {error}"
        ) from error
    generate = getattr(module, "generate_launch_description", None)
    if generate is None:
        raise InvalidLaunchFileError(
            "Caught multiple exceptions when trying to load file of format [py]:\n"
            f" - InvalidPythonLaunchFileError: launch file at '{path}' does not contain the "
            "required function 'generate_launch_description()'"
        )
    try:
        description = generate()
    except Exception as error:
        raise InvalidLaunchFileError(
            "Caught multiple exceptions when trying to load file of format [py]:\n"
            f" - {type(error).__name__}: {error}"
        ) from error
    if not isinstance(description, LaunchDescription):
        raise InvalidLaunchFileError(
            f"generate_launch_description() of '{path}' returned {description!r}, "
            "not a LaunchDescription"
        )
    return description


class LaunchDescriptionSource:
    """A launch description, or the place to load it from."""

    def __init__(
        self,
        launch_description: LaunchDescription | None = None,
        location: SomeSubstitutionsType = "<string>",
        method: str = "unspecified mechanism from a script",
    ) -> None:
        self._description = launch_description
        self._location = normalize_to_list_of_substitutions(location)
        self._expanded: str | None = None
        self.method = method

    @property
    def location(self) -> str:
        """The expanded location, or its description before that."""
        return self._expanded or describe_substitutions(self._location)

    def get_launch_description(self, context: LaunchContext) -> LaunchDescription:
        """Load the description where that has not happened yet."""
        if self._expanded is None:
            self._expanded = os.path.abspath(perform_substitutions(context, self._location))
        if self._description is None:
            self._description = self._load(self._expanded)
        return self._description

    def try_get_launch_description_without_context(self) -> LaunchDescription | None:
        """Return the description if its location needs no launch context, else None."""
        if self._description is None:
            if not all(isinstance(sub, TextSubstitution) for sub in self._location):
                return None
            return self.get_launch_description(LaunchContext())
        return self._description

    def _load(self, location: str) -> LaunchDescription:
        raise NotImplementedError(f"{type(self).__name__} has no launch description")
