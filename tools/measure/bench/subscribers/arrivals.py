# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A process that notes when messages arrive: PACKAGE/msg/TYPE KEY TOPIC [TOPIC ...].

KEY is a field that numbers the messages, such as ``marker_id``, ``header.stamp.nanosec`` or, in an
array, ``position.13``. Prints
"ready" when it is subscribed and, on SIGINT, a line of JSON: for each topic a list of
[key, monotonic nanoseconds].
"""

from __future__ import annotations

import importlib
import json
import signal
import sys
import time
from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions


def field(message: object, path: str) -> float:
    """Return a number of a message; a path with dots, digits are indices of arrays."""
    value: Any = message
    for name in path.split("."):
        value = value[int(name)] if name.isdigit() else getattr(value, name)
    return float(value) if isinstance(value, float) else int(value)


def print_at_interrupt(node: Node, seen: Mapping[str, object]) -> None:
    """Say when all topics of ``seen`` have publishers; print it as JSON at the first SIGINT."""
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    stopped: list[bool] = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    while any(not node.count_publishers(topic) for topic in seen):
        executor.spin_once(timeout_sec=0.1)
    print("ready", flush=True)
    while not stopped:
        executor.spin_once(timeout_sec=0.2)
    print(json.dumps(seen), flush=True)


def main() -> None:
    """Subscribe, note, print."""
    type_name, key_name, *topics = sys.argv[1:]
    package, kind, name = type_name.split("/")
    message_type = getattr(importlib.import_module(f"{package}.{kind}"), name)
    indexed = any(part.isdigit() for part in key_name.split("."))
    key: Any = partial(field, path=key_name) if indexed else attrgetter(key_name)
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = Node("arrivals")
    seen: dict[str, list[tuple[float, int]]] = {topic: [] for topic in topics}
    for topic, arrivals in seen.items():
        node.create_subscription(
            message_type,
            topic,
            lambda m, arrivals=arrivals: arrivals.append((key(m), time.monotonic_ns())),
            QoSProfile(depth=2000),
        )
    print_at_interrupt(node, seen)


if __name__ == "__main__":
    main()
