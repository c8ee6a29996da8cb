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

    host: str = parameter("127.0.0.1", "address of the drone, 192.168.1.1 as it comes")
    port: int = parameter(5554, "its port of the navdata", minimum=1, maximum=65535)
    at_port: int = parameter(5556, "its port of the AT commands", minimum=1, maximum=65535)
    frame_prefix: str = parameter("ardrone/", "put before every frame")
    enable_stamped_cmd_vel: bool = parameter(False, "cmd_vel is a TwistStamped, not a Twist")
    max_forward: float = parameter(0.5, "m/s that it flies at most", minimum=0.0, maximum=10.0)
    max_turn: float = parameter(1.5, "rad/s that it turns at most", minimum=0.0, maximum=10.0)
    cmd_vel_timeout: float = parameter(
        0.5, "seconds after the last cmd_vel until it stops", minimum=0.05, maximum=10.0
    )
    max_upward: float = parameter(0.5, "m/s that it climbs at most", minimum=0.0, maximum=10.0)
    max_altitude: float = parameter(
        3.0, "m to which take_off goes at most", minimum=0.2, maximum=100.0
    )

    @property
    def limits(self) -> VelocityLimits:
        """The largest velocities, and the time of the watchdog."""
        return VelocityLimits(
            self.max_forward,
            self.max_forward,
            self.max_turn,
            timeout=self.cmd_vel_timeout,
            upward=self.max_upward,
        )
