# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node with its simulator, over the real wire."""

import pytest

from legacy_robots_msgs.msg import LinkState
# --- if tcp udp websocket sdk
from legacy_robots_testing.machine import free_port
# --- end
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from myrobot_bridge.node import MyrobotBridge
from myrobot_bridge.simulator import simulator


@pytest.fixture
def where(tmp_path):
    """Parameters with which bridge and simulator find one another."""
    # --- if serial
    return {"device": str(tmp_path / "port")}
    # --- end
    # --- if tcp udp websocket sdk
    return {"host": "127.0.0.1", "port": free_port()}
    # --- end


@pytest.fixture
def robot(where):
    made = simulator(**where, fault_seconds=1.5)
    made.start()
    yield made
    made.close()


@pytest.fixture
def peer(robot, where):
    with RunningNode(MyrobotBridge, where), RosPeer() as peer:
        peer.link = peer.subscribe(LinkState, "/myrobot/link_state")
        peer.link.wait_for(lambda state: state.state == LinkState.CONNECTED)
        yield peer
