# SPDX-License-Identifier: Apache-2.0
"""The server node, as users of its interface meet it."""

from __future__ import annotations

import math
import os
import random

import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray
from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock, Bw4tNavigateObstacles
from legacy_robots_msgs.msg import (
    Bw4tBlocks,
    Bw4tEffect,
    Bw4tEPartners,
    Bw4tEPartnerState,
    Bw4tGoing,
    Bw4tHeard,
    Bw4tMap,
    Bw4tMessage,
    Bw4tOccupiedRooms,
    Bw4tPercepts,
    Bw4tPlayers,
    Bw4tRoster,
    Bw4tState,
    Bw4tTask,
    Bw4tWorldState,
    LinkState,
)
from legacy_robots_msgs.srv import (
    Bw4tAct,
    Bw4tAddPlayer,
    Bw4tLoad,
    Bw4tPickUp,
    Bw4tRemovePlayer,
    Bw4tReset,
    Bw4tSendMessage,
    Bw4tSetSpeed,
    Bw4tStep,
)
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from bw4t_bridge.conversions import percept_update
from bw4t_bridge.node import Bw4tServer
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario, write_scenario
from legacy_robots_common import qos
from legacy_robots_common.main import StartupError
from legacy_robots_common.testing.ros_peer import RosPeer
from legacy_robots_common.testing.running_node import RunningNode
from legacy_robots_common.testing.stopwatch import Stopwatch

FAST = {"speed": 10.0, "seed": 1}


@pytest.fixture
def serve():
    """Run a server with parameters, beside a peer: gives both."""
    running = []

    def serve(**parameters):
        node = RunningNode(Bw4tServer, {"seed": 1, **parameters})
        running.append(node)
        server = node.__enter__()
        peer = RosPeer(namespace="bw4t")
        running.append(peer)
        return server, peer.__enter__()

    yield serve
    for item in reversed(running):
        item.__exit__(None, None, None)


def step(peer, ticks):
    response = peer.call(Bw4tStep, "step", Bw4tStep.Request(ticks=ticks))
    assert response.success, response.message
    return response.tick


def go(peer, player, place):
    return peer.send_goal(Bw4tGoTo, f"{player}/go_to", Bw4tGoTo.Goal(place=place))


def effect(peer, player, service, **request):
    kind = {"pick_up": Bw4tPickUp, "send_message": Bw4tSendMessage}.get(service, Bw4tAct)
    return peer.call(kind, f"{player}/{service}", kind.Request(**request)).effect


def scenario_file(tmp_path, *bots, epartners=()):
    path = tmp_path / "scenario.xml"
    write_scenario(Scenario(bots=bots, epartners=epartners), path)
    return str(path)


# --- Percepts ------------------------------------------------------------------------------


def test_the_stream_is_the_percepts_of_the_world_from_the_first_poll_on(serve):
    _, peer = serve(paused=True, robots=2)
    percepts = peer.subscribe(Bw4tPercepts, "Bot_1/percepts", qos.stream(1000))
    percepts.wait_for(lambda m: m.cycle == 0)  # also while the world stands still
    percepts.clear()
    peer.call(Bw4tReset, "reset")
    percepts.wait_for(lambda m: m.cycle == 0)
    goal = go(peer, "Bot_1", "RoomC1")
    goal.feedback.wait_for()
    end = step(peer, 700)
    percepts.wait_for(lambda m: m.tick == end)
    first, *messages = percepts.items
    assert [m.cycle for m in messages] == list(range(1, len(messages) + 1))

    world = World(load_map("nine_rooms"), Scenario(bots=(BotSpec(amount=2),)), seed=1)
    other, reference = world.connect("Bot_2"), world.connect("Bot_1")
    assert percept_update(first) == reference.poll()
    world.act("Bot_1", "goTo", "RoomC1")
    for message in messages:
        world.tick(message.tick - world.now)  # none where the change of target was told at once
        assert percept_update(message) == reference.poll()
    assert world.now == end
    assert world.snapshot().robots[0].zone == "RoomC1"
    other.close()


@pytest.fixture
def watch():
    with Stopwatch() as watch:
        yield watch


STREAM_SECONDS = float(os.environ.get("BW4T_STREAM_SECONDS", "8"))


