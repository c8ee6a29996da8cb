# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An executor that runs its waiting tasks in the other order than this version of rclpy does."""

from __future__ import annotations

from typing import Any

from rclpy.executors import SingleThreadedExecutor


class _FrontList(list[Any]):
    """A list to which elements are added at the front."""

    def append(self, element: Any) -> None:
        """Add ``element`` at the front."""
        self.insert(0, element)


class ReversedTaskOrder(SingleThreadedExecutor):
    """Runs the newest task first where rclpy runs the oldest first, and the other way round."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Keep the tasks in a list that grows at its front, whenever rclpy makes a new one."""
        super().__setattr__(name, _FrontList(value) if name == "_tasks" else value)


TASK_ORDERS = (SingleThreadedExecutor, ReversedTaskOrder)
