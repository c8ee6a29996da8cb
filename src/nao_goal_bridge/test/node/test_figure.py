# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Nao that is drawn: it stands, walks and carries as the robot reports."""

import pytest
from visualization_msgs.msg import Marker

from legacy_robots_msgs.msg import NaoHeldObject, NaoLocation, NaoSighting, NaoState
from nao_goal_bridge.bridge.figure import link_poses
from nao_goal_bridge.bridge.markers import HALTED, WALKING, situation_markers
from nao_goal_bridge.model.room_map import load_room_map

pytestmark = pytest.mark.node

MAP = load_room_map()
HERE = MAP.rooms[114]


def drawn(state=NaoState.HALTED, *, held=False, goal=None, stride=0, seen=()):
    place = NaoLocation(marker_id=114, valid=True)
    load = NaoHeldObject(valid=True, holding=held, object_id=7)
    state = NaoState(state=state, valid=True)
    seen = {number: NaoSighting(marker_id=number) for number in seen}
    return situation_markers(MAP, place, state, load, seen, goal, stride).markers


def body(markers):
    found = [m for m in markers if m.ns == "body"]
    assert len(found) > 30
    assert len({m.id for m in found}) == len(found)
    assert {m.type for m in found} <= {Marker.CUBE, Marker.CYLINDER, Marker.SPHERE}
    return found


def test_it_stands_in_its_room_and_is_no_higher_than_that_is_wide():
    found = body(drawn())
    for marker in found:
        at, half = marker.pose.position, max(marker.scale.x, marker.scale.y, marker.scale.z) / 2
        assert abs(at.x - HERE.x) + half < 0.5 * MAP.room_size
        assert abs(at.y - HERE.y) + half < 0.5 * MAP.room_size
        assert -0.02 < at.z < 1.1 * MAP.room_size
    assert HALTED in [m.color for m in found]
    assert WALKING not in [m.color for m in found]


def test_it_walks_by_turns_and_only_while_it_is_said_to_walk():
    left, right = (link_poses(stride, False) for stride in (1, -1))
    feet = [[p[sole].translation[0] for sole in ("l_sole", "r_sole")] for p in (left, right)]
    assert feet[0][0] - feet[0][1] > 0.05
    assert feet[0] == pytest.approx(feet[1][::-1])
    places = [
        [m.pose.position for m in body(drawn(NaoState.WALKING, stride=stride))]
        for stride in (1, -1)
    ]
    assert places[0] != places[1]
    halted = [[m.pose.position for m in body(drawn(stride=stride))] for stride in (1, -1)]
    assert halted[0] == halted[1]
    assert WALKING in [m.color for m in body(drawn(NaoState.WALKING, stride=1))]


def test_it_carries_before_it_and_looks_along_its_way():
    (box,) = [
        m for m in drawn(held=True, goal=(80, 0)) if m.ns == "held" and m.type == Marker.CUBE
    ]
    assert box.pose.position.x < HERE.x - 0.1, "80 is to the left"
    hands = [
        [link_poses(0, carries)[f"{side}_forearm"].translation for side in "lr"]
        for carries in (True, False)
    ]
    for carrying, hanging in zip(*hands, strict=True):
        assert carrying[0] > hanging[0] + 0.05
        assert carrying[2] > hanging[2] + 0.02
    assert hands[0][0][0] == pytest.approx(hands[0][1][0]), "both arms alike"
    assert hands[0][0][1] == pytest.approx(-hands[0][1][1])


def test_no_sighting_is_drawn_through_a_wall():
    found = {m.id for m in drawn(seen=(80, 146, 171, 136, 108)) if m.ns == "sightings"}
    assert found == {80, 108, 146}
