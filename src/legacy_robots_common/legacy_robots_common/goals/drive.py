# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a bridge says of its robot for goals as Nav2 has them: which own goals lead where."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.goals.goal_server import GoalServer
from legacy_robots_common.node.parts import load_part
from legacy_robots_common.node.program_node import StartupError

__all__ = ["Drive", "OutsideMapError", "Place", "offer_navigation"]

PARTS = "legacy_robots_common.navigation"
LONGEST_NAME = "navigate_through_poses/_action/get_result"
"""The longest name of a topic or service below the robot's name."""


class OutsideMapError(Exception):
    """Raised by Drive.legs for a place outside of the robot's map; the message says which map."""


@dataclass(frozen=True)
class Place:
    """A place on the ground: m and rad, in the frame of the robot's map."""

    x: float
    y: float
    yaw: float = 0.0

    def distance(self, other: Place) -> float:
        """Return the straight distance in m."""
        return math.hypot(self.x - other.x, self.y - other.y)


class Drive(ABC):
    """How one robot goes to a place.

    Parameters
    ----------
    frame
        The frame of its places.
    server
        The server of the robot's own action, which carries out the legs of a way.

    """

    def __init__(self, frame: str, server: GoalServer[Any]) -> None:
        self.frame = frame
        self.server = server

    @abstractmethod
    def legs(self, goal: Place) -> Iterator[Any]:
        """Yield the goals for ``server`` that lead there, each when the one before has succeeded.

        Raises OutsideMapError or GoalRefusedError before the first where there is no way.
        """

    @abstractmethod
    def place(self) -> Place | None:
        """Return where the robot is now; None where that is not known. On the executor."""

    def remaining(self, goal: Place, feedback: Any | None) -> float:
        """Return the m left to ``goal``, NaN where not known; ``feedback`` is the leg's latest."""
        place = self.place()
        return math.nan if place is None else place.distance(goal)


class Navigation(Protocol):
    """The Nav2-shaped actions and topics of one robot."""

    def retire(self, reason: str, on_retired: Callable[[], None]) -> None:
        """Take them away, once all goals have ended; see GoalServer.retire."""


def offer_navigation(node: GoalNode, drive: Drive, prefix: str = "") -> Navigation | None:
    """Offer the Nav2-shaped actions of one robot, with ``prefix`` before their names.

    ``goal_pose`` and ``clicked_point`` of rviz's tools send goals too. Returns None, and logs the
    reason, where nav2_msgs is not installed.
    """
    try:
        make: Callable[[GoalNode, Drive, str], Navigation] = load_part(PARTS, "nav2")
    except StartupError as error:
        node.get_logger().info(f"no {prefix}navigate_to_pose: {error}")
        return None
    return make(node, drive, prefix)
