# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server node, as users of its interface meet it: what players do."""

from __future__ import annotations

import pytest
from action_msgs.msg import GoalStatus
from sensor_msgs.msg import BatteryState
from std_srvs.srv import Trigger

from bw4t_world.scenarios import BotSpec, EPartnerSpec
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock, Bw4tNavigateObstacles
from legacy_robots_msgs.msg import (
    Bw4tBlocks,
    Bw4tEffect,
    Bw4tEPartners,
    Bw4tEPartnerState,
    Bw4tGoing,
    Bw4tHeard,
    Bw4tMessage,
    Bw4tOccupiedRooms,
    Bw4tPercepts,
    Bw4tState,
    Bw4tTask,
    Bw4tWorldState,
)
from legacy_robots_msgs.srv import Bw4tAct, Bw4tPickUp, Bw4tReset, Bw4tSendMessage, Bw4tUserRequest
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node

FAST = {"speed": 10.0, "seed": 1}


def effect(peer, player, service, **request):
    kind = {"pick_up": Bw4tPickUp, "send_message": Bw4tSendMessage}.get(service, Bw4tAct)
    return peer.call(kind, f"{player}/{service}", kind.Request(**request)).effect


# --- Ways ----------------------------------------------------------------------------------


def test_a_goal_tells_how_far_it_is_and_that_it_has_arrived(serve, go):
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


def test_of_two_in_a_race_for_a_room_one_waits_and_gets_in_later(serve, go):
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


def test_a_cancelled_goal_stops_the_robot(serve, go):
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


def test_a_second_goal_takes_the_place_of_the_first(serve, go):
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
    server.runner.act("Bot_1", "goTo", "RoomC2")  # as a person at the page
    assert third.end().result.outcome.code == Bw4tGoing.PREEMPTED


def test_what_the_environment_refuses_is_rejected_with_its_words(serve, go):
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


@pytest.mark.parametrize("x, y", [(-1.0, -65.0), (25.0, 1.0), (25.0, -1000.0)])
def test_a_point_outside_of_the_map_is_unreachable_at_once(serve, x, y):
    _, peer = serve(paused=True)
    end = peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(x=x, y=y)).end()
    assert end.result.outcome.code == Bw4tGoing.UNREACHABLE
    assert "is outside of the map" in end.result.outcome.message


def test_an_empty_battery_ends_a_goal(serve, go, scenario_file):
    bot = BotSpec(battery_enabled=True, battery_capacity=1)
    _, peer = serve(**FAST, profile="server_3_8_1", scenario=scenario_file(bot))
    end = go(peer, "Bot_1", "RoomA1").end()
    assert end.result.outcome.code == Bw4tGoing.BATTERY_EMPTY
    battery = peer.subscribe(BatteryState, "Bot_1/battery").wait_for(lambda m: m.percentage == 0)
    assert battery.present


def test_goals_end_when_the_world_is_reset(serve, go):
    _, peer = serve()
    goal = go(peer, "Bot_1", "RoomA1")
    assert peer.call(Bw4tReset, "reset").success
    assert goal.end().result.outcome.code == Bw4tGoing.WORLD_RESET


# --- Instant actions -----------------------------------------------------------------------


def test_a_block_is_fetched_and_delivered(serve, go):
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
    nothing = effect(peer, "Bot_1", "send_message")
    assert (nothing.success, "nothing to send" in nothing.message) == (False, True)
    refused = effect(peer, "Bot_1", "send_message", receiver="Bot_9", text="?")
    assert (refused.success, "Bot_9" in refused.message) == (False, True)
    assert (
        "Mauve"
        in effect(
            peer, "Bot_1", "send_message", message=Bw4tMessage(type="weNeed", color="Mauve")
        ).message
    )


def test_a_human_carries_an_epartner_that_has_an_interface_of_its_own(serve, scenario_file):
    from bw4t_world.scenarios import Controller

    human = BotSpec(name="Ann", controller=Controller.HUMAN)
    epartner = EPartnerSpec(gps=True, forget_me_not=True)
    file = scenario_file(human, BotSpec(), epartners=(epartner,))
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


# --- The user of a human bot ---------------------------------------------------------------


@pytest.mark.parametrize(
    "asked, arguments, texts, numbers",
    [
        ("pickUp", [], [], []),
        ("goTo", ["RoomA1"], ["RoomA1"], []),
        ("goTo", ["12.5", "30"], [], [12.5, 30.0]),
        ("goToBlock", ["43"], [], [43.0]),
        ("sendMessage", ["all", "43"], ["all", "43"], []),
    ],
)
def test_the_agent_of_a_human_bot_perceives_once_what_its_user_asks_for(
    serve, asked, arguments, texts, numbers
):
    _, peer = serve(robots=0, human=1)
    stream = peer.subscribe(Bw4tPercepts, "Human_1/percepts", qos.stream(500))
    stream.wait_for(lambda m: m.cycle > 0)
    message = Bw4tUserRequest.Request(request=asked, arguments=arguments)
    response = peer.call(Bw4tUserRequest, "Human_1/user_request", message)
    assert response.success, response.message
    reported = stream.wait_for(lambda m: any(p.name == asked for p in m.percepts))
    stream.wait_for(lambda m: m.cycle > reported.cycle + 1)
    sent = [p for m in stream.items for p in m.percepts if p.name == asked]
    assert len(sent) == 1
    assert (list(sent[0].texts), list(sent[0].numbers)) == (texts, numbers)


def test_what_a_user_cannot_ask_for_is_refused_in_words(serve):
    _, peer = serve(robots=1, human=1)
    for player, request, arguments, reason in (
        ("Bot_1", "putDown", [], "Bot_1 has no user: it is a bot"),
        ("Human_1", "fly", [], "a user cannot ask for fly with 0 parameters"),
        ("Human_1", "goToBlock", ["red"], "goToBlock: 'red' is no number"),
    ):
        asked = Bw4tUserRequest.Request(request=request, arguments=arguments)
        response = peer.call(Bw4tUserRequest, f"{player}/user_request", asked)
        assert (response.success, response.message) == (False, reason)
