# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Markers: what is in the world is drawn, where it is and as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from bw4t_bridge.bridge import markers
from bw4t_bridge.bridge.team_conversions import occupancy
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from legacy_robots_common.drawing.drawn_shapes import strips

HEADER = Header(frame_id="map")


@pytest.fixture
def world():
    bots = (BotSpec(), BotSpec(name="Ann", controller=Controller.HUMAN))
    scenario = Scenario(bots=bots, epartners=(EPartnerSpec(),))
    return World(load_map("nine_rooms"), scenario, seed=1)


def drawn(world):
    snapshot = world.snapshot()
    everything = [
        *markers.map_markers(snapshot, HEADER),
        *markers.world_markers(snapshot, HEADER),
    ]
    keys = [(m.ns, m.id) for m in everything]
    assert len(keys) == len(set(keys)), "a marker overwrites another"
    return dict(zip(keys, everything, strict=True))


def blocks_in(shown):
    return [marker.pose.position for (ns, _), marker in shown.items() if ns == "blocks"]


def color_of(marker):
    return marker.color.r, marker.color.g, marker.color.b


def test_the_map_is_drawn_with_y_up(world):
    shown = drawn(world)
    floor = shown["floor", 0]
    assert len(floor.points) == len(floor.colors) == 28 * 6
    ys = [point.y for point in floor.points]
    assert (min(ys), max(ys)) == (-80.0, 5.0)  # the halls reach beyond the upper edge
    assert len(strips(shown["walls", 0])) == 10 * 4
    labels = {m.text: m for (ns, _), m in shown.items() if ns == "places"}
    assert len(labels) == 28
    label = labels["RoomC1"].pose.position
    assert (label.x, label.y) == (15.0, -59.0)  # inside of the room, at its lower edge


def test_the_upper_sides_of_the_floor_face_up(world):
    points = drawn(world)["floor", 0].points
    for a, b, c in zip(points[::3], points[1::3], points[2::3], strict=True):
        assert (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0


def test_doors_of_an_occupied_room_are_closed(world):
    before = drawn(world)["doors", 0]
    assert all(c == markers.DOOR_OPEN for c in before.colors)
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(1000)
    after = drawn(world)["doors", 0]
    closed = [
        (p.x, p.y)
        for p, c in zip(after.points, after.colors, strict=True)
        if c == markers.DOOR_CLOSED
    ]
    assert set(closed) == {(13.0, -50.5), (17.0, -50.5), (17.0, -49.5), (13.0, -49.5)}


def test_robots_blocks_ways_and_epartners_are_where_they_are(world):
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(5)
    snapshot = world.snapshot()
    shown = drawn(world)
    robot, human = snapshot.robots
    body = shown["robots", robot.id]
    assert (body.pose.position.x, body.pose.position.y) == (robot.x, -robot.y)
    assert (body.scale.x, body.scale.y) == (2.0, 2.0)
    assert color_of(body) != color_of(shown["robots", human.id])
    assert shown["names", robot.id].text == "Bot_1"
    assert len(blocks_in(shown)) == len(snapshot.blocks) == 22
    way = strips(shown["paths", 0])
    assert way[0] == (pytest.approx((robot.x, -robot.y)), pytest.approx((5.0, -65.0)))
    assert way[-1][1] == pytest.approx((robot.path[-1][0], -robot.path[-1][1]))
    (epartner,) = snapshot.epartners
    assert shown["epartners", epartner.id].type == Marker.SPHERE


def test_a_held_block_is_on_its_robot(world):
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(1000)
    lying = blocks_in(drawn(world))
    target = next(b for b in world.snapshot().blocks if b.zone == "RoomC1")
    world.act("Bot_1", "goToBlock", target.id)
    world.tick(200)
    world.act("Bot_1", "pickUp")
    robot = world.snapshot().robots[0]
    points = blocks_in(drawn(world))
    assert len(points) == len(lying) == 22
    (held,) = [p for p in points if p.z > 0.5]
    assert (held.x, held.y) == (robot.x, -robot.y)


def test_what_is_delivered_is_faint_in_the_sequence(world):
    snapshot = world.snapshot()._replace(delivered=2)
    shown = {(m.ns, m.id): m for m in markers.world_markers(snapshot, HEADER)}
    alphas = [marker.color.a for (ns, _), marker in shown.items() if ns == "sequence"]
    assert alphas == [0.25, 0.25, 1.0, 1.0, 1.0, 1.0]
    assert shown["progress", 0].text == "2 of 6"


def test_clearing_comes_first(world):
    array = markers.marker_array(
        [], markers.world_markers(world.snapshot(), HEADER), HEADER, clear=True
    )
    assert array.markers[0].action == Marker.DELETEALL
    assert Marker.DELETEALL not in {m.action for m in array.markers[1:]}


def test_every_colour_can_be_drawn():
    from bw4t_world.maps import BlockColor, ZoneType

    assert set(markers.BLOCK_COLORS) == set(BlockColor)
    assert set(markers.ZONE_COLORS) == set(ZoneType)


def test_the_world_as_an_occupancy_grid():
    grid = occupancy(World(load_map("nine_rooms"), Scenario()).snapshot(), HEADER)
    cells = np.reshape(grid.data, (grid.info.height, grid.info.width))

    def value(x, y):
        origin, size = grid.info.origin.position, grid.info.resolution
        return cells[int((y - origin.y) / size), int((x - origin.x) / size)]

    assert (grid.info.width, grid.info.height, grid.info.resolution) == (100, 160, 0.5)
    assert value(15.0, -15.0) == 0  # in room A1
    assert value(5.0, -5.0) == 0  # in a corridor
    room = next(z for z in load_map("nine_rooms").zones if z.name == "RoomA1")
    (door,) = room.doors
    assert value(door.box.x, -door.box.y - 0.1) == value(door.box.x, -door.box.y + 0.1) == 0
    assert value(room.box.min_x + 0.2, -15.0) == 100


def test_no_list_is_empty_which_rviz_takes_for_an_error(world):
    snapshot = world.snapshot()._replace(blocks=())
    assert not any(robot.path for robot in snapshot.robots)
    shown = {(m.ns, m.id): m for m in markers.world_markers(snapshot, HEADER)}
    assert shown["paths", 0].action == shown["rims", 0].action == Marker.DELETE
    for marker in shown.values():
        if marker.action == Marker.ADD and marker.type == Marker.TRIANGLE_LIST:
            assert marker.points


def test_a_block_that_is_gone_is_taken_away(world):
    snapshot = world.snapshot()
    gone = snapshot.blocks[0].id
    shown = markers.world_markers(
        snapshot._replace(blocks=snapshot.blocks[1:]), HEADER, gone=[gone]
    )
    actions = {m.id: m.action for m in shown if m.ns == "blocks"}
    assert actions.pop(gone) == Marker.DELETE
    assert set(actions.values()) == {Marker.ADD}


def test_zones_that_overlap_are_layers_that_are_told_apart_from_above(world):
    snapshot = world.snapshot()
    first, second, *others = snapshot.map.zones
    zones = (first, replace(second, box=first.box), *others)
    floor = markers.map_markers(snapshot._replace(map=replace(snapshot.map, zones=zones)), HEADER)[
        0
    ]
    heights = [point.z for point in floor.points[::6]]
    assert heights == pytest.approx([-0.02, -0.04] + [-0.02] * len(others))
