# SPDX-License-Identifier: Apache-2.0
"""Parameters files, read as the nodes themselves read them, and written.

A file has entries ``PATTERN: {ros__parameters: {...}}``. A node takes the entries whose pattern
matches its full name, ``/*`` standing for one part of a name and ``/**`` for any number of them.
Of two entries for one parameter the later one counts, whichever pattern is more specific.
rcl and PyYAML do not agree on the type of every plain text, such as ``1e3`` or ``y``: rcl counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from legacy_robots_common.launching import LaunchError

KEY = "ros__parameters"
Values = dict[str, Any]
"""Parameters of a node by name; the name of a nested one is joined by dots."""

_TEXT, _PLAIN = "tag:yaml.org,2002:str", "!plain"
_TRUE = {"Y", "y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}
_FALSE = {"N", "n", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}
_INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_OCTAL = re.compile(r"[+-]?0\d+")
_REAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INFINITE = re.compile(r"[+-]?\.?([iI]nf|INF|[iI]nfinity)|\.?(nan|NaN|NAN)")
_INT64 = range(-(2**63), 2**63)


class _Loader(yaml.SafeLoader):
    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """Mark plain texts, whose type is open."""
        if kind is yaml.ScalarNode and implicit[0]:
            return _PLAIN
        return super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar(_TEXT, text, style='"'))


class ParametersFile:
    """The entries of a parameters file."""

    def __init__(self, path: str | Path) -> None:
        """Read the file at ``path``. Raises LaunchError, which names the file and the line."""
        self._path = path
        try:
            with open(path, encoding="utf-8") as file:
                document = yaml.compose(file, Loader=_Loader)
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise LaunchError(f"params_file {str(path)!r} cannot be read: {reason}") from error
        self._entries: dict[str, Values] = {}
        if document is not None:
            self._read(document, "")

    def _read(self, node: yaml.Node, name: str) -> None:
        """Collect the entries below ``node``, which has the key ``name``."""
        for key, value in self._pairs(node, "a name of a node"):
            if key.value == KEY and name:
                absolute = name if name.startswith("/") else f"/{name}"
                # Of entries with one name the first says their place, as in rcl.
                entry = self._entries.setdefault(absolute, {})
                entry.update(self._flat(value, ""))
            else:
                self._read(value, f"{name}/{key.value}" if name else key.value)

    def _flat(self, node: yaml.Node, prefix: str) -> Iterator[tuple[str, Any]]:
        for key, value in self._pairs(node, "a parameter"):
            if isinstance(value, yaml.MappingNode):
                yield from self._flat(value, f"{prefix}{key.value}.")
            else:
                yield f"{prefix}{key.value}", _value_of(value)

    def _pairs(self, node: yaml.Node, what: str) -> Iterable[tuple[yaml.Node, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            line = node.start_mark.line + 1
            raise LaunchError(
                f"params_file {str(self._path)!r}, line {line}: {what} with ':' is expected"
            )
        pairs: list[tuple[yaml.Node, yaml.Node]] = node.value
        return pairs

    def values_of(self, full_name: str) -> Values:
        """Return what the file says for the node ``full_name``, such as /nao/bridge."""
        found: Values = {}
        for pattern, values in self._entries.items():
            if re.fullmatch(pattern.replace("/*", r"(/\w+)"), full_name):
                found.update(values)
        return found


def _value_of(node: yaml.Node) -> Any:
    """Return the value of a parameter, by rcl's rules: bool, int, float, str or a list of these.

    A plain text that is neither a number nor a bool to rcl is a str, ``null`` too.
    """
    if isinstance(node, yaml.SequenceNode):
        return [_value_of(item) for item in node.value]
    assert isinstance(node, yaml.ScalarNode)
    text: str = node.value
    if node.style in ("'", '"') or (node.tag == _TEXT and node.style is None):
        return text
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        number = int(text, 8 if _OCTAL.fullmatch(text) else 0)
        if number in _INT64:
            return number
    if _REAL.fullmatch(text) and not math.isinf(float(text)):
        return float(text)
    return float(text.replace(".", "")) if _INFINITE.fullmatch(text) else text


def text_of(entries: Mapping[str, Values]) -> str:
    """Return a parameters file with the values of the nodes of these full names."""
    document = {name: {KEY: values} for name, values in entries.items()}
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=math.inf)
