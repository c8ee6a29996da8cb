# SPDX-License-Identifier: Apache-2.0
"""Record topics into an MCAP file, which rosbag2, Foxglove and the Python library mcap read.

    ros2 run legacy_robots_examples record --ros-args -p file:=skate.mcap -p seconds:=10.0
    ros2 run legacy_robots_examples record --ros-args -p "regex:=/(nao|aibo)/.*"

Messages are written as they came over the wire, without being decoded. Where rosbag2 is installed
`ros2 bag record -s mcap` does the same; this needs nothing but `pip install mcap`.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Any

from rclpy.node import Node

from legacy_robots_common.node.raw_topics import (
    OFFERED,
    definition,
    interface_class,
    offered,
    offered_text,
)
from legacy_robots_examples.goals import MissionFailed, run, spin_once

try:
    from mcap.writer import Writer
except ImportError:
    sys.exit("record needs mcap: pip install mcap; or use: ros2 bag record -s mcap TOPIC...")

TOPICS = ["/roboskate/odom", "/roboskate/joint_states", "/roboskate/camera/image_raw/compressed"]

DISCOVERY_PERIOD_S = 0.5
"""Between two looks for topics that match."""


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


def matching(node: Node, regex: str) -> dict[str, str]:
    """Return the types of the topics whose whole names match and that have a publisher.

    Hidden ones, such as those of actions, are left out.
    """
    graph = node.get_topic_names_and_types()
    known = {t: types[0] for t, types in graph if "/_" not in t and re.fullmatch(regex, t)}
    return {t: name for t, name in known.items() if node.count_publishers(t)}


class Recording:
    """An MCAP file that grows by every message of some topics."""

    def __init__(self, node: Node, writer: Writer) -> None:
        self._node = node
        self._writer = writer
        self.counts: dict[str, int] = {}

    def add(self, topics: dict[str, str]) -> None:
        """Record these topics from now on, as far as they are not yet; ``topics`` has types."""
        for topic, type_name in topics.items():
            if topic in self.counts:
                continue
            self.counts[topic] = 0
            text = definition(type_name).encode()
            schema = self._writer.register_schema(type_name, "ros2msg", text)
            profiles = {OFFERED: offered_text(self._node, topic)}
            channel = self._writer.register_channel(topic, "cdr", schema, profiles)
            self._node.create_subscription(
                interface_class(type_name),
                topic,
                self._writing(topic, channel),
                offered(self._node, topic),
                raw=True,
            )

    def _writing(self, topic: str, channel: int) -> Any:
        def write(data: bytes) -> None:
            now = time.time_ns()
            if not self.counts[topic]:
                self._node.get_logger().info(f"receiving {topic}")
            self._writer.add_message(channel, now, data, now, self.counts[topic])
            self.counts[topic] += 1

        return write


def record(node: Node) -> None:
    """Record ``topics``, or those that match ``regex``, until the time is over, or Ctrl-C."""
    topics = node.declare_parameter("topics", TOPICS).value
    regex = node.declare_parameter("regex", "").value
    path = Path(node.declare_parameter("file", "recording.mcap").value)
    seconds = node.declare_parameter("seconds", 0.0).value
    try:
        re.compile(regex)
    except re.error as error:
        raise MissionFailed(f"parameter 'regex': {error}") from error
    types = {} if regex else types_of(node, list(topics))
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start(profile="ros2", library="legacy_robots_examples")
        recording = Recording(node, writer)
        recording.add(types)
        what = f"what matches {regex}" if regex else f"{len(types)} topics"
        node.get_logger().info(f"recording {what} into {path}")
        end, look_at = time.monotonic() + seconds, 0.0
        try:
            while not seconds or time.monotonic() < end:
                if regex and time.monotonic() >= look_at:
                    look_at = time.monotonic() + DISCOVERY_PERIOD_S
                    recording.add(matching(node, regex))
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
