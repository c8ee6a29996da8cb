# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The generator, the shipped maps that it made, and what maps consist of."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bw4t_world.maps import (
    SHIPPED_MAPS,
    BlockColor,
    Box,
    DoorOrientation,
    DoorSpec,
    Point,
    ZoneType,
    load_map,
    map_remarks,
    read_map,
    validate_map,
)
from bw4t_world.maps.generator import Layout, empty_map, generate_map
from bw4t_world.maps.shipped import RECIPES, write_shipped_maps


def test_shipped_maps_are_what_the_package_generates(tmp_path: Path) -> None:
    write_shipped_maps(tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == set(SHIPPED_MAPS) == set(RECIPES)
    for name, make in RECIPES.items():
        spec = load_map(name)
        assert spec == make()
        assert read_map(tmp_path / f"{name}.map") == spec
        assert map_remarks(spec) == []


def test_the_nine_room_layout_is_that_of_the_original() -> None:
    spec = load_map("nine_rooms")
    assert spec.area == Point(50, 80)
    assert len(spec.zones) == 28
    assert sum(zone.type is ZoneType.CORRIDOR for zone in spec.zones) == 18
    assert spec.zone("RoomC1").box == Box(15, 55, 10, 10)
    assert spec.zone("RoomC1").doors == (DoorSpec(Point(15, 50)),)
    assert spec.zone("FrontRoomB3").box == Box(35, 25, 10, 10)
    assert spec.zone("LeftHallC").box == Box(5, 45, 10, 20)
    assert spec.zone("RightHallD").box == Box(45, 65, 10, 10)
    assert spec.drop_zone.box == Box(25, 75, 25, 10)
    assert spec.drop_zone.doors == (DoorSpec(Point(25, 70)),)
    assert [entity.position for entity in spec.entities] == [
        Point(25, 65),
        Point(21, 63),
        Point(29, 63),
    ]
    assert sum(len(zone.blocks) for zone in spec.zones) == 22
    assert [str(color) for color in spec.sequence] == [
        "Blue",
        "Green",
        "Yellow",
        "Pink",
        "Orange",
        "Red",
    ]


def test_the_other_shipped_maps_have_what_they_are_for() -> None:
    charging = load_map("nine_rooms_charging")
    kinds = {zone.type for zone in charging.zones}
    assert {ZoneType.CHARGINGZONE, ZoneType.BLOCKADE} <= kinds
    large = load_map("large")
    assert len(large.entities) == 100
    assert sum(zone.is_blocks_room for zone in large.zones) == 60
    assert load_map("nine_rooms_narrow").one_bot_per_corridor_zone


@given(
    st.integers(1, 26),
    st.integers(1, 12),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 10),
    st.none() | st.integers(),
)
@settings(deadline=None, max_examples=40)
def test_every_layout_makes_a_map_without_remarks(
    rows: int,
    columns: int,
    charging: bool,
    blockade: bool,
    narrow: bool,
    blocks: int,
    seed: int | None,
) -> None:
    layout = Layout(rows, columns, 1, charging, blockade, narrow)
    sequence = min(blocks, 3)
    spec = generate_map(layout, blocks=blocks, sequence=sequence, seed=seed)
    validate_map(spec)
    assert sum(zone.is_blocks_room for zone in spec.zones) == rows * columns
    assert spec == generate_map(layout, blocks=blocks, sequence=sequence, seed=seed)
    assert map_remarks(spec) == (
        [] if sequence else ["The sequence is empty, so there is nothing to do."]
    )


def test_spawn_points_keep_robots_apart_and_inside_their_corridor() -> None:
    for columns in (1, 3, 10):
        for spawns in range(1, 10 * columns):
            try:
                spec = empty_map(Layout(2, columns, spawns))
            except ValueError:
                break
            assert len(spec.entities) == spawns
            points = [entity.position for entity in spec.entities]
            corridor = spec.zone("FrontDropZone").box
            for index, point in enumerate(points):
                robot = Box(point.x, point.y, 2, 2)
                assert corridor.min_x <= robot.min_x
                assert robot.max_x <= corridor.max_x
                assert not any(robot.intersects(Box(p.x, p.y, 2, 2)) for p in points[:index])
        assert spawns > 4 * columns


@pytest.mark.parametrize(
    "layout, options, message",
    [
        (Layout(rows=0), {}, "rows must be from 1 to 26, not 0"),
        (Layout(columns=100), {}, "columns must be from 1 to 99, not 100"),
        (Layout(spawns=1000), {}, "spawns must be from 0 to"),
        (Layout(), {"blocks": 91}, "91 blocks do not fit"),
        (Layout(), {"blocks": 2, "sequence": 3}, "a sequence of 3 needs"),
        (Layout(), {"blocks": -1}, "must not be negative"),
    ],
)
def test_the_generator_names_the_argument_that_does_not_fit(
    layout: Layout, options: dict[str, int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        generate_map(layout, **options)


def test_colours() -> None:
    assert BlockColor.from_text("dark_GRAY") is BlockColor.DARK_GRAY
    assert str(BlockColor.DARK_GRAY) == "Dark_gray"
    with pytest.raises(ValueError, match="unknown colour 'mauve'; the colours are Red, Orange"):
        BlockColor.from_text("mauve")
    assert [c.name for c in BlockColor if not c.known_to_servers] == ["CYAN", "MAGENTA"]


def test_boxes_are_half_open() -> None:
    box = Box(5, 5, 10, 10)
    assert box.contains(0, 0)
    assert not box.contains(10, 5)
    assert not box.intersects(Box(15, 5, 10, 10))
    assert box.intersects(Box(14.9, 5, 10, 10))
    assert DoorSpec(Point(1, 2), DoorOrientation.VERTICAL).box == Box(1, 2, 1, 4)
