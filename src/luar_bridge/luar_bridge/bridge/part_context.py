# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the bridge hands over to its parts, which are entry points of the group PARTS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from legacy_robots_common.bridge.bridge_node import BridgeNode
from luar_bridge.bridge.fresh_memory import FreshMemory
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.writer import AllowList

PARTS = "luar_bridge.parts"


@dataclass(frozen=True)
class PartContext:
    """The robot, its memory, and what of it may be written."""

    node: BridgeNode
    settings: Parameters
    identity: RobotIdentity
    directory: Path
    memory: FreshMemory
    writable: AllowList

    def path(self, segment: str) -> Path:
        """Return where a segment of the robot is."""
        return self.directory / self.identity.file_name(segment)
