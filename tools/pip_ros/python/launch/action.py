# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of every action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from launch._subset import reject_keywords
from launch.condition import Condition
from launch.launch_description_entity import LaunchDescriptionEntity

if TYPE_CHECKING:
    from launch.launch_context import LaunchContext


class Action(LaunchDescriptionEntity):
    """Something to do, possibly under a condition."""

    def __init__(self, *, condition: Condition | None = None, **unknown: Any) -> None:
        module = ".".join(type(self).__module__.split(".")[:2])
        reject_keywords(f"{module}.{type(self).__name__}", unknown)
        if condition is not None and not isinstance(condition, Condition):
            raise TypeError(
                f"condition of {type(self).__name__} must be a launch condition such as "
                f"IfCondition, but is {condition!r}"
            )
        self._condition = condition

    @property
    def condition(self) -> Condition | None:
        """The condition, or None."""
        return self._condition

    def visit(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Execute the action if its condition holds."""
        if self._condition is None or self._condition.evaluate(context):
            return self.execute(context)
        return None

    def execute(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Do the action and return the entities to visit next."""
        raise NotImplementedError
