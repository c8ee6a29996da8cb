# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Agents as nodes: the link to their robot, and their life."""

from __future__ import annotations

import threading

import pytest

from bw4t_bridge.agents.agent_node import Bw4tAgent
from bw4t_bridge.agents.ros_player import RosPlayer, Stopped
from bw4t_bridge.bridge.node import Bw4tServer
from bw4t_bridge.bridge.participants import EPARTNER_TEAM, agents_of, default_scenario
from bw4t_world import ActionError, World
from bw4t_world.agents import Beliefs
from bw4t_world.agents.searcher import Searcher
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from bw4t_world.scenarios.writer import write_scenario
from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import (
    Bw4tEffect,
    Bw4tHeard,
    Bw4tPercept,
    Bw4tPercepts,
    Bw4tState,
    Bw4tTask,
    Bw4tWorldState,
)
from legacy_robots_msgs.srv import Bw4tAct
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node


class PlayerNode(ProgramNode):
    """A node with nothing but a player."""

    def __init__(self, **arguments):
        super().__init__("player", namespace="bw4t", **arguments)
        self.player = RosPlayer(self, "Bot_1")

    def close(self):
        self.player.stop()

    def destroy_node(self):
        self.player.destroy()
        super().destroy_node()


@pytest.fixture
def server():
    with RunningNode(Bw4tServer, {"seed": 1, "speed": 5.0, "robots": 2}) as node:
        yield node


@pytest.fixture
def player(server):
    with RunningNode(PlayerNode, {}) as node:
        node.player.wait_for_server()
        yield node.player


def test_a_player_perceives_and_acts(server, player):
    beliefs = Beliefs()
    player.wait(1)
    beliefs.update(player.percepts())
    assert beliefs.name == "Bot_1"
    assert len(beliefs.zones) == 28
    player.act("goTo", "RoomC1")
    while not (beliefs.room and beliefs.state == "arrived"):
        player.wait(5)
        beliefs.update(player.percepts())
    assert beliefs.room == "RoomC1"
    assert len(beliefs.visible) == 6
    player.act("goToBlock", min(beliefs.visible))
    player.act("goTo", 25.0, 65.0)
    player.act("pickUp")  # fails silently, as in the original
    player.act("sendMessage", "all", "hello")
    player.act("pickUpEPartner")
    player.act("putDownEPartner")
    player.act("navigateObstacles")
    assert server.runner.call(lambda world: world.measures().messages) == 1


@pytest.mark.parametrize(
    "action, arguments, words",
    [
        ("goTo", ("Nowhere",), "unknown place Nowhere"),
        ("goToBlock", (99,), "no block with id=99"),
        ("putDown", (), "not holding any block"),
        ("sendMessage", ("Stranger", "hello"), "Stranger"),
        ("dance", (), "no action dance"),
    ],
)
def test_what_the_environment_answers_with_an_error_is_one_for_the_agent(
    player, action, arguments, words
):
    with pytest.raises(ActionError, match=words):
        player.act(action, *arguments)


def test_a_player_that_is_stopped_waits_no_longer(player):
    stopped = threading.Event()

    def wait():
        try:
            while True:
                player.wait(10**9)
        except Stopped:
            stopped.set()

    threading.Thread(target=wait).start()
    player.stop()
    assert stopped.wait(15)


def test_lost_percepts_make_a_player_begin_anew():
    with RosPeer("world", "bw4t") as peer, RunningNode(PlayerNode, {}) as node:
        publisher = peer.node.create_publisher(Bw4tPercepts, "Bot_1/percepts", qos.stream(100))

        ticks = [0]

        def publish(cycle, *names):
            percepts = [Bw4tPercept(name=name) for name in names]
            ticks.append(ticks[-1] + 1)
            publisher.publish(Bw4tPercepts(cycle=cycle, tick=ticks[-1], percepts=percepts))

        until(publisher.get_subscription_count, "no subscriber")
        publish(0, "first")
        publish(1)
        node.player.wait(2)
        assert [percept.name for percept in node.player.percepts().add] == ["first"]
        before = node.player._subscription
        publish(3)  # cycle 2 was lost
        until(lambda: node.player._subscription is not before, "still there")
        until(publisher.get_subscription_count, "no subscriber")
        until(lambda: publisher.get_subscription_count() == 1, "two subscribe")
        publish(3)  # of the old stream, on its way still: does not count
        publish(0, "again")
        publish(1)
        node.player.wait(2)
        assert [percept.name for percept in node.player.percepts().add] == ["again"]
        assert node.player.missed == 1


