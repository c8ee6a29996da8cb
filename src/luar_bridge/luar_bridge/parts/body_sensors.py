# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Sensors of the body that have no topic of a camera's or the motion's rate, and the button."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from control_msgs.msg import DynamicJointState, InterfaceValue
from geometry_msgs.msg import Pose, PoseArray
from sensor_msgs.msg import Joy
from std_srvs.srv import Trigger

from legacy_robots_common.node import qos
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.times import header
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.model.joint_limits import joint_limits
from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.segment import SegmentUnavailableError
from luar_bridge.protocol.writer import WriteRefusedError

PERIOD_S = 0.1
PRESSED_S = 0.3
"""How long the service holds a button down: the robot looks 30 times a second."""
FEET = {"LFoot": "fsrLeft", "RFoot": "fsrRight"}
CORNERS = ("front_left", "rear_left", "front_right", "rear_right")
"""Of a foot, in the memory's order (docs/originals/luar.md, 6)."""
_OF_JOINTS = {"temperature": "temperature", "current": "current", "hardness": "hardness"}
_BUTTONS = {"button": 1, "bumperLeft": 2, "bumperRight": 2}


class BodySensors(NodePart):
    """``buttons``, ``dynamic_joint_states``, ``particles``, ``press_button``. Of the executor."""

    def __init__(self, context: PartContext) -> None:
        node, p = context.node, context.settings
        self._node, self._memory, self._map = node, context.memory, p.map_frame
        self._has_joints, self._path = p.joints, context.path("dcmSensor")
        self._joints = list(joint_limits(p.platform))
        self._released_at = math.inf
        self._particles = qos.publisher(node, PoseArray, "particles", qos.stream(5))
        if p.joints:
            self._buttons = qos.publisher(node, Joy, "buttons", qos.stream(5))
            self._states = qos.publisher(
                node, DynamicJointState, "dynamic_joint_states", qos.stream(5)
            )
            if context.writable.allows("dcmSensor", "button"):
                node.create_service(Trigger, "press_button", self._press)
        node.timer(PERIOD_S, self._publish)

    def diagnostics(self) -> Mapping[str, str]:
        """Return the joint that is hottest, and the one whose motor takes most."""
        if not self._has_joints:
            return {}
        memory = self._memory.read("dcmSensor")
        found = {}
        for name, variable, unit in (
            ("hottest joint", "temperature", "°C"),
            ("greatest current", "current", "A"),
        ):
            values = memory.numbers("dcmSensor", variable, len(self._joints))
            if values:
                most = max(range(len(values)), key=values.__getitem__)
                found[name] = f"{self._joints[most]} {values[most]:.1f} {unit}"
        return found

    def _publish(self) -> None:
        if time.monotonic() >= self._released_at:
            self._write_button(0.0)
            self._released_at = math.inf
        if not self._node.connected:
            return
        if self._particles.get_subscription_count():
            self._publish_particles(self._memory.read("wcmParticle"))
        if not self._has_joints:
            return
        wanted = [p.get_subscription_count() > 0 for p in (self._buttons, self._states)]
        if not any(wanted):
            return
        memory = self._memory.read("dcmSensor")
        stamp = memory.number("dcmSensor", "time")
        if stamp:
            if wanted[0]:
                self._publish_buttons(memory, stamp)
            if wanted[1]:
                self._publish_states(memory, stamp)

    def _publish_buttons(self, memory: Memory, stamp: float) -> None:
        buttons: list[int] = []
        for variable, number in _BUTTONS.items():
            values = memory.numbers("dcmSensor", variable, number) or (0.0,) * number
            buttons += [int(value > 0.0) for value in values]
        self._buttons.publish(Joy(header=header(stamp, ""), buttons=buttons))

    def _publish_states(self, memory: Memory, stamp: float) -> None:
        message = DynamicJointState(header=header(stamp, ""))
        columns = {
            name: values
            for name, variable in _OF_JOINTS.items()
            if (values := memory.numbers("dcmSensor", variable, len(self._joints)))
        }
        rows = {
            joint: {name: values[place] for name, values in columns.items()}
            for place, joint in enumerate(self._joints)
        }
        for foot, variable in FEET.items():
            if values := memory.numbers("dcmSensor", variable, len(CORNERS)):
                rows[foot] = dict(zip(CORNERS, values, strict=True))
        for name, row in rows.items():
            message.joint_names.append(name)
            interfaces = InterfaceValue(interface_names=list(row), values=list(row.values()))
            message.interface_values.append(interfaces)
        self._states.publish(message)

    def _publish_particles(self, memory: Memory) -> None:
        columns = [memory.all_numbers("wcmParticle", name) for name in "xya"]
        if not all(columns) or len({len(column) for column in columns}) != 1:
            return
        message = PoseArray(header=header(time.time(), self._map))
        for x, y, a in zip(*columns, strict=True):
            if all(map(math.isfinite, (x, y, a))):
                pose = Pose()
                pose.position.x, pose.position.y = x, y
                pose.orientation.z, pose.orientation.w = math.sin(a / 2), math.cos(a / 2)
                message.poses.append(pose)
        self._particles.publish(message)

    def _press(self, _: Any, response: Any) -> Any:
        if math.isfinite(self._released_at):
            response.message = "the button is down already"
            return response
        response.message = self._write_button(1.0)
        response.success = not response.message
        if response.success:
            self._released_at = time.monotonic() + PRESSED_S
        return response

    def _write_button(self, value: float) -> str:
        """Write the button; return why that was not possible, empty: it was."""
        try:
            writer.write_numbers(self._path, "button", [value])
        except (WriteRefusedError, ProtocolError, SegmentUnavailableError) as error:
            return str(error)
        return ""
