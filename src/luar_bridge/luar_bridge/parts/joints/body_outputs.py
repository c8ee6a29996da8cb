# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What else of dcmActuator ROS sets: the joints' hardness as a service, LEDs as topics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from std_msgs.msg import ColorRGBA

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_core.link.base import NotConnectedError
from legacy_robots_msgs.srv import LuarHardness
from legacy_robots_trajectories.joint_trajectory import TrajectoryError, own_names
from luar_bridge.model.joint_limits import group
from luar_bridge.parts.joints.joint_commands import JointCommands
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.segment import SegmentUnavailableError
from luar_bridge.protocol.writer import AllowList, WriteRefusedError

LEDS = {
    "chest": ("ledChest", 1),
    "left_foot": ("ledFootLeft", 1),
    "right_foot": ("ledFootRight", 1),
    "left_face": ("ledFaceLeft", 8),
    "right_face": ("ledFaceRight", 8),
    "left_ear": ("ledEarsLeft", 10),
    "right_ear": ("ledEarsRight", 10),
}
"""Variable and number of LEDs of each topic. All red ones come first, then green, then blue.

Ears have blue LEDs only. Source: docs/originals/luar.md, dcmActuator.
"""
_BLUE_ONLY = ("left_ear", "right_ear")


class HardnessService:
    """The service ``set_hardness``; a goal of a joint that is let go ends."""

    def __init__(self, node: BridgeNode, joints: JointCommands, writable: AllowList) -> None:
        self._joints = joints
        self._writable = writable
        node.create_service(LuarHardness, "set_hardness", self._set)

    def _set(self, request: Any, response: Any) -> Any:
        try:
            self._writable.check("dcmActuator", "hardness")
            if not 0.0 <= request.hardness <= 1.0:
                raise WriteRefusedError(f"hardness {request.hardness:g} is not from 0 to 1")
            known = self._joints.joints.names
            wanted = [name for joint in request.joints for name in group(joint, known)]
            names = own_names(wanted or list(known), known)
            self._joints.set_hardness(names, request.hardness)
        except (WriteRefusedError, TrajectoryError, NotConnectedError) as error:
            response.message = str(error)
            return response
        response.success = True
        return response


class LedTopics:
    """Subscribes to ``leds/NAME`` for each LED whose variable may be written."""

    def __init__(self, node: BridgeNode, path: Path, writable: AllowList) -> None:
        self._node = node
        self._path = path
        for name, (variable, _) in LEDS.items():
            if writable.allows("dcmActuator", variable):
                qos.subscription(
                    node, ColorRGBA, f"leds/{name}", partial(self._on_colour, name), qos.stream(5)
                )

    def _on_colour(self, name: str, colour: ColorRGBA) -> None:
        variable, number = LEDS[name]
        parts = (colour.b,) if name in _BLUE_ONLY else (colour.r, colour.g, colour.b)
        if not _is_colour(parts):
            self._node.on_problem("refused colours", f"leds/{name}: {parts} is not from 0 to 1")
            return
        values = [float(part) for part in parts for _ in range(number)]
        try:
            writer.write_numbers(self._path, variable, values)
        except (WriteRefusedError, ProtocolError, SegmentUnavailableError) as error:
            self._node.on_problem("refused colours", f"leds/{name}: {error}")


def _is_colour(parts: Sequence[float]) -> bool:
    return all(math.isfinite(part) and 0.0 <= part <= 1.0 for part in parts)
