# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Map files: round trip, defaults, every kind of bad file, remarks."""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bw4t_world.maps import (
    BlockColor,
    Box,
    DoorOrientation,
    DoorSpec,
    EntitySpec,
    EntityType,
    MapError,
    MapSpec,
    Point,
    ZoneSpec,
    ZoneType,
    load_map,
    map_remarks,
    parse_map,
    read_map,
)
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.maps.writer import format_map, write_map

SMALL = """<newMap>
  <area><x>20</x><y>30</y></area>
  <entities><position><x>5</x><y>5</y></position></entities>
  <zones><name>Hall</name><type>CORRIDOR</type>
    <boundingbox><x>10</x><y>5</y><width>20</width><height>10</height></boundingbox>
    <neighbours>RoomA</neighbours><neighbours>DropZone</neighbours></zones>
  <zones><name>RoomA</name><type>ROOM</type>
    <boundingbox><x>5</x><y>15</y><width>10</width><height>10</height></boundingbox>
    <neighbours>Hall</neighbours><doors><position><x>5</x><y>10</y></position></doors>
    <blocks>RED</blocks></zones>
  <zones><name>DropZone</name><type>ROOM</type>
    <boundingbox><x>15</x><y>15</y><width>10</width><height>10</height></boundingbox>
    <neighbours>Hall</neighbours><doors><position><x>15</x><y>10</y></position></doors></zones>
  <sequence>RED</sequence>
</newMap>"""

numbers = st.floats(-1e6, 1e6).map(lambda value: value + 0.0)
names = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Zs", "Zl", "Zp")),
    min_size=1,
    max_size=12,
).filter(lambda name: name != "DropZone" and "￾" not in name and "￿" not in name)
colors = st.sampled_from(BlockColor)


@st.composite
def doors_of(draw: st.DrawFn, box: Box) -> DoorSpec:
    orientation = draw(st.sampled_from(DoorOrientation))
    if draw(st.booleans()):
        position = Point(draw(st.sampled_from([box.min_x, box.max_x])), box.y)
    else:
        position = Point(box.x, draw(st.sampled_from([box.min_y, box.max_y])))
    return DoorSpec(position, orientation)


@st.composite
def maps(draw: st.DrawFn) -> MapSpec:
    zone_names = ["DropZone", *draw(st.lists(names, unique=True, max_size=5))]
    random.Random(draw(st.integers(0, 99))).shuffle(zone_names)
    zones = []
    for name in zone_names:
        kind = ZoneType.ROOM if name == "DropZone" else draw(st.sampled_from(ZoneType))
        size = st.floats(1, 1000)
        box = Box(draw(st.floats(-1e3, 1e3)), draw(st.floats(-1e3, 1e3)), draw(size), draw(size))
        is_room = kind is ZoneType.ROOM
        zones.append(
            ZoneSpec(
                name=name,
                type=kind,
                box=box,
                neighbours=tuple(draw(st.lists(st.sampled_from(zone_names), max_size=3))),
                doors=tuple(draw(st.lists(doors_of(box), max_size=2 if is_room else 0))),
                blocks=tuple(
                    draw(st.lists(colors, max_size=5)) if is_room and name != "DropZone" else ()
                ),
                label_visible=draw(st.booleans()),
            )
        )
    area = Point(draw(st.floats(1, 1e6)), draw(st.floats(1, 1e6)))
    inside = st.builds(Point, st.floats(0, area.x), st.floats(0, area.y))
    entities = st.builds(
        EntitySpec, inside, st.one_of(names, st.just("")), st.sampled_from(EntityType)
    )
    places = sum(max(0, 10 - len(zone.blocks)) for zone in zones if zone.is_blocks_room)
    random_blocks = draw(st.integers(0, places))
    return MapSpec(
        area=area,
        zones=tuple(zones),
        entities=tuple(draw(st.lists(entities, max_size=4))),
        sequence=tuple(draw(st.lists(colors, max_size=6))),
        one_bot_per_corridor_zone=draw(st.booleans()),
        random_blocks=random_blocks,
        random_sequence=draw(st.integers(0, places - random_blocks)),
        seed=draw(st.none() | st.integers(-(2**63), 2**63 - 1)),
    )


