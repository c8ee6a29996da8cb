# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Hostile text in every string that a graph accepts, and the check that none of it is in a log.

A bridge of your own: ``attack(peer, "/gripper")``, then ``assert_clean`` on the lines it printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from rclpy.duration import Duration
from rclpy.publisher import Publisher
from rclpy.serialization import serialize_message
from rclpy.task import Future

from legacy_robots_common.node import qos
from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_core.printable import LONGEST
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer, wait

__all__ = ["assert_clean", "attack"]

FORGED = "[ERROR] [forged]: x"
CONTROLS = f"a\x1b]0;title\x07\x1b[31m\r\n{FORGED}\x9b2J\u202eb\x7f"
NO_TEXT = b"\xed\xa0\x80\x9b"
"""A lone surrogate and a control byte, which no text can have, in the place of ``_STANDS``."""
_STANDS = "\U0010ffff"
TEXTS = (CONTROLS + _STANDS, 10_000 * "x" + CONTROLS)
LONGEST_LINE = LONGEST + 300
"""Characters of a line with its head."""


def filled(kind: type[Any], text: str) -> Any | None:
    """Return a message with ``text`` in every string of it; None where it has none."""
    message, found = kind(), False
    for name, type_name in kind.get_fields_and_field_types().items():
        part = re.fullmatch(r"(?:sequence<(.+?)(?:, \d+)?>|(.+)\[(\d+)\]|(.+))", type_name)
        assert part is not None
        inner = part[1] or part[2] or part[4]
        bound = re.fullmatch(r"w?string(?:<(\d+)>)?", inner)
        if bound:
            value: Any = text[: int(bound[1])] if bound[1] else text
        elif "/" in inner and part[4]:
            value = filled(type(getattr(message, name)), text)
        elif "/" in inner:
            value = filled(interface_class(inner.replace("/", "/msg/")), text)
        else:
            continue
        if value is not None:
            found = True
            count = int(part[3] or 1)
            setattr(message, name, value if part[4] else count * [value])
    return message if found else None


def attack(peer: RosPeer, namespace: str = "/") -> tuple[int, int]:
    """Send :data:`TEXTS` in each string of each topic, service and goal below ``namespace``.

    Return how many topics and how many services, actions among them, have strings. Each service
    has answered. Raises TimeoutError.
    """
    topics: dict[str, list[str]] = {}
    services: dict[str, list[str]] = {}
    for node in peer.node.get_node_names_and_namespaces():
        if node[1].startswith(namespace) and node[0] != peer.node.get_name():
            topics |= dict(peer.node.get_subscriber_names_and_types_by_node(*node))
            services |= dict(peer.node.get_service_names_and_types_by_node(*node))
    publishers = [p for topic, types in topics.items() if (p := _publish(peer, topic, types[0]))]
    calls = [call for name, types in services.items() if (call := _call(peer, name, types[0]))]
    for waits in calls:
        for wait_for_answer in waits:
            wait_for_answer()
    for publisher in publishers:  # else who comes later gets the last text
        assert publisher.wait_for_all_acked(Duration(seconds=TIMEOUT))
        peer.node.destroy_publisher(publisher)
    return len(publishers), len(calls)


def _class(type_name: str) -> Any:
    """Return the class of an interface, those that make up an action among them."""
    base, _, part = type_name.rpartition("_")
    if "/action/" not in base:
        return interface_class(type_name)
    made_of = interface_class(base).Impl
    return getattr(made_of, part, None) or getattr(made_of, f"{part}Service")


def _publish(peer: RosPeer, topic: str, type_name: str) -> Publisher | None:
    kind = _class(type_name)
    messages = [m for text in TEXTS if (m := filled(kind, text))]
    if not messages:
        return None
    publisher = peer.node.create_publisher(kind, topic, qos.LATCHED)
    until(publisher.get_subscription_count, f"{topic} has no subscriber", TIMEOUT)
    for message in messages:
        raw = serialize_message(message)
        publisher.publish(raw.replace(_STANDS.encode(), NO_TEXT))
    return publisher


def _call(peer: RosPeer, name: str, type_name: str) -> list[Callable[[], object]]:
    """Send the requests; return what waits for the answer of each."""
    kind = _class(type_name)
    requests = [m for text in TEXTS if (m := filled(kind.Request, text))]
    sent = [(request, peer.call_later(kind, name, request)) for request in requests]

    def wait_for_answer(request: Any, future: Future) -> object:
        try:
            return wait(future, name, TIMEOUT / 2)
        except TimeoutError:
            # An answer is lost where the server does not know its reader yet (Fast DDS).
            return wait(peer.call_later(kind, name, request), name)

    return [partial(wait_for_answer, *call) for call in sent]


def assert_clean(lines: Iterable[str]) -> None:
    """Assert that lines of a log are printable, bounded, and not forged."""
    for line in lines:
        assert line.isprintable(), line[:LONGEST_LINE]
        assert len(line) <= LONGEST_LINE, line[:LONGEST_LINE]
        assert not re.search(rf"^(\[\S+\] )?{re.escape(FORGED)}", line), line
