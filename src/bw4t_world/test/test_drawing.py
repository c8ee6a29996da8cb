# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures: what is where shows in the pixels; and what cannot be drawn is said."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bw4t_world.drawing import (
    BLOCK_PAINTS,
    DrawingError,
    DrawnBlock,
    DrawnEPartner,
    DrawnRobot,
    Scene,
    draw,
    scene_of_map,
    write_png,
)
from bw4t_world.maps import BlockColor, Point, load_map
from bw4t_world.maps.generator import generate_map
from bw4t_world.maps.shipped import nine_rooms

cv2 = pytest.importorskip("cv2")
SCALE = 10


def pixel(image: object, x: float, y: float) -> tuple[int, int, int]:
    """Return red, green and blue at a place of the map (which has a margin of one unit)."""
    blue, green, red = image[round((y + 1) * SCALE), round((x + 1) * SCALE)]  # type: ignore[index]
    return int(red), int(green), int(blue)


@pytest.mark.parametrize("color", BlockColor)
def test_a_block_has_its_colour(color: BlockColor) -> None:
    scene = Scene(map=nine_rooms(), blocks=(DrawnBlock(Point(15, 55), color),))
    # Beside the letter in the middle.
    assert pixel(draw(scene, pixels_per_unit=SCALE), 15.5, 55.5) == BLOCK_PAINTS[color]


def test_doors_show_whether_a_room_is_occupied() -> None:
    scene = scene_of_map(nine_rooms())
    red, green, _ = pixel(draw(scene, pixels_per_unit=SCALE), 15, 50)
    assert green > red
    scene = replace(scene, occupied=frozenset({"RoomC1"}))
    image = draw(scene, pixels_per_unit=SCALE)
    red, green, _ = pixel(image, 15, 50)
    assert red > green
    red, green, _ = pixel(image, 25, 50)
    assert green > red


def test_robots_and_epartners_are_drawn_where_they_are() -> None:
    empty = Scene(map=nine_rooms())
    robot = DrawnRobot("Bot_1", Point(15, 45), 2, (BlockColor.RED, BlockColor.BLUE), True)
    full = replace(empty, robots=(robot,), epartners=(DrawnEPartner("É", Point(40, 65)),))
    before, after = (draw(scene, pixels_per_unit=SCALE) for scene in (empty, full))
    assert before.shape == after.shape
    for x, y in ((15, 45), (40, 65)):
        assert pixel(before, x, y) != pixel(after, x, y)
    assert pixel(before, 25, 25) == pixel(after, 25, 25)


def test_the_sequence_is_ticked_off() -> None:
    scene = scene_of_map(nine_rooms())
    assert (draw(scene) != draw(replace(scene, sequence_index=1))).any()
    assert (draw(scene) != draw(replace(scene, sequence_index=6))).any()
    draw(replace(scene, sequence=()))


def test_a_hidden_label_is_not_drawn() -> None:
    spec = nine_rooms()
    hidden = replace(spec, zones=tuple(replace(z, label_visible=False) for z in spec.zones))
    assert (draw(spec) != draw(hidden)).any()


@pytest.mark.parametrize("name", ["nine_rooms_charging", "large"])
def test_a_png_is_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    write_png(load_map(name), path, pixels_per_unit=4)
    area = load_map(name).area
    height, width, _ = cv2.imread(str(path)).shape
    assert (width, height) == (4 * (area.x + 2), 4 * (area.y + 7))


def test_what_cannot_be_drawn_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = replace(generate_map(), area=Point(1e5, 1e5))
    with pytest.raises(DrawingError, match="too large a picture"):
        draw(huge)
    with pytest.raises(DrawingError, match="pixels_per_unit"):
        draw(nine_rooms(), pixels_per_unit=0)
    with pytest.raises(OSError, match="No such file"):
        write_png(nine_rooms(), tmp_path / "none" / "x.png")
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(DrawingError, match="install opencv-python-headless"):
        draw(nine_rooms())
