# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node with its simulator, over the real wire."""

import pytest
from kuka_rsi_bridge.node import KukaRsiBridge
from kuka_rsi_bridge.simulator import simulator

from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode


@pytest.fixture
def where():
    """Parameters with which bridge and simulator find one another."""
    return {"host": "127.0.0.1", "port": free_port()}


@pytest.fixture
def robot(where):
    made = simulator(**where, fault_seconds=1.5)
    made.start()
    yield made
    made.close()


@pytest.fixture
def peer(robot, where):
    with RunningNode(KukaRsiBridge, where), RosPeer() as peer:
        peer.link = peer.subscribe(LinkState, "/kuka_rsi/link_state")
        peer.link.wait_for(lambda state: state.state == LinkState.CONNECTED)
        yield peer
