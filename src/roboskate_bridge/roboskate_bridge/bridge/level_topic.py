# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The latched topic ``level``: which level is played, and whether its time passes by itself."""

from __future__ import annotations

import threading

from std_msgs.msg import Header

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs.msg import RoboSkateLevel


class LevelTopic:
    """Publishes the level whenever something of it has changed. Thread-safe."""

    def __init__(self, node: ProgramNode) -> None:
        self._node = node
        self._publisher = qos.publisher(node, RoboSkateLevel, "level", qos.LATCHED)
        self._lock = threading.Lock()
        self._last = -1
        self._shown: tuple[bool, bool, int] | None = None

    def show(self, level: int | None, *, stepped: bool) -> None:
        """Publish the level that is loaded; None: none is, or the game cannot be reached."""
        with self._lock:
            loaded = level is not None
            self._last = self._last if level is None else level
            now = (loaded, stepped or not loaded, self._last)
            if now == self._shown:
                return
            self._shown = now
            self._publisher.publish(
                RoboSkateLevel(
                    header=Header(stamp=self._node.stamp()),
                    loaded=loaded,
                    paused=now[1],
                    level=self._last,
                    name=f"level {level}" if loaded else "",
                )
            )
