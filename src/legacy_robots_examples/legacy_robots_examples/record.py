# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Record topics into an MCAP file, which rosbag2, Foxglove and the Python library mcap read.

    ros2 run legacy_robots_examples record --ros-args -p file:=skate.mcap -p seconds:=10.0
    ros2 run legacy_robots_examples record --ros-args -p "regex:=/(nao|aibo)/.*"

Messages are written as they came over the wire, without being decoded. After each ``split_mb``
megabytes (1000) the recording goes on in another file, skate_1.mcap and so on. What was received
is in the file after half a second, and can be replayed also if the recorder is killed or the disk
is full. Where rosbag2 is installed `ros2 bag record -s mcap` does the same; this needs nothing but
`pip install mcap`.
"""

from __future__ import annotations

import itertools
import re
import sys
import time
import uuid
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rclpy.action.server import RCLError
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy

from legacy_robots_common.node.parameters import parameter
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

    _ = Writer.flush  # older ones have none
except (ImportError, AttributeError):
    sys.exit(
        "record needs mcap: pip install --upgrade mcap; or use: ros2 bag record -s mcap TOPIC..."
    )

TOPICS = ["/roboskate/odom", "/roboskate/joint_states", "/roboskate/camera/image_raw/compressed"]

NAME = "legacy_robots_recording"
"""Metadata of a file: what is the same in all parts of a recording."""

DISCOVERY_PERIOD_S = 0.5
"""Between two looks for topics that match."""


FLUSH_PERIOD_S = 0.5
"""After which what was received is written, however little it is."""


@dataclass(frozen=True)
class Parameters:
    """The recorder's parameters."""

    topics: list[str] = parameter(TOPICS, "topics that are recorded, without a regex")
    regex: str = parameter("", "regular expression: all topics whose whole name matches")
    file: str = parameter("recording.mcap", "file that is written")
    seconds: float = parameter(0.0, "how long to record, s; 0: until Ctrl-C", minimum=0.0)
    split_mb: float = parameter(
        1000.0, "size after which another file is begun, MB; 0: never", minimum=0.0
    )


def resolved(node: Node, topic: str) -> str:
    """Return the whole name of a topic. Raises MissionFailed."""
    try:
        return str(node.resolve_topic_name(topic))
    except RCLError as error:
        reason = str(error).removeprefix("failed to resolve name: ").partition(", at ")[0]
        raise MissionFailed(f"{topic!r} is no topic: {reason}") from error


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
    """MCAP files that grow by every message of some topics. A context.

    Parameters
    ----------
    path
        Of the first file.
    split_bytes
        Size above which a file is ended and the next one begun, with what is latched; 0: never.
        A file's index is in memory until the file is ended.

    """

    def __init__(self, node: Node, path: Path, split_bytes: float) -> None:
        self._node, self._path, self._split_bytes = node, path, split_bytes
        self._name = {NAME: uuid.uuid4().hex}
        self._types: dict[str, tuple[str, str, dict[str, str]]] = {}
        self._channels: dict[str, int] = {}
        self._latched: dict[str, deque[bytes]] = {}
        self.counts: dict[str, int] = {}
        self.parts: list[Path] = []
        self._begin()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _begin(self) -> None:
        path = self._path
        if self.parts:  # what is there is another recording's
            numbered = (path.with_stem(f"{path.stem}_{i}") for i in itertools.count(1))
            path = next(each for each in numbered if not each.exists())
        self._stream = path.open("wb" if path.is_char_device() else "xb")
        self.parts.append(path)
        self._writer = Writer(self._stream)
        self._writer.start(profile="ros2", library="legacy_robots_examples")
        self._writer.add_metadata(NAME, self._name)
        self.flush()

    def _end(self) -> None:
        try:
            self._writer.finish()
        finally:
            self._stream.close()

    def _split(self) -> None:
        self._end()
        self._begin()
        for topic in self._channels:
            self._register(topic)
        for topic, latched in self._latched.items():
            for data in latched:
                self._write(topic, data)

    def add(self, topics: dict[str, str]) -> None:
        """Record these topics from now on, as far as they are not yet; ``topics`` has types."""
        for topic, type_name in topics.items():
            if topic in self.counts:
                continue
            self.counts[topic] = 0
            try:
                kind, text = interface_class(type_name), definition(type_name)
            except (ImportError, AttributeError, ValueError, LookupError, OSError):
                warn = self._node.get_logger().warning
                warn(f"{topic} is left out: its type {type_name} is not installed")
                continue
            profile = offered(self._node, topic)
            if profile.durability is DurabilityPolicy.TRANSIENT_LOCAL:
                self._latched[topic] = deque(maxlen=max(1, profile.depth))
            self._types[topic] = type_name, text, {OFFERED: offered_text(self._node, topic)}
            self._register(topic)
            self._node.create_subscription(kind, topic, self._receiving(topic), profile, raw=True)

    def flush(self) -> None:
        """Have all that was received in the file, should this process be killed."""
        self._writer.flush()

    def _register(self, topic: str) -> None:
        type_name, text, profiles = self._types[topic]
        schema = self._writer.register_schema(type_name, "ros2msg", text.encode())
        self._channels[topic] = self._writer.register_channel(topic, "cdr", schema, profiles)

    def _receiving(self, topic: str) -> Any:
        def receive(data: bytes) -> None:
            if not self.counts[topic]:
                self._node.get_logger().info(f"receiving {topic}")
            if topic in self._latched:
                self._latched[topic].append(data)
            self._write(topic, data)
            self.counts[topic] += 1
            if 0 < self._split_bytes < self._stream.tell():
                self._split()

        return receive

    def _write(self, topic: str, data: bytes) -> None:
        now = time.time_ns()
        self._writer.add_message(self._channels[topic], now, data, now, self.counts[topic])


def record(node: Node, parameters: Parameters) -> None:
    """Record ``topics``, or those that match ``regex``, until the time is over, or Ctrl-C."""
    regex, path = parameters.regex, Path(parameters.file)
    try:
        re.compile(regex)
    except re.error as error:
        raise MissionFailed(f"parameter 'regex': {error}") from error
    topics = [resolved(node, topic) for topic in parameters.topics if topic]
    if not regex and not topics:
        raise MissionFailed("nothing to record: give topics or a regex")
    types = {} if regex else types_of(node, topics)
    try:
        with Recording(node, path, 1e6 * parameters.split_mb) as recording:
            recording.add(types)
            what = f"what matches {regex}" if regex else f"{len(types)} topics"
            node.get_logger().info(f"recording {what} into {path}")
            _receive(node, recording, parameters)
    except OSError as error:
        text = f"{error.filename or path} cannot be written: {error.strerror}"
        raise MissionFailed(text) from error
    for part in recording.parts[1:]:
        node.get_logger().info(f"it goes on in {part}")
    for topic, count in recording.counts.items():
        node.get_logger().info(f"{count} messages of {topic}")


def _receive(node: Node, recording: Recording, parameters: Parameters) -> None:
    regex, seconds, now = parameters.regex, parameters.seconds, time.monotonic()
    end, look_at, flush_at = now + seconds, now, now + FLUSH_PERIOD_S
    try:
        while not seconds or now < end:
            if regex and now >= look_at:
                look_at = now + DISCOVERY_PERIOD_S
                recording.add(matching(node, regex))
            if now >= flush_at:
                flush_at = now + FLUSH_PERIOD_S
                recording.flush()
            spin_once(node)
            now = time.monotonic()
    except KeyboardInterrupt:
        pass


def main() -> None:
    """Run the recorder."""
    run("record", record, Parameters)
