# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server node, as users of its interface meet it: control of the world, and how it runs."""

from __future__ import annotations

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rosgraph_msgs.msg import Clock
from std_srvs.srv import Trigger
from visualization_msgs.msg import Marker, MarkerArray

from bw4t_bridge.bridge.node import Bw4tServer
from bw4t_world.maps import load_map
from bw4t_world.maps.writer import write_map
from bw4t_world.scenarios import BotSpec
from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.msg import Bw4tMap, Bw4tRoster, Bw4tState, Bw4tWorldState
from legacy_robots_msgs.srv import (
    Bw4tAddPlayer,
    Bw4tLoad,
    Bw4tRemovePlayer,
    Bw4tReset,
    Bw4tSetSpeed,
    Bw4tStep,
)
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node


def test_time_is_controlled(serve, step):
    _, peer = serve(paused=True)
    world = peer.subscribe(Bw4tWorldState, "world_state")
    assert step(peer, 5) == 5
    assert peer.call(Trigger, "start").success
    world.wait_for(lambda m: not m.paused)
    refused = peer.call(Bw4tStep, "step", Bw4tStep.Request(ticks=1))
    assert (refused.success, "pause it" in refused.message) == (False, True)
    assert peer.call(Bw4tSetSpeed, "set_speed", Bw4tSetSpeed.Request(speed=4.0)).success
    changed = world.wait_for(lambda m: m.speed == 4.0)
    assert changed.ticks_per_cycle == 4
    refused = peer.call(Bw4tSetSpeed, "set_speed", Bw4tSetSpeed.Request(speed=-1.0))
    assert (refused.success, "speed" in refused.message) == (False, True)
    assert peer.call(Trigger, "pause").success
    world.wait_for(lambda m: m.paused and m.speed == 4.0)
    response = peer.call(Bw4tReset, "reset", Bw4tReset.Request(use_seed=True, seed=7))
    assert (response.success, response.seed) == (True, 7)
    world.wait_for(lambda m: m.run == 1 and m.tick == 0)


def test_another_map_is_loaded(serve, scenario_file):
    _, peer = serve(paused=True)
    maps = peer.subscribe(Bw4tMap, "map")
    roster = peer.subscribe(Bw4tRoster, "roster")
    file = scenario_file(BotSpec(name="Ann", amount=2))
    request = Bw4tLoad.Request(map="large", scenario=file, use_seed=True, seed=3)
    response = peer.call(Bw4tLoad, "load", request)
    assert (response.success, response.seed) == (True, 3)
    maps.wait_for(lambda m: len(m.zones) > 60)
    roster.wait_for(lambda m: [p.name for p in m.players] == ["Ann_1", "Ann_2"])
    assert peer.subscribe(Bw4tState, "Ann_2/state").wait_for().name == "Ann_2"
    for request in (Bw4tLoad.Request(map="/nowhere.map"), Bw4tLoad.Request(scenario="/no.xml")):
        refused = peer.call(Bw4tLoad, "load", request)
        assert not refused.success
        assert "/no" in refused.message
    world = peer.subscribe(Bw4tWorldState, "world_state").wait_for()
    assert (world.map, world.run) == ("large", 1)


def test_maps_with_unknown_neighbours_are_for_profiles_of_servers(serve, tmp_path):
    file = tmp_path / "odd.map"
    write_map(load_map("nine_rooms"), file)
    known = "<neighbours>RoomC1</neighbours>"
    file.write_text(file.read_text().replace(known, "<neighbours>Nowhere</neighbours>", 1))
    request = Bw4tLoad.Request(map=str(file))
    _, peer = serve(map=str(file), profile="server_3_10")
    assert peer.call(Bw4tLoad, "load", request).success
    with pytest.raises(StartupError, match=r"Nowhere.*profile server_3_8_1"):
        serve(map=str(file))


