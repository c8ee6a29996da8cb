# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Reading and writing the small XML documents of BW4T: strict, bounded and safe.

The original binds its files with JAXB, which skips unknown elements and takes the last of
repeated ones. That turns a misspelt element into a silently different world, so this reader
refuses both, and names the element. Document types and entities are refused as a whole.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Protocol, TypeVar
from xml.etree.ElementTree import Element, ParseError, SubElement, indent, tostring

from defusedxml import ElementTree as SafeElementTree
from defusedxml.common import DefusedXmlException

MAX_BYTES = 8 * 1024 * 1024
"""A file above this size is refused; the largest map of the original has 13 kB."""

MAX_DEPTH = 16
"""Elements nested deeper than this are refused; maps nest five deep."""

MAX_MAGNITUDE = 1e6
"""Lengths and coordinates beyond this are refused: they cannot be meant."""

Source = str | os.PathLike[str]
_Choice = TypeVar("_Choice", bound=Enum)

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?\Z")
_INTEGER = re.compile(r"[+-]?[0-9]{1,20}\Z")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
# Attributes that describe the document rather than its content.
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
# What XML 1.0 can carry, less the controls that it allows but that make no sense in a name.
_UNWRITABLE = re.compile("[^\t\n\r -\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class DocumentError(ValueError):
    """A file that cannot be read, or whose content is not what it must be.

    ``source`` names the file, ``element`` the place in it as a path such as
    ``zones[3](RoomA1)/doors[1]/position/x`` (empty when the file as a whole is at fault), and
    ``problem`` says in one sentence what is wrong.
    """

    def __init__(self, problem: str, *, source: str = "", element: str = "") -> None:
        self.problem = problem
        self.source = source
        self.element = element
        super().__init__(": ".join(part for part in (source, element, problem) if part))


class _Fail(Protocol):
    def __call__(self, problem: str, *, source: str = "", element: str = "") -> DocumentError: ...


def load(source: Source, root: str, fail: _Fail) -> Node:
    """Read a file whose root element must be ``root``; every fault is raised as ``fail(...)``."""
    return parse(read(source, fail), root, fail, source=os.fspath(source))


def root_of(text: bytes, source: str, fail: _Fail) -> str:
    """Return the name of a document's root element; faults as in :func:`parse`."""
    return _tree(text, fail, source).tag


def parse(text: bytes | str, root: str, fail: _Fail, *, source: str = "") -> Node:
    """Parse a document whose root element must be ``root``; faults as in :func:`load`."""
    element = _tree(text, fail, source)
    if element.tag != root:
        raise fail(f"the root element is <{element.tag}>, not <{root}>", source=source)
    _check_depth(element, fail, source)
    return Node(element, "", source, fail)


def read(source: Source, fail: _Fail) -> bytes:
    """Return the text of a file, which may be a pipe; faults as in :func:`load`."""
    try:
        with Path(source).open("rb") as file:
            # One byte more than allowed shows that the file is too long, however long it is.
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
    except ValueError as error:  # a path with a null byte
        problem = f"cannot be read: {error}"
    raise fail(problem, source=os.fspath(source))


def _tree(text: bytes | str, fail: _Fail, source: str) -> Element:
    if len(text) > MAX_BYTES:
        raise fail(f"is larger than {MAX_BYTES // 1024 // 1024} MiB", source=source)
    try:
        element: Element = SafeElementTree.fromstring(text, forbid_dtd=True)
    except DefusedXmlException:
        raise fail("document types and entities are not allowed", source=source) from None
    except ParseError as error:
        raise fail(f"is not well-formed XML: {error}", source=source) from None
    except (ValueError, LookupError) as error:  # unknown or misused encodings
        raise fail(f"cannot be decoded: {error}", source=source) from None
    return element


def _check_depth(root: Element, fail: _Fail, source: str) -> None:
    level: list[Element] = [root]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
        if not level:
            return
    raise fail(f"elements are nested deeper than {MAX_DEPTH} levels", source=source)


class Node:
    """An element while it is read: its place in the file, its children and its typed text."""

    def __init__(self, element: Element, path: str, source: str, fail: _Fail) -> None:
        self._element = element
        self.path = path
        self._source = source
        self._fail = fail

    def error(self, problem: str) -> DocumentError:
        """Return the error that this element has a problem."""
        return self._fail(problem, source=self._source, element=self.path)

    def fields(self, single: Iterable[str], repeated: Iterable[str] = ()) -> Fields:
        """Return the children by name.

        Any other child, a repeated one of ``single``, an attribute and stray text are errors.
        """
        single, repeated = frozenset(single), frozenset(repeated)
        self._refuse_attributes()
        found: dict[str, list[Node]] = {}
        if (self._element.text or "").strip():
            raise self.error("has text where only elements can be")
        for child in self._element:
            name = child.tag
            if not isinstance(name, str) or name not in single | repeated:
                raise self.error(f"has an unknown element <{name}>")
            nodes = found.setdefault(name, [])
            index = f"[{len(nodes) + 1}]" if name in repeated else ""
            path = f"{self.path}/{name}{index}" if self.path else f"{name}{index}"
            if name in single and nodes:
                raise Node(child, path, self._source, self._fail).error("is given twice")
            if (child.tail or "").strip():
                raise self.error(f"has stray text after <{name}>")
            nodes.append(Node(child, path, self._source, self._fail))
        return Fields(self, found)

    def text(self) -> str:
        """Return the text with surrounding white space removed and inner runs made one blank."""
        self._refuse_attributes()
        for child in self._element:
            raise self.error(f"has an element <{child.tag}> where only text can be")
        return " ".join((self._element.text or "").split())

    def decimal(self) -> float:
        """Return a finite number of bounded size."""
        text = self.text()
        value = float(text) if _DECIMAL.match(text) else math.nan
        if not abs(value) <= MAX_MAGNITUDE:
            limit = f"{MAX_MAGNITUDE:g}"
            raise self.error(f"{_quote(text)} is not a number between -{limit} and {limit}")
        return value + 0.0  # no negative zero

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``."""
        text = self.text()
        value = int(text) if _INTEGER.match(text) else None
        if value is None or not low <= value <= high:
            raise self.error(f"{_quote(text)} is not a whole number from {low} to {high}")
        return value

    def boolean(self) -> bool:
        """Return a truth value."""
        text = self.text()
        if text not in _BOOLEANS:
            raise self.error(f"{_quote(text)} is neither true nor false")
        return _BOOLEANS[text]

    def choice(self, choices: type[_Choice], what: str) -> _Choice:
        """Return the member of ``choices`` whose name the text is."""
        text = self.text()
        if text not in choices.__members__:
            known = ", ".join(choices.__members__)
            raise self.error(f"{_quote(text)} is no {what}; known are {known}")
        return choices[text]

    def _refuse_attributes(self) -> None:
        for name in self._element.attrib:
            if not name.startswith(_XSI):
                raise self.error(f"has an attribute {name!r}; BW4T files have none")


_Value = TypeVar("_Value")


class Fields:
    """The children of an element, by name."""

    def __init__(self, parent: Node, found: dict[str, list[Node]]) -> None:
        self._parent = parent
        self._found = found

    def get(self, name: str, read: Callable[[Node], _Value], default: _Value) -> _Value:
        """Return what ``read`` makes of the only child of a name, or the default."""
        nodes = self._found.get(name)
        return read(nodes[0]) if nodes else default

    def require(self, name: str, read: Callable[[Node], _Value]) -> _Value:
        """Return what ``read`` makes of the only child of a name, which must be there."""
        nodes = self._found.get(name)
        if not nodes:
            raise self._parent.error(f"has no element <{name}>")
        return read(nodes[0])

    def all(self, name: str) -> list[Node]:
        """Return all children of a name, in file order."""
        return self._found.get(name, [])


def is_writable(text: str) -> bool:
    """Whether XML can carry a text, and reading it back (see :meth:`Node.text`) is lossless."""
    return not _UNWRITABLE.search(text) and " ".join(text.split()) == text


def number_text(value: float) -> str:
    """Return a number as the original writes doubles: always with a decimal point."""
    return repr(float(value))


def boolean_text(value: bool) -> str:
    """Return ``true`` or ``false``."""
    return "true" if value else "false"


def add(parent: Element, name: str, text: str | None = None) -> Element:
    """Append an element, with text unless it is to hold elements."""
    element = SubElement(parent, name)
    element.text = text
    return element


def serialize(root: Element) -> str:
    """Return a document as the original lays it out: declaration, four blanks of indent."""
    indent(root, space="    ")
    body: str = tostring(root, encoding="unicode", short_empty_elements=True)
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{body}\n'


def _quote(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}...")
