# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link comes back after what ends it, and damaged bytes end nothing."""

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState


@pytest.mark.parametrize("fault", ["stall", "restart"])
def test_the_link_comes_back_after_a_fault(peer, robot, fault):
    robot.inject(fault)
    peer.link.wait_for(lambda s: s.state == LinkState.CONNECTED and s.connections == 2)
    peer.subscribe(Odometry, "/roomba/odom", qos.stream()).wait_for()


def test_damaged_bytes_are_passed_over_and_counted(peer, robot):
    diagnostics = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
    robot.inject("garbage")
    diagnostics.wait_for(
        lambda array: any(
            pair.key == "bytes passed over" and int(pair.value) > 0
            for status in array.status
            for pair in status.values
        )
    )
    assert peer.link.last.state == LinkState.CONNECTED
    assert peer.link.last.connections == 1
