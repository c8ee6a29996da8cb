# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Nodes of launch files in one process, the executable ``fleet``: docs/launch.md."""

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import yaml
from launch.some_substitutions_type import SomeSubstitutionsType
from launch_ros.parameter_descriptions import ParameterFile

from launch import Action, LaunchContext
from legacy_robots_launch.parameters import absolute_namespace, perform
from legacy_robots_launch.temporary_files import written_file

__all__ = ["ComposedNode", "ComposedNodes"]
_members: WeakKeyDictionary[LaunchContext, list[str]] = WeakKeyDictionary()
"""Entries of the parameter ``nodes`` of the next container of a launch."""


class ComposedNode(Action):
    """A node that runs in the next container, described as a Node is.

    ``node`` is its system and executable, such as nao/bridge. ``parameters`` are parameters files
    and dictionaries.
    """

    def __init__(
        self,
        *,
        node: str,
        namespace: SomeSubstitutionsType,
        name: SomeSubstitutionsType = "",
        parameters: Iterable[Any] = (),
        **others: Any,
    ) -> None:
        super().__init__(**others)
        self._node, self._namespace, self._name = node, namespace, name
        self._parameters = list(parameters)

    def execute(self, context: LaunchContext) -> None:
        """Keep it for the container, with what SetParameter and SetRemap say here."""
        configurations: Any = context.launch_configurations
        words = [self._node, absolute_namespace(context, self._namespace)]
        if name := perform(context, self._name):
            words += ["-r", f"__node:={name}"]
        for given in (*configurations.get("global_params", ()), *self._parameters):
            if isinstance(given, tuple):
                words += ["-p", "{}:={}".format(*given)]
            else:
                words += ["--params-file", _path_of(context, given)]
        for source, target in configurations.get("ros_remaps", ()):
            words += ["-r", f"{source}:={target}"]
        _members.setdefault(context, []).append(shlex.join(words))


def _path_of(context: LaunchContext, given: Any) -> str:
    if isinstance(given, ParameterFile):
        return str(given.evaluate(context))
    if isinstance(given, Path):
        return str(given)
    if not isinstance(given, dict):
        return perform(context, given)
    # As in a Node: substitutions are read as YAML, all else is what it is.
    values = {
        key: value
        if isinstance(value, str | int | float)
        else yaml.safe_load(perform(context, value))
        for key, value in given.items()
    }
    return written_file("parameters.yaml", yaml.safe_dump({"/**": {"ros__parameters": values}}))


class ComposedNodes(ParameterFile):
    """The parameter ``nodes`` of the container: the ComposedNodes before it in the launch."""

    def __init__(self) -> None:
        super().__init__("composed nodes")

    def evaluate(self, context: LaunchContext) -> Path:
        """Return the path of a file with it."""
        values = {"nodes": _members.pop(context, [""])}
        entry = {"/**/fleet": {"ros__parameters": values}}  # not of the nodes in it
        return Path(written_file("nodes.yaml", yaml.safe_dump(entry)))
