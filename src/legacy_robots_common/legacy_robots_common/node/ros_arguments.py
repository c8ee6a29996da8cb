# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS arguments as people write them: mended, or refused with a sentence."""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import rclpy
import yaml
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

from legacy_robots_common.node.program_node import StartupError

__all__ = ["initialize", "mended", "without_ros_arguments"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?\d+")
_FLOAT = re.compile(r"[-+]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d+)?")
_PART = r"(?!\d)(?!\w*__)\w+"
_NAMES = {
    "__ns": re.compile(rf"/|(/{_PART})+", re.ASCII),
    "__node": re.compile(_PART, re.ASCII),
    "__name": re.compile(_PART, re.ASCII),
}
_RULE = "has only letters, digits and single '_', and does not begin with a digit"
_WHERE = re.compile(r", at \S+:\d+")
"""The end of rcl's messages: lines of its source."""


def without_ros_arguments(arguments: Sequence[str]) -> list[str]:
    """Return what of a command line is no ROS argument. Raises StartupError for a wrong one."""
    try:
        with mended(arguments) as given:
            return list(remove_ros_args(args=given))
    except RuntimeError as error:  # rclpy's own are not public
        text = _WHERE.sub("", str(error))
        unknown = "unknown ROS arguments " if text.startswith("[") else ""
        raise StartupError(unknown + text) from error


def initialize(arguments: Sequence[str]) -> None:
    """Call rclpy.init without its signal handlers; without_ros_arguments has found no fault."""
    with mended(arguments) as given:
        rclpy.init(args=given, signal_handler_options=SignalHandlerOptions.NO)


@contextmanager
def mended(arguments: Sequence[str]) -> Iterator[list[str]]:
    """Yield ``arguments`` as rcl takes them, until they are read.

    Of a list of numbers of which only some have a fraction the others get one: rcl refuses lists
    of two types. Raises StartupError for a namespace or a node name that is none, and for a file
    that cannot be read.
    """
    result = list(arguments)
    with ExitStack() as files:
        for i, (option, value) in enumerate(itertools.pairwise(arguments), 1):
            if option in ("-r", "--remap"):
                _check_name(value)
            elif option in ("-p", "--param"):
                name, equals, text = value.partition(":=")
                result[i] = name + equals + _with_numbers_alike(text)
            elif option == "--params-file":
                text = _read(value)
                if (better := _with_numbers_alike(text)) != text:
                    file = files.enter_context(tempfile.NamedTemporaryFile("w", suffix=".yaml"))
                    file.write(better)
                    file.flush()
                    result[i] = file.name
        yield result


def _check_name(rule: str) -> None:
    target, _, name = rule.partition(":=")
    target = target.rpartition(":")[2]
    if target in _NAMES and not _NAMES[target].fullmatch(name):
        kind = "namespace: each part of one" if target == "__ns" else "name of a node: one"
        raise StartupError(f"{name!r} is no {kind} {_RULE}")


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StartupError(f"parameters file {path!r} cannot be read: {error}") from error


def _with_numbers_alike(text: str) -> str:
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError:
        return text  # rcl reports it
    for end in sorted(_ends_of_integers(root), reverse=True):
        text = f"{text[:end]}.0{text[end:]}"
    return text


def _ends_of_integers(node: Any) -> Iterator[int]:
    """Yield where the integers in lists of numbers with a fraction end."""
    if isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _ends_of_integers(value)
    elif isinstance(node, yaml.SequenceNode):
        plain = [item for item in node.value if getattr(item, "style", "?") in (None, "")]
        integers = [item for item in plain if _INTEGER.fullmatch(str(item.value))]
        others = len([item for item in plain if _FLOAT.fullmatch(str(item.value))])
        if others and len(integers) + others == len(node.value):
            yield from (item.end_mark.index for item in integers)
