# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the registry knows of the AIBO."""

from __future__ import annotations

from legacy_robots_common.system import Place, Port, System

SYSTEM = System(
    name="aibo",
    title="AIBO",
    package="aibo_gti_bridge",
    nodes={
        "bridge": "aibo_gti_bridge.bridge.node:AiboBridge",
        "ball_game": "aibo_gti_bridge.demonstration.ball_game:BallGame",
        "gti_host": "aibo_gti_bridge.host.node:GtiHost",
        "rover": "aibo_gti_bridge.demonstration.rover:Rover",
    },
    parameters={
        "bridge": "aibo_gti_bridge.bridge.parameters:Parameters",
        "ball_game": "aibo_gti_bridge.demonstration.ball_game:Parameters",
        "gti_host": "aibo_gti_bridge.host.parameters:Parameters",
        "rover": "aibo_gti_bridge.demonstration.rover:Parameters",
    },
    place=Place("aibo/odom", -1.9, 1.5),
    faults=("cut", "stall", "flood", "garbage", "restart"),
    ports=(Port("port", 10100, "TCP port of the AIBO's GTI server"),),
    demonstration={"ball_game": "true"},
    launch="legacy_robots_bringup/aibo.launch.py",
    panel="legacy_robots_view.systems.aibo:kind",
    order=5,
)
