# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rectangles become cells, by hand-drawn maps."""

import numpy as np
from std_msgs.msg import Header

from legacy_robots_common.drawing.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap


def test_a_room_with_a_post():
    room = OccupancyMap(-1.0, 2.0, 2.0, 1.5, 0.5)
    room.fill(-1.0, 2.0, 1.0, 3.0, FREE)
    room.fill(-0.5, 2.4, 0.0, 2.9, OCCUPIED)
    room.fill(0.6, 0.0, 9.0, 9.0, OCCUPIED)  # beyond the map
    message = room.message(Header(frame_id="map"))
    assert (message.info.width, message.info.height) == (4, 3)
    assert (message.info.origin.position.x, message.info.origin.position.y) == (-1.0, 2.0)
    o, x, u = FREE, OCCUPIED, UNKNOWN
    expected = [[o, o, o, x], [o, x, o, x], [u, u, u, x]]
    assert np.reshape(message.data, (3, 4)).tolist() == expected
