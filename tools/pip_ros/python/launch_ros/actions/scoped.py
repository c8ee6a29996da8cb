# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What holds for every node that is launched afterwards in the same scope.

The state is kept among the launch configurations, so that a GroupAction scopes it.
"""

from __future__ import annotations

from typing import Any

from launch.action import Action
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from launch_ros.parameter_descriptions import ParameterFile, evaluate_value

NAMESPACE = "ros_namespace"
PARAMETERS = "global_params"
REMAPS = "ros_remaps"

_Entities = list[LaunchDescriptionEntity]


def join_namespace(base: str, added: str) -> str:
    """Return `added` below `base`, or alone if it is absolute; without a trailing slash."""
    if added.startswith("/") or not base:
        joined = added
    else:
        joined = f"{base.rstrip('/')}/{added}" if added else base
    return joined.rstrip("/") if joined != "/" else joined


class PushRosNamespace(Action):
    """Prefix the namespace of all nodes in this scope."""

    def __init__(self, namespace: SomeSubstitutionsType, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.namespace = normalize_to_list_of_substitutions(namespace)

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Extend the namespace."""
        pushed = perform_substitutions(context, self.namespace)
        base = context.launch_configurations.get(NAMESPACE, "")
        joined = join_namespace(base, pushed)
        if joined and not joined.startswith("/"):
            joined = "/" + joined
        if joined:
            context.launch_configurations[NAMESPACE] = joined
        return None


class _Append(Action):
    """Append to a list among the launch configurations without changing outer scopes."""

    @staticmethod
    def append(context: LaunchContext, key: str, item: Any) -> None:
        context.launch_configurations[key] = [*context.launch_configurations.get(key, ()), item]


class SetParameter(_Append):
    """Set a parameter of all nodes in this scope."""

    def __init__(self, name: SomeSubstitutionsType, value: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.name = normalize_to_list_of_substitutions(name)
        self.value = value

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Remember the parameter."""
        name = perform_substitutions(context, self.name)
        self.append(context, PARAMETERS, (name, evaluate_value(context, name, self.value)))
        return None


class SetParametersFromFile(_Append):
    """Give a parameter file to all nodes in this scope."""

    def __init__(self, filename: SomeSubstitutionsType, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._file = ParameterFile(filename)

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Remember the file."""
        self.append(context, PARAMETERS, self._file.evaluate(context))
        return None


class SetRemap(_Append):
    """Remap a name for all nodes in this scope."""

    def __init__(
        self, src: SomeSubstitutionsType, dst: SomeSubstitutionsType, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.src = normalize_to_list_of_substitutions(src)
        self.dst = normalize_to_list_of_substitutions(dst)

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Remember the remapping."""
        src, dst = (perform_substitutions(context, name) for name in (self.src, self.dst))
        self.append(context, REMAPS, (src, dst))
        return None
