# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client of Foxglove's protocol sees what rclpy sees, and only what it subscribes to is read."""

import asyncio
import json
import struct
import threading
from contextlib import asynccontextmanager

import pytest
from geometry_msgs.msg import PointStamped, PoseStamped
from rclpy.serialization import deserialize_message, serialize_message
from std_msgs.msg import String
from std_srvs.srv import SetBool

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

aiohttp = pytest.importorskip("aiohttp")
pytest.importorskip("foxglove", reason="needs: pip install foxglove-sdk")

from legacy_robots_view.foxglove_node import FoxgloveView  # noqa: E402

pytestmark = pytest.mark.node


class FoxgloveClient:
    """A client as Foxglove is one: JSON and binary messages over a WebSocket."""

    def __init__(self, socket):
        self._socket = socket
        self.channels = {}
        self.services = {}
        self._next = 1
        self._subscribed = {}
        self._received = asyncio.Queue()

    async def read(self):
        """Take messages from the socket until it is closed, whatever the test waits for."""
        async for message in self._socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                self._received.put_nowait(message.data)
                continue
            reported = json.loads(message.data)
            for channel in reported.get("channels", ()):
                self.channels[channel["topic"]] = channel
            for service in reported.get("services", ()):
                self.services[service["name"]] = service
            for gone in reported.get("channelIds", ()) if reported["op"] == "unadvertise" else ():
                self.channels = {t: c for t, c in self.channels.items() if c["id"] != gone}
            told = reported["message"] if reported["op"] == "status" else ""
            if "Unknown channel" in told and int(told.split()[-1]) in self._subscribed:
                # The SDK tells a channel first and knows it then; who is faster asks again.
                await self._subscribe(int(told.split()[-1]))
            self._received.put_nowait(reported)

    async def receive(self):
        """Return the next message: what JSON says, or bytes."""
        return await asyncio.wait_for(self._received.get(), TIMEOUT)

    async def until(self, condition):
        """Receive until a condition holds."""
        while not condition():
            await self.receive()

    async def subscribe(self, topic):
        """Subscribe to a topic that is advertised; return the subscription's number."""
        await self.until(lambda: topic in self.channels)
        number, self._next = self._next, self._next + 1
        channel = self.channels[topic]["id"]
        self._subscribed[channel] = number
        await self._subscribe(channel)
        return number

    async def _subscribe(self, channel):
        entry = {"id": self._subscribed[channel], "channelId": channel}
        await self._socket.send_json({"op": "subscribe", "subscriptions": [entry]})

    async def data(self, number):
        """Return the next message of a subscription, in CDR."""
        while True:
            reported = await self.receive()
            if isinstance(reported, bytes) and reported[0] == 1:
                _, subscription, _ = struct.unpack_from("<BIQ", reported)
                if subscription == number:
                    return reported[13:]

    async def send(self, request):
        """Send a request in JSON."""
        await self._socket.send_json(request)

    async def send_bytes(self, data):
        """Send a message."""
        await self._socket.send_bytes(data)

    async def unsubscribe(self, number):
        """Unsubscribe."""
        await self._socket.send_json({"op": "unsubscribe", "subscriptionIds": [number]})

    async def call(self, name, payload):
        """Call a service with a request in CDR; return the response in CDR, or the error."""
        await self.until(lambda: name in self.services)
        head = struct.pack("<BIII", 2, self.services[name]["id"], 7, 3)
        await self._socket.send_bytes(head + b"cdr" + payload)
        while True:
            reported = await self.receive()
            if isinstance(reported, bytes) and reported[0] == 3:
                (length,) = struct.unpack_from("<I", reported, 9)
                return reported[13 + length :]
            if isinstance(reported, dict) and reported["op"] == "serviceCallFailure":
                return reported["message"]


@pytest.fixture
def view():
    with RunningNode(FoxgloveView, {"port": 0}) as node:
        yield node


@pytest.fixture
def peer():
    with RosPeer() as peer:
        yield peer


