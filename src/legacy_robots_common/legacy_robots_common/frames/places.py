# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node ``places``: where the systems stand in the demonstration, in the frame ``world``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import TransformStamped

from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.system import System, systems

WORLD_FRAME = "world"


@dataclass(frozen=True)
class Parameters:
    """Read once at the start."""

    systems: list[str] = parameter([""], "names of the systems; empty: all")


class Places(ProgramNode):
    """Publishes the frames of the systems in the frame ``world``. Raises ParameterError."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("places", **node_arguments)
        wanted = {name for name in declare_parameters(self, Parameters).systems if name}
        known = {system.name: system for system in systems()}
        if missing := sorted(wanted - known.keys()):
            raise ParameterError(
                f"parameter 'systems': no system {missing[0]!r}; there are: {', '.join(known)}"
            )
        chosen = [known[name] for name in known if name in wanted or not wanted]
        TransformBroadcaster(self).send_static(transforms(chosen))


def transforms(of: Iterable[System]) -> list[TransformStamped]:
    """Return the pose of each system's root frame in the demonstration."""
    found = []
    for system in of:
        transform = TransformStamped(child_frame_id=system.place.frame)
        transform.header.frame_id = WORLD_FRAME
        transform.transform.translation.x = system.place.x
        transform.transform.translation.y = system.place.y
        transform.transform.rotation.z = math.sin(system.place.yaw / 2.0)
        transform.transform.rotation.w = math.cos(system.place.yaw / 2.0)
        found.append(transform)
    return found


def main() -> None:
    """Run the node until a signal."""
    sys.exit(run(Places, Parameters))