@pytest.mark.timeout(60 + 3 * STREAM_SECONDS)
def test_ten_robots_over_ros_perceive_in_real_time_what_the_world_tells(watch, serve):
    """Set BW4T_STREAM_SECONDS=60 for the long run."""
    names = [f"Bot_{number}" for number in range(1, 11)]
    server, peer = serve(map="nine_rooms_random", robots=10)
    inside = {name: [] for name in names}
    over_ros = {
        name: peer.subscribe(Bw4tPercepts, f"{name}/percepts", qos.stream(5000)) for name in names
    }
    for name in names:
        over_ros[name].wait_for(lambda m: m.cycle == 0)
        server.host.open_percepts(name, inside[name].append)
    choose = random.Random(1)
    places = [zone.name for zone in server.host.snapshot.map.zones]
    busy = server.host.observe(
        lambda _: server.host.act_soon(choose.choice(names), "goTo", choose.choice(places)),
        min_period=0.05,
    )
    end = server.host.snapshot.tick + int(STREAM_SECONDS * 50)
    compared = 0
    for name in names:
        over_ros[name].wait_for(lambda m: m.tick >= end, 30 + 2 * STREAM_SECONDS)
        items = over_ros[name].items  # what has come so far; the world goes on
        messages = {m.tick: m for m in items}
        assert len(messages) == len(items)
        for cycle in list(inside[name]):
            if cycle.number > 1 and cycle.tick <= end:
                assert percept_update(messages[cycle.tick]) == cycle.update
                compared += 1
    busy.close()
    assert compared > 0.8 * 10 * STREAM_SECONDS * 50
    # Real time is kept as far as the machine has time.
    assert server.host.status.skipped_ticks * 0.02 <= watch.late


def test_whoever_subscribes_gets_everything_that_is_sent_once(serve):
    _, peer = serve()
    for _ in range(2):  # also beside another subscriber
        percepts = peer.subscribe(Bw4tPercepts, "Bot_1/percepts", qos.stream(1000))
        first = percepts.wait_for(lambda m: m.cycle == 0)
        names = {percept.name for percept in first.percepts}
        assert {"ownName", "zone", "place", "sequence", "at", "location"} <= names
        assert first.header.frame_id == "Bot_1/base_link"
        percepts.wait_for(lambda m: m.cycle == 20)
        cycles = [m.cycle for m in percepts.items]
        begin = cycles.index(0)
        assert cycles[begin : begin + 21] == list(range(21))


def test_a_late_joiner_sees_the_whole_belief_view_at_once(serve):
    _, peer = serve(paused=True)
    goal = go(peer, "Bot_1", "RoomC1")
    step(peer, 1000)
    assert goal.end().status == GoalStatus.STATUS_SUCCEEDED
    with RosPeer("late", "bw4t") as late:
        state = late.subscribe(Bw4tState, "Bot_1/state").wait_for()
        assert (state.name, state.room, state.place) == ("Bot_1", "RoomC1", "RoomC1")
        assert (state.position.x, state.position.y) == (15.0, -55.0)
        assert (state.state, state.gripper_capacity) == (Bw4tState.ARRIVED, 1)
        blocks = late.subscribe(Bw4tBlocks, "Bot_1/visible_blocks").wait_for().blocks
        assert len(blocks) == 6
        assert all(abs(b.position.x - 15.0) < 5 and abs(b.position.y + 55) < 5 for b in blocks)
        players = late.subscribe(Bw4tPlayers, "Bot_1/players").wait_for()
        assert players.players == ["Bot_2", "Bot_3"]
        assert late.subscribe(BatteryState, "Bot_1/battery").wait_for().percentage == 1.0
        occupied = late.subscribe(Bw4tOccupiedRooms, "occupied_rooms").wait_for()
        assert occupied.rooms == ["RoomC1"]
        assert len(late.subscribe(Bw4tMap, "map").wait_for().zones) == 28
        assert len(late.subscribe(Bw4tTask, "task").wait_for().sequence) == 6
        roster = late.subscribe(Bw4tRoster, "roster").wait_for()
        assert [p.name for p in roster.players] == ["Bot_1", "Bot_2", "Bot_3"]
        assert late.subscribe(Bw4tWorldState, "world_state").wait_for().seed == 1
        assert late.subscribe(LinkState, "link_state").wait_for().state == LinkState.CONNECTED


