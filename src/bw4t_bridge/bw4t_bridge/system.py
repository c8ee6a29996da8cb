# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the blocks world is, see legacy_robots_common.system."""

from legacy_robots_common.system import Place, Port, System

SYSTEM = System(
    name="bw4t",
    title="Blocks World",
    package="bw4t_bridge",
    nodes={
        "server": "bw4t_bridge.bridge.node:Bw4tServer",
        "agent": "bw4t_bridge.agents.agent_node:Bw4tAgent",
    },
    parameters={
        "server": "bw4t_bridge.bridge.parameters:Parameters",
        "agent": "bw4t_bridge.agents.parameters:AgentParameters",
    },
    further_packages=("bw4t_world",),
    bridge="server",
    launched_nodes=4,
    player="Bot_1",
    streams={"Bot_1/percepts": "legacy_robots_msgs/msg/Bw4tPercepts"},
    ports=(
        Port("web_port", 8090, "Port of the page for people; 0: a free one"),
        Port("rmi_port", 8000, "Port of the RMI registry for clients of the original"),
        Port("eis_port", 8002, "Port for agents of EIS; 0: a free one"),
    ),
    demonstration={"repeat_after": "5.0"},
    place=Place("bw4t/map", -51.0, 207.0),
    launch="legacy_robots_bringup/bw4t.launch.py",
    panel="legacy_robots_view.systems.bw4t:KIND",
    order=4,
)
