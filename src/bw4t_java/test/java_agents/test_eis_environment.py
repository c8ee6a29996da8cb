# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Our EIS environment jar on a platform with each EIS: compiled and run.

BW4T_EIS_0_5 and BW4T_EIS_0_7 name the real jars of EIS, which are tried as well where given.
"""

import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from eis_client import EisCallError, until
from minimal_eis import minimal_eis

from bw4t_java.jvm import JavaError
from bw4t_java.jvm.eis_jar import MAIN_CLASS, loader_version, make_jar

pytestmark = pytest.mark.node

KINDS = ("0.5", "0.7", "BW4T_EIS_0_5", "BW4T_EIS_0_7")


class Team:
    """An agent platform in our world."""

    def __init__(self, served, platform, eis, jar):
        self.served = served
        self.eis = eis
        self.client = platform(MAIN_CLASS, jar, eis)

    def init(self, **more):
        self.client.call("init", {"port": self.served.server.port, **more})
        return self.client


@pytest.fixture(params=KINDS)
def team(request, serve, platform, tmp_path):
    if not shutil.which("javac"):
        pytest.skip("there is no JDK (package default-jdk-headless)")
    if request.param in ("0.5", "0.7"):
        eis = minimal_eis(request.param, tmp_path / "eis")
    elif request.param in os.environ:
        eis = Path(os.environ[request.param])
    else:
        pytest.skip(f"{request.param} names no jar of EIS")
    jar = tmp_path / "environment.jar"
    make_jar(eis, jar)
    return Team(serve(), platform, eis, jar)


def see(client, agent, *percept):
    """Poll until an agent perceives this."""
    until(lambda: percept in client.percepts(agent))


def refused(kind, client, *request):
    with pytest.raises(EisCallError) as error:
        client.call(*request)
    assert error.value.kind == kind
    return str(error.value)


def test_a_robot_searches_a_room(team):
    client = team.init()
    until(lambda: client.events("handleNewEntity") == ["Bot_1"])
    assert client.events("handleStateChange") == ["RUNNING"]
    client.join("a", "Bot_1")
    first = client.percepts("a")
    assert ("ownName", "Bot_1") in first
    assert ("place", "RoomC1") in first
    client.call("act", "a", "goTo", "RoomC1")
    see(client, "a", "in", "RoomC1")
    client.call("act", "a", "goTo", 15.5, 54.5)
    see(client, "a", "location", 15.5, 54.5)


def test_two_agents_and_a_human_talk(team):
    client = team.init(agents=1, humans=1)
    until(lambda: client.events("handleNewEntity") == ["Bot_1", "Human_1"])
    client.join("a", "Bot_1")
    client.join("h", "Human_1")
    assert client.call("getType", "Human_1") == "human"
    client.call("act", "a", "sendMessage", "Human_1", "yes")
    see(client, "h", "message", "Bot_1", "yes")


def test_errors(team):
    client = team.init()
    client.join("a", "Bot_1")
    assert "not holding any block" in refused("ActException", client, "act", "a", "putDown")
    refused("ActException", client, "act", "a", "goTo", "Nowhere")
    refused("AgentException", client, "registerAgent", "a")
    refused("RelationException", client, "associateEntity", "b", "Bot_1")
    refused("EntityException", client, "getType", "Bot_9")
    refused("ManagementException", client, "init", {})
    refused("ManagementException", client, "reset", {})
    assert client.percepts("a") is not None


def test_init_takes_the_names_of_the_originals_client_and_no_other(team):
    text = refused("ManagementException", team.client, "init", {"agent": 3})
    assert "no parameter agent, only host, port, agents, humans" in text
    port = team.served.server.port
    team.client.call(
        "init",
        {"serverip": "127.0.0.1", "serverport": str(port), "agentcount": "2", "humancount": 1,
         "clientip": "localhost", "launchgui": "false"},
    )  # fmt: skip
    assert team.served.names() == ("Bot_1", "Bot_2", "Human_1")


def test_a_robot_that_was_freed_is_there_for_another_agent(team):
    client = team.init()
    client.join("a", "Bot_1")
    assert client.call("getFreeEntities") == []
    client.call("freePair", "a", "Bot_1")
    until(lambda: client.events("handleFreeEntity") == ["Bot_1"])
    assert client.call("getFreeEntities") == ["Bot_1"]
    client.join("b", "Bot_1")
    assert client.call("getFreeEntities") == []
    assert "no entity" in refused("ActException", client, "act", "a", "goTo", "RoomC1")
    refused("PerceiveException", client, "percepts", "a")


def test_the_version_is_what_the_loader_of_that_eis_asks_for(team):
    asked = loader_version(team.eis)
    assert re.fullmatch(r"0\.[567].*", asked)
    assert team.client.call("requiredVersion") == asked


def test_no_world_is_an_exception(team):
    team.served.server.close()
    text = refused("ManagementException", team.client, "init", {"port": team.served.server.port})
    assert "cannot be joined" in text


def test_before_the_world_nothing_is_there(team):
    assert team.client.call("getFreeEntities") == []
    refused("ActException", team.client, "act", "a", "goTo", "RoomC1")
    refused("NoEnvironmentException", team.client, "percepts", "a")


def test_the_world_ends(team):
    client = team.init()
    client.join("a", "Bot_1")
    team.served.server.close()
    until(lambda: client.events("handleStateChange")[-1] == "KILLED")
    refused("NoEnvironmentException", client, "percepts", "a")
    refused("ActException", client, "act", "a", "goTo", "RoomC1")


def test_a_killed_platform_leaves(team):
    client = team.init()
    client.join("a", "Bot_1")
    client.call("act", "a", "goTo", "RoomA1")
    client.kill()
    team.served.wait_for_names()


def test_a_jar_that_is_no_eis_is_refused(tmp_path):
    path = tmp_path / "other.jar"
    with pytest.raises(JavaError, match="is no jar"):
        make_jar(path, tmp_path / "out.jar")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x", "")
    with pytest.raises(JavaError, match="has no EIS"):
        make_jar(path, tmp_path / "out.jar")
