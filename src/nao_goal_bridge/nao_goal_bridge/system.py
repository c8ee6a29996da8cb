# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Nao in the registry of systems."""

from legacy_robots_common.system import Goals, Place, Port, System

ROW = (80, 114, 85, 114, 80, 64)
"""Rooms of the maze, each beside the one before; all see each other."""

SYSTEM = System(
    name="nao",
    title="Nao",
    package="nao_goal_bridge",
    nodes={
        "bridge": "nao_goal_bridge.bridge.node:NaoBridge",
        "errand": "nao_goal_bridge.demonstration.errand:Errand",
        "host": "nao_goal_bridge.host.node:NaoHost",
        "toy_robot": "nao_goal_bridge.demonstration.toy_robot:ToyRobot",
    },
    parameters={
        "bridge": "nao_goal_bridge.bridge.parameters:Parameters",
        "errand": "nao_goal_bridge.demonstration.errand:Parameters",
        "host": "nao_goal_bridge.host.parameters:Parameters",
        "toy_robot": "nao_goal_bridge.demonstration.toy_robot:Parameters",
    },
    place=Place("nao/map", -0.1, 1.4),
    faults=(
        "cut",
        "stall",
        "flood",
        "garbage",
        "restart",
        "error",
        "redial",
        "flap",
        "delay",
        "long-leg",
    ),
    faults_seen={"delay": "nothing", "long-leg": "nothing"},
    streams={"sightings": "legacy_robots_msgs/msg/NaoSighting"},
    goals=(
        Goals(
            "go_to",
            "legacy_robots_msgs/action/NaoGoTo",
            tuple({"marker_id": room} for room in ROW),
            truth=tuple(
                # No other walk begins between the command and its success.
                (rf"<- GoTo\(marker_id={room},(?:(?!<- GoTo)[\s\S])*-> Success\(code=1\)",)
                for room in ROW
            ),
        ),
    ),
    ports=(Port("port", 6474, "TCP port between bridge and Nao"),),
    demonstration={"errand": "true"},
    launch="legacy_robots_bringup/nao.launch.py",
    panel="legacy_robots_view.systems.nao:KIND",
    order=1,
)