@pytest.mark.timeout(240)
def test_agents_find_a_server_that_comes_later_and_complete_the_sequence():
    with (
        RunningNode(Bw4tAgent, {"player": "Bot_1", "seed": 1}),
        RunningNode(Bw4tAgent, {"player": "Bot_2", "seed": 2}),
        RunningNode(Bw4tServer, {"seed": 1, "speed": 4.0, "robots": 2}),
        RosPeer("watcher", "bw4t") as peer,
    ):
        state = peer.subscribe(Bw4tState, "Bot_2/state")
        state.wait_for(lambda m: m.state == Bw4tState.TRAVELING)
        task = peer.subscribe(Bw4tTask, "task").wait_for(lambda m: m.done, 200)
        assert (task.good_drops, task.wrong_drops) == (6, 0)
        assert task.messages > 0


def test_an_epartner_speaks_over_ros(tmp_path):
    file = tmp_path / "scenario.xml"
    bots = (BotSpec(name="Ann", controller=Controller.HUMAN),)
    write_scenario(Scenario(bots=bots, epartners=(EPartnerSpec(gps=True),)), file)
    with (
        RunningNode(Bw4tServer, {"seed": 1, "speed": 5.0, "scenario": str(file)}),
        RunningNode(Bw4tAgent, {"player": "E-Partner_1", "team": EPARTNER_TEAM}),
        RosPeer("ann", "bw4t") as ann,
    ):
        heard = ann.subscribe(Bw4tHeard, "Ann_1/messages", qos.stream(10))
        until(lambda: heard_by_agent(ann), "the agent does not listen")
        taken = ann.call(Bw4tAct, "Ann_1/pick_up_epartner").effect
        assert taken.code == Bw4tEffect.PICKED_UP, taken.message
        ann.send_goal(Bw4tGoTo, "Ann_1/go_to", Bw4tGoTo.Goal(place="RoomC1")).end()
        assert heard.wait_for().text == "I am in room RoomC1"


def heard_by_agent(peer):
    """Whether the agent of the e-partner has subscribed to what that perceives."""
    return peer.node.count_subscribers("E_X2D_Partner_1/percepts")


def test_an_agent_that_fails_begins_anew(server, monkeypatch, capfd):
    steps = Recorder("steps")

    def step(agent, step=Searcher.step):
        steps.add(agent)
        if len(steps.items) == 3:
            raise ZeroDivisionError("a fault of the test")
        step(agent)

    monkeypatch.setattr(Searcher, "step", step)
    with RunningNode(Bw4tAgent, {"player": "Bot_1", "seed": 1}):
        first = steps.wait_for()
        steps.wait_for(lambda agent: agent is not first)
    assert "ZeroDivisionError: a fault of the test" in capfd.readouterr().err


def test_an_agent_waits_for_a_world_of_a_profile_that_it_knows(capfd):
    log = []

    def is_warned():
        log.append(capfd.readouterr().err)
        return "world_state: unknown profile 'of_tomorrow'" in "".join(log)

    with RosPeer("another_world", "bw4t") as peer, RunningNode(Bw4tAgent, {"player": "Bot_1"}):
        states = peer.node.create_publisher(Bw4tWorldState, "world_state", qos.LATCHED)
        states.publish(Bw4tWorldState(profile="of_tomorrow"))
        until(is_warned, lambda: "".join(log))
        with RunningNode(Bw4tServer, {"seed": 1, "robots": 1}):
            state = peer.subscribe(Bw4tState, "Bot_1/state")
            state.wait_for(lambda m: m.state == Bw4tState.TRAVELING)
    assert "Traceback" not in "".join(log) + capfd.readouterr().err


def test_an_unknown_team_is_refused():
    with pytest.raises(StartupError, match="there is no team 'losers'"):
        RunningNode(Bw4tAgent, {"team": "losers"})


def test_agents_are_for_robots_with_the_names_that_the_world_gives():
    scenario = Scenario(
        bots=(
            BotSpec(amount=2),
            BotSpec(name="Ann", controller=Controller.HUMAN),
            BotSpec(name="Bot"),
        ),
        epartners=(EPartnerSpec(),),
    )
    agents = dict(agents_of(scenario, "searchers"))
    names = ["Bot_1", "Bot_2", "Bot_3", "E-Partner_1"]
    assert agents == dict.fromkeys(names[:3], "searchers") | {"E-Partner_1": EPARTNER_TEAM}
    world = World(load_map("nine_rooms_charging"), scenario)
    assert set(names) < set(world.names)


def test_without_a_scenario_there_are_robots_and_humans():
    scenario = default_scenario(2, 1)
    world = World(load_map("nine_rooms"), scenario)
    assert world.names == ("Bot_1", "Bot_2", "Human_1")
    assert agents_of(scenario, "t") == [("Bot_1", "t"), ("Bot_2", "t")]
    assert default_scenario(0, 0) == Scenario()
