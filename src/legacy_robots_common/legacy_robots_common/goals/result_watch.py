# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A detector of results that no client gets."""

from __future__ import annotations

from typing import Any

from legacy_robots_common.node.program_node import ProgramNode

WITHIN_S = 5.0
"""How long after a goal's end its result may be asked for, and written, unnoticed."""


class ResultWatch:
    """Logs a result that was asked for and not written, and one that no client has asked for.

    On the executor.
    """

    def __init__(self, node: ProgramNode, name: str) -> None:
        self._node = node
        self._name = name
        self._asked: set[bytes] = set()
        self._ended: set[bytes] = set()
        self._unwritten: dict[int, tuple[Any, bytes]] = {}
        """By the id of a request's header: the header, and the goal's id."""

    def asked(self, goal_id: bytes, header: Any) -> None:
        """Take a request for a result."""
        self._asked.add(goal_id)
        self._unwritten[id(header)] = header, goal_id
        if goal_id in self._ended:
            self._look_later(goal_id)

    def written(self, header: Any) -> None:
        """Take the answer of a request."""
        self._unwritten.pop(id(header), None)

    def ended(self, goal_id: bytes) -> None:
        """Take the end of a goal."""
        self._ended.add(goal_id)
        self._look_later(goal_id)

    def expired(self, goal_id: bytes) -> None:
        """Forget a goal."""
        self._ended.discard(goal_id)
        self._asked.discard(goal_id)

    def _look_later(self, goal_id: bytes) -> None:
        def look() -> None:
            self._node.destroy_timer(timer)
            logger, goal = self._node.get_logger(), f"goal {goal_id.hex()}"
            mine = [key for key, (_, other) in self._unwritten.items() if other == goal_id]
            if mine:
                text = f"{goal} has ended, and its result was asked for, but not written"
                logger.error(f"{self._name}: {text} within {WITHIN_S:g} s")
            elif goal_id not in self._asked:
                text = f"no client has asked for the result of {goal} within {WITHIN_S:g} s"
                logger.info(f"{self._name}: {text}")
            for key in mine:
                del self._unwritten[key]

        timer = self._node.steady_timer(WITHIN_S, look)
