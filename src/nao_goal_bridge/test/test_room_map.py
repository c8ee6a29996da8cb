# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The room map: the shipped maze, the ways in it, and files that are not in order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nao_goal_bridge.model.room_map import RoomMap, RoomMapError, load_room_map, parse_room_map
from nao_goal_bridge.model.walks import in_sight

NAO_MARKS = {64, 80, 85, 108, 112, 117, 124, 127, 130, 136, 141, 146, 148, 171, 114}

SMALL = """
room_size: 2
start: 1
rooms:
  - {marker_id: 1, tile: [0, 0]}
  - {marker_id: 2, tile: [1, 0]}
  - {marker_id: 3, tile: [2, 0], position: [4.5, -1]}
  - {marker_id: 4, tile: [1, 1]}
  - {marker_id: 5, tile: [2, 1]}
passages: [[1, 2], [2, 3], [4, 2]]
objects:
  - {object_id: 9, room: 3}
  - {object_id: 8, room: 3, reachable: false}
"""


@pytest.fixture(scope="module")
def maze() -> RoomMap:
    return load_room_map()


def test_the_shipped_maze_suits_a_first_session(maze: RoomMap) -> None:
    assert set(maze.rooms) == NAO_MARKS
    seen = in_sight(maze, maze.start)
    assert seen[114] == 2
    assert maze.rooms[114].objects
    assert not set(maze.rooms[114].objects) & maze.out_of_reach
    assert len(in_sight(maze, 114)) > 3, "nowhere to carry the object to"
    assert set(maze.rooms) - set(seen), "everything can be seen from the start"
    assert sum(len(room.objects) for room in maze.rooms.values()) >= 3
    for marker_id in maze.rooms:
        assert maze.path(maze.start, marker_id)[-1] == marker_id


def test_a_map_is_read_as_written() -> None:
    room_map = parse_room_map(SMALL, "small.yaml")
    assert room_map.start == 1
    assert room_map.room_size == 2.0
    assert [(room.x, room.y) for room in room_map.rooms.values()] == [
        (0, 0), (2, 0), (4.5, -1), (2, 2), (4, 2),
    ]  # fmt: skip
    assert room_map.rooms[2].neighbours == (1, 3, 4)
    assert room_map.rooms[5].neighbours == ()
    assert room_map.rooms[3].objects == (8, 9)
    assert room_map.out_of_reach == {8}
    assert room_map.by_tile[1, 1].marker_id == 4


def test_ways_and_distances() -> None:
    room_map = parse_room_map(SMALL, "small.yaml")
    assert room_map.path(3, 4) == (3, 2, 4)
    assert room_map.path(4, 4) == (4,)
    assert len(room_map.path(1, 4)) - 1 == 2
    with pytest.raises(RoomMapError, match="no passages lead from room 1 to room 5"):
        room_map.path(1, 5)
    with pytest.raises(RoomMapError, match="no room of the map has marker 77"):
        room_map.path(1, 77)


def test_a_way_round_a_loop_is_the_shorter_one(maze: RoomMap) -> None:
    assert maze.path(114, 136) in {(114, 108, 112, 130, 136), (114, 85, 146, 141, 136)}
    assert len(maze.path(64, 171)) - 1 == 8


def test_sight_goes_straight_along_open_passages(maze: RoomMap) -> None:
    assert dict(in_sight(maze, 114)) == {114: 0, 80: 1, 85: 1, 108: 1, 64: 2, 112: 2, 146: 2}
    assert dict(in_sight(maze, 171)) == {171: 0, 148: 1}
    # 3 and 5, 4 and 5 lie side by side with a wall between them
    room_map = parse_room_map(SMALL, "small.yaml")
    assert list(in_sight(room_map, 4).items()) == [(4, 0), (2, 1)]
    assert dict(in_sight(room_map, 5)) == {5: 0}
    with pytest.raises(RoomMapError, match="marker 77"):
        in_sight(room_map, 77)


def test_sight_is_mutual(maze: RoomMap) -> None:
    for one in maze.rooms:
        for other, distance in in_sight(maze, one).items():
            assert in_sight(maze, other)[one] == distance


