# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The tree of a launch file in XML or YAML, and the substitutions in its texts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from launch._subset import outside_subset
from launch._text_substitution import TextSubstitution
from launch.launch_context import LaunchContext
from launch.substitution import Substitution

_WORD = re.compile(r"""(?:\$\((?:[^()]|\([^()]*\))*\)|"[^"]*"|'[^']*'|\S)+""")
_SUBSTITUTION = re.compile(r"\$\(\s*([\w-]+)")


class ElementError(Exception):
    """Raised for an element that cannot be; the message names it."""


@dataclass
class Element:
    """An element with its attributes and the elements in it, in their order."""

    name: str
    attributes: dict[str, Any] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    _used: set[str] = field(default_factory=set)

    def get(self, *names: str) -> Any:
        """Return the attribute of one of these names, None where there is none."""
        self._used.update(names)
        return next((self.attributes[n] for n in names if n in self.attributes), None)

    def required(self, *names: str) -> Any:
        """Return an attribute. Raises ElementError where there is none."""
        value = self.get(*names)
        if value is None:
            raise ElementError(f"<{self.name}> needs the attribute {names[0]!r}")
        return value

    def text(self, *names: str) -> list[Substitution] | None:
        """Return an attribute as substitutions."""
        value = self.get(*names)
        return None if value is None else parse_text(value)

    def required_text(self, *names: str) -> list[Substitution]:
        """Return an attribute as substitutions. Raises ElementError where there is none."""
        return parse_text(self.required(*names))

    def words(self, *names: str) -> list[list[Substitution]]:
        """Return an attribute that is a command line, word by word."""
        value = self.get(*names)
        found = _WORD.findall("" if value is None else str(value))
        return [parse_text(re.sub(r"""^(["'])(.*)\1$""", r"\2", word)) for word in found]

    def of(self, name: str) -> list[Element]:
        """Return the elements in it that are called ``name``."""
        self._used.add(name)
        return [child for child in self.children if child.name == name]

    def all_children(self) -> list[Element]:
        """Return all elements in it."""
        self._used.update(child.name for child in self.children)
        return self.children

    def check(self) -> None:
        """Raise ElementError for what was not asked for."""
        for name in [*self.attributes, *(child.name for child in self.children)]:
            if name not in self._used:
                raise ElementError(outside_subset(f"{name!r} in <{self.name}>"))


def from_xml(text: str) -> Element:
    """Return the root of a file in XML. Raises ElementError."""

    def read(node: ElementTree.Element) -> Element:
        return Element(node.tag, dict(node.attrib), [read(child) for child in node])

    try:
        return read(ElementTree.fromstring(text))
    except ElementTree.ParseError as error:
        raise ElementError(f"it is no XML: {error}") from error


def from_yaml(text: str) -> Element:
    """Return the root of a file in YAML. Raises ElementError."""
    import yaml

    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ElementError(f"it is no YAML: {error}") from error
    if not isinstance(document, dict) or len(document) != 1:
        raise ElementError("it must have one key, 'launch'")
    ((name, value),) = document.items()
    return _yaml_element(name, value)


def _yaml_element(name: str, value: Any) -> Element:
    if isinstance(value, list):
        return Element(name, {}, _yaml_children(name, value))
    if not isinstance(value, dict):
        raise ElementError(f"{name!r} must have attributes or a list of actions, not {value!r}")
    element = Element(name)
    for key, item in value.items():
        if key == "children":
            element.children += _yaml_children(name, item)
        elif isinstance(item, list) and all(isinstance(entry, dict) for entry in item):
            element.children += [_yaml_element(key, entry) for entry in item]
        else:
            element.attributes[key] = item
    return element


def _yaml_children(name: str, value: Any) -> list[Element]:
    if not isinstance(value, list) or not all(
        isinstance(entry, dict) and len(entry) == 1 for entry in value
    ):
        raise ElementError(f"{name!r} must have a list of actions, each with one key")
    return [_yaml_element(*item) for entry in value for item in entry.items()]


class ExpandedText(Substitution):
    """A text with substitutions such as ``$(var name)``."""

    def __init__(self, text: str) -> None:
        from launch_ros._file_substitutions import KINDS

        self._text = text
        for kind in _SUBSTITUTION.findall(text):
            if kind not in KINDS:
                raise ElementError(outside_subset(f"$({kind} ...)"))

    def describe(self) -> str:
        """Return the text."""
        return f"'{self._text}'"

    def perform(self, context: LaunchContext) -> str:
        """Return the text with its substitutions expanded."""
        from launch_ros._file_substitutions import expand_text

        return expand_text(context, self._text, "a launch file")


def parse_text(value: Any) -> list[Substitution]:
    """Return the text of an attribute as substitutions. Raises ElementError for unknown ones."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return [ExpandedText(text) if "$(" in text else TextSubstitution(text=text)]
