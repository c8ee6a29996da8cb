# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Comparison, boolean combination and choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from launch.launch_context import LaunchContext
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution, SubstitutionFailure
from launch.utilities import (
    describe_substitutions,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)

_TRUE = ("true", "1", "on", "yes")
_FALSE = ("false", "0", "off", "no")


def text_to_bool(text: str) -> bool:
    """Return the truth that `text` names.

    Raises:
        ValueError: It names none.

    """
    if text.strip().lower() in _TRUE:
        return True
    if text.strip().lower() in _FALSE:
        return False
    raise ValueError(f"Cannot convert value '{text}' to '<class 'bool'>'")


def _truth(context: LaunchContext, subs: Sequence[Substitution]) -> bool:
    try:
        return text_to_bool(perform_substitutions(context, subs))
    except ValueError as error:
        raise SubstitutionFailure(str(error)) from None


def _text(value: bool) -> str:
    return "true" if value else "false"


class _Operator(Substitution):
    def __init__(self, *operands: SomeSubstitutionsType) -> None:
        self.operands = [normalize_to_list_of_substitutions(value) for value in operands]

    def describe(self) -> str:
        """Return the operands."""
        parts = ", ".join(describe_substitutions(subs) for subs in self.operands)
        return f"{type(self).__name__}({parts})"


def _as_operand(value: Any) -> SomeSubstitutionsType:
    """Python values stand for their texts, None for the empty one."""
    if value is None:
        return ""
    if isinstance(value, (bool, int, float)):
        return str(value)
    return value  # type: ignore[no-any-return]


class EqualsSubstitution(_Operator):
    """`true` if both sides are equal as booleans, as numbers or as texts."""

    def __init__(self, left: Any, right: Any) -> None:
        super().__init__(_as_operand(left), _as_operand(right))

    def perform(self, context: LaunchContext) -> str:
        """Return true or false."""
        return _text(self._equal(context))

    def _equal(self, context: LaunchContext) -> bool:
        left, right = (perform_substitutions(context, subs) for subs in self.operands)
        words = (left.strip().lower(), right.strip().lower())
        if all(word in _TRUE + _FALSE for word in words):
            return (words[0] in _TRUE) == (words[1] in _TRUE)
        try:
            return math.isclose(float(left), float(right))
        except ValueError:
            return left == right


class NotEqualsSubstitution(EqualsSubstitution):
    """The opposite of EqualsSubstitution."""

    def perform(self, context: LaunchContext) -> str:
        """Return true or false."""
        return _text(not self._equal(context))


class NotSubstitution(_Operator):
    """`true` if the value is false."""

    def __init__(self, value: SomeSubstitutionsType) -> None:
        super().__init__(value)

    def perform(self, context: LaunchContext) -> str:
        """Return true or false."""
        return _text(not _truth(context, self.operands[0]))


class AnySubstitution(_Operator):
    """`true` if any value is true."""

    def perform(self, context: LaunchContext) -> str:
        """Return true or false; every value must name a truth."""
        truths = [_truth(context, subs) for subs in self.operands]
        return _text(any(truths))


class AllSubstitution(_Operator):
    """`true` if all values are true."""

    def perform(self, context: LaunchContext) -> str:
        """Return true or false; every value must name a truth."""
        truths = [_truth(context, subs) for subs in self.operands]
        return _text(all(truths))


class AndSubstitution(AllSubstitution):
    """`true` if both values are true."""

    def __init__(self, left: SomeSubstitutionsType, right: SomeSubstitutionsType) -> None:
        super().__init__(left, right)


class OrSubstitution(AnySubstitution):
    """`true` if one of the two values is true."""

    def __init__(self, left: SomeSubstitutionsType, right: SomeSubstitutionsType) -> None:
        super().__init__(left, right)


class IfElseSubstitution(_Operator):
    """One of two texts by the truth of a third."""

    def __init__(
        self,
        condition: SomeSubstitutionsType,
        if_value: SomeSubstitutionsType = "",
        else_value: SomeSubstitutionsType = "",
    ) -> None:
        super().__init__(condition, if_value, else_value)

    def perform(self, context: LaunchContext) -> str:
        """Return the chosen text."""
        condition, if_value, else_value = self.operands
        return perform_substitutions(
            context, if_value if _truth(context, condition) else else_value
        )
