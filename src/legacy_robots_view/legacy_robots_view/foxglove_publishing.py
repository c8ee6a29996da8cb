# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Topics to which clients of Foxglove may publish: those of an allow-list that a node reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rclpy.publisher import Publisher
from rclpy.serialization import deserialize_message

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.raw_topics import interface_class


@dataclass(frozen=True)
class _Allowed:
    type_name: str
    type: type[Any]
    publisher: Publisher


class ClientTopics:
    """Publishes what clients send, on the executor; what is refused is said with ``refuse``.

    ``names`` are absolute names, or ends of names such as ``goal_pose``. A publisher stands by
    from when the topic is first read, so that a client's first message finds its reader.
    """

    def __init__(
        self, node: ProgramNode, names: Sequence[str], refuse: Callable[[str], None]
    ) -> None:
        self._node = node
        self._names = tuple(names)
        self._refuse = refuse
        self._topics: dict[str, _Allowed] = {}
        self._channels: dict[tuple[int, int], str] = {}

    def look(self) -> None:
        """Follow the graph: topics come and go with those that read them."""
        found = {
            name: types[0]
            for name, types in self._node.get_topic_names_and_types()
            if len(types) == 1 and self._allows(name) and self._node.count_subscribers(name)
        }
        for name, topic in list(self._topics.items()):
            if found.get(name) != topic.type_name:
                self._node.destroy_publisher(topic.publisher)
                del self._topics[name]
        for name in found.keys() - self._topics.keys():
            try:
                kind = interface_class(found[name])
            except (ImportError, AttributeError):
                continue  # the view of topics has said that it is not installed
            publisher = self._node.create_publisher(kind, name, qos.stream())
            self._topics[name] = _Allowed(found[name], kind, publisher)

    def _allows(self, topic: str) -> bool:
        return any(
            topic == name if name.startswith("/") else topic.endswith(f"/{name}")
            for name in self._names
        )

    def advertise(self, client: int, channel: int, topic: str, encoding: str, kind: str) -> None:
        """Handle a client's announcement that it will publish."""
        if not self._allows(topic):
            self._refuse(f"{topic}: not in the list of topics that clients may publish to")
        elif encoding != "cdr":
            self._refuse(f"{topic}: messages must be encoded as cdr, not as {encoding!r}")
        else:
            self.look()
            known = self._topics.get(topic)
            if known is not None and known.type_name.replace("/msg/", "/") != kind.replace(
                "/msg/", "/"
            ):
                self._refuse(f"{topic}: its type is {known.type_name}, not {kind!r}")
                return
            self._channels[client, channel] = topic

    def unadvertise(self, client: int, channel: int) -> None:
        """Handle the end of a client's channel."""
        self._channels.pop((client, channel), None)

    def publish(self, client: int, channel: int, data: bytes) -> None:
        """Publish what a client sent; a message that is none of its type is refused."""
        name = self._channels.get((client, channel))
        if name is None:
            return  # what is wrong with it was said when it was advertised
        topic = self._topics.get(name)
        if topic is None:
            self._refuse(f"{name}: no node subscribes to it")
            return
        try:
            message = deserialize_message(data, topic.type)
        except Exception as error:  # rclpy has no class of its own for it
            self._refuse(f"{name}: this is no {topic.type_name}: {error}")
            return
        topic.publisher.publish(message)
