# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tekkotsu's emergency stop in ROS: the service ``emergency_stop`` and what the robot says of it.

The bridge turns it on with the service ``stop``, and off only when it is asked to.
"""

from __future__ import annotations

import threading
from typing import Any

from std_msgs.msg import Bool
from std_srvs.srv import SetBool

from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.bridge.tekkotsu_link import EmergencyStop, TekkotsuLink
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_core.link.base import NotConnectedError

TIMEOUT_S = 2.0
"""For the robot's answer; the link is given up before."""
STOPPED = (
    "the emergency stop is on; the service emergency_stop with data: false, or two taps on the "
    "robot's back, turn it off"
)


class EmergencyStopService:
    """Turns the emergency stop on and off, and ends the goals when it is on."""

    def __init__(self, node: BridgeNode, robot: Robot, link: TekkotsuLink) -> None:
        self._node, self._robot, self._link = node, robot, link
        self._is_on: bool | None = None
        self._reported = threading.Condition(robot.lock)
        self._topic = qos.publisher(node, Bool, "emergency_stopped", qos.LATCHED)
        node.create_service(SetBool, "emergency_stop", self._serve)

    def report(self, event: EmergencyStop) -> None:
        """Take what the robot says. On the link's thread."""
        self._node.get_logger().info(f"the emergency stop is {'on' if event.on else 'off'}")
        with self._robot.lock:
            self._is_on = event.on
            self._robot.refusal = STOPPED if event.on else ""
            if event.on:
                self._robot.claims.interrupt_all("the emergency stop is on")
            self._reported.notify_all()
        self._topic.publish(Bool(data=event.on))

    def forget(self) -> None:
        """Know nothing of it: the link is lost. With the robot's lock held."""
        self._is_on = None
        self._reported.notify_all()

    def turn(self, *, on: bool) -> tuple[bool, str]:
        """Turn it on or off; return whether the robot says that it is, and a sentence."""
        with self._robot.lock:
            try:
                self._link.set_emergency_stop(on=on)
            except NotConnectedError as error:
                return False, str(error)
            self._reported.wait_for(lambda: self._is_on in (on, None), TIMEOUT_S)
            if self._is_on is not on:
                return False, "the robot does not say so"
            return True, STOPPED if on else "the emergency stop is off"

    def _serve(self, request: SetBool.Request, response: Any) -> Any:
        response.success, response.message = self.turn(on=request.data)
        return response
