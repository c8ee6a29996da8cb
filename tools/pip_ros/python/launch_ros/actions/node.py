# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Run a ROS node."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from launch.actions.execute_process import ExecuteProcess
from launch.launch_context import LaunchContext
from launch.logging import get_logger
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from launch_ros._unmatched_entries import remember
from launch_ros.actions.scoped import NAMESPACE, PARAMETERS, REMAPS, join_namespace
from launch_ros.parameter_descriptions import ParameterFile, evaluate_value, write_temporary
from launch_ros.substitutions import ExecutableInPackage

_NAME = re.compile(r"(?!\w*__)[A-Za-z_]\w*", re.ASCII)
_NAME_RULE = "a name has only letters, digits and single '_', and does not start with a digit"


class Node(ExecuteProcess):
    """Run an executable of a package as a ROS node.

    ``parameters`` is a list of paths, ParameterFiles and (nested) dictionaries, later ones win;
    ``remappings`` a list of pairs of names. The remaining arguments are those of ExecuteProcess.
    """

    def __init__(
        self,
        *,
        executable: SomeSubstitutionsType,
        package: SomeSubstitutionsType | None = None,
        name: SomeSubstitutionsType | None = None,
        namespace: SomeSubstitutionsType | None = None,
        exec_name: SomeSubstitutionsType | None = None,
        parameters: Iterable[Any] | None = None,
        remappings: Iterable[tuple[SomeSubstitutionsType, SomeSubstitutionsType]] | None = None,
        ros_arguments: Iterable[SomeSubstitutionsType] | None = None,
        arguments: Iterable[SomeSubstitutionsType] | None = None,
        **kwargs: Any,
    ) -> None:
        subs = normalize_to_list_of_substitutions
        if package is not None:
            cmd: list[SomeSubstitutionsType] = [ExecutableInPackage(executable, package)]
        else:
            cmd = [executable]
        cmd += _words("arguments", arguments)
        if ros_arguments is not None:
            cmd += ["--ros-args", *_words("ros_arguments", ros_arguments)]
        if "cmd" in kwargs:
            raise TypeError("Node takes executable and arguments, not cmd")
        super().__init__(cmd=cmd, name=exec_name, **kwargs)
        self._node_name = None if name is None else subs(name)
        self._namespace = None if namespace is None else subs(namespace)
        self._parameters = _normalized(parameters)
        self._full_name: str | None = None
        self._remappings = [(subs(src), subs(dst)) for src, dst in (remappings or ())]

    def command(self, context: LaunchContext) -> list[str]:
        """Return the words of the command with the ROS arguments."""
        perform = perform_substitutions
        name = None if self._node_name is None else perform(context, self._node_name)
        if name is not None and not _NAME.fullmatch(name):
            raise ValueError(f"Invalid node name: {name!r}: {_NAME_RULE}")
        namespace = self._full_namespace(context)
        words = [*super().command(context), "--ros-args"]
        if name is not None:
            words += ["-r", f"__node:={name}"]
        if namespace:
            words += ["-r", f"__ns:={namespace}"]
        self._full_name = None if name is None else f"{namespace.rstrip('/')}/{name}"
        target = self._full_name or "/**"
        words += self._global_parameters(context)
        for entry in self._parameters:
            if isinstance(entry, ParameterFile):
                path = entry.evaluate(context)
                if not path.is_file():
                    raise FileNotFoundError(f"parameter file '{path}' does not exist")
                remember(context, path, namespace, name, Path(words[0]).name)
            else:
                path = self._write(context, target, entry)
            words += ["--params-file", str(path)]
        remaps = list(context.launch_configurations.get(REMAPS, ()))
        remaps += [(perform(context, src), perform(context, dst)) for src, dst in self._remappings]
        for src, dst in remaps:
            words += ["-r", f"{src}:={dst}"]
        return words

    def before_start(self, context: LaunchContext, process_name: str) -> None:
        """Warn of a second node with the same name."""
        if self._full_name is None:
            return
        names = context.node_names
        names[self._full_name] = names.get(self._full_name, 0) + 1
        if names[self._full_name] > 1:
            get_logger(process_name).warning(
                "there are now at least %d nodes with the name %s created within this launch "
                "context",
                names[self._full_name],
                self._full_name,
            )

    def _full_namespace(self, context: LaunchContext) -> str:
        """Return the absolute namespace, or an empty text if none is given."""
        base = context.launch_configurations.get(NAMESPACE, "")
        own = None if self._namespace is None else perform_substitutions(context, self._namespace)
        joined = join_namespace(base, own or "")
        if not joined.startswith("/") and (joined or own is not None):
            joined = "/" + joined
        if joined not in ("", "/") and not all(map(_NAME.fullmatch, joined[1:].split("/"))):
            raise ValueError(f"Invalid namespace: {joined!r}: {_NAME_RULE}")
        return joined

    @staticmethod
    def _global_parameters(context: LaunchContext) -> list[str]:
        words: list[str] = []
        for entry in context.launch_configurations.get(PARAMETERS, ()):
            if isinstance(entry, Path):
                words += ["--params-file", str(entry)]
            else:
                words += ["-p", f"{entry[0]}:={entry[1]}"]
        return words

    @staticmethod
    def _write(context: LaunchContext, target: str, entry: Mapping[Any, Any]) -> Path:
        import yaml

        values = _flattened(context, "", entry)
        return write_temporary(context, yaml.safe_dump({target: {"ros__parameters": values}}))


def _words(what: str, given: Any) -> list[SomeSubstitutionsType]:
    if given is None:
        return []
    if isinstance(given, (str, Substitution)):
        raise TypeError(f"{what} of Node must be a list of words, not one text: {given!r}")
    return list(given)


def _normalized(parameters: Iterable[Any] | None) -> list[ParameterFile | Mapping[Any, Any]]:
    if isinstance(parameters, (str, Mapping, Substitution)):
        raise TypeError(f"Expecting list of parameters, got {parameters!r}")
    result: list[ParameterFile | Mapping[Any, Any]] = []
    for entry in parameters or ():
        if isinstance(entry, (ParameterFile, Mapping)):
            result.append(entry)
        elif isinstance(entry, (str, os.PathLike, Substitution, list, tuple)):
            result.append(ParameterFile(entry))
        else:
            raise TypeError(
                "an item of Node's parameters must be a path, a ParameterFile or a dictionary, "
                f"but is {entry!r}"
            )
    return result


def _flattened(context: LaunchContext, prefix: str, entry: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the values by dotted names."""
    flat: dict[str, Any] = {}
    for key, value in entry.items():
        name = prefix + perform_substitutions(context, normalize_to_list_of_substitutions(key))
        if isinstance(value, Mapping):
            flat.update(_flattened(context, f"{name}.", value))
        else:
            flat[name] = evaluate_value(context, name, value)
    return flat
