# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Forms that people read and fill in: texts, scales, choices, numbers and free text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

SHIPPED = {"nasa-tlx": Path(__file__).with_name("nasa_tlx.yaml")}
"""Questionnaires of the package by their names in an experiment file."""

MAX_POINTS = 101
MAX_ITEMS = 60
MAX_TEXT = 1000
"""Characters of a free text."""


@dataclass(frozen=True)
class Item:
    """One question.

    ``kind`` is ``scale`` (the answer is from 1 to ``points``, ``low`` and ``high`` are the words
    at its ends), ``choice`` (one of ``options``), ``number`` or ``text``. ``right`` is the answer
    that a comprehension check wants.
    """

    id: str
    ask: str
    kind: str
    points: int = 0
    low: str = ""
    high: str = ""
    options: tuple[str, ...] = ()
    optional: bool = False
    right: str = ""
    least: float | None = None
    most: float | None = None
    """Bounds of a number."""

    def read(self, value: object) -> Any:
        """Return an answer, None for one that is left out. Raises ValueError."""
        if value is None or value == "":
            if self.optional:
                return None
            raise ValueError(f"Please answer: {self.ask}")
        if self.kind == "scale":
            fits = type(value) is int and 1 <= value <= self.points
        elif self.kind == "choice":
            fits = value in self.options
        elif self.kind == "number":
            fits = (
                isinstance(value, (int, float))
                and not isinstance(value, bool)
                and abs(value) <= sys.float_info.max
            )
            if fits and not self._is_within(value):
                raise ValueError(f"Please answer with a number {self.bounds}: {self.ask}")
        else:
            fits = isinstance(value, str) and len(value) <= MAX_TEXT
        if not fits:
            raise ValueError(f"This is no answer to: {self.ask}")
        return value

    def _is_within(self, value: Any) -> bool:
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)

    @property
    def bounds(self) -> str:
        """The bounds of a number in words."""
        ends = (("from", self.least), ("to", self.most))
        return " ".join(f"{word} {end:g}" for word, end in ends if end is not None)

    def shown(self) -> dict[str, Any]:
        """Return what a page needs to ask it."""
        fields: dict[str, Any] = {"id": self.id, "ask": self.ask, "kind": self.kind}
        fields |= {"optional": self.optional, "most": MAX_TEXT}
        if self.kind == "number":
            fields |= {"min": self.least, "max": self.most, "bounds": self.bounds}
        if self.kind == "scale":
            fields |= {"points": self.points, "low": self.low, "high": self.high}
        return fields | {"options": list(self.options)}


@dataclass(frozen=True)
class Form:
    """A page of text and questions; ``submit`` is the text of its button.

    With ``refuse``, the text of another button, a person can decline to take part.
    """

    id: str
    title: str
    text: str = ""
    items: tuple[Item, ...] = ()
    submit: str = "Continue"
    refuse: str = ""

    def read(self, answers: object) -> dict[str, Any]:
        """Return the answers by the ids of the items. Raises ValueError with a sentence."""
        if not isinstance(answers, Mapping):
            raise ValueError("answers must be an object")
        if unknown := answers.keys() - {item.id for item in self.items}:
            raise ValueError(f"{self.id} does not ask for {sorted(map(str, unknown))[0]}")
        return {item.id: item.read(answers.get(item.id)) for item in self.items}

    def wrong(self, answers: Mapping[str, Any]) -> int:
        """Return how many answers are not those that a comprehension check wants."""
        return sum(bool(item.right) and answers[item.id] != item.right for item in self.items)

    def shown(self) -> dict[str, Any]:
        """Return what a page needs to show it."""
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "items": [item.shown() for item in self.items],
            "submit": self.submit,
            "refuse": self.refuse,
        }


def read_form(name: str, data: Any) -> Form:
    """Return the questionnaire that an experiment file describes. Raises ValueError, TypeError."""
    if not isinstance(data, dict):
        raise TypeError(f"{name}: a questionnaire is a table of title, text and items")
    if unknown := data.keys() - {"title", "text", "items"}:
        raise ValueError(f"{name}: unknown: {sorted(map(str, unknown))[0]}")
    said = data.get("items", [])
    if not isinstance(said, list) or not 0 < len(said) <= MAX_ITEMS:
        raise ValueError(f"{name}: items: a list of 1 to {MAX_ITEMS} questions")
    items = tuple(_item(f"{name}: items", number, item) for number, item in enumerate(said, 1))
    if len({item.id for item in items}) != len(items):
        raise ValueError(f"{name}: items: two have one id")
    return Form(name, str(data.get("title", name)), str(data.get("text", "")), items)


def shipped_form(name: str) -> Form:
    """Return a questionnaire of :data:`SHIPPED`."""
    return read_form(name, yaml.safe_load(SHIPPED[name].read_text(encoding="utf-8")))


KINDS = {"scale": int, "options": list, "text": bool, "number": bool}
"""The entry that says the kind of an item, with the type of its value."""


def _is_a(value: Any, kind: type) -> bool:
    return type(value) is kind


def _item(where: str, number: int, data: Any) -> Item:
    where = f"{where}: {number}"
    if not isinstance(data, dict) or not isinstance(data.get("ask"), str):
        raise TypeError(f"{where}: a table with ask, the question")
    known = {"id", "ask", "low", "high", "optional", "right", "min", "max", *KINDS}
    if unknown := data.keys() - known:
        raise ValueError(f"{where}: unknown: {sorted(map(str, unknown))[0]}")
    kinds = [kind for kind in KINDS if kind in data]
    if len(kinds) != 1:
        raise ValueError(f"{where}: one of {', '.join(KINDS)}")
    (kind,) = kinds
    value: Any = data[kind]
    if not _is_a(value, KINDS[kind]):
        raise ValueError(f"{where}: {kind}: {value!r} is no {KINDS[kind].__name__}")
    if kind == "scale" and not 2 <= value <= MAX_POINTS:
        raise ValueError(f"{where}: scale: from 2 to {MAX_POINTS} points")
    least, most = _bounds(where, kind, data)
    options = tuple(map(str, value)) if kind == "options" else ()
    if kind == "options" and (len(options) < 2 or len(set(options)) != len(options)):
        raise ValueError(f"{where}: options: at least two different ones")
    right = str(data.get("right", ""))
    if right and right not in options:
        raise ValueError(f"{where}: right: one of the options")
    return Item(
        str(data.get("id", f"q{number}")),
        data["ask"],
        "choice" if kind == "options" else kind,
        points=value if kind == "scale" else 0,
        low=str(data.get("low", "")),
        high=str(data.get("high", "")),
        options=options,
        optional=bool(data.get("optional", False)),
        right=right,
        least=least,
        most=most,
    )


def _bounds(where: str, kind: str, data: dict[str, Any]) -> tuple[float | None, float | None]:
    """Return the least and the greatest number that is an answer."""
    given = {name: data[name] for name in ("min", "max") if name in data}
    if given and kind != "number":
        raise ValueError(f"{where}: {min(given)}: is for a number")
    if not all(type(end) in (int, float) for end in given.values()):
        raise ValueError(f"{where}: min and max: numbers")
    least, most = given.get("min"), given.get("max")
    if least is not None and most is not None and not least <= most:
        raise ValueError(f"{where}: min is above max")
    return least, most
