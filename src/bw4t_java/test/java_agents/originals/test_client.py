# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The unchanged client of the original in our world, over RMI. With the user's jars only.

BW4T_CLIENT_3_8_1 and BW4T_CLIENT_3_10 name directories with the client jar of that version
(docs/originals/bw4t.md, 12); from Java 11 on JAXB is needed, as in Debian's libjaxb-java.
"""

import os

import pytest
from eis_client import ORIGINAL, EisCallError, until

from bw4t_java.eis.rmi import RmiServer
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.recorder import Recorder

pytestmark = pytest.mark.node

VERSIONS = {"BW4T_CLIENT_3_8_1": "server_3_8_1", "BW4T_CLIENT_3_10": "server_3_10"}
ONCE = {"place", "zone", "robot", "ownName", "sequence", "colorblind"}
ALWAYS_THERE = ONCE | {
    *("at", "battery", "gripperCapacity", "holdingblocks", "location", "robotSize"),
    *("oldTargetUnreachable", "player", "sequenceIndex", "speed", "state"),
}


class Rmi:
    """Our world behind the RMI of one version, and clients of that version."""

    def __init__(self, variable, served, platform):
        self.variable = variable
        self.jars = os.environ[variable]
        self.served = served
        self.platform = platform
        self.port = free_port()
        statuses = Recorder("statuses")
        self.server = RmiServer(
            served.server, jars=self.jars, address="127.0.0.1", port=self.port,
            on_status=lambda is_up, text: statuses.add((is_up, text)),
        )  # fmt: skip
        self.server.start()
        assert statuses.wait_for(lambda status: status[0])

    def join(self, agents=1, humans=0, **more):
        """Start a client and let it ask for robots."""
        client = self.platform(ORIGINAL, self.jars)
        wanted = {"agentcount": str(agents), "humancount": str(humans), **more}
        ports = {"serverport": str(self.port), "clientport": str(free_port())}
        client.call("init", {**wanted, **ports, "launchgui": "false"})
        return client


@pytest.fixture(params=VERSIONS)
def rmi(request, serve, platform):
    if request.param not in os.environ:
        pytest.skip(f"{request.param} names no directory with that version's client jar")
    rmi = Rmi(request.param, serve(profile=VERSIONS[request.param]), platform)
    yield rmi
    rmi.server.close()


def act(client, agent, *action):
    """Act; what was perceived before is no news any more."""
    client.seen[agent] = []
    return client.call("act", agent, *action)


def perceive(client, agent, name, *args):
    """Poll until an agent has perceived this since its last action; return the percept."""
    seen = client.seen.setdefault(agent, [])
    found = []

    def look():
        found.extend(p for p in seen if p[0] == name and p[1 : 1 + len(args)] == args)
        return found or seen.extend(client.percepts(agent))

    until(look)
    return found[0]


def refusal(client, *request):
    with pytest.raises(EisCallError) as error:
        client.call(*request)
    return error.value


def test_every_percept_of_a_first_poll(rmi):
    client = rmi.join(agents=2)
    assert client.events("handleNewEntity") == ["Bot_1", "Bot_2"]
    assert client.call("getState") == "RUNNING"
    client.join("a", "Bot_1")
    client.join("b", "Bot_2")
    percepts = client.percepts("a")
    assert {percept[0] for percept in percepts} >= ALWAYS_THERE
    assert ("place", "RoomA1") in percepts
    assert ("zone", 0, "LeftHallA", 5.0, 5.0, ["FrontRoomA1", "LeftHallB"]) in percepts
    again = {percept[0] for percept in client.percepts("a")}
    assert not ONCE & again, "what is sent once"


def test_every_action(rmi):
    client = rmi.join(agents=2)
    client.join("a", "Bot_1")
    client.join("b", "Bot_2")
    act(client, "a", "goTo", "RoomC1")
    perceive(client, "a", "in", "RoomC1")
    perceive(client, "a", "occupied", "RoomC1")
    _, block, _ = perceive(client, "a", "color")
    client.call("act", "a", "goToBlock", block)  # atBlock may have been perceived before
    perceive(client, "a", "atBlock", block)
    by_id = act(client, "a", "checkSequenceDone") is None  # EIS 0.7 has no answers
    act(client, "a", "pickUp", *([block] if by_id else []))
    perceive(client, "a", "holding", block)
    perceive(client, "a", "holdingblocks", [block])
    act(client, "b", "goTo", "RoomC1")
    perceive(client, "b", "state", "collided")
    act(client, "a", "goTo", 15.0, 55.0)
    act(client, "a", "sendMessage", "Bot_2", "room RoomC1 is empty")
    assert perceive(client, "b", "message")[1] == ["Bot_1", "room RoomC1 is empty"]
    act(client, "a", "putDown")
    perceive(client, "a", "holdingblocks", [])
    act(client, "a", "pickUpEPartner")
    act(client, "a", "putDownEPartner")
    act(client, "b", "receiveMessage", "x", "y")


def test_exceptions_come_through(rmi):
    client = rmi.join()
    client.join("a", "Bot_1")
    for request in (
        ("putDown",),
        ("goTo", "Nowhere"),
        ("goToBlock", 4711),
        ("navigateObstacles",),
        ("sendMessage", "Stranger", "hello"),
        ("sendmessage", "all", "the document's spelling, which no server knows"),
        ("nonsense",),
    ):
        error = refusal(client, "act", "a", *request)
        assert error.kind == "ActException"
        assert "Bot_1" in str(error)
    assert refusal(client, "registerAgent", "a").kind == "AgentException"
    assert refusal(client, "getType", "Bot_9").kind == "EntityException"
    client.call("registerAgent", "b")
    assert refusal(client, "associateEntity", "b", "Bot_1").kind == "RelationException"
    assert client.percepts("a"), "it goes on"


def test_two_clients_talk_and_one_is_killed_in_mid_goal(rmi):
    one, other = rmi.join(), rmi.join()
    one.join("a", "Bot_1")
    other.join("b", "Bot_2")
    act(other, "b", "sendMessage", "Bot_1", "yes")
    assert perceive(one, "a", "message")[1] == ["Bot_2", "yes"]
    act(other, "b", "goTo", "RoomA1")
    perceive(other, "b", "state", "traveling")
    other.kill()
    rmi.served.wait_for_names("Bot_1")
    until(lambda: one.events("handleDeletedEntity") == ["Bot_2"])
    act(one, "a", "goTo", "RoomC1")
    perceive(one, "a", "in", "RoomC1")
    third = rmi.join()
    assert third.events("handleNewEntity") == ["Bot_2"]


def test_leaving_and_coming_back(rmi):
    client = rmi.join()
    client.join("a", "Bot_1")
    client.call("freeAgent", "a")
    rmi.served.wait_for_names()
    client.call("kill")
    again = rmi.join()
    assert again.events("handleNewEntity") == ["Bot_1"]


def test_pause_and_start(rmi):
    client = rmi.join()
    client.call("pause")
    rmi.served.server.on_runner_event()  # as the node does
    until(lambda: client.events("handleStateChange")[-1] == "PAUSED")
    assert rmi.served.runner.world_status.is_paused
    client.call("start")
    rmi.served.server.on_runner_event()
    until(lambda: client.events("handleStateChange")[-1] == "RUNNING")


def test_a_client_configuration(rmi, tmp_path):
    config = tmp_path / "team.xml"
    config.write_text(
        "<bw4TClientConfig><bots><bot><botName>Big</botName><botController>AGENT</botController>"
        "<botAmount>1</botAmount><botSize>3</botSize><grippers>2</grippers>"
        "<sizeOverloadHandicap>true</sizeOverloadHandicap></bot></bots><epartners><epartner>"
        "<epartnerName>E</epartnerName><epartnerAmount>1</epartnerAmount><gps>true</gps>"
        "</epartner></epartners>"
        f"<serverPort>{rmi.port}</serverPort><clientPort>{free_port()}</clientPort>"
        "</bw4TClientConfig>"
    )
    client = rmi.platform(ORIGINAL, rmi.jars)
    client.call("init", {"configfile": str(config), "launchgui": "false"})
    assert client.events("handleNewEntity") == ["Big_1", "E_1"]
    client.join("a", "Big_1")
    client.join("e", "E_1")
    assert ("gripperCapacity", 2) in client.percepts("a")
    assert {"functionality", "location"} <= {p[0] for p in client.percepts("e")}


def test_more_robots_than_places_are_as_in_the_version_and_the_world_goes_on(rmi):
    if rmi.variable == "BW4T_CLIENT_3_10":
        client = rmi.join(agents=9)
        assert client.events("handleNewEntity") == ["Bot_1", "Bot_2", "Bot_3"]
        client.kill()
        rmi.served.wait_for_names()
    else:
        refused = "Bot_4 cannot be placed: all 3 spawn points are taken"
        with pytest.raises(EisCallError, match=refused):
            rmi.join(agents=9)
        assert rmi.served.names() == ()
    assert rmi.join().events("handleNewEntity") == ["Bot_1"]
