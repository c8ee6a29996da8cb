# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""All topics, and on request services and publishing, for Foxglove and Lichtblick, by its SDK.

Only what a client subscribes to is subscribed to here, and passed on as it came over the wire.
"""

from __future__ import annotations

import concurrent.futures
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rclpy.client import Client
from rclpy.qos import DurabilityPolicy
from rclpy.serialization import deserialize_message, serialize_message
from rclpy.subscription import Subscription

from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_common.node.raw_topics import (
    definition,
    interface_class,
    offered,
    service_definitions,
)
from legacy_robots_view.foxglove_parameters import Parameters
from legacy_robots_view.foxglove_publishing import ClientTopics

LOOK_PERIOD_S = 1.0
"""Between two looks at the graph."""
SERVICE_TIMEOUT_S = 30.0
STANDARD_SERVICES = "rcl_interfaces/srv/"
"""Every node has them: its parameters."""


@dataclass
class _Topic:
    type_name: str
    channel: Any
    clients: set[int] = field(default_factory=set)
    subscription: Subscription | None = None
    is_latched: bool = False


class FoxgloveView(ProgramNode):
    """Serves the graph. The SDK's callbacks come on its threads, all else is on the executor.

    Raises ParameterError, or StartupError without the SDK or for an address or port that cannot be
    used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("foxglove", **node_arguments)
        self._settings = p = declare_parameters(self, Parameters)
        try:
            import foxglove
        except ImportError as error:
            raise StartupError(
                f"the Foxglove SDK is missing: pip install foxglove-sdk ({error})"
            ) from error
        self._foxglove = foxglove
        self._sdk_context = foxglove.Context()
        self._topics: dict[str, _Topic] = {}
        self._callable: dict[str, Client] = {}
        self._unknown: set[str] = set()
        self._requests: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        listener: Any = _Listener(self)  # it need not have all methods of the SDK's class
        self._client_topics: ClientTopics | None = None
        if p.publish:
            self._client_topics = ClientTopics(self, p.publishable, self._refuse)
        capabilities = [foxglove.Capability.Services] if p.services else []
        capabilities += [foxglove.Capability.ClientPublish] if p.publish else []
        try:
            self._server = foxglove.start_server(
                name="legacy robots",
                host=p.host,
                port=p.port,
                capabilities=capabilities,
                supported_encodings=["cdr"],
                server_listener=listener,
                context=self._sdk_context,
                message_backlog_size=p.backlog,
            )
        except Exception as error:  # the SDK has no class of its own for it
            raise StartupError(
                f"Foxglove cannot be served at {p.host}, port {p.port}: {error}"
            ) from error
        self.get_logger().info(
            f"for Foxglove and Lichtblick: open a connection to {self.url} (Foxglove WebSocket)"
        )
        self.steady_timer(LOOK_PERIOD_S, self._look)

    @property
    def url(self) -> str:
        """The WebSocket's address."""
        return f"ws://{self._settings.host}:{self._server.port}"

    def start(self) -> None:
        """Look at the graph at once."""
        self._look()

    def close(self) -> None:
        """End the server. Idempotent."""
        self._server.stop()

    # --- the graph -------------------------------------------------------------------------

    def _look(self) -> None:
        """Offer what has come to the graph, and take away what has gone.

        Hidden topics, such as those of actions, are left out.
        """
        found = {
            name: types[0]
            for name, types in self.get_topic_names_and_types()
            if len(types) == 1 and "/_" not in name and self.count_publishers(name)
        }
        for name, topic in list(self._topics.items()):
            if found.get(name) != topic.type_name:
                self._unsubscribe(topic)
                topic.channel.close()
                del self._topics[name]
        for name in sorted(found.keys() - self._topics.keys()):
            self._offer(name, found[name])
        if self._settings.services:
            self._look_for_services()
        if self._client_topics is not None:
            self._client_topics.look()

    def _offer(self, name: str, type_name: str) -> None:
        text = self._defined(type_name, definition)
        if text is None:
            return
        package, _, short = type_name.split("/")
        schema = self._foxglove.Schema(
            name=f"{package}/msg/{short}", encoding="ros2msg", data=text.encode()
        )
        channel = self._foxglove.Channel(
            name, schema=schema, message_encoding="cdr", context=self._sdk_context
        )
        self._topics[name] = _Topic(type_name, channel)

    def _defined(self, type_name: str, read: Callable[[str], Any]) -> Any | None:
        """Return a definition; None, logged once, where its package is not installed."""
        if type_name in self._unknown:
            return None
        try:
            interface_class(type_name)
            return read(type_name)
        except (ImportError, AttributeError, LookupError, OSError) as error:
            self._unknown.add(type_name)
            self.get_logger().warning(f"{type_name} is left out, it is not installed: {error}")
            return None

    def in_turn(self, callback: Callable[..., None], *arguments: Any) -> None:
        """Schedule what a client asks for, after all before it: tasks of rclpy have no order."""
        self._requests.append((callback, arguments))
        self.call_soon(self._take_request)

    def _take_request(self) -> None:
        callback, arguments = self._requests.popleft()
        callback(*arguments)

    # --- subscriptions ---------------------------------------------------------------------

    def subscribe(self, client: int, name: str) -> None:
        """Subscribe to a topic for a client."""
        topic = self._topics.get(name)
        if topic is None:
            return
        topic.clients.add(client)
        if topic.subscription is not None:
            if not topic.is_latched:
                return
            self._unsubscribe(topic)  # to get again what is latched
        profile = offered(self, name)
        topic.is_latched = profile.durability is DurabilityPolicy.TRANSIENT_LOCAL
        channel = topic.channel
        topic.subscription = self.create_subscription(
            interface_class(topic.type_name),
            name,
            lambda data: channel.log(data, log_time=time.time_ns()),
            profile,
            raw=True,
        )

    def unsubscribe(self, client: int, name: str) -> None:
        """Subscribe to a topic no longer, where no other client does."""
        topic = self._topics.get(name)
        if topic is not None:
            topic.clients.discard(client)
            if not topic.clients:
                self._unsubscribe(topic)

    def _unsubscribe(self, topic: _Topic) -> None:
        if topic.subscription is not None:
            self.destroy_subscription(topic.subscription)
            topic.subscription = None

    # --- publishing ------------------------------------------------------------------------

    def with_client_topics(self, method: str, *arguments: Any) -> None:
        """Call a method of ClientTopics, where clients may publish."""
        if self._client_topics is not None:
            getattr(self._client_topics, method)(*arguments)

    def _refuse(self, text: str) -> None:
        self.get_logger().warning(f"a client's message is not published: {text}")
        self._server.publish_status(text, self._foxglove.websocket.StatusLevel.Warning)

    # --- services --------------------------------------------------------------------------

    def _look_for_services(self) -> None:
        found = {
            name: types[0]
            for name, types in self.get_service_names_and_types()
            if not types[0].startswith((STANDARD_SERVICES, "type_description_interfaces/"))
            and "/_action/" not in name
        }
        gone = self._callable.keys() - found.keys()
        if gone:
            self._server.remove_services(sorted(gone))
            for name in gone:
                self.destroy_client(self._callable.pop(name))
        new = [self._service(name, found[name]) for name in found.keys() - self._callable.keys()]
        self._server.add_services([service for service in new if service is not None])

    def _service(self, name: str, type_name: str) -> Any | None:
        definitions = self._defined(type_name, service_definitions)
        if definitions is None:
            return None
        kind = interface_class(type_name)
        client = self._callable[name] = self.create_client(kind, name)

        def schema(part: str, text: str) -> Any:
            return self._foxglove.MessageSchema(
                encoding="cdr",
                schema=self._foxglove.Schema(
                    name=f"{type_name}_{part}", encoding="ros2msg", data=text.encode()
                ),
            )

        request, response = definitions
        return self._foxglove.Service(
            name,
            schema=self._foxglove.ServiceSchema(
                type_name,
                request=schema("Request", request),
                response=schema("Response", response),
            ),
            handler=lambda call: self._call(client, kind, bytes(call.payload)),
        )

    def _call(self, client: Client, kind: Any, payload: bytes) -> bytes:
        """Call a service, on a thread of the SDK; what is raised becomes the client's error."""
        request = deserialize_message(payload, kind.Request)
        answered: concurrent.futures.Future[Any] = concurrent.futures.Future()

        async def call() -> None:
            try:
                answered.set_result(await client.call_async(request))
            except Exception as error:
                answered.set_exception(error)

        self.call_soon(call)
        try:
            return bytes(serialize_message(answered.result(SERVICE_TIMEOUT_S)))
        except concurrent.futures.TimeoutError:
            raise TimeoutError(
                f"{client.srv_name} has not answered within {SERVICE_TIMEOUT_S:g} s"
            ) from None


class _Listener:
    """Passes the SDK's callbacks on to the executor."""

    def __init__(self, node: FoxgloveView) -> None:
        self._node = node

    def on_subscribe(self, client: Any, channel: Any) -> None:
        self._node.in_turn(self._node.subscribe, client.id, channel.topic)

    def on_unsubscribe(self, client: Any, channel: Any) -> None:
        self._node.in_turn(self._node.unsubscribe, client.id, channel.topic)

    def on_client_advertise(self, client: Any, channel: Any) -> None:
        told = (client.id, channel.id, channel.topic, channel.encoding, channel.schema_name)
        self._node.in_turn(self._node.with_client_topics, "advertise", *told)

    def on_client_unadvertise(self, client: Any, channel: int) -> None:
        self._node.in_turn(self._node.with_client_topics, "unadvertise", client.id, channel)

    def on_message_data(self, client: Any, channel: int, data: bytes) -> None:
        self._node.in_turn(self._node.with_client_topics, "publish", client.id, channel, data)


def main() -> None:
    """Serve until SIGINT or SIGTERM."""
    sys.exit(run(FoxgloveView, Parameters))
