# SPDX-License-Identifier: Apache-2.0
"""Record topics into an MCAP file, which rosbag2, Foxglove and the Python library mcap read.

    ros2 run legacy_robots_examples record --ros-args -p file:=skate.mcap -p seconds:=10.0

Messages are written as they came over the wire, without being decoded. Where rosbag2 is installed
`ros2 bag record -s mcap` does the same; this needs nothing but `pip install mcap`.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
from pathlib import Path
from typing import Any

from ament_index_python.packages import get_package_share_directory
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from legacy_robots_examples.goals import MissionFailed, run, spin_once

try:
    from mcap.writer import Writer
except ImportError:
    sys.exit("record needs mcap: pip install mcap; or use: ros2 bag record -s mcap TOPIC...")

TOPICS = ["/roboskate/odom", "/roboskate/joint_states", "/roboskate/camera/image_raw/compressed"]
_PRIMITIVES = re.compile(r"bool|byte|char|w?string.*|float(32|64)|u?int(8|16|32|64)")


def message_class(type_name: str) -> Any:
    """Return the class of a message type such as nav_msgs/msg/Odometry."""
    package, _, name = type_name.split("/")
    return getattr(importlib.import_module(f"{package}.msg"), name)


def definition(type_name: str) -> str:
    """Return the text of a message's definition and of all that it is made of ("ros2msg")."""
    package, _, name = type_name.split("/")
    texts: dict[str, str] = {}
    waiting = [(package, name)]
    while waiting:
        package, name = waiting.pop()
        if f"{package}/{name}" in texts:
            continue
        path = Path(get_package_share_directory(package), "msg", f"{name}.msg")
        text = texts[f"{package}/{name}"] = path.read_text(encoding="utf-8")
        for line in text.splitlines():
            kind = re.match(r"\s*([\w/]+)", line)
            if kind and not _PRIMITIVES.fullmatch(kind[1]):
                owner, _, other = kind[1].rpartition("/")
                waiting.append((owner or package, other))
    first, *others = texts.items()
    return first[1] + "".join(f"\n{'=' * 80}\nMSG: {other}\n{text}" for other, text in others)


def offered(node: Node, topic: str) -> QoSProfile:
    """Return a profile that loses nothing of what the publishers of ``topic`` offer."""
    offers = [info.qos_profile for info in node.get_publishers_info_by_topic(topic)]
    reliable = all(o.reliability is ReliabilityPolicy.RELIABLE for o in offers)
    latched = all(o.durability is DurabilityPolicy.TRANSIENT_LOCAL for o in offers)
    return QoSProfile(
        depth=100,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


def types_of(node: Node, topics: list[str]) -> dict[str, str]:
    """Return the types of ``topics``, once all of them have a publisher."""
    deadline = time.monotonic() + 10.0
    while time.monotonic() < deadline:
        known = dict(node.get_topic_names_and_types())
        if all(node.count_publishers(topic) for topic in topics):
            return {topic: known[topic][0] for topic in topics}
        spin_once(node)
    silent = [topic for topic in topics if not node.count_publishers(topic)]
    raise MissionFailed(f"no publisher of {', '.join(silent)}")


class Recording:
    """An MCAP file that grows by every message of some topics."""

    def __init__(self, node: Node, writer: Writer, topics: dict[str, str]) -> None:
        self._writer = writer
        self.counts = dict.fromkeys(topics, 0)
        for topic, type_name in topics.items():
            schema = writer.register_schema(type_name, "ros2msg", definition(type_name).encode())
            channel = writer.register_channel(topic, "cdr", schema)
            node.create_subscription(
                message_class(type_name),
                topic,
                self._writing(topic, channel),
                offered(node, topic),
                raw=True,
            )

    def _writing(self, topic: str, channel: int) -> Any:
        def write(data: bytes) -> None:
            now = time.time_ns()
            self._writer.add_message(channel, now, data, now, self.counts[topic])
            self.counts[topic] += 1

        return write


def record(node: Node) -> None:
    """Record until the time is over, or Ctrl-C."""
    topics = node.declare_parameter("topics", TOPICS).value
    path = Path(node.declare_parameter("file", "recording.mcap").value)
    seconds = node.declare_parameter("seconds", 0.0).value
    types = types_of(node, list(topics))
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start(profile="ros2", library="legacy_robots_examples")
        recording = Recording(node, writer, types)
        node.get_logger().info(f"recording {len(types)} topics into {path}")
        end = time.monotonic() + seconds
        try:
            while not seconds or time.monotonic() < end:
                spin_once(node)
        except KeyboardInterrupt:
            pass
        finally:
            writer.finish()
    for topic, count in recording.counts.items():
        node.get_logger().info(f"{count} messages of {topic}")


def main() -> None:
    """Run the recorder."""
    run("record", record)
