# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``cmd_vel`` of a bridge: the robot walks while velocities come, and stands when they do not."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Any

from geometry_msgs.msg import Twist

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.velocity import Velocity, VelocityControl, VelocityLimits
from legacy_robots_common.node.velocity_input import VelocityInput
from legacy_robots_core.link.base import NotConnectedError

__all__ = ["VelocityTopic"]

WATCHDOG_PERIOD_S = 0.02
"""Time between checks of the watchdog while the robot walks."""


class VelocityTopic(ABC):
    """Subscribes to ``cmd_vel``. A subclass says how the robot is sent a velocity.

    Parameters
    ----------
    limits
        The largest velocities (m/s, rad/s), and the times of the watchdog (s).
    stamped
        Whether ``cmd_vel`` is a TwistStamped, see VelocityInput.
    lock
        Held while a velocity is judged and sent; None: one of its own.

    """

    def __init__(
        self,
        node: BridgeNode,
        limits: VelocityLimits,
        *,
        stamped: bool,
        lock: AbstractContextManager[Any] | None = None,
    ) -> None:
        self._node = node
        self._lock = lock or threading.RLock()
        self._still = limits.still
        self._control = VelocityControl(limits)
        self._input = VelocityInput(
            node,
            stamped=stamped,
            max_age=limits.timeout,
            on_twist=self._on_twist,
            on_problem=node.on_problem,
        )
        self._timer = node.timer(WATCHDOG_PERIOD_S, self._check)
        self._timer.cancel()

    @property
    def misfits(self) -> tuple[str, ...]:
        """The nodes that publish ``cmd_vel`` as the other type."""
        return self._input.misfits

    # --- what a subclass overrides; the lock is held -----------------------------------------

    @abstractmethod
    def send(self, velocity: Velocity) -> None:
        """Have the robot move, or stand where all parts are 0. Raises NotConnectedError."""

    def refusal(self, now: float) -> str:
        """Return why the robot may not walk now, or an empty text. Raises NotConnectedError."""
        if self._node.stopping:
            return "the bridge is shutting down"
        return "" if self._node.connected else self._node.why_not_connected()

    def reset(self) -> None:
        """Forget what was requested: the robot stands, whatever stopped it."""
        self._control.reset()

    # --- for a subclass ----------------------------------------------------------------------

    def stop(self) -> None:
        """Stop a robot that moves by ``cmd_vel``. On any thread."""
        with self._lock:
            self.stand()

    def stand(self) -> None:
        """Stop a robot that walks by ``cmd_vel``. Call it with the lock held."""
        if self._control.walking:
            self._control.reset()
            self._send_due(self._still)

    def _on_twist(self, twist: Twist) -> None:
        velocity = (twist.linear.x, twist.linear.y, twist.angular.z, twist.linear.z)
        velocity = velocity[: len(self._still)]
        with self._lock:
            now = self._node.now()
            try:
                refusal = self.refusal(now) if velocity != self._still else ""
            except NotConnectedError as error:
                refusal = str(error)
            if refusal:
                self._refuse(refusal)
                return
            try:
                due = self._control.request(now, velocity)
            except ValueError as error:
                self._node.on_problem("refused velocities", f"{error}; the robot is stopped")
                due = self._control.due(now)
            self._send_due(due)
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
            self._send_due(self._control.due(now))
            if not self._control.walking:
                self._timer.cancel()

    def _send_due(self, velocity: Velocity | None) -> None:
        if velocity is None:
            return
        try:
            self.send(velocity)
        except NotConnectedError as error:
            self._refuse(str(error))

    def _refuse(self, reason: str) -> None:
        self.reset()
        self._node.on_problem("refused velocities", f"cmd_vel is not sent: {reason}")
