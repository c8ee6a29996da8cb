# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link comes back after each fault that ends it."""

import pytest
from ardrone_bridge.system import SYSTEM

from legacy_robots_common.node import qos
from legacy_robots_common.system import load
from legacy_robots_msgs.msg import LinkState


@pytest.mark.parametrize("fault", ["cut", "garbage", "restart"])
def test_the_link_comes_back_after_a_fault(peer, robot, fault):
    robot.inject(fault)
    peer.link.wait_for(lambda s: s.state == LinkState.CONNECTED and s.connections == 2)
    for topic, kind in SYSTEM.streams.items():
        message = load(kind.replace("/msg/", ".msg:"))
        peer.subscribe(message, f"/ardrone/{topic}", qos.stream()).wait_for()
