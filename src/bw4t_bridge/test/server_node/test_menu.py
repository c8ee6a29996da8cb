# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The menus on the robots in rviz: what is offered, and what a click orders."""

from __future__ import annotations

import pytest
from visualization_msgs.msg import InteractiveMarkerUpdate, MarkerArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import Bw4tState
from legacy_robots_msgs.srv import Bw4tAddPlayer, Bw4tRemovePlayer
from legacy_robots_testing.menus import MenuClient

pytestmark = pytest.mark.node


@pytest.mark.parametrize("profile", ["spec", "server_3_10"])
def test_a_robot_is_sent_to_a_room_picks_a_block_up_and_puts_it_down(serve, profile):
    server, peer = serve(speed=20.0, robots=1, profile=profile)
    menus = MenuClient(peer)
    menus.wait_for(lambda markers: "Bot_1" in markers)
    assert menus.titles("Bot_1") == ["Go to", "Pick up", "Put down"]
    assert {"RoomC1", "DropZone"} <= set(menus.titles("Bot_1", "Go to"))
    assert "FrontDropZone" not in menus.titles("Bot_1", "Go to")
    room = next(block.zone for block in server.runner.snapshot.blocks if block.zone)
    state = peer.subscribe(Bw4tState, "Bot_1/state")
    menus.select("Bot_1", "Go to", room)
    state.wait_for(lambda m: m.room == room and m.state == Bw4tState.ARRIVED)
    menus.select("Bot_1", "Pick up")
    state.wait_for(lambda m: m.holding)
    state.clear()
    menus.select("Bot_1", "Put down")
    state.wait_for(lambda m: not m.holding)


def test_menus_go_with_their_robots(serve):
    _server, peer = serve(speed=20.0, robots=2)
    menus = MenuClient(peer)
    menus.wait_for(lambda markers: {"Bot_1", "Bot_2"} <= markers.keys())
    assert menus.markers["Bot_1"].header.frame_id == "map"
    start = menus.markers["Bot_1"].pose.position
    menus.select("Bot_1", "Go to", "RoomC1")

    def arrived(markers):
        at = markers["Bot_1"].pose.position
        return (at.x, at.y) == (15.0, -55.0)

    menus.wait_for(arrived)
    assert start != menus.markers["Bot_1"].pose.position
    peer.call(Bw4tRemovePlayer, "remove_player", Bw4tRemovePlayer.Request(name="Bot_2"))
    menus.wait_for(lambda markers: "Bot_2" not in markers)
    peer.call(Bw4tAddPlayer, "add_player", Bw4tAddPlayer.Request(name="Late"))
    menus.wait_for(lambda markers: "Late_1" in markers)


def moment(message):
    return message.header.stamp.sec, message.header.stamp.nanosec


def test_menus_are_where_their_robots_are_drawn(serve):
    """Else the ring runs ahead of the robot in rviz."""
    _server, peer = serve(speed=1.0, robots=1)
    drawn = peer.subscribe(MarkerArray, "markers", qos.LATCHED)
    moved = peer.subscribe(InteractiveMarkerUpdate, "menu/update", qos.stream(100))
    menus = MenuClient(peer)
    menus.wait_for(lambda markers: "Bot_1" in markers)
    drawn.wait_for(lambda message: message.markers)
    menus.select("Bot_1", "Go to", "RoomC1")
    moved.wait_for_count(20)

    robots = [m for message in drawn.items for m in message.markers if m.ns == "robots"]
    places = {moment(robot): robot.pose.position for robot in robots}
    moves = {moment(pose): pose.pose.position for update in moved.items for pose in update.poses}
    both = places.keys() & moves.keys()
    assert len(both) >= 3, "a busy machine may lose most drawings, but not all"
    assert all((places[m].x, places[m].y) == (moves[m].x, moves[m].y) for m in both)


def test_an_entry_that_is_not_there_is_told_and_changes_nothing(serve):
    server, peer = serve(robots=1)
    menus = MenuClient(peer)
    menus.wait_for(lambda markers: "Bot_1" in markers)
    menus.send("Bot_1", 99)
    menus.send("Bot_9", 1)
    menus.send("Bot_1", 1)  # a submenu
    menus.select("Bot_1", "Go to", "RoomC1")  # and all else goes on
    state = peer.subscribe(Bw4tState, "Bot_1/state")
    state.wait_for(lambda m: m.state == Bw4tState.TRAVELING)
    assert server.counters.snapshot()["unknown menu entries"][0] == 3
