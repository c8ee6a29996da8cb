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

    host: str = parameter("127.0.0.1", "own address to which the controller sends")
    port: int = parameter(49152, "own UDP port to which it sends", minimum=1, maximum=65535)
    max_step: float = parameter(
        0.02, "rad that an axis is moved by at most in a cycle", minimum=0.0001, maximum=0.1
    )
    frame_prefix: str = parameter("kuka_rsi/", "put before every frame")
