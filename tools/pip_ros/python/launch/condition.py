# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Whether an action takes place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from launch.launch_context import LaunchContext


class Condition:
    """A predicate over the launch context."""

    def __init__(self, *, predicate: Callable[[LaunchContext], bool] | None = None) -> None:
        self._predicate = predicate

    def evaluate(self, context: LaunchContext) -> bool:
        """Return whether the condition holds now."""
        return self._predicate(context) if self._predicate is not None else True