def test_players_come_and_go(serve, go):
    _, peer = serve(robots=1)
    roster = peer.subscribe(Bw4tRoster, "roster")
    request = Bw4tAddPlayer.Request(kind=Bw4tAddPlayer.Request.HUMAN, name="Ann Lee", grippers=3)
    added = peer.call(Bw4tAddPlayer, "add_player", request)
    assert (added.success, added.name, added.ros_name) == (True, "Ann Lee_1", "Ann_X20_Lee_1")
    state = peer.subscribe(Bw4tState, f"{added.ros_name}/state").wait_for()
    assert (state.name, state.gripper_capacity) == ("Ann Lee_1", 3)
    assert go(peer, added.ros_name, "FrontDropZone").end().result.outcome.code == 0
    roster.wait_for(lambda m: len(m.players) == 2)
    remove = Bw4tRemovePlayer.Request(name="Ann Lee_1")
    assert peer.call(Bw4tRemovePlayer, "remove_player", remove).success
    roster.wait_for(lambda m: len(m.players) == 1)
    peer.wait_for_no_publisher(f"{added.ros_name}/percepts")
    again = peer.call(Bw4tRemovePlayer, "remove_player", remove)
    assert (again.success, "Ann Lee_1" in again.message) == (False, True)
    assert not peer.call(Bw4tAddPlayer, "add_player", Bw4tAddPlayer.Request(kind=7)).success


def test_markers_are_drawn_for_who_looks(serve):
    _, peer = serve()
    markers = peer.subscribe(MarkerArray, "markers")
    namespaces = {m.ns for m in markers.wait_for().markers}
    assert {"floor", "walls", "doors", "blocks", "robots", "places", "sequence"} <= namespaces
    markers.clear()
    peer.call(Bw4tRemovePlayer, "remove_player", Bw4tRemovePlayer.Request(name="Bot_2"))
    cleared = markers.wait_for(lambda a: a.markers[0].action == Marker.DELETEALL)
    assert "Bot_2" not in {m.text for m in cleared.markers}


def test_the_clock_is_simulated_where_asked_for(serve, step, go):
    _, peer = serve(paused=True, publish_clock=True)
    clock = peer.subscribe(Clock, "/clock", qos.stream())
    state = peer.subscribe(Bw4tState, "Bot_1/state")
    peer.wait_for_publishers("/clock")
    go(peer, "Bot_1", "RoomC1")
    while not clock.items:
        step(peer, 1)
    tick = step(peer, 50)
    peer.call(Bw4tReset, "reset")
    step(peer, 50)
    # The clock goes on when the world begins again.
    nanoseconds = (tick + 50) * 20_000_000
    clock.wait_for(lambda m: m.clock.sec * 10**9 + m.clock.nanosec == nanoseconds)
    times = [m.clock.sec * 10**9 + m.clock.nanosec for m in clock.items]
    assert times == sorted(times)
    assert state.last.header.stamp.sec <= 60


def test_diagnostics_tell_how_the_world_runs(serve):
    _, peer = serve()
    arrays = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
    (status,) = arrays.wait_for().status
    values = {item.key: item.value for item in status.values}
    assert status.hardware_id == "BW4T"
    assert {"tick", "speed", "paused", "greatest lateness (ms)"} <= values.keys()


@pytest.mark.parametrize("value", [True, False])
def test_collisions_can_be_set_as_yaml_reads_on_and_off(serve, value):
    server, _ = serve(collisions=value)
    assert server.runner.call(lambda world: world.collisions) is value


@pytest.mark.parametrize(
    "parameters, words",
    [
        ({"map": "/nowhere.map"}, "/nowhere.map"),
        ({"scenario": "/nowhere.xml"}, "/nowhere.xml"),
        ({"robots": 4}, "spawn points"),
        ({"record": "/proc/nowhere"}, "cannot be recorded in /proc/nowhere"),
    ],
)
def test_what_makes_no_world_is_a_sentence(parameters, words):
    with pytest.raises(StartupError, match=words):
        RunningNode(Bw4tServer, parameters)
