# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.bridge.first_connection import BridgeParameters
from legacy_robots_common.goals.velocity import VelocityLimits
from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters(BridgeParameters):
    """Read once at the start."""

    device: str = parameter("roomba", "serial port: a path, or the name of a link in TMPDIR")
    baud: int = parameter(115200, "bit/s of the serial port", minimum=50, maximum=4000000)
    frame_prefix: str = parameter("roomba/", "put before every frame")
    enable_stamped_cmd_vel: bool = parameter(False, "cmd_vel is a TwistStamped, not a Twist")
    max_forward: float = parameter(0.5, "m/s that it drives at most", minimum=0.0, maximum=10.0)
    max_turn: float = parameter(1.5, "rad/s that it turns at most", minimum=0.0, maximum=10.0)
    cmd_vel_timeout: float = parameter(
        0.5, "seconds after the last cmd_vel until it stops", minimum=0.05, maximum=10.0
    )

    @property
    def limits(self) -> VelocityLimits:
        """The largest velocities, and the time of the watchdog."""
        return VelocityLimits(self.max_forward, 0.0, self.max_turn, timeout=self.cmd_vel_timeout)
