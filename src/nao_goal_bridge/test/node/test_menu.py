# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The menu on the Nao in rviz: what is offered, and what a click orders."""

from __future__ import annotations

import pytest

from legacy_robots_msgs.msg import NaoHeldObject, NaoLocation
from legacy_robots_testing.menus import MenuClient
from nao_goal_bridge.protocol import Dialect, Profile

pytestmark = pytest.mark.node


def place_of(markers):
    at = markers["nao"].pose.position
    return round(at.x, 3), round(at.y, 3)


def test_the_nao_is_sent_to_a_room_picks_up_and_puts_down(bridged):
    with bridged() as scene:
        menus = MenuClient(scene.peer, "/nao/menu")
        menus.wait_for(lambda markers: "nao" in markers)
        assert menus.titles("nao") == ["Go to", "Pick up", "Put down"]
        start = place_of(menus.markers)
        place = scene.peer.subscribe(NaoLocation, "/nao/location")
        held = scene.peer.subscribe(NaoHeldObject, "/nao/held_object")
        menus.select("nao", "Go to", "room 114")
        place.wait_for(lambda m: m.marker_id == 114)
        menus.wait_for(lambda markers: place_of(markers) != start)
        menus.select("nao", "Pick up", "object 1")
        held.wait_for(lambda m: m.holding and m.object_id == 1)
        held.clear()
        menus.select("nao", "Put down")
        held.wait_for(lambda m: not m.holding)


def test_a_dialect_that_names_no_object_offers_none(bridged):
    with bridged(dialect=Dialect(Profile.NAOVIGATE), greeting_location="believed") as scene:
        menus = MenuClient(scene.peer, "/nao/menu")
        menus.wait_for(lambda markers: "nao" in markers)
        assert menus.titles("nao") == ["Go to", "Pick up", "Put down"]
        assert menus.titles("nao", "Pick up") == []


def test_the_menu_is_away_while_the_place_is_not_known(bridged):
    with bridged() as scene:
        menus = MenuClient(scene.peer, "/nao/menu")
        menus.wait_for(lambda markers: "nao" in markers)
        scene.simulator.inject("cut")
        menus.wait_for(lambda markers: "nao" not in markers)
        menus.wait_for(lambda markers: "nao" in markers)
