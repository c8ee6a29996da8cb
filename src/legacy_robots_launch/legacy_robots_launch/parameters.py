# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters in launch files: arguments that overrule a parameters file, values read from it.

A file has entries ``PATTERN: {ros__parameters: {...}}``. A node takes those whose pattern matches
its full name; of two entries for one parameter the later one counts.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml
from launch.actions import Shutdown
from launch.event_handlers import OnShutdown
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitutions import LaunchConfiguration, SubstitutionFailure
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
from launch_ros.parameter_descriptions import ParameterFile

from launch import Action, LaunchContext, Substitution
from legacy_robots_common.node.parameters import default_of
from legacy_robots_launch.temporary_files import written_file

__all__ = ["NodeParameter", "Overruling", "absolute_namespace", "ending", "perform"]

_EVERY_NODE = "/**/**"
"""Matches every node, as /** does, but comes last and so wins where the file has a /** already."""
_NAMESPACE = re.compile(r"/|(/(?!\d)(?!\w*__)\w+)+", re.ASCII)
_EMPTY = ("''", '""')
"""Texts of launch arguments that stand for the empty text."""
_SWITCH = {"true": True, "1": True, "false": False, "0": False}
_WORDS = {
    word: switch
    for switch, words in (("true", "y yes true on"), ("false", "n no false off"))
    for word in words.split()
}
_READ: dict[type, Callable[[str], Any]] = {
    bool: lambda text: _SWITCH[text.strip().lower()],
    int: int,
    float: float,
    str: lambda text: "" if text in _EMPTY else text,
    list: lambda text: [] if text in _EMPTY else [item.strip() for item in text.split(",")],
}


class Overruling(ParameterFile):
    """Parameters that overrule those of the files before it in ``parameters=[...]`` of a Node.

    ``Overruling(port=int)`` is the launch argument ``port`` if it is given, that is, not empty;
    ``'""'`` gives the empty text or list. ``Overruling(port=(int, substitution))`` is that text if
    it is not empty. The types are bool, int, float, str, and list for texts separated by commas.
    """

    def __init__(self, **parameters: type | tuple[type, SomeSubstitutionsType]) -> None:
        super().__init__("given launch arguments")
        self._parameters = {
            name: wanted if isinstance(wanted, tuple) else (wanted, _argument(name))
            for name, wanted in parameters.items()
        }

    def evaluate(self, context: LaunchContext) -> Path:
        """Return the path of a file with those that are given."""
        values = {}
        for name, (kind, source) in self._parameters.items():
            if text := perform(context, source):
                try:
                    values[name] = _READ[kind](text)
                except (KeyError, ValueError):
                    values[name] = text  # the node refuses it, with a sentence
        entries = {_EVERY_NODE: {"ros__parameters": values}} if values else {}
        # JSON is YAML in which every text has quotes.
        return Path(written_file("arguments.yaml", json.dumps(entries, ensure_ascii=False)))


class NodeParameter(Substitution):
    """The value that a parameter of a node will have, as text; items of a list join by commas.

    It is the first there is of: the launch argument ``given`` (by default that of the parameter's
    name), the entry of the launch argument ``params_file`` for the node ``node`` in ``namespace``,
    and the default in ``parameters_class``.
    """

    def __init__(
        self,
        parameters_class: type,
        name: str,
        *,
        node: str = "bridge",
        namespace: SomeSubstitutionsType | None = None,
        given: SomeSubstitutionsType | None = None,
    ) -> None:
        super().__init__()
        (field,) = (f for f in dataclasses.fields(parameters_class) if f.name == name)
        default = default_of(field)
        text = str(default).lower() if isinstance(default, bool) else str(default)
        self._default = ",".join(map(str, default)) if isinstance(default, list) else text
        self._name, self._node = name, node
        self._namespace = LaunchConfiguration("namespace") if namespace is None else namespace
        self._given = _argument(name) if given is None else given

    def perform(self, context: LaunchContext) -> str:
        """Return the value. Raises SubstitutionFailure for a file that cannot be read."""
        if given := perform(context, self._given):
            return "" if given in _EMPTY else given
        namespace = absolute_namespace(context, self._namespace)
        path = perform(context, _argument("params_file"))
        found = values_of(path, f"{namespace.rstrip('/')}/{self._node}") if path else {}
        return found.get(self._name, self._default)


class _Texts(yaml.SafeLoader):
    """Reads all values as texts; switches, of which rcl knows more than YAML, as true or false."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            return super().construct_object(node, deep=True)
        text = str(node.value)
        # rcl knows yes, Yes and YES, and no other mixture.
        is_word = text in (text.lower(), text.upper(), text.capitalize()) and not node.style
        return _WORDS.get(text.lower(), text) if is_word else text


def values_of(path: str, full_name: str) -> dict[str, str]:
    """Return what a file says for a node such as /nao/bridge, as rcl reads it: texts by name.

    Switches are true or false; the items of a list are joined by commas. Raises
    SubstitutionFailure, which names the file and what is wrong in it.
    """
    entries: dict[str, dict[str, Any]] = {}
    try:
        with open(path, encoding="utf-8") as file:
            document = yaml.load(file, _Texts)
        for name, parameters in _entries(document or {}, ""):
            # Of entries with one name the first says their place, as in rcl.
            entries.setdefault(name, {}).update(parameters)
    except (OSError, UnicodeDecodeError, ValueError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SubstitutionFailure(f"params_file {path!r} cannot be read: {reason}") from error
    found: dict[str, Any] = {}
    for pattern, values in entries.items():
        if re.fullmatch(pattern.replace("/*", r"(/\w+)"), full_name):
            found.update(values)
    return {name: ",".join(v) if isinstance(v, list) else str(v) for name, v in found.items()}


def _entries(value: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(value, dict):
        raise ValueError(f"{name or 'the file'}: a name with ':' is expected, not {value!r}")
    for key, inner in value.items():
        if key != "ros__parameters":
            yield from _entries(inner, f"{name}/{key.lstrip('/')}")
        elif isinstance(inner, dict):
            yield name, inner
        else:
            raise ValueError(f"{name}: ros__parameters: {inner!r} is no parameter with a name")


def perform(context: LaunchContext, value: SomeSubstitutionsType) -> str:
    """Return the text that ``value`` stands for."""
    return str(perform_substitutions(context, normalize_to_list_of_substitutions(value)))


def absolute_namespace(context: LaunchContext, namespace: SomeSubstitutionsType) -> str:
    """Return ``namespace`` as a Node gets it: below those that PushRosNamespace has pushed.

    Raises SubstitutionFailure for what is none: nodes end then, and the rest of a launch goes on.
    """
    text = perform(context, namespace)
    base = "" if text.startswith("/") else context.launch_configurations.get("ros_namespace", "")
    full = f"/{base.strip('/')}/{text.strip('/')}".replace("//", "/").rstrip("/") or "/"
    if not _NAMESPACE.fullmatch(full):
        raise SubstitutionFailure(
            f"{full!r} is no namespace: each part of one has only letters, digits and single '_', "
            "and does not begin with a digit"
        )
    return full


def ending(context: LaunchContext, sentence: str) -> list[Action]:
    """Return the actions that end a launch in order, with ``sentence`` as its error.

    An exception raised by an OpaqueFunction would make launch leave behind what has started.
    """

    def fail(*_: Any) -> None:
        raise RuntimeError(sentence)

    context.register_event_handler(OnShutdown(on_shutdown=fail), append=True)
    return [Shutdown(reason=sentence)]


def _argument(name: str) -> LaunchConfiguration:
    return LaunchConfiguration(name, default="")
