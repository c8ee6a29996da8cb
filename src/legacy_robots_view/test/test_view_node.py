# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node with its server: what a browser is sent, how often, and what it costs the others."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import numpy as np
import pytest
from rclpy.qos import qos_profile_system_default
from sensor_msgs.msg import CompressedImage, JointState
from std_msgs.msg import String

from legacy_robots_common.node import qos
from legacy_robots_common.node.main import StartupError
from legacy_robots_msgs.msg import LinkState, NaoLocation, NaoState, RoboSkateKeys
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_view.node import NO_BROWSER_TIMEOUT_S, View

pytestmark = pytest.mark.node

TIMEOUT_S = 20.0
JPEG = b"\xff\xd8\xff" + bytes(100)


class Browser:
    """What a page does, without its screen."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.draws = True
        self.number = 0
        self.state: dict[str, dict[str, Any]] = {}
        self.states = 0
        self.images: list[tuple[str, bytes]] = []
        self.is_closed = False
        self._changed = asyncio.Condition()
        self._reader = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        async for frame in self.socket:
            async with self._changed:
                if frame.type is aiohttp.WSMsgType.TEXT:
                    message = json.loads(frame.data)
                    self._apply(message)
                    self.number = message["number"]
                    if self.draws:
                        await self.answer()
                else:
                    topic, _, file = frame.data.partition(b"\n")
                    self.images.append((topic.decode(), file))
                self._changed.notify_all()
        async with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def _apply(self, message: dict[str, Any]) -> None:
        assert message["type"] == "state"
        self.states += 1
        for name in message.get("gone", ()):
            del self.state[name]
        for name, fields in message.get("set", {}).items():
            self.state[name] = {**self.state.get(name, {}), **fields}

    async def answer(self) -> None:
        await self.socket.send_str(f'{{"seen":{self.number}}}')

    async def until(self, holds: Callable[[], Any]) -> Any:
        async with self._changed:
            try:
                await asyncio.wait_for(self._changed.wait_for(holds), TIMEOUT_S)
            except asyncio.TimeoutError:
                raise AssertionError(f"it did not happen: {self.state}") from None
        return holds()

    def status(self, namespace: str) -> str | None:
        return self.state.get(f"system {namespace}", {}).get("status")

    def topic(self, name: str) -> dict[str, Any]:
        return self.state.get(f"topic {name}", {})

    def data(self, name: str) -> dict[str, Any]:
        return self.state.get(f"data {name}", {})


class Robots:
    """Systems that the test plays."""

    def __init__(self, peer: RosPeer) -> None:
        self.peer = peer
        self.node = peer.node

    def publisher(self, message_type: type[Any], topic: str, *, latched: bool = False) -> Any:
        return self.node.create_publisher(
            message_type, topic, qos.LATCHED if latched else qos.stream()
        )

    def link(self, namespace: str, state: int = LinkState.CONNECTED) -> Any:
        publisher = self.publisher(LinkState, f"{namespace}/link_state", latched=True)
        publisher.publish(LinkState(state=state, peer="there", detail="as it is", connections=1))
        return publisher

    def nao(self, namespace: str) -> Any:
        publisher = self.publisher(NaoState, f"{namespace}/state", latched=True)
        publisher.publish(NaoState(state=NaoState.WALKING, valid=True))
        return self.link(namespace)


@pytest.fixture
def robots() -> Iterator[Robots]:
    with RosPeer("robots") as peer:
        yield Robots(peer)


@pytest.fixture
def view() -> Iterator[View]:
    with RunningNode(View, {"port": 0, "rate": 20.0, "stale_after": 0.5}) as node:
        yield node


def browse(view: View, scene: Callable[[Browser], Any]) -> None:
    """Open the page and do what ``scene`` does with it."""

    async def visit() -> None:
        origin = view.url.rstrip("/")
        async with aiohttp.ClientSession() as session:
            socket = await session.ws_connect(f"{view.url}ws", headers={"Origin": origin})
            async with socket:
                await scene(Browser(socket))

    asyncio.run(visit())


@contextmanager
def published(publisher: Any, message: Any, rate: float) -> Iterator[Callable[[], float]]:
    """Publish again and again; yields what tells the real rate."""
    stop = threading.Event()
    count = 0
    start = time.monotonic()

    def work() -> None:
        nonlocal count
        while not stop.wait(max(0.0, start + count / rate - time.monotonic())):
            publisher.publish(message)
            count += 1

    thread = threading.Thread(target=work)
    thread.start()
    yield lambda: count / (time.monotonic() - start)
    stop.set()
    thread.join()


def test_a_system_is_found_and_drawn(robots, view):
    robots.nao("/nao")

    async def scene(browser: Browser) -> None:
        await browser.until(lambda: browser.status("/nao") == "connected")
        system = browser.state["system /nao"]
        assert (system["kind"], system["group"]) == ("nao", "/nao")
        assert (system["peer"], system["detail"]) == ("there", "as it is")
        await browser.until(lambda: browser.data("/nao state"))
        assert browser.data("/nao state") == {"state": "walking", "valid": True}

    browse(view, scene)


def test_two_robots_of_one_kind_and_one_of_another(robots, view):
    robots.nao("/nao")
    robots.nao("/lab/nao_2")
    robots.link("/other", LinkState.FAULT)

    async def scene(browser: Browser) -> None:
        await browser.until(
            lambda: (
                [browser.status(n) for n in ("/nao", "/lab/nao_2", "/other")]
                == ["connected", "connected", "fault"]
            )
        )
        assert browser.state["system /other"]["kind"] is None
        assert browser.state["system /other"]["title"] == "other"

    browse(view, scene)


def test_topics_are_read_only_while_a_browser_looks(robots, view):
    robots.nao("/nao")
    count = robots.node.count_subscribers
    topics = ["/nao/link_state", "/nao/state", "/diagnostics"]
    robots.peer.wait_for_node("/")
    assert [count(topic) for topic in topics] == [0, 0, 0]

    async def scene(browser: Browser) -> None:
        await browser.until(lambda: browser.data("/nao state"))
        assert [count(topic) for topic in topics] == [1, 1, 1]

    browse(view, scene)
    closed = time.monotonic()
    until(lambda: [count(topic) for topic in topics] == [0, 0, 0])
    assert time.monotonic() - closed > NO_BROWSER_TIMEOUT_S / 2
    browse(view, scene)  # and again


def test_a_link_that_is_lost_and_a_system_that_goes(robots, view):
    link = robots.nao("/nao")

    async def scene(browser: Browser) -> None:
        await browser.until(lambda: browser.status("/nao") == "connected")
        link.publish(LinkState(state=LinkState.FAULT, peer="there", detail="the cable broke"))
        await browser.until(lambda: browser.status("/nao") == "fault")
        assert browser.state["system /nao"]["detail"] == "the cable broke"
        robots.node.destroy_publisher(link)
        await browser.until(lambda: browser.status("/nao") == "gone")
        assert browser.data("/nao state")  # what is known is still sent, as old
        robots.link("/nao")
        await browser.until(lambda: browser.status("/nao") == "connected")

    browse(view, scene)


def test_a_system_that_is_gone_for_long_is_forgotten(robots):
    link = robots.nao("/nao")
    with RunningNode(View, {"port": 0, "forget_after": 0.5}) as view:

        async def scene(browser: Browser) -> None:
            await browser.until(lambda: browser.status("/nao") == "connected")
            robots.node.destroy_publisher(link)
            await browser.until(lambda: "system /nao" not in browser.state)
            assert set(browser.state) == {"clock"}

        browse(view, scene)


def test_a_fast_stream_is_thinned_out_and_its_rate_told(robots, view):
    keys = robots.publisher(RoboSkateKeys, "/skate/command")
    joints = robots.publisher(JointState, "/skate/joint_states")
    robots.link("/skate")
    message = JointState(name=["a"], position=[0.25])
    with published(joints, message, 200.0) as real:

        async def scene(browser: Browser) -> None:
            topic = "/skate joint_states"
            await browser.until(lambda: browser.topic(topic).get("rate"))
            start, states = time.monotonic(), browser.states
            await asyncio.sleep(3.2)  # the time over which a rate is measured
            seconds = time.monotonic() - start
            assert browser.states - states <= 20.0 * seconds + 2
            assert browser.topic(topic)["rate"] == pytest.approx(real(), rel=0.25)
            assert browser.topic(topic)["fresh"]
            assert browser.data(topic) == {"names": ["a"], "positions": [0.25]}

        browse(view, scene)
    robots.node.destroy_publisher(keys)


def test_a_stream_that_ends_is_told_as_old(robots, view):
    keys = robots.publisher(RoboSkateKeys, "/skate/command")
    joints = robots.publisher(JointState, "/skate/joint_states")
    robots.link("/skate")

    async def scene(browser: Browser) -> None:
        topic = "/skate joint_states"
        with published(joints, JointState(), 50.0):
            await browser.until(lambda: browser.topic(topic).get("fresh"))
        await browser.until(lambda: not browser.topic(topic)["fresh"])
        assert browser.status("/skate") == "connected"
        assert 0.4 < browser.state["clock"]["now"] + 1.0 - browser.topic(topic)["at"] < 10.0

    browse(view, scene)
    robots.node.destroy_publisher(keys)


def test_images_come_no_faster_than_allowed(robots):
    keys = robots.publisher(RoboSkateKeys, "/skate/command")
    camera = robots.publisher(CompressedImage, "/skate/camera/image_raw/compressed")
    robots.link("/skate")
    message = CompressedImage(format="jpeg")
    message.data.frombytes(JPEG)
    with RunningNode(View, {"port": 0, "rate": 30.0, "camera_rate": 5.0}) as view:

        async def scene(browser: Browser) -> None:
            await browser.until(lambda: browser.images)
            assert browser.images[0] == ("/skate camera/image_raw/compressed", JPEG)
            start, before = time.monotonic(), len(browser.images)
            await asyncio.sleep(2.0)  # the time over which images are counted
            count = len(browser.images) - before
            seconds = time.monotonic() - start
            assert 2 <= count <= 6.0 * seconds + 2

        with published(camera, message, 60.0):
            browse(view, scene)
    robots.node.destroy_publisher(keys)


def test_what_cannot_be_drawn_is_said_and_does_not_harm_the_rest(robots, view):
    keys = robots.publisher(RoboSkateKeys, "/skate/command")
    joints = robots.publisher(JointState, "/skate/joint_states")
    description = robots.publisher(String, "/skate/robot_description", latched=True)
    description.publish(String(data="<robot/>"))
    robots.link("/skate")

    async def scene(browser: Browser) -> None:
        topic = "/skate joint_states"
        with published(joints, JointState(name=["a", "b"], position=[1.0]), 20.0):
            await browser.until(lambda: browser.topic(topic).get("problem"))
        assert "2 joints have 1 positions" in browser.topic(topic)["problem"]
        await browser.until(lambda: browser.data("/skate robot_description"))
        with published(joints, JointState(name=["a"], position=[np.nan]), 20.0):
            await browser.until(lambda: browser.topic(topic)["problem"] is None)
        assert browser.data(topic) == {"names": ["a"], "positions": [None]}

    browse(view, scene)
    robots.node.destroy_publisher(keys)


def test_topics_of_another_type_are_left_alone(robots, view):
    robots.nao("/nao")
    other = robots.node.create_publisher(String, "/nao/held_object", qos_profile_system_default)
    location = robots.publisher(NaoLocation, "/nao/location", latched=True)
    location.publish(NaoLocation(marker_id=64, valid=True))

    async def scene(browser: Browser) -> None:
        await browser.until(lambda: browser.data("/nao location"))
        assert not browser.topic("/nao held_object")

    browse(view, scene)
    robots.node.destroy_publisher(other)


def test_a_browser_that_does_not_draw_has_one_state_under_way(robots, view):
    keys = robots.publisher(RoboSkateKeys, "/skate/command")
    camera = robots.publisher(CompressedImage, "/skate/camera/image_raw/compressed")
    robots.link("/skate")
    message = CompressedImage(format="jpeg")
    message.data.frombytes(JPEG)

    async def scene(browser: Browser) -> None:
        await browser.until(lambda: browser.images)
        browser.draws = False
        await asyncio.sleep(0.5)  # what was under way has come
        states, images, number = browser.states, len(browser.images), browser.number
        await asyncio.sleep(1.5)  # in which nothing may come
        assert (browser.states, len(browser.images)) == (states, images)
        await browser.answer()
        await browser.until(lambda: browser.states == states + 1)
        assert len(browser.images) == images + 1
        assert browser.number > number + 20, "it is the newest that comes, not the next"

    with published(camera, message, 60.0):
        browse(view, scene)
    robots.node.destroy_publisher(keys)


@pytest.mark.parametrize(
    "sent", ['{"type":"walk"}', "", '{"seen":-1}', '{"seen":1e9}', "x" * 4000]
)
def test_a_page_that_asks_for_something_is_let_go(view, sent):
    async def scene(browser: Browser) -> None:
        await browser.until(lambda: browser.state)
        await browser.socket.send_str(sent)
        await browser.until(lambda: browser.is_closed)

    browse(view, scene)


def test_foreign_hosts_and_pages_are_refused(view):
    async def scene() -> None:
        async with aiohttp.ClientSession() as session:
            async with session.get(view.url, headers={"Host": "evil.example"}) as response:
                assert response.status == 403
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(
                    f"{view.url}ws", headers={"Origin": "http://evil.example"}
                )
            async with session.get(view.url) as response:
                assert "Legacy robots" in await response.text()

    asyncio.run(scene())


def test_a_port_in_use_ends_the_program_with_a_sentence(view):
    port = int(view.url.rstrip("/").rsplit(":", 1)[1])
    with pytest.raises(StartupError, match=f"cannot be served at 127.0.0.1, port {port}"):
        RunningNode(View, {"port": port})