def test_odometry_and_transforms_have_y_up(serve):
    _, peer = serve(robots=1)
    odom = peer.subscribe(Odometry, "Bot_1/odom", qos.stream())
    transforms = peer.subscribe(TFMessage, "/tf", qos.stream())
    go(peer, "Bot_1", "RoomC1")
    moving = odom.wait_for(lambda m: m.twist.twist.linear.y > 1.0)
    assert (moving.header.frame_id, moving.child_frame_id) == ("map", "Bot_1/base_link")
    assert -65.0 <= moving.pose.pose.position.y < -45.0
    speed = math.hypot(moving.twist.twist.linear.x, moving.twist.twist.linear.y)
    assert speed <= 12.5 + 1e-6  # 0.25 units a tick of 20 ms
    transform = transforms.wait_for().transforms[0]
    assert (transform.header.frame_id, transform.child_frame_id) == ("map", "Bot_1/base_link")
    assert transform.transform.translation.y < 0
    assert transform.transform.rotation.w == 1.0


# --- Ways ----------------------------------------------------------------------------------


def test_a_goal_tells_how_far_it_is_and_that_it_has_arrived(serve):
    _, peer = serve(**FAST)
    goal = go(peer, "Bot_1", "RoomC1")
    end = goal.end()
    assert end.status == GoalStatus.STATUS_SUCCEEDED
    assert end.result.outcome.code == Bw4tGoing.ARRIVED
    assert (end.result.position.x, end.result.position.y) == (15.0, -55.0)
    remaining = [f.remaining for f in goal.feedback.items]
    assert remaining == sorted(remaining, reverse=True)
    assert len(remaining) > 5
    assert goal.feedback.items[0].place == "FrontDropZone"
    point = peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(x=25.0, y=-66.0)).end()
    assert point.status == GoalStatus.STATUS_SUCCEEDED
    assert (point.result.position.x, point.result.position.y) == (25.0, -66.0)


def test_of_two_in_a_race_for_a_room_one_waits_and_gets_in_later(serve):
    _, peer = serve(**FAST)
    occupied = peer.subscribe(Bw4tOccupiedRooms, "occupied_rooms")
    goals = {name: go(peer, name, "RoomC2") for name in ("Bot_1", "Bot_2")}
    ends = {name: goal.end() for name, goal in goals.items()}
    codes = {name: end.result.outcome.code for name, end in ends.items()}
    assert sorted(codes.values()) == [Bw4tGoing.ARRIVED, Bw4tGoing.CLOSED_DOOR]
    loser = next(name for name, code in codes.items() if code == Bw4tGoing.CLOSED_DOOR)
    winner = next(name for name in codes if name != loser)
    assert ends[loser].status == GoalStatus.STATUS_ABORTED
    assert ends[loser].result.outcome.stopped_by == "RoomC2"
    assert "closed door" in ends[loser].result.outcome.message
    occupied.wait_for(lambda m: "RoomC2" in m.rooms)
    occupied.clear()
    leaving = go(peer, winner, "FrontDropZone")
    occupied.wait_for(lambda m: "RoomC2" not in m.rooms)
    assert go(peer, loser, "RoomC2").end().result.outcome.code == Bw4tGoing.ARRIVED
    assert leaving.end().result.outcome.code == Bw4tGoing.ARRIVED


def test_a_cancelled_goal_stops_the_robot(serve):
    _, peer = serve()
    state = peer.subscribe(Bw4tState, "Bot_1/state")
    goal = go(peer, "Bot_1", "RoomA1")
    state.wait_for(lambda m: m.state == Bw4tState.TRAVELING)
    assert goal.cancel()
    end = goal.end()
    assert end.status == GoalStatus.STATUS_CANCELED
    assert end.result.outcome.code == Bw4tGoing.CANCELED
    state.clear()
    # Everything that concerns the robot comes in one stream: nothing else has moved it.
    peer.call(Trigger, "pause")
    tick = peer.subscribe(Bw4tWorldState, "world_state").wait_for(lambda m: m.paused).tick
    assert tick > 0
    with RosPeer("late", "bw4t") as late:
        now = late.subscribe(Bw4tState, "Bot_1/state").wait_for()
    assert now.state == Bw4tState.ARRIVED
    assert (now.position.x, now.position.y) == (end.result.position.x, end.result.position.y)
    assert not goal.cancel()


