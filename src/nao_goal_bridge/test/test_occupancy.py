# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The maze as an occupancy grid: rooms, walls and passages."""

import numpy as np
from std_msgs.msg import Header

from nao_goal_bridge.bridge.markers import occupancy
from nao_goal_bridge.model.room_map import load_room_map


def value(grid, x, y):
    """Return the cell at a point of the map, in m."""
    cells = np.reshape(grid.data, (grid.info.height, grid.info.width))
    origin, size = grid.info.origin.position, grid.info.resolution
    return cells[int((y - origin.y) / size), int((x - origin.x) / size)]


def test_rooms_are_free_and_walls_have_passages():
    grid = occupancy(load_room_map(), Header(frame_id="map"))
    assert value(grid, 0.0, 0.0) == 0  # room 64
    assert value(grid, 0.25, 0.0) == 0  # the passage to room 80
    assert value(grid, 0.0, 0.23) == 100  # no room behind
    assert value(grid, 0.0, 0.5) == -1  # no room
    assert value(grid, 1.0, 0.25) == 0  # from 114 up to 108
    assert value(grid, 1.25, 1.02) == 0  # from 112 to 130
    assert value(grid, 0.5, 1.22) == 100