@given(maps())
@settings(deadline=None)
def test_writing_and_reading_is_the_identity(spec: MapSpec) -> None:
    assert parse_map(format_map(spec)) == spec
    assert parse_map(format_map(spec).encode()) == spec


@given(maps(), st.randoms())
@settings(deadline=None, max_examples=50)
def test_any_order_is_read_and_the_alphabetical_one_written(
    spec: MapSpec, order: random.Random
) -> None:
    root = ElementTree.fromstring(format_map(spec).encode())
    for element in root.iter():
        written = [child.tag for child in element]
        assert written == sorted(written)
        by_name: dict[str, list[ElementTree.Element]] = {}
        for child in element:
            by_name.setdefault(child.tag, []).append(child)
        children = list(element)
        order.shuffle(children)
        # Repeated elements are lists, whose own order counts.
        element[:] = [by_name[child.tag].pop(0) for child in children]
    assert parse_map(ElementTree.tostring(root)) == spec


def test_defaults_of_left_out_elements() -> None:
    spec = parse_map(SMALL)
    assert spec.entities == (EntitySpec(Point(5.0, 5.0), "-", EntityType.NORMAL),)
    assert (spec.random_blocks, spec.random_sequence, spec.seed) == (0, 0, None)
    assert not spec.one_bot_per_corridor_zone
    room = spec.zone("RoomA")
    assert room.doors[0].orientation is DoorOrientation.HORIZONTAL
    assert room.label_visible
    assert room.box.min_y == 10
    assert room.blocks == (BlockColor.RED,)
    assert spec.drop_zone.name == "DropZone"


