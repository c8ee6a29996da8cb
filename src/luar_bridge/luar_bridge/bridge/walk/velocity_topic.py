# SPDX-License-Identifier: Apache-2.0
"""Walking by ``cmd_vel``, with a watchdog."""

from __future__ import annotations

import threading

from geometry_msgs.msg import Twist, TwistStamped

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.velocity import STILL, Velocity, VelocityControl, VelocityLimits
from legacy_robots_common.link.base import NotConnectedError
from legacy_robots_common.node import qos
from luar_bridge.bridge.walk.body_memory import BodyMemory

WATCHDOG_PERIOD_S = 0.02


class VelocityTopic:
    """Writes velocities while they come; stands when they stay away."""

    def __init__(
        self, node: BridgeNode, body: BodyMemory, limits: VelocityLimits, *, is_stamped: bool
    ) -> None:
        self._node = node
        self._body = body
        self._control = VelocityControl(limits)
        self._lock = threading.Lock()
        if is_stamped:
            qos.subscription(
                node, TwistStamped, "cmd_vel", lambda m: self._on_twist(m.twist), qos.stream(5)
            )
        else:
            qos.subscription(node, Twist, "cmd_vel", self._on_twist, qos.stream(5))
        self._timer = node.timer(WATCHDOG_PERIOD_S, self._check)
        self._timer.cancel()

    def stop(self) -> None:
        """Stand. On any thread."""
        with self._lock:
            if self._control.walking:
                self._control.reset()
                self._send(STILL)

    def _on_twist(self, twist: Twist) -> None:
        velocity = (twist.linear.x, twist.linear.y, twist.angular.z)
        now = self._node.now()
        with self._lock:
            if self._node.stopping:
                return
            try:
                if velocity != STILL:
                    if not self._node.connected:
                        raise NotConnectedError(self._node.why_not_connected())
                    self._body.look(now)
                due = self._control.request(now, velocity)
            except NotConnectedError as error:
                self._refuse(error)
                return
            except ValueError as error:
                self._node.on_problem("refused velocities", f"{error}; the robot is stopped")
                due = self._control.due(now)
            self._send(due)
            if self._control.walking and self._timer.is_canceled():
                self._timer.reset()

    def _check(self) -> None:
        with self._lock:
            now = self._node.now()
            if self._control.timed_out(now):
                self._node.on_problem(
                    "stops by the cmd_vel watchdog",
                    "no cmd_vel for too long: the robot is stopped",
                )
            self._send(self._control.due(now))
            if not self._control.walking:
                self._timer.cancel()

    def _send(self, velocity: Velocity | None) -> None:
        if velocity is None:
            return
        try:
            self._body.send_velocity(velocity)
        except NotConnectedError as error:
            self._refuse(error)

    def _refuse(self, error: NotConnectedError) -> None:
        self._control.reset()
        self._node.on_problem("refused velocities", f"cmd_vel is not sent: {error}")
