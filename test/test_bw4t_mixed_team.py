# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One game of an EIS agent in Java, an agent node, and a person at the page in a browser."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bw4t_bridge.agents.agent_node import Bw4tAgent
from bw4t_java.jvm.eis_jar import MAIN_CLASS, make_jar
from bw4t_world.maps import BlockColor, load_map
from bw4t_world.maps.writer import write_map
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import Bw4tHeard, Bw4tTask
from legacy_robots_msgs.srv import Bw4tSendMessage
from legacy_robots_testing import browser
from legacy_robots_testing.running_node import RunningNode

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")
SRC = Path(__file__).parents[1] / "src"
sys.path += [str(SRC / "bw4t_web/test/web_page"), str(SRC / "bw4t_java/test/java_agents")]

_spec = importlib.util.spec_from_file_location(
    "server_node_fixtures", SRC / "bw4t_bridge/test/server_node/conftest.py"
)
_fixtures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fixtures)
serve = _fixtures.serve

from eis_client import EisClient, until  # noqa: E402
from minimal_eis import minimal_eis  # noqa: E402
from page_person import Person  # noqa: E402

pytestmark = pytest.mark.timeout(480)

COLORS = {"RoomC1": BlockColor.RED, "RoomC2": BlockColor.GREEN, "RoomC3": BlockColor.BLUE}


@pytest.fixture
def map_file(tmp_path):
    """A map with one block in each of three rooms, to be delivered in this order."""
    spec = load_map("nine_rooms")
    zones = tuple(
        replace(zone, blocks=(COLORS[zone.name],) if zone.name in COLORS else ())
        for zone in spec.zones
    )
    path = tmp_path / "three.map"
    write_map(replace(spec, zones=zones, sequence=tuple(COLORS.values())), path)
    return str(path)


@pytest.fixture
def java(tmp_path):
    """Start the agent platform in Java with our environment jar; it ends with the test."""
    if not shutil.which("javac"):
        pytest.skip("there is no JDK (package default-jdk-headless)")
    eis, jar = minimal_eis("0.5", tmp_path / "eis"), tmp_path / "environment.jar"
    make_jar(eis, jar)
    client = EisClient(MAIN_CLASS, jar, eis)
    yield client
    client.close()


@pytest.fixture
def open_page(tmp_path):
    if browser.missing():
        pytest.skip(browser.missing())
    drivers = []

    def open_page(url):
        drivers.append(browser.open_browser(tmp_path / "profile", (1280, 720)))
        return Person(drivers[-1], url)

    yield open_page
    for driver in drivers:
        driver.quit()


class Perceived:
    """All that an agent has perceived: what comes only once may come while another is awaited."""

    def __init__(self, client, agent):
        self._poll = partial(client.percepts, agent)
        self._seen = []

    def so_far(self, name, *args):
        """Poll once; return the percepts of this kind that the agent has had."""
        self._seen.extend(self._poll())
        return [p for p in self._seen if p[0] == name and p[1 : 1 + len(args)] == args]

    def __call__(self, name, *args):
        """Poll until the agent has perceived this; return the percept."""
        until(lambda: self.so_far(name, *args))
        return self.so_far(name, *args)[0]


def deliver_by_java(client, agent, perceive):
    client.call("act", agent, "goTo", "RoomC1")
    perceive("in", "RoomC1")
    _, block, _ = perceive("color")
    client.call("act", agent, "goToBlock", block)
    perceive("atBlock", block)

    def picked_up():
        client.call("act", agent, "pickUp")
        return perceive.so_far("holding", block)

    until(picked_up)  # a robot that still goes its last steps takes nothing
    client.call("act", agent, "goTo", "DropZone")
    perceive("in", "DropZone")
    client.call("act", agent, "putDown")
    perceive("sequenceIndex", 1)
    client.call("act", agent, "goTo", "RoomA1")


def deliver_by_hand(person):
    person.click_room("RoomC2")
    person.arrives("RoomC2")
    block = next(iter(person.until(person.blocks_in_sight)))
    person.click(f'#blocks [data-goto="{block}"]')
    person.arrives(f"block {block}")
    person.click('[data-action="pickUp"]')
    person.until(lambda: "Picked up" in person.text("last") or "picked up" in person.text("last"))
    person.click_map(25, 78)
    person.arrives("DropZone")
    person.click('[data-action="putDown"]')
    person.until(lambda: "delivered" in person.text("last"))
    person.click_room("RoomA2")


def test_they_deliver_the_sequence_together_and_talk_in_all_directions(
    serve, map_file, java, open_page
):
    server, peer = serve(
        map=map_file, robots=1, speed=4.0, eis=True, eis_port=0, web=True, web_port=0
    )
    tasks = peer.subscribe(Bw4tTask, "task")
    heard = peer.subscribe(Bw4tHeard, "Bot_1/messages", qos.stream(50))
    java.call("init", {"port": server.parts["java_agents"].eis_port})
    until(lambda: java.events("handleNewEntity"))
    (robot,) = java.events("handleNewEntity")
    java.join("java", robot)
    perceive = Perceived(java, "java")
    person = open_page(server.parts["page"].server.url)
    person.join("Ann")
    name = person.text("me-title").split()[0]

    # From Java, to both others.
    java.call("act", "java", "sendMessage", "all", "room RoomA1 is empty")
    heard.wait_for(lambda m: (m.sender, m.text) == (robot, "room RoomA1 is empty"))
    person.until(lambda: "RoomA1" in person.text("log"))
    # From ROS, to both others.
    said = Bw4tSendMessage.Request(receiver="all", text="room RoomA2 is empty")
    assert peer.call(Bw4tSendMessage, "Bot_1/send_message", said).effect.success
    perceive("message", "Bot_1", "room RoomA2 is empty")
    person.until(lambda: "RoomA2" in person.text("log"))
    # From the page, to both others.
    person.click("#say-form button")
    reported = perceive("message", name)
    heard.wait_for(lambda m: m.sender == name and m.text == reported[2])

    deliver_by_java(java, "java", perceive)
    tasks.wait_for(lambda m: m.index == 1)
    deliver_by_hand(person)
    tasks.wait_for(lambda m: m.index == 2)
    with RunningNode(Bw4tAgent, {"player": "Bot_1", "seed": 1}):
        done = tasks.wait_for(lambda m: m.done, 200)
    assert {r.name: r.good_drops for r in done.robots} == {"Bot_1": 1, robot: 1, name: 1}
