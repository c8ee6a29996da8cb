# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Flat shapes in the palette's colours, and what is read back of them."""

from __future__ import annotations

import pytest
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from legacy_robots_common.drawing.drawn_shapes import boxes, strips
from legacy_robots_common.drawing.markers import (
    add_rectangle,
    add_strip,
    flat_shapes,
    label,
    layers,
    paint,
)
from legacy_robots_core.palette import PALETTE, rgb


@pytest.fixture
def shapes():
    return flat_shapes(Header(frame_id="map"), "shapes", 3, paint("robot"))


def test_colours_are_those_of_the_file():
    assert rgb("block-red") == pytest.approx((0xD6 / 255, 0x27 / 255, 0x28 / 255))
    assert len(PALETTE) > 40
    with pytest.raises(KeyError):
        rgb("no such colour")


def test_every_triangle_has_its_own_colour_for_rviz_lights_those_without(shapes):
    add_rectangle(shapes, (0.0, 0.0), (2.0, 1.0), 0.5)
    add_strip(shapes, (0.0, 0.0), (3.0, 4.0), 0.0, 0.1, paint("sight"))
    assert shapes.type == Marker.TRIANGLE_LIST
    assert len(shapes.points) == len(shapes.colors) == 12
    assert shapes.colors[0] == paint("robot")
    assert shapes.colors[6] == paint("sight")
    for a, b, c in zip(*(shapes.points[i::3] for i in range(3)), strict=True):
        assert (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0, "it faces down"


def test_rectangles_and_lines_are_read_back(shapes):
    add_rectangle(shapes, (-1.0, 2.0), (2.0, 3.0), 0.5)
    assert boxes(shapes) == [((-1.0, 2.0), (2.0, 3.0))]
    lines = flat_shapes(Header(), "lines", 0, paint("robot"))
    ends = [((0.0, 0.0), (3.0, 4.0)), ((1.0, 2.0), (1.0, -2.0)), ((5.0, 0.0), (-5.0, 0.0))]
    for start, end in ends:
        add_strip(lines, start, end, 0.0, 0.5)
    add_strip(lines, (1.0, 1.0), (1.0, 1.0), 0.0, 0.5)
    for (a, b), (start, end) in zip(strips(lines), ends, strict=True):
        assert a == pytest.approx(start)
        assert b == pytest.approx(end)


def test_markers_wait_for_their_transforms(shapes):
    text = label(Header(frame_id="map"), "names", 1, "door", 0.5)
    assert (text.text, text.scale.z) == ("door", 0.5)
    assert text.frame_locked
    assert shapes.frame_locked


def test_a_shape_is_below_all_earlier_ones_that_it_overlaps():
    assert layers([[], [0], [0], [1, 2], []]) == [0, 1, 1, 2, 0]
