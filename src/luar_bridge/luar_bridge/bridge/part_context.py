# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the bridge hands over to its parts, which are entry points of the group PARTS."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from legacy_robots_common.bridge.bridge_node import BridgeNode
from luar_bridge.bridge.fresh_memory import FreshMemory
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.protocol.layout_table import LayoutTable
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.writer import AllowList

PARTS = "luar_bridge.parts"


@dataclass
class MessageBudget:
    """How often the team may send: by the referee's part, for that of the team's messages."""

    least_period: float = 0.0
    """Seconds between two messages of a robot; infinite when there may be no more."""


@dataclass(frozen=True)
class PartContext:
    """The robot, its memory, and what of it may be written."""

    node: BridgeNode
    settings: Parameters
    identity: RobotIdentity
    directory: Path
    memory: FreshMemory
    writable: AllowList
    table: LayoutTable
    budget: MessageBudget = field(default_factory=MessageBudget)

    def path(self, segment: str) -> Path:
        """Return where a segment of the robot is."""
        return self.directory / self.identity.file_name(segment)
