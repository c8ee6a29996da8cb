# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Conditions of actions."""

from __future__ import annotations

from launch._subset import missing_attribute
from launch.condition import Condition
from launch.launch_context import LaunchContext
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

__all__ = [
    "IfCondition",
    "InvalidConditionExpressionError",
    "LaunchConfigurationEquals",
    "LaunchConfigurationNotEquals",
    "UnlessCondition",
    "evaluate_condition_expression",
]


class InvalidConditionExpressionError(RuntimeError):
    """The text of a condition is neither true nor false."""


def evaluate_condition_expression(
    context: LaunchContext, expression: SomeSubstitutionsType
) -> bool:
    """Return the truth of `expression`: true, 1, false or 0 in any case of letters.

    Raises:
        InvalidConditionExpressionError: It is something else.

    """
    expanded = perform_substitutions(context, normalize_to_list_of_substitutions(expression))
    text = expanded.strip().lower()
    if text in ("true", "1"):
        return True
    if text in ("false", "0"):
        return False
    raise InvalidConditionExpressionError(
        f"invalid condition expression, expected one of [true, 1, false, 0] but got '{text}'"
    )


class IfCondition(Condition):
    """Holds if the text is true."""

    def __init__(self, predicate_expression: SomeSubstitutionsType) -> None:
        subs = normalize_to_list_of_substitutions(predicate_expression)
        super().__init__(predicate=lambda context: evaluate_condition_expression(context, subs))


class UnlessCondition(Condition):
    """Holds if the text is false."""

    def __init__(self, predicate_expression: SomeSubstitutionsType) -> None:
        subs = normalize_to_list_of_substitutions(predicate_expression)
        super().__init__(
            predicate=lambda context: not evaluate_condition_expression(context, subs)
        )


class LaunchConfigurationEquals(Condition):
    """Holds if a launch configuration has the given value (None: if it is not set)."""

    def __init__(
        self, launch_configuration_name: str, expected_value: SomeSubstitutionsType | None
    ) -> None:
        self._name = launch_configuration_name
        self._expected = (
            None if expected_value is None else normalize_to_list_of_substitutions(expected_value)
        )
        super().__init__(predicate=self._equal)

    def _equal(self, context: LaunchContext) -> bool:
        value = context.launch_configurations.get(self._name)
        if self._expected is None or value is None:
            return self._expected is None and value is None
        return bool(value == perform_substitutions(context, self._expected))


class LaunchConfigurationNotEquals(LaunchConfigurationEquals):
    """The opposite of LaunchConfigurationEquals."""

    def evaluate(self, context: LaunchContext) -> bool:
        """Return whether the configuration differs from the given value."""
        return not super().evaluate(context)


__getattr__ = missing_attribute(__name__)
