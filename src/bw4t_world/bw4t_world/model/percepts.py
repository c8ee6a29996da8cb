# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Percepts as data: a name with arguments, and what one poll brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

NEGATION = "not"
"""Name of the percept that takes back an earlier one, which is its only argument."""


class Percept(NamedTuple):
    """One percept, for example ``color(43,Yellow)``.

    Arguments are ``str`` for identifiers, ``int`` or ``float`` for numbers, ``bool`` for truth
    values, ``tuple`` for lists, and a :class:`Percept` in ``not(...)``.
    """

    name: str
    args: tuple[Any, ...] = ()

    def __str__(self) -> str:
        """Return the text form, which is that of the original's recordings."""
        return f"{self.name}({','.join(_text(arg) for arg in self.args)})"

    @property
    def is_negation(self) -> bool:
        """Whether this takes an earlier percept back."""
        return self.name == NEGATION


make_percept: Callable[[tuple[str, tuple[Any, ...]]], Percept] = partial(tuple.__new__, Percept)
"""Makes a percept of a pair of name and arguments, faster than its constructor."""


def negated(percept: Percept) -> Percept:
    """Return the percept that takes another one back."""
    return Percept(NEGATION, (percept,))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Percept):
        return str(value)
    if isinstance(value, tuple):
        return f"[{','.join(_text(item) for item in value)}]"
    return str(value)


class PerceptUpdate(NamedTuple):
    """What one poll brings.

    With the delivery of EIS 0.5 ``add`` has everything, negations included, and ``delete`` is
    empty. With that of EIS 0.7 the percepts of ``delete`` hold no longer, and those of ``add``
    hold until they are deleted.
    """

    add: list[Percept]
    delete: list[Percept]

    def named(self, name: str) -> Iterator[tuple[Any, ...]]:
        """Yield the arguments of the added percepts of a name."""
        return (percept.args for percept in self.add if percept.name == name)


def message_content(args: tuple[Any, ...]) -> tuple[str, str]:
    """Return sender and text of a percept ``message``.

    It is ``message(Sender, Text)`` in the document, ``message([Sender, Text])`` from the servers.
    """
    sender, text = args if len(args) == 2 else args[0]
    return str(sender), str(text)