def test_a_second_goal_takes_the_place_of_the_first(serve):
    server, peer = serve(**FAST)
    first = go(peer, "Bot_1", "RoomA1")
    second = go(peer, "Bot_1", "RoomC1")
    end = first.end()
    assert (end.status, end.result.outcome.code) == (
        GoalStatus.STATUS_ABORTED,
        Bw4tGoing.PREEMPTED,
    )
    assert second.end().result.outcome.code == Bw4tGoing.ARRIVED
    third = go(peer, "Bot_1", "RoomA1")
    server.host.act("Bot_1", "goTo", "RoomC2")  # somebody at the page
    assert third.end().result.outcome.code == Bw4tGoing.PREEMPTED


def test_what_the_environment_refuses_is_rejected_with_its_words(serve):
    _, peer = serve(paused=True)
    end = go(peer, "Bot_1", "Nowhere").end()
    assert end.status == GoalStatus.STATUS_ABORTED
    assert end.result.outcome.code == Bw4tGoing.REJECTED
    assert "unknown place Nowhere" in end.result.outcome.message
    block = peer.send_goal(Bw4tGoToBlock, "Bot_1/go_to_block", Bw4tGoToBlock.Goal(block_id=40))
    assert "no block with id=40" in block.end().result.outcome.message
    around = peer.send_goal(
        Bw4tNavigateObstacles, "Bot_1/navigate_obstacles", Bw4tNavigateObstacles.Goal()
    )
    assert around.end().result.outcome.code == Bw4tGoing.REJECTED


def test_an_empty_battery_ends_a_goal(serve, tmp_path):
    bot = BotSpec(battery_enabled=True, battery_capacity=1)
    _, peer = serve(**FAST, profile="server_3_8_1", scenario=scenario_file(tmp_path, bot))
    end = go(peer, "Bot_1", "RoomA1").end()
    assert end.result.outcome.code == Bw4tGoing.BATTERY_EMPTY
    battery = peer.subscribe(BatteryState, "Bot_1/battery").wait_for(lambda m: m.percentage == 0)
    assert battery.present


def test_goals_end_when_the_world_is_reset(serve):
    _, peer = serve()
    goal = go(peer, "Bot_1", "RoomA1")
    assert peer.call(Bw4tReset, "reset").success
    assert goal.end().result.outcome.code == Bw4tGoing.WORLD_RESET


# --- Instant actions -----------------------------------------------------------------------


def test_a_block_is_fetched_and_delivered(serve):
    _, peer = serve(**FAST)
    effects = []
    task = peer.subscribe(Bw4tTask, "task")
    blocks = peer.subscribe(Bw4tBlocks, "Bot_1/visible_blocks")
    held = peer.subscribe(Bw4tState, "Bot_1/state")
    assert effect(peer, "Bot_1", "pick_up").code == Bw4tEffect.NOTHING_IN_REACH
    go(peer, "Bot_1", "RoomB1").result()
    block = next(b for b in blocks.wait_for(lambda m: m.blocks).blocks if b.color == "Blue")
    way = peer.send_goal(Bw4tGoToBlock, "Bot_1/go_to_block", Bw4tGoToBlock.Goal(block_id=block.id))
    assert way.end().result.outcome.code == Bw4tGoing.ARRIVED
    effects = [effect(peer, "Bot_1", "pick_up") for _ in range(2)]
    assert (effects[0].code, effects[0].success, effects[0].id) == (
        Bw4tEffect.PICKED_UP,
        True,
        block.id,
    )
    assert (effects[1].code, effects[1].success) == (Bw4tEffect.GRIPPER_FULL, False)
    held.wait_for(lambda m: list(m.holding) == [block.id])
    go(peer, "Bot_1", "DropZone").result()
    assert effect(peer, "Bot_1", "put_down").code == Bw4tEffect.DELIVERED
    assert task.wait_for(lambda m: m.index == 1).good_drops == 1
    empty = effect(peer, "Bot_1", "put_down")
    assert (empty.code, empty.success) == (Bw4tEffect.REJECTED, False)
    assert "not holding any block" in empty.message


def test_which_block_to_pick_up_is_chosen_in_the_profile_that_can(serve):
    _, peer = serve(profile="server_3_10", paused=True)
    assert "takes the id" in effect(peer, "Bot_1", "pick_up").message
    assert "there is no block" in effect(peer, "Bot_1", "pick_up", block_id=4).message


def test_a_block_cannot_be_chosen_in_the_document_s_profile(serve):
    _, peer = serve(paused=True)
    assert "nearest" in effect(peer, "Bot_1", "pick_up", block_id=4).message


