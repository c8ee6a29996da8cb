# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is drawn of where the Nao goes."""

import pytest
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.drawing.drawn_shapes import boxes, strips
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.simulator.nao_settings import NaoSettings

pytestmark = pytest.mark.node

SLOW = NaoSettings(speed=0.2)


def drawn(message, namespace):
    return next((m for m in message.markers if m.ns == namespace), None)


def test_the_way_and_its_end_are_drawn_until_the_goal_ends(bridged):
    rooms = load_room_map().rooms
    with bridged(SLOW) as scene:
        markers = scene.peer.subscribe(MarkerArray, "/nao/markers")
        goal = scene.go_to(114, 1)
        message = markers.wait_for(lambda m: drawn(m, "way"))
        (start, end), *more = strips(drawn(message, "way"))
        assert more == []  # it stops a room before 114
        expected = [rooms[64].x, rooms[64].y, rooms[80].x, rooms[80].y]
        assert [*start, *end] == pytest.approx(expected)
        ((low, high),) = boxes(drawn(message, "goal"))
        middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2]
        assert middle == pytest.approx([rooms[80].x, rooms[80].y])
        markers.clear()
        assert goal.cancel()
        markers.wait_for(lambda m: m.markers and drawn(m, "way") is None)


def test_no_way_is_drawn_to_a_marker_that_the_map_has_not(bridged):
    with bridged() as scene:
        markers = scene.peer.subscribe(MarkerArray, "/nao/markers")
        scene.go_to(9999).end()
        assert all(drawn(m, "way") is None for m in markers.items)