@pytest.mark.parametrize(
    "old,new,sentence",
    [
        ("start: 1\n", "", "m.yaml: the room map: the key 'start' is missing"),
        ("start: 1\n", "start: 7\n", "m.yaml: start: no room has marker 7"),
        ("start: 1\n", "start: one\n", "m.yaml: start: must be an integer, not 'one'"),
        ("start: 1\n", "start: 1\nspeed: 3\n", "m.yaml: the room map: unknown key 'speed'"),
        ("room_size: 2", "room_size: 0", "m.yaml: room_size: must be greater than 0"),
        ("room_size: 2", "room_size: .nan", "m.yaml: room_size: must be a finite number"),
        ("room_size: 2", "room_size: big", "m.yaml: room_size: must be a number, not 'big'"),
        ("marker_id: 2,", "marker_id: 1,", r"rooms\[1\] \(marker 1\): another room has this"),
        ("marker_id: 2,", "marker_id: true,", r"rooms\[1\].marker_id: must be an integer"),
        ("marker_id: 2,", "marker_id: 4294967296,", r"rooms\[1\].marker_id: must fit 32 bits"),
        ("{marker_id: 2, ", "{", r"rooms\[1\]: the key 'marker_id' is missing"),
        ("tile: [1, 0]", "tile: [0, 0]", r"\(marker 2\): room 1 has the tile \[0, 0\] already"),
        ("tile: [1, 0]", "tile: [0]", r"\(marker 2\).tile: must be a list of two, not \[0\]"),
        ("tile: [1, 0]", "tile: [0.5, 0]", r"\(marker 2\).tile: must be an integer, not 0.5"),
        ("tile: [1, 0]", "til: [1, 0]", r"rooms\[1\]: unknown key 'til', known are marker_id"),
        ("[4.5, -1]", "[4.5, north]", r"\(marker 3\).position: must be a number, not 'north'"),
        ("[[1, 2]", "[[1, 6]", r"passages\[0\]: no room has marker 6"),
        ("[[1, 2]", "[[1, 3]", r"passages\[0\]: rooms 1 and 3 do not lie on neighbouring tiles"),
        ("[[1, 2]", "[[1, 1]", r"passages\[0\]: rooms 1 and 1 do not lie on neighbouring"),
        ("[[1, 2]", "[12", r"passages\[0\]: must be a list of two, not 12"),
        ("passages: [[1, 2], [2, 3], [4, 2]]", "passages: 3", "passages: must be a list, not 3"),
        ("object_id: 8", "object_id: 9", r"objects\[1\] \(object 9\): another object has this id"),
        ("{object_id: 9, room: 3}", "9", r"objects\[0\]: must be a mapping, not 9"),
        ("object_id: 9, room: 3", "object_id: 9, room: 6", r"\(object 9\).room: no room has"),
        ("reachable: false", "reachable: 0", r"\(object 8\).reachable: must be true or false"),
    ],
)
def test_a_fault_in_a_map_is_named_with_its_place(old: str, new: str, sentence: str) -> None:
    assert SMALL.count(old) == 1
    with pytest.raises(RoomMapError, match=sentence):
        parse_room_map(SMALL.replace(old, new), "m.yaml")


@pytest.mark.parametrize(
    "text,sentence",
    [
        ("", "must be a mapping"),
        ("[]", "must be a mapping"),
        ("{start: 1, rooms: []}", "must name at least one room"),
        ("{start: 1", "m.yaml: not YAML: .*line 1"),
        ("start: 2001-99-99\nrooms: []", "m.yaml: not YAML"),
        ("!!python/object:os.system {}", "m.yaml: not YAML"),
    ],
)
def test_what_is_no_map_at_all(text: str, sentence: str) -> None:
    with pytest.raises(RoomMapError, match=sentence):
        parse_room_map(text, "m.yaml")


@given(st.text(alphabet="[]{}:,-\n 12start.rooms!&*'\"|\0\u00e9", max_size=60))
def test_any_text_is_a_map_or_a_room_map_error(text: str) -> None:
    message = "m.yaml: it is a map"
    try:
        parse_room_map(text, "m.yaml")
    except RoomMapError as error:
        message = str(error)
    assert message.startswith("m.yaml: ")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    with pytest.raises(RoomMapError, match=f"{missing}: the room map cannot be read: No such"):
        load_room_map(missing)
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RoomMapError, match=r"binary.yaml: .* not UTF-8 text"):
        load_room_map(str(binary))
    binary.write_text(SMALL, encoding="utf-8")
    assert load_room_map(binary).start == 1


def test_the_map_cannot_be_changed(maze: RoomMap) -> None:
    with pytest.raises(TypeError):
        maze.rooms[1] = maze.rooms[64]  # type: ignore[index]
