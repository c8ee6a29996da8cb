# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Subscribes to topics below a namespace: NAMESPACE [--segments] [TOPIC ...].

To all without TOPIC, but to those below NAMESPACE/segments only with --segments. Prints "ready"
and, on SIGINT, a line of JSON with the number of messages of each topic.
"""

from __future__ import annotations

import importlib
import json
import signal
import sys
from functools import partial

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions


def note(counts: dict[str, int], topic: str, _: object) -> None:
    """Count a message."""
    counts[topic] += 1


def main() -> None:
    """Subscribe, count, print."""
    namespace, segments = sys.argv[1], "--segments" in sys.argv
    only = [f"{namespace}/{topic}" for topic in sys.argv[2:] if not topic.startswith("--")]
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = Node("listener")
    counts: dict[str, int] = {}
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    stopped: list[bool] = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    quiet = 0
    while not stopped:
        executor.spin_once(timeout_sec=0.1)
        if quiet > 30:
            continue
        quiet += 1
        for topic, (kind, *_) in node.get_topic_names_and_types():
            wanted = topic.startswith(f"{namespace}/") or topic == "/tf"
            wanted = topic in only if only else wanted
            if topic in counts or not wanted or ("/segments/" in topic and not segments):
                continue
            package, folder, name = kind.split("/")
            message_type = getattr(importlib.import_module(f"{package}.{folder}"), name)
            counts[topic] = quiet = 0
            # Raw: what a subscriber does with a message is not what is measured.
            node.create_subscription(
                message_type, topic, partial(note, counts, topic), QoSProfile(depth=10), raw=True
            )
        if quiet == 30:
            counts.update(dict.fromkeys(counts, 0))
            print("ready", flush=True)
    print(json.dumps(counts), flush=True)


main()
