# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Nao in the registry of systems."""

from legacy_robots_common.system import Place, Port, System

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
    ports=(Port("port", 6474, "TCP port between bridge and Nao"),),
    demonstration={"errand": "true"},
    launch="legacy_robots_bringup/nao.launch.py",
    panel="legacy_robots_view.systems.nao:KIND",
    order=1,
)