BAD_FILES = {
    "unknown neighbour": (
        ("<neighbours>RoomA</neighbours>", "<neighbours>Rome</neighbours>"),
        r"zones\[1\]\(Hall\)/neighbours\[1\]: there is no zone 'Rome'",
    ),
    "duplicate zone": (
        ("<name>RoomA</name>", "<name>Hall</name>"),
        r"zones\[2\]\(Hall\)/name: is also the name of zones\[1\]",
    ),
    "no drop zone": (
        ("<name>DropZone</name>", "<name>Home</name>"),
        "there is no zone 'DropZone'",
    ),
    "two drop zones": (
        ("<name>RoomA</name>", "<name>DropZone</name>"),
        "there can be only one drop zone",
    ),
    "drop zone no room": (
        ("<name>DropZone</name><type>ROOM</type>", "<name>DropZone</name><type>CORRIDOR</type>"),
        "zones.3..DropZone./doors.1.: a CORRIDOR cannot have doors",
    ),
    "bad number": (("<x>20</x>", "<x>twenty</x>"), "area/x: 'twenty' is not a number"),
    "digit groups": (("<x>20</x>", "<x>2_0</x>"), "area/x: '2_0' is not a number"),
    "nan": (("<x>20</x>", "<x>NaN</x>"), "area/x: 'NaN' is not a number"),
    "infinity": (("<x>20</x>", "<x>INF</x>"), "area/x: 'INF' is not a number"),
    "overflow": (("<x>20</x>", "<x>1e999</x>"), "area/x: '1e999' is not a number"),
    "huge": (("<x>20</x>", "<x>1e7</x>"), "area/x: '1e7' is not a number between"),
    "empty number": (("<x>20</x>", "<x/>"), "area/x: '' is not a number"),
    "no area": (("<area><x>20</x><y>30</y></area>", ""), "area/x: 0 is not greater than 0"),
    "flat zone": (
        ("<width>20</width>", ""),
        r"\(Hall\)/boundingbox/width: 0 is not greater than 0",
    ),
    "bad colour": (
        ("<blocks>RED</blocks>", "<blocks>PURPLE</blocks>"),
        r"zones\[2\]\(RoomA\)/blocks\[1\]: 'PURPLE' is no colour; known are RED, ORANGE",
    ),
    "bad sequence": (("<sequence>RED", "<sequence>Red"), r"sequence\[1\]: 'Red' is no colour"),
    "bad type": (
        ("<type>CORRIDOR</type>", "<type>HALL</type>"),
        r"zones\[1\]\(Hall\)/type: 'HALL' is no zone type",
    ),
    "bad boolean": (
        ("<area>", "<oneBotPerCorridorZone>yes</oneBotPerCorridorZone><area>"),
        "oneBotPerCorridorZone: 'yes' is neither true nor false",
    ),
    "bad count": (
        ("<area>", "<randomBlocks>-1</randomBlocks><area>"),
        "randomBlocks: '-1' is not a whole number from 0",
    ),
    "long count": (
        ("<area>", f"<randomBlocks>{'9' * 5000}</randomBlocks><area>"),
        "randomBlocks: '9999.*' is not a whole number",
    ),
    "bad seed": (("<area>", f"<seed>{2**63}</seed><area>"), "seed: .* is not a whole number"),
    "too many random blocks": (
        ("<area>", "<randomBlocks>10</randomBlocks><area>"),
        "randomBlocks: 10 random blocks do not fit: .* leaves 9 places",
    ),
    "missing name": (("<name>Hall</name>", ""), r"zones\[1\]: has no element <name>"),
    "empty name": (("<name>Hall</name>", "<name/>"), r"zones\[1\]/name: is empty"),
    "missing type": (("<type>CORRIDOR</type>", ""), r"\(Hall\): has no element <type>"),
    "door elsewhere": (
        ("<x>5</x><y>10</y>", "<x>5</x><y>25</y>"),
        r"\(RoomA\)/doors\[1\]: at \(5, 25\) is not on the edge of its room",
    ),
    "door within": (
        ("<x>5</x><y>10</y>", "<x>5</x><y>15</y>"),
        r"\(RoomA\)/doors\[1\]: at \(5, 15\) is not on the edge of its room",
    ),
    "door of a corridor": (
        ("<type>CORRIDOR</type>", "<type>CORRIDOR</type><doors/>"),
        r"\(Hall\)/doors\[1\]: a CORRIDOR cannot have doors",
    ),
    "blocks in a corridor": (
        ("<type>CORRIDOR</type>", "<type>CORRIDOR</type><blocks>RED</blocks>"),
        r"\(Hall\)/blocks\[1\]: a CORRIDOR cannot hold blocks",
    ),
    "blocks in the drop zone": (
        ("<name>DropZone</name>", "<name>DropZone</name><blocks>RED</blocks>"),
        r"\(DropZone\)/blocks\[1\]: the drop zone cannot hold blocks",
    ),
    "spawn outside": (
        ("<position><x>5</x><y>5</y>", "<position><x>21</x><y>5</y>"),
        r"entities\[1\]/position: \(21, 5\) is outside of the area",
    ),
    "unknown element": (("<area>", "<aera>"), "not well-formed"),
    "unknown root child": (("<area>", "<areas/><area>"), "has an unknown element <areas>"),
    "unknown zone child": (
        ("<name>Hall</name>", "<name>Hall</name><label/>"),
        r"zones\[1\]: has an unknown element <label>",
    ),
    "element twice": (("<x>20</x>", "<x>20</x><x>20</x>"), "area/x: is given twice"),
    "attribute": (("<area>", '<area unit="m">'), "area: has an attribute 'unit'"),
    "stray text": (("<area>", "<area>wide"), "area: has text where only elements"),
    "stray tail": (("</area>", "</area>wide"), "has stray text after <area>"),
    "element in text": (("<x>20</x>", "<x><y>1</y></x>"), "area/x: has an element <y>"),
    "wrong root": (("newMap", "oldMap"), "the root element is <oldMap>, not <newMap>"),
    "not XML": ((SMALL, "Hello"), "is not well-formed XML"),
    "empty": ((SMALL, ""), "is not well-formed XML"),
    "no zones": ((SMALL, "<newMap><area><x>1</x><y>1</y></area></newMap>"), "has no zones"),
    "dtd": (("<newMap>", "<!DOCTYPE newMap><newMap>"), "document types and entities"),
    "expansion": (
        (
            "<newMap>",
            '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><newMap>&b;',
        ),
        "document types and entities",
    ),
    "external entity": (
        ("<newMap>", '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><newMap>&a;'),
        "document types and entities",
    ),
    "oversized": (("</newMap>", " " * 8 * 1024 * 1024 + "</newMap>"), "is larger than 8 MiB"),
    "deep": (("<area>", "<a>" * 10_000 + "</a>" * 10_000 + "<area>"), "nested deeper than"),
    "unknown encoding": (
        ("<newMap>", '<?xml version="1.0" encoding="klingon"?><newMap>'),
        "(decoded|well-formed)",
    ),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_refused_with_file_and_element(kind: str, tmp_path: Path) -> None:
    (old, new), message = BAD_FILES[kind]
    text = SMALL.replace(old, new, SMALL.count(old) if kind == "wrong root" else 1)
    if kind == "no drop zone":
        text = text.replace("<neighbours>DropZone</neighbours>", "")
        message = "zones: there is no drop zone: no ROOM named DropZone"
    if kind == "unknown element":
        text = text.replace("</area>", "</aera>")
        message = "has an unknown element <aera>"
    assert text != SMALL
    path = tmp_path / "bad.map"
    path.write_text(text)
    with pytest.raises(MapError, match=message) as caught:
        load_map(path)
    assert caught.value.source == str(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_missing_file_or_directory_is_a_map_error(tmp_path: Path) -> None:
    for path in (tmp_path / "none.map", tmp_path):
        with pytest.raises(MapError, match="cannot be read"):
            read_map(path)
    with pytest.raises(MapError, match="cannot be read"):
        load_map("no\0where")


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_raise_nothing_but_map_errors(text: bytes | str) -> None:
    with pytest.raises(MapError):
        parse_map(text)


@given(st.integers(0, 10**9), st.data())
@settings(deadline=None)
def test_a_damaged_map_raises_nothing_but_map_errors(at: int, data: st.DataObject) -> None:
    at %= len(SMALL)
    damaged = SMALL[:at] + data.draw(st.text(max_size=3)) + SMALL[at + 1 :]
    try:
        spec = parse_map(damaged)
    except MapError:
        return
    assert parse_map(format_map(spec)) == spec


@pytest.mark.parametrize(
    "change",
    [
        {"area": Point(math.nan, 1.0)},
        {"random_blocks": -1},
        {"random_sequence": 10**9},
        {"seed": 2**64},
        {"zones": ()},
        {"entities": (EntitySpec(Point(math.inf, 0.0)),)},
        {"entities": (EntitySpec(Point(1.0, 1.0), name="a\0b"),)},
        {"entities": (EntitySpec(Point(1.0, 1.0), name=" a"),)},
        {"entities": (EntitySpec(Point(1.0, 1.0)),) * 10_001},
    ],
)
def test_a_bad_map_made_in_python_is_not_written(
    change: dict[str, object], tmp_path: Path
) -> None:
    spec = replace(nine_rooms(), **change)  # type: ignore[arg-type]
    with pytest.raises(MapError):
        write_map(spec, tmp_path / "x.map")
    assert not (tmp_path / "x.map").exists()


def test_unknown_neighbours_can_be_dropped_as_the_original_does() -> None:
    text = SMALL.replace("<neighbours>RoomA</neighbours>", "<neighbours>Gone</neighbours>")
    assert parse_map(text, unknown_neighbours="drop").zone("Hall").neighbours == ("DropZone",)


def test_remarks_name_what_is_allowed_but_odd() -> None:
    assert map_remarks(parse_map(SMALL)) == []
    odd = (
        SMALL.replace("<sequence>RED", "<sequence>CYAN")
        .replace("<doors><position><x>5</x><y>10</y></position></doors>", "")
        .replace("<entities><position><x>5</x><y>5</y></position></entities>", "")
        .replace("<neighbours>RoomA</neighbours>", "")
        .replace("<neighbours>Hall</neighbours>", "", 1)
    )
    remarks = " ".join(map_remarks(parse_map(odd)))
    for part in (
        "no spawn points",
        "RoomA has no door",
        "1 Cyan",
        "no original server knows",
        "No path leads from the drop zone to RoomA",
    ):
        assert part in remarks
    assert "nothing to do" in map_remarks(replace(parse_map(SMALL), sequence=()))[0]