@asynccontextmanager
async def connected(view):
    """Connect as Foxglove does."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(view.url, protocols=("foxglove.sdk.v1",)) as socket,
    ):
        client = FoxgloveClient(socket)
        reader = asyncio.create_task(client.read())
        try:
            yield client
        finally:
            await socket.close()
            await reader


def talk(view, conversation):
    """Carry out a coroutine with a client."""

    async def whole():
        async with connected(view) as client:
            return await conversation(client)

    return asyncio.run(whole())


def test_messages_come_as_rclpy_has_them(view, peer):
    publisher = peer.node.create_publisher(PointStamped, "place", qos.stream(5))
    sent = PointStamped()
    sent.header.frame_id, sent.point.x, sent.point.y = "map", 1.5, float("nan")

    async def conversation(client):
        number = await client.subscribe("/place")
        channel = client.channels["/place"]
        await asyncio.to_thread(until, publisher.get_subscription_count, "no subscriber", TIMEOUT)
        publisher.publish(sent)
        return channel, await client.data(number)

    channel, data = talk(view, conversation)
    assert (channel["encoding"], channel["schemaName"]) == (
        "cdr",
        "geometry_msgs/msg/PointStamped",
    )
    for part in (
        "MSG: std_msgs/Header",
        "MSG: geometry_msgs/Point",
        "MSG: builtin_interfaces/Time",
    ):
        assert part in channel["schema"]
    got = deserialize_message(data, PointStamped)
    assert (got.header, got.point.x, got.point.y != got.point.y) == (sent.header, 1.5, True)


def test_only_what_is_subscribed_to_is_read(view, peer):
    publisher = peer.node.create_publisher(PointStamped, "place", qos.stream(5))

    def look(count):
        until(lambda: publisher.get_subscription_count() == count, f"not {count}", TIMEOUT)

    async def conversation(client):
        await client.until(lambda: "/place" in client.channels)
        before = publisher.get_subscription_count()
        number = await client.subscribe("/place")
        await asyncio.to_thread(look, 1)
        await client.unsubscribe(number)
        await asyncio.to_thread(look, 0)
        await client.subscribe("/place")
        await asyncio.to_thread(look, 1)
        return before

    assert talk(view, conversation) == 0
    look(0)  # the client has gone


def test_what_is_latched_comes_to_each_client(view, peer):
    # A name of its own: the graph may still have the publishers of the test before.
    publisher = peer.node.create_publisher(LinkState, "latched", qos.LATCHED)
    publisher.publish(LinkState(detail="up"))

    async def conversation(client):
        return await client.data(await client.subscribe("/latched"))

    async def two(first):
        await conversation(first)
        async with connected(view) as second:
            return await conversation(second)

    assert deserialize_message(talk(view, two), LinkState).detail == "up"


def test_topics_that_go_are_taken_away(view, peer):
    publisher = peer.node.create_publisher(PointStamped, "place", qos.stream(5))

    async def conversation(client):
        await client.until(lambda: "/place" in client.channels)
        peer.on_executor(peer.node.destroy_publisher, publisher)
        await client.until(lambda: "/place" not in client.channels)

    talk(view, conversation)


def test_services_are_offered_on_request_only(view, peer):
    peer.on_executor(peer.node.create_service, SetBool, "lamp", lambda _, response: response)
    peer.on_executor(peer.node.create_publisher, String, "/go/_action/feedback", 1)
    peer.on_executor(peer.node.create_publisher, String, "/later", 1)

    async def conversation(client):
        await client.until(lambda: "/later" in client.channels)
        assert not client.services
        assert "/go/_action/feedback" not in client.channels

    talk(view, conversation)


def test_services_are_called(peer):
    with RunningNode(FoxgloveView, {"port": 0, "services": True}) as view:
        call_the_lamp(view, peer)


def call_the_lamp(view, peer):
    def answer(request, response):
        response.success, response.message = request.data, "as you say"
        return response

    peer.on_executor(peer.node.create_service, SetBool, "lamp", answer)

    async def conversation(client):
        return await client.call("/lamp", serialize_message(SetBool.Request(data=True)))

    response = deserialize_message(talk(view, conversation), SetBool.Response)
    assert response == SetBool.Response(success=True, message="as you say")


GOAL = PoseStamped()
GOAL.header.frame_id, GOAL.pose.position.x, GOAL.pose.orientation.w = "map", 1.5, 1.0
POSE = "geometry_msgs/msg/PoseStamped"


async def publish(client, topic, data, *, schema=POSE, encoding="cdr", number=5):
    """Publish as Foxglove does; return what the server says to it, or None."""
    entry = {"id": number, "topic": topic, "encoding": encoding, "schemaName": schema}
    await client.send({"op": "advertise", "channels": [entry]})
    await client.send_bytes(struct.pack("<BI", 1, number) + data)


def test_a_goal_is_published(peer):
    goals = peer.subscribe(PoseStamped, "/nao/goal_pose", qos.stream(5))

    async def conversation(client):
        await publish(client, "/nao/goal_pose", serialize_message(GOAL))
        return await asyncio.to_thread(goals.wait_for, lambda goal: goal, TIMEOUT)

    with RunningNode(FoxgloveView, {"port": 0, "publish": True}) as view:
        until(lambda: peer.node.count_publishers("/nao/goal_pose"), "no publisher", TIMEOUT)
        assert talk(view, conversation) == GOAL
        goals.clear()
        assert talk(view, conversation) == GOAL, "another client, with the same channel"


@pytest.mark.parametrize(
    "topic, data, more, reason",
    [
        ("/lamp", serialize_message(GOAL), {}, "not in the list"),
        ("/nao/goal_pose", serialize_message(GOAL), {"schema": "std_msgs/msg/String"}, "its type"),
        ("/nao/goal_pose", b"{}", {"encoding": "json"}, "cdr"),
        ("/nao/goal_pose", b"\x00\x01\x00\x00\x07", {}, "this is no geometry_msgs"),
        ("/aibo/goal_pose", serialize_message(GOAL), {}, "no node subscribes"),
    ],
    ids=["name", "type", "encoding", "bytes", "reader"],
)
def test_what_is_not_published_is_said(peer, topic, data, more, reason):
    peer.subscribe(PoseStamped, "/lamp", qos.stream(5))
    goals = peer.subscribe(PoseStamped, "/nao/goal_pose", qos.stream(5))

    async def conversation(client):
        await publish(client, topic, data, **more)
        while True:
            reported = await client.receive()
            if isinstance(reported, dict) and reported["op"] == "status":
                return reported["message"]

    with RunningNode(FoxgloveView, {"port": 0, "publish": True}) as view:
        until(lambda: peer.node.count_publishers("/nao/goal_pose"), "no publisher", TIMEOUT)
        assert reason in talk(view, conversation)
    assert not goals.items
    assert not peer.node.count_publishers("/lamp")


def test_publishing_is_refused_unless_asked_for(view, peer):
    peer.subscribe(PoseStamped, "/nao/goal_pose", qos.stream(5))

    async def conversation(client):
        await publish(client, "/nao/goal_pose", serialize_message(GOAL))
        while True:
            reported = await client.receive()
            if isinstance(reported, dict) and reported["op"] == "status":
                return reported["message"]

    assert "clientPublish" in talk(view, conversation)


def test_a_port_in_use_is_said(view):
    port = int(view.url.rpartition(":")[2])
    with pytest.raises(StartupError, match=f"port {port}"):
        RunningNode(FoxgloveView, {"port": port})


def test_it_ends_with_a_client_connected():
    ended = threading.Event()

    async def conversation(client):
        await client.receive()
        await asyncio.to_thread(running.__exit__, None, None, None)
        ended.set()

    running = RunningNode(FoxgloveView, {"port": 0})
    talk(running.node, conversation)
    assert ended.is_set()
