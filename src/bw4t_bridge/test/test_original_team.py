# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is known of an original server's world, put together from what our robots know."""

import pytest

pytest.importorskip("rclpy")

from rclpy.serialization import serialize_message
from std_msgs.msg import Header

from bw4t_bridge.bridge.team_conversions import task_message
from bw4t_java.original.perceived_team import PerceivedTeam
from bw4t_world.maps import MapSpec

pytestmark = pytest.mark.node


def test_a_team_whose_players_the_server_has_deleted_makes_a_message():
    team = PerceivedTeam(MapSpec())
    snapshot = team.snapshot((), tick=3, seconds=0.5, is_paused=False)
    measures = team.measures((), snapshot)
    assert isinstance(measures.idle_seconds, float), "rosidl ends the process for an int"
    message = task_message(snapshot, measures, Header())
    assert (message.idle, message.robots) == (0.0, [])
    assert serialize_message(message)
