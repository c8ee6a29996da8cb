# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Ways through the maze: which rooms are entered, and where a way turns."""

import pytest

from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.model.walks import corners, way_over_tiles
from nao_goal_bridge.model.ways import NoWayError, way_to_marker

MAZE = load_room_map()


def test_a_way_to_a_marker_ends_some_rooms_before_it() -> None:
    assert way_to_marker(MAZE, 64, 85, 0) == (80, 114, 85)
    assert way_to_marker(MAZE, 64, 85, 2) == (80,)
    assert way_to_marker(MAZE, 64, 85, 3) == way_to_marker(MAZE, 64, 85, 9) == ()
    assert way_to_marker(MAZE, 64, 112, 0) == (80, 114, 108, 112)


@pytest.mark.parametrize("marker,distance", [(85, -1), (999, 0)])
def test_a_way_that_there_is_not(marker: int, distance: int) -> None:
    with pytest.raises(NoWayError):
        way_to_marker(MAZE, 64, marker, distance)


def test_a_way_over_tiles_goes_in_free_straight_lines() -> None:
    assert way_over_tiles(MAZE, 64, [(0, 0), (2, 0), (2, 2)]) == (80, 114, 108, 112)


@pytest.mark.parametrize(
    "tiles,reason",
    [
        ([], "begins with the robot's own tile"),
        ([(0, 0)], "begins with the robot's own tile"),
        ([(1, 0), (2, 0)], "begins with the robot's own tile"),
        ([(0, 0), (2, 1)], "no free straight line leads from room 64"),
        ([(0, 0), (2, 0), (9, 9)], "no free straight line leads from room 114"),
    ],
)
def test_tiles_that_are_no_way(tiles: list[tuple[int, int]], reason: str) -> None:
    with pytest.raises(NoWayError, match=reason):
        way_over_tiles(MAZE, 64, tiles)


def test_corners_are_where_a_way_turns_and_its_end() -> None:
    assert corners(MAZE, 64, (80, 114, 108, 112, 130)) == [114, 112, 130]
    assert corners(MAZE, 64, (80,)) == [80]
    assert corners(MAZE, 64, ()) == []
