# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server node, as users of its interface meet it: what players perceive."""

from __future__ import annotations

import math
import os
import random
from contextlib import suppress

import pytest
from action_msgs.msg import GoalStatus
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState
from tf2_msgs.msg import TFMessage

from bw4t_bridge.bridge.conversions import percept_update
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import (
    Bw4tBlocks,
    Bw4tMap,
    Bw4tOccupiedRooms,
    Bw4tPercepts,
    Bw4tPlayers,
    Bw4tRoster,
    Bw4tState,
    Bw4tTask,
    Bw4tWorldState,
    LinkState,
)
from legacy_robots_msgs.srv import Bw4tReset
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.stopwatch import Stopwatch

pytestmark = pytest.mark.node


def test_the_stream_is_the_percepts_of_the_world_from_the_first_poll_on(serve, step, go):
    _, peer = serve(paused=True, robots=2)
    peer.subscribe(Bw4tState, "Bot_1/state").wait_for()
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
    other, reference = world.connect("Bot_2", player=False), world.connect("Bot_1")
    assert percept_update(first) == reference.poll()
    world.act("Bot_1", "goTo", "RoomC1")
    for message in messages:
        world.tick(message.tick - world.now)  # none where the change of target was sent at once
        assert percept_update(message) == reference.poll()
    assert world.now == end
    assert world.snapshot().robots[0].zone == "RoomC1"
    other.close()


def test_the_stream_begins_with_everything_though_cycles_pass_before_the_joining_is_seen(
    serve, standstill
):
    server, peer = serve(paused=True, robots=1)
    peer.subscribe(Bw4tState, "Bot_1/state").wait_for()
    with standstill(server):  # which is told that a subscriber has joined
        percepts = peer.subscribe(Bw4tPercepts, "Bot_1/percepts", qos.stream(1000))
        peer.wait_for_publishers("Bot_1/percepts")
        # A message would tell that they have met, and is what must not come.
        with suppress(TimeoutError):
            for _ in range(20):
                server.runner.step(1).result()
                percepts.wait_for_count(1, 0.1)
                break
    percepts.wait_for(lambda m: m.cycle == 0)
    end = server.runner.step(1).result()
    percepts.wait_for(lambda m: m.tick == end)
    assert [m.cycle for m in percepts.items] == list(range(len(percepts.items)))
    assert "place" in {percept.name for percept in percepts.items[0].percepts}


def test_without_news_messages_come_seldom_and_are_numbered_without_gaps(serve, step, go):
    _, peer = serve(paused=True, robots=1, percept_quiet_cycles=10)
    percepts = peer.subscribe(Bw4tPercepts, "Bot_1/percepts", qos.stream(1000))
    percepts.wait_for(lambda m: m.cycle == 0)
    peer.call(Bw4tReset, "reset")
    step(peer, 95)
    percepts.wait_for(lambda m: m.tick == 90)
    ticks = [m.tick for m in percepts.items]
    quiet = ticks[ticks.index(90) - 8 :]
    assert quiet == list(range(10, 91, 10))
    goal = go(peer, "Bot_1", "RoomC1")
    goal.feedback.wait_for()
    end = step(peer, 40)
    percepts.wait_for(lambda m: m.tick == end)
    moving = [m.tick for m in percepts.items if m.tick > 95]
    assert len(moving) > 30, "a robot on its way has news with almost every tick"
    stream = [m.cycle for m in percepts.items]
    last_run = len(stream) - stream[::-1].index(0) - 1
    assert stream[last_run:] == list(range(len(stream) - last_run))


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
    for name in names:
        peer.subscribe(Bw4tState, f"{name}/state").wait_for()
    over_ros = {
        name: peer.subscribe(Bw4tPercepts, f"{name}/percepts", qos.stream(5000)) for name in names
    }
    for name in names:
        over_ros[name].wait_for(lambda m: m.cycle == 0)
        server.runner.open_percepts(name, inside[name].append)
    choose = random.Random(1)
    places = [zone.name for zone in server.runner.snapshot.map.zones]

    def go_somewhere(cycle):
        if cycle.tick % 3 == 0:
            server.runner.act_soon(choose.choice(names), "goTo", choose.choice(places))

    busy = server.runner.open_percepts("Bot_1", go_somewhere)
    end = server.runner.snapshot.tick + int(STREAM_SECONDS * 50)
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
    assert server.runner.world_status.skipped_ticks * 0.02 <= watch.late


def test_a_new_subscriber_gets_everything_that_is_sent_once(serve):
    _, peer = serve()
    for _ in range(2):  # also beside another subscriber
        percepts = peer.subscribe(Bw4tPercepts, "Bot_1/percepts", qos.stream(1000))
        first = percepts.wait_for(lambda m: m.cycle == 0)
        names = {percept.name for percept in first.percepts}
        assert {"ownName", "zone", "place", "sequence", "at", "location"} <= names
        assert first.header.frame_id == "Bot_1/base_link"
        percepts.wait_for(lambda m: m.cycle == 20)
        cycles = [m.cycle for m in percepts.items]
        begin = max(i for i, cycle in enumerate(cycles) if cycle == 0)
        assert cycles[begin : begin + 21] == list(range(21))


def test_a_late_joiner_sees_the_whole_belief_view_at_once(serve, step, go):
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
        assert players.players == []  # they are not driven
        assert late.subscribe(BatteryState, "Bot_1/battery").wait_for().percentage == 1.0
        occupied = late.subscribe(Bw4tOccupiedRooms, "occupied_rooms").wait_for()
        assert occupied.rooms == ["RoomC1"]
        assert len(late.subscribe(Bw4tMap, "map").wait_for().zones) == 28
        assert len(late.subscribe(Bw4tTask, "task").wait_for().sequence) == 6
        roster = late.subscribe(Bw4tRoster, "roster").wait_for()
        assert [p.name for p in roster.players] == ["Bot_1", "Bot_2", "Bot_3"]
        assert late.subscribe(Bw4tWorldState, "world_state").wait_for().seed == 1
        assert late.subscribe(LinkState, "link_state").wait_for().state == LinkState.CONNECTED


def test_a_robot_is_a_player_while_it_is_driven(serve, go):
    _, peer = serve()
    players = peer.subscribe(Bw4tPlayers, "Bot_1/players")
    players.wait_for(lambda m: m.players == [])
    with RosPeer("agent", "bw4t") as agent:
        agent.subscribe(Bw4tPercepts, "Bot_2/percepts", qos.stream(1000)).wait_for()
        players.wait_for(lambda m: m.players == ["Bot_2"])
        players.clear()
    players.wait_for(lambda m: m.players == [])
    go(peer, "Bot_3", "RoomC1")
    players.wait_for(lambda m: m.players == ["Bot_3"])


def test_odometry_and_transforms_have_y_up(serve, go):
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
