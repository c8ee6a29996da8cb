# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Agents of EIS in the server's world, beside ROS: the wire without Java."""

import json
import socket

import pytest
from std_srvs.srv import Trigger

from legacy_robots_msgs.msg import Bw4tRoster, Bw4tWorldState
from legacy_robots_msgs.srv import Bw4tLoad, Bw4tRemovePlayer, Bw4tSendMessage

pytestmark = pytest.mark.node


class Agent:
    """A client of the wire that drives one robot."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60.0)
        self.lines = self.socket.makefile("rb")
        self.number = 0
        self.call("hello", eis="0.5")
        (self.name,) = self.call("register", agents=1, humans=0)
        self.call("register_agent", agent="agent")
        self.call("associate", agent="agent", entity=self.name)

    def call(self, op, **fields):
        self.number += 1
        self.socket.sendall(json.dumps({"id": self.number, "op": op, **fields}).encode() + b"\n")
        return self.wait_for("id")["value"]

    def wait_for(self, key):
        while key not in (message := json.loads(self.lines.readline())):
            pass
        return message

    def close(self):
        self.lines.close()
        self.socket.close()


def names(roster):
    return {player.name for player in roster.players}


def test_an_agent_of_eis_is_a_player_in_ros(serve):
    server, peer = serve(robots=1, eis=True, eis_port=0)
    rosters = peer.subscribe(Bw4tRoster, "roster")
    agent = Agent(server.parts["java_agents"].eis_port)
    assert agent.name == "Bot_2"
    rosters.wait_for(lambda roster: names(roster) == {"Bot_1", "Bot_2"})
    said = Bw4tSendMessage.Request(receiver="Bot_2", text="yes")
    assert peer.call(Bw4tSendMessage, "Bot_1/send_message", said).effect.success
    while ["message", "Bot_1", "yes"] not in agent.call("percepts", entity="Bot_2")["add"]:
        pass
    assert peer.call(Trigger, "pause", Trigger.Request()).success
    assert agent.wait_for("event") == {"event": "state", "state": "PAUSED"}
    assert peer.call(
        Bw4tRemovePlayer, "remove_player", Bw4tRemovePlayer.Request(name="Bot_2")
    ).success
    assert agent.wait_for("event")["entity"] == "Bot_2"
    agent.close()


def test_a_client_that_ends_takes_its_robot_along(serve):
    server, peer = serve(robots=0, eis=True, eis_port=0)
    rosters = peer.subscribe(Bw4tRoster, "roster")
    agent = Agent(server.parts["java_agents"].eis_port)
    rosters.wait_for(lambda roster: names(roster) == {"Bot_1"})
    agent.call("act", entity="Bot_1", action="goTo", args=["RoomA1"])
    agent.close()
    rosters.wait_for(lambda roster: not names(roster))


def test_rmi_without_jars_says_so_and_the_world_goes_on(serve):
    server, peer = serve(robots=1, rmi=True)
    while "jars" not in server.diagnostics()["rmi"] and "java" not in server.diagnostics()["rmi"]:
        pass
    assert peer.call(Trigger, "pause", Trigger.Request()).success


def test_eis_and_ros_load_the_same_map(serve):
    server, peer = serve(robots=0, eis=True, eis_port=0)
    states = peer.subscribe(Bw4tWorldState, "world_state")
    agent = Agent(server.parts["java_agents"].eis_port)
    agent.call("init", map="large")
    states.wait_for(lambda state: state.map == "large")
    assert peer.call(Bw4tLoad, "load", Bw4tLoad.Request(map="nine_rooms")).success
    agent.call("init", map="large")
    states.wait_for(lambda state: state.map == "large" and state.run == 3)
    agent.close()
