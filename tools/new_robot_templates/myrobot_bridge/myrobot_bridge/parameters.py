# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.bridge.first_connection import BridgeParameters
# --- if base drone
from legacy_robots_common.goals.velocity import VelocityLimits
# --- end
from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters(BridgeParameters):
    """Read once at the start."""

    # --- if serial
    device: str = parameter("myrobot", "serial port: a path, or the name of a link in TMPDIR")
    baud: int = parameter(115200, "bit/s of the serial port", minimum=50, maximum=4000000)
    # --- end
    # --- if tcp udp websocket sdk
    host: str = parameter("127.0.0.1", "address of Myrobot")
    port: int = parameter(7000, "port of Myrobot", minimum=1, maximum=65535)
    # --- end
    # --- if plain
    joint: str = parameter("myrobot", "name of the joint in joint_states")
    longest: float = parameter(0.1, "m that it goes at most", minimum=0.0, maximum=10.0)
    # --- end
    frame_prefix: str = parameter("myrobot/", "put before every frame")
    # --- if base drone
    enable_stamped_cmd_vel: bool = parameter(False, "cmd_vel is a TwistStamped, not a Twist")
    max_forward: float = parameter(0.5, "m/s that it drives at most", minimum=0.0, maximum=10.0)
    max_turn: float = parameter(1.5, "rad/s that it turns at most", minimum=0.0, maximum=10.0)
    cmd_vel_timeout: float = parameter(
        0.5, "seconds after the last cmd_vel until it stops", minimum=0.05, maximum=10.0
    )
    # --- end
    # --- if drone
    max_upward: float = parameter(0.5, "m/s that it climbs at most", minimum=0.0, maximum=10.0)
    max_altitude: float = parameter(
        3.0, "m to which take_off goes at most", minimum=0.2, maximum=100.0
    )
    # --- end
    # --- if base

    @property
    def limits(self) -> VelocityLimits:
        """The largest velocities, and the time of the watchdog."""
        return VelocityLimits(self.max_forward, 0.0, self.max_turn, timeout=self.cmd_vel_timeout)
    # --- end
    # --- if drone

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
    # --- end
