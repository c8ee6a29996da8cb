# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node on an original server: its side of the lines, with a peer of ours in Python.

The Java program itself needs the jar of the original: test/originals/test_bw4t.py.
"""

import os
import signal
import sys

import pytest
from action_msgs.msg import GoalStatus
from nav_msgs.msg import OccupancyGrid
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray

from bw4t_bridge.parts import original_server as settings
from bw4t_java.original import world
from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.msg import (
    Bw4tEffect,
    Bw4tGoing,
    Bw4tHeard,
    Bw4tMap,
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
    Bw4tUserRequest,
)

pytestmark = pytest.mark.node

PEER = "bw4t_java.simulator.original_client"


class Original:
    """Stands for the original server and the Java program before it."""

    def __init__(self, folder):
        self.refusal = folder / "refusal"
        self.stall = folder / "stall"
        self.freeze = folder / "freeze"

    def command(self, main_class, jars, arguments):
        assert main_class == "OriginalClient"
        assert arguments[:2] == ["robots.example", "8123"]
        return [sys.executable, "-m", PEER, *arguments[2:], str(self.refusal)]


@pytest.fixture
def original(tmp_path, monkeypatch):
    original = Original(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(settings, "java_command", original.command)
    return original


@pytest.fixture
def serve_original(serve, original):
    """Run a node on the original server; once connected unless told otherwise."""

    def serve_original(**parameters):
        server, peer = serve(world="original", server="robots.example:8123", **parameters)
        links = peer.subscribe(LinkState, "link_state")
        if not original.refusal.exists():
            links.wait_for(lambda link: link.state == LinkState.CONNECTED)
        return server, peer, links

    return serve_original


def process_of(server):
    return server.runner._remote._program._process


def test_the_interface_is_that_of_our_own_world(serve_original, go):
    # What only our own world has is ignored.
    _, peer, links = serve_original(robots=2, human=1, speed=3.0, web=True, scenario="team.xml")
    assert links.items[-1].peer == "rmi://robots.example:8123/BW4TServer"
    roster = peer.subscribe(Bw4tRoster, "roster").wait_for(lambda r: len(r.players) == 3)
    assert [player.name for player in roster.players] == ["Bot_1", "Bot_2", "Human_1"]
    world_map = peer.subscribe(Bw4tMap, "map").wait_for(lambda m: m.zones)
    assert {zone.name for zone in world_map.zones} >= {"RoomA1", "DropZone", "FrontRoomC3"}
    assert peer.subscribe(OccupancyGrid, "occupancy_grid").wait_for(lambda m: m.data)
    state = peer.subscribe(Bw4tWorldState, "world_state").wait_for(lambda m: True)
    assert (state.profile, state.seed, state.map) == (
        "server_3_8_1", -1, "of robots.example:8123",
    )  # fmt: skip
    task = peer.subscribe(Bw4tTask, "task").wait_for(lambda m: m.sequence)
    assert (task.index, task.done) == (0, False)
    assert peer.subscribe(MarkerArray, "markers").wait_for(lambda m: len(m.markers) > 20)
    heard = peer.subscribe(Bw4tHeard, "Bot_2/messages", qos.stream(10))
    said = Bw4tSendMessage.Request(receiver="Bot_2", text="yes")
    assert peer.call(Bw4tSendMessage, "Bot_1/send_message", said).effect.code == Bw4tEffect.SENT
    assert heard.wait_for(lambda m: True).sender == "Bot_1"
    assert go(peer, "Bot_1", "RoomC1").end().status == GoalStatus.STATUS_SUCCEEDED
    known = peer.subscribe(Bw4tState, "Bot_1/state").wait_for(lambda m: m.room == "RoomC1")
    assert (known.position.x, known.position.y) == (15.0, -55.0)
    asked = Bw4tUserRequest.Request(request="putDown")
    assert peer.call(Bw4tUserRequest, "Human_1/user_request", asked).success


def test_a_goal_tells_the_truth_about_its_end(serve_original, go):
    _, peer, _ = serve_original(robots=2)
    assert go(peer, "Bot_1", "Nowhere").end().result.outcome.code == Bw4tGoing.REJECTED
    goals = [go(peer, name, "RoomC2") for name in ("Bot_1", "Bot_2")]
    ends = sorted(goal.end().result.outcome.code for goal in goals)
    assert ends == [Bw4tGoing.ARRIVED, Bw4tGoing.CLOSED_DOOR]
    here = go(peer, "Bot_1", "FrontDropZone").end().result.outcome.code
    assert here == Bw4tGoing.ARRIVED
    again = go(peer, "Bot_1", "FrontDropZone").end().result.outcome.code
    assert again == Bw4tGoing.ARRIVED, "a way that is shorter than a cycle"


def test_blocks_are_handled_and_the_effect_is_told(serve_original, go):
    server, peer, _ = serve_original(robots=1)

    def effect(service, kind):
        return peer.call(kind, f"Bot_1/{service}", kind.Request()).effect.code

    nearest = Bw4tPickUp.Request(block_id=Bw4tPickUp.Request.NEAREST)
    assert (
        peer.call(Bw4tPickUp, "Bot_1/pick_up", nearest).effect.code == Bw4tEffect.NOTHING_IN_REACH
    )
    assert effect("put_down", Bw4tAct) == Bw4tEffect.REJECTED
    assert effect("pick_up_epartner", Bw4tAct) == Bw4tEffect.NOT_A_HUMAN
    assert go(peer, "Bot_1", "RoomC1").end().status == GoalStatus.STATUS_SUCCEEDED
    block = server.runner.snapshot.blocks[0].id
    server.runner.act("Bot_1", "goToBlock", block)
    states = peer.subscribe(Bw4tState, "Bot_1/state")
    states.wait_for(lambda m: block in m.at_blocks)
    assert peer.call(Bw4tPickUp, "Bot_1/pick_up", nearest).effect.code == Bw4tEffect.PICKED_UP
    assert peer.call(Bw4tPickUp, "Bot_1/pick_up", nearest).effect.code == Bw4tEffect.GRIPPER_FULL
    assert effect("put_down", Bw4tAct) == Bw4tEffect.PUT_IN_ROOM


def test_what_the_original_cannot_do_is_refused_in_words(serve_original, go):
    _, peer, _ = serve_original(robots=1)
    for kind, name, request in (
        (Bw4tStep, "step", Bw4tStep.Request(ticks=1)),
        (Bw4tReset, "reset", Bw4tReset.Request()),
        (Bw4tLoad, "load", Bw4tLoad.Request(map="large")),
        (Bw4tSetSpeed, "set_speed", Bw4tSetSpeed.Request(speed=2.0)),
        (Bw4tAddPlayer, "add_player", Bw4tAddPlayer.Request()),
        (Bw4tRemovePlayer, "remove_player", Bw4tRemovePlayer.Request(name="Bot_1")),
    ):
        response = peer.call(kind, name, request)
        assert not response.success
        assert response.message.startswith("an original server cannot "), name
    goal = go(peer, "Bot_1", "RoomA1")
    goal.feedback.wait_for(lambda _: True)
    assert not goal.cancel()
    assert goal.end().result.outcome.code == Bw4tGoing.ARRIVED


def test_pause_and_start_are_passed_on(serve_original, go):
    _, peer, _ = serve_original(robots=1)
    states = peer.subscribe(Bw4tWorldState, "world_state")
    assert peer.call(Trigger, "pause", Trigger.Request()).success
    states.wait_for(lambda state: state.paused)
    goal = go(peer, "Bot_1", "RoomC1")
    goal.feedback.wait_for(lambda _: True)
    assert peer.call(Trigger, "start", Trigger.Request()).success
    states.wait_for(lambda state: not state.paused)
    assert goal.end().result.outcome.code == Bw4tGoing.ARRIVED


def test_a_server_that_is_killed_ends_goals_and_comes_back(serve_original, original, go):
    server, peer, links = serve_original(robots=1)
    goal = go(peer, "Bot_1", "RoomA1")
    goal.feedback.wait_for(lambda _: True)
    original.refusal.write_text("no BW4T server answers at robots.example:8123")
    links.clear()
    os.kill(process_of(server).pid, signal.SIGKILL)
    assert goal.end().result.outcome.code == Bw4tGoing.LINK_LOST
    links.wait_for(lambda link: "no BW4T server answers" in link.detail)
    said = peer.call(Bw4tAct, "Bot_1/put_down", Bw4tAct.Request()).effect
    assert said.code == Bw4tEffect.REJECTED
    assert "there is no connection to the original server" in said.message
    original.refusal.unlink()
    links.wait_for(lambda link: link.state == LinkState.CONNECTED)
    assert go(peer, "Bot_1", "RoomC1").end().result.outcome.code == Bw4tGoing.ARRIVED


def test_a_node_that_joins_again_knows_what_the_server_tells_once(serve, serve_original, go):
    _, peer, _ = serve_original(robots=2)
    assert go(peer, "Bot_1", "FrontDropZone").end().result.outcome.code == Bw4tGoing.ARRIVED
    while serve.running:
        serve.running.pop().__exit__(None, None, None)
    _, peer, _ = serve_original(robots=2)
    state = peer.subscribe(Bw4tState, "Bot_2/state").wait_for()
    assert (state.name, state.gripper_capacity) == ("Bot_2", 1)
    assert peer.subscribe(Bw4tTask, "task").wait_for(lambda m: m.sequence)
    assert go(peer, "Bot_1", "RoomC1").end().result.outcome.code == Bw4tGoing.ARRIVED


def test_robots_whose_percepts_another_client_got_are_a_fault(serve_original, original):
    original.refusal.with_name("told").write_text("")
    original.refusal.write_text("for serve_original not to wait")
    _, _, links = serve_original(robots=1)
    original.refusal.unlink()
    fault = links.wait_for(lambda link: "what Bot_1 perceives" in link.detail)
    assert (fault.state, fault.detail[-14:]) == (LinkState.FAULT, "start it again")


def test_a_server_that_runs_but_moves_no_robot_is_a_fault(
    serve_original, original, go, monkeypatch
):
    monkeypatch.setattr(world, "STANDSTILL_S", 1.0)
    _, peer, links = serve_original(robots=1)
    links.clear()
    goal = go(peer, "Bot_1", "RoomA1")
    goal.feedback.wait_for(lambda _: True)
    original.freeze.write_text("")
    assert goal.end().result.outcome.code == Bw4tGoing.LINK_LOST
    fault = links.wait_for(lambda link: link.state == LinkState.FAULT)
    assert "has not moved a robot on its way for 1 s: start the server again" in fault.detail
    original.freeze.unlink()
    links.wait_for(lambda link: link.state == LinkState.CONNECTED)
    assert go(peer, "Bot_1", "RoomC1").end().result.outcome.code == Bw4tGoing.ARRIVED


def test_a_paused_server_may_leave_its_robots_where_they_are(serve_original, go, monkeypatch):
    monkeypatch.setattr(world, "STANDSTILL_S", 0.3)
    server, peer, links = serve_original(robots=1)
    assert peer.call(Trigger, "pause").success
    links.clear()
    goal = go(peer, "Bot_1", "RoomC1")
    goal.feedback.wait_for(lambda _: True)
    begun = server.runner.snapshot.seconds
    states = peer.subscribe(Bw4tWorldState, "world_state", qos.LATCHED)
    states.wait_for(lambda m: server.runner.snapshot.seconds > begun + 1.0)
    assert not [link for link in links.items if link.state == LinkState.FAULT]
    assert peer.call(Trigger, "start").success
    assert goal.end().result.outcome.code == Bw4tGoing.ARRIVED


def test_a_refusal_is_a_sentence_of_the_link(serve_original, original):
    original.refusal.write_text("the server gave 3 of 5 robots")
    _, peer, links = serve_original(robots=5)
    fault = links.wait_for(lambda link: link.state == LinkState.FAULT)
    assert fault.detail == "the server gave 3 of 5 robots"
    answer = peer.call(Trigger, "start", Trigger.Request())
    assert (answer.success, answer.message) == (
        False, "there is no connection to the original server",
    )  # fmt: skip


def test_without_java_or_jars_the_link_says_what_is_missing(serve):
    _, peer = serve(world="original", server="127.0.0.1:1", jars="")
    links = peer.subscribe(LinkState, "link_state")
    fault = links.wait_for(lambda link: link.state == LinkState.FAULT)
    assert "jars:=DIRECTORY" in fault.detail or "PATH" in fault.detail


@pytest.mark.parametrize(
    "parameters",
    [
        {"server": "nonsense"},
        {"server": "host:0"},
        {"robots": 0},
        {"record": "games"},
    ],
    ids=str,
)
def test_parameters_that_no_server_can_have_are_refused(serve, parameters):
    with pytest.raises(StartupError, match=next(iter(parameters))):
        serve(world="original", **parameters)
