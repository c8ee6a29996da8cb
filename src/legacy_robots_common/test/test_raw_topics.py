# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""QoS profiles of recorded topics, as rosbag2 writes them."""

import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String

from legacy_robots_common.node import qos
from legacy_robots_common.node.raw_topics import offered_in, offered_text
from legacy_robots_testing.ros_peer import RosPeer


@pytest.mark.node
@pytest.mark.parametrize("profile", [qos.LATCHED, qos.stream(), QoSProfile(depth=3)])
def test_what_is_offered_is_read_back(profile: QoSProfile) -> None:
    with RosPeer() as peer:
        peer.node.create_publisher(String, "/words", profile)
        peer.wait_for_publishers("/words")
        found = offered_in(offered_text(peer.node, "/words"))
    assert (found.reliability, found.durability) == (profile.reliability, profile.durability)


@pytest.mark.node
def test_numbers_of_older_recordings_are_read() -> None:
    found = offered_in("- {history: 3, depth: 0, reliability: 1, durability: 1}")
    assert found.reliability is ReliabilityPolicy.RELIABLE
    assert found.durability is DurabilityPolicy.TRANSIENT_LOCAL
    assert offered_in("").durability is DurabilityPolicy.VOLATILE


@pytest.mark.parametrize("text", ["- 3", "[{reliability: 77}]", "- reliability: good", "{", "7"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no QoS profiles"):
        offered_in(text)