def test_players_talk(serve):
    _, peer = serve(**FAST)
    heard = peer.subscribe(Bw4tHeard, "Bot_2/messages", qos.stream())
    other = peer.subscribe(Bw4tHeard, "Bot_3/messages", qos.stream())
    peer.wait_for_publishers("Bot_2/messages", "Bot_3/messages")
    message = Bw4tMessage(type="roomContains", room="RoomA1", color="Red")
    sent = effect(peer, "Bot_1", "send_message", receiver="Bot_2", message=message)
    assert (sent.code, sent.id) == (Bw4tEffect.SENT, 1)
    received = heard.wait_for()
    assert (received.sender, received.text) == ("Bot_1", "room RoomA1 contains a Red block")
    assert received.message.type == "roomContains"
    assert effect(peer, "Bot_1", "send_message", text="I am late").id == 2
    assert heard.wait_for(lambda m: m.text == "I am late").message.type == "unknown"
    assert [m.text for m in other.wait_for_count(1)] == ["I am late"]
    refused = effect(peer, "Bot_1", "send_message", receiver="Bot_9", text="?")
    assert (refused.success, "Bot_9" in refused.message) == (False, True)
    assert (
        "Mauve"
        in effect(
            peer, "Bot_1", "send_message", message=Bw4tMessage(type="weNeed", color="Mauve")
        ).message
    )


def test_a_human_carries_an_epartner_that_has_an_interface_of_its_own(serve, tmp_path):
    from bw4t_world.scenarios import Controller

    human = BotSpec(name="Ann", controller=Controller.HUMAN)
    epartner = EPartnerSpec(gps=True, forget_me_not=True)
    file = scenario_file(tmp_path, human, BotSpec(), epartners=(epartner,))
    _, peer = serve(**FAST, scenario=file)
    state = peer.subscribe(Bw4tEPartnerState, "E_X2D_Partner_1/state")
    first = state.wait_for()
    assert first.functionalities == ["GPS", "Forget-me-not"]
    assert (first.held_by, first.taken) == (Bw4tEPartnerState.NOBODY, False)
    assert "RoomA1" in first.rooms
    seen = peer.subscribe(Bw4tEPartners, "Ann_1/visible_epartners")
    assert seen.wait_for(lambda m: m.epartners).epartners[0].name == "E-Partner_1"
    assert effect(peer, "Bot_1", "pick_up_epartner").code == Bw4tEffect.NOT_A_HUMAN
    assert effect(peer, "Ann_1", "pick_up_epartner").code == Bw4tEffect.PICKED_UP
    assert effect(peer, "Ann_1", "pick_up_epartner").code == Bw4tEffect.HANDS_FULL
    assert state.wait_for(lambda m: m.taken).held_by >= 0
    assert effect(peer, "Ann_1", "put_down_epartner").success
    assert state.wait_for(lambda m: m.left_behind).held_by == Bw4tEPartnerState.NOBODY
    assert effect(peer, "Ann_1", "put_down_epartner").code == Bw4tEffect.HANDS_EMPTY
    said = peer.subscribe(Bw4tHeard, "Ann_1/messages", qos.stream())
    peer.wait_for_publishers("Ann_1/messages")
    assert effect(peer, "E_X2D_Partner_1", "send_message", receiver="Ann_1", text="hi").success
    assert said.wait_for().sender == "E-Partner_1"


# --- Control -------------------------------------------------------------------------------


def test_time_is_controlled(serve):
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


def test_another_map_is_loaded(serve, tmp_path):
    _, peer = serve(paused=True)
    maps = peer.subscribe(Bw4tMap, "map")
    roster = peer.subscribe(Bw4tRoster, "roster")
    file = scenario_file(tmp_path, BotSpec(name="Ann", amount=2))
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


def test_players_come_and_go(serve):
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
    peer._look_until(
        lambda: not peer.node.count_publishers(f"{added.ros_name}/percepts"), "still there", 15
    )
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


def test_the_clock_is_simulated_where_asked_for(serve):
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


@pytest.mark.parametrize(
    "parameters, words",
    [
        ({"map": "/nowhere.map"}, "/nowhere.map"),
        ({"scenario": "/nowhere.xml"}, "/nowhere.xml"),
        ({"robots": 4}, "spawn points"),
    ],
)
def test_what_makes_no_world_is_a_sentence(parameters, words):
    with pytest.raises(StartupError, match=words):
        RunningNode(Bw4tServer, parameters)
