# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.bridge.first_connection import BridgeParameters
from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters(BridgeParameters):
    """Read once at the start."""

    # --- if serial
    device: str = parameter("myrobot", "serial port: a path, or the name of a link in TMPDIR")
    # --- end
    # --- if tcp udp websocket sdk
    host: str = parameter("127.0.0.1", "address of Myrobot")
    port: int = parameter(7000, "port of Myrobot", minimum=1, maximum=65535)
    # --- end
    joint: str = parameter("myrobot", "name of the joint in joint_states")
    longest: float = parameter(0.1, "m that it goes at most", minimum=0.0, maximum=10.0)
    frame_prefix: str = parameter("myrobot/", "put before every frame")
