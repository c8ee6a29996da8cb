# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Publish what an MCAP file of ROS 2 messages holds, at the pace at which it was recorded.

    ros2 run legacy_robots_examples replay --ros-args -p file:=skate.mcap \
        -r /roboskate/odom:=/replay/odom

The files in which a recording goes on follow. Any writer's file is read, also one without an index
or that was cut off, as far as it goes; topics that are no ROS 2 messages, or of a type that is not
installed, are left out. Where rosbag2 is installed `ros2 bag play` does the same.
"""

from __future__ import annotations

import glob
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rclpy.action.server import RCLError
from rclpy.duration import Duration
from rclpy.exceptions import NameValidationException
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile

from legacy_robots_common.node.parameters import parameter
from legacy_robots_common.node.raw_topics import OFFERED, interface_class, offered_in
from legacy_robots_examples.goals import MissionFailed, run, spin_once, stop_if_interrupted
from legacy_robots_examples.mcap_files import Channel, McapFile, Message, Schema
from legacy_robots_examples.record import NAME

LARGEST_MESSAGE = 640 * 480 * 3
"""Bytes; what is larger may be lost where it was recorded best effort."""
ACKNOWLEDGEMENT_TIMEOUT = Duration(seconds=20)
"""Fast DDS asks every 3 s what a subscriber lacks, and may have to ask a few times."""


MESSAGE_TYPE = re.compile(r"[A-Za-z]\w*/msg/[A-Za-z]\w*", re.ASCII)


@dataclass(frozen=True)
class Parameters:
    """The player's parameters."""

    file: str = parameter("recording.mcap", "file that is played, with those that follow it")
    rate: float = parameter(
        1.0, "how many times as fast as it was recorded", minimum=0.001, maximum=1000.0
    )
    patience: float = parameter(
        2.0, "how long to wait for a subscriber of each topic, s", minimum=0.0, maximum=3600.0
    )


def replay(node: Node, parameters: Parameters) -> None:
    """Publish message after message."""
    path = Path(parameters.file)
    try:
        files = parts(node, path)
        for file in files:
            file.find_channels()
        count = Player(node, files).play(parameters.rate, parameters.patience)
    except (OSError, ValueError) as error:
        raise MissionFailed(f"{path} cannot be read: {error}") from error
    node.get_logger().info(f"published {count} messages")


def parts(node: Node, path: Path) -> list[McapFile]:
    """Return a file and, in order, those in which its recording goes on.

    Raises OSError, and ValueError for what is no MCAP file.
    """
    first = McapFile(path)
    numbered: dict[int, McapFile] = {}
    for each in path.parent.glob(f"{glob.escape(path.stem)}_*{path.suffix}"):
        number = each.stem[len(path.stem) + 1 :]
        if NAME not in first.metadata or not number.isdecimal():
            continue
        try:
            file = McapFile(each)
        except (OSError, ValueError) as error:
            node.get_logger().warning(f"{each} is left out, it cannot be read: {error}")
            continue
        if file.metadata.get(NAME) == first.metadata[NAME]:
            numbered[int(number)] = file
    return [first, *(file for _, file in sorted(numbered.items()))]


class Player:
    """Publishes what files hold, one after the other.

    Topics are offered as they were when they were recorded, so latched ones are again; but what is
    sent reliably is kept until each subscriber has acknowledged it. A topic that cannot be
    published is left out, with a warning. Raises MissionFailed where nothing is left.
    """

    def __init__(self, node: Node, files: list[McapFile]) -> None:
        self._node, self._files = node, files
        self._publishers: dict[tuple[str, str, str], Publisher | None] = {}
        """By topic, encoding and type; None: left out."""
        for file in files:
            for channel in file.channels.values():
                self._add(channel, file.schemas.get(channel.schema_id))
        if not any(self._publishers.values()):
            raise MissionFailed(f"{files[0].path} has no messages that can be published")

    def _add(self, channel: Channel, schema: Schema | None) -> None:
        key = channel.topic, channel.message_encoding, schema.name if schema else ""
        if key in self._publishers:
            return
        self._publishers[key] = None
        try:
            self._publishers[key] = self._publisher(channel, schema)
        except (LookupError, NameValidationException, RCLError) as error:  # two types of a topic
            reason = str(error).partition("\n")[0]
            self._node.get_logger().warning(f"{channel.topic} is left out: {reason}")

    def _publisher(self, channel: Channel, schema: Schema | None) -> Publisher:
        """Return a new publisher. Raises LookupError, or what rclpy raises for a wrong name."""
        if channel.message_encoding != "cdr":
            encoding = channel.message_encoding or "of no named encoding"
            raise LookupError(f"its messages are {encoding}, not cdr as those of ROS 2")
        if schema and schema.encoding == "ros1msg":
            raise LookupError("its definition is ros1msg, not one of ROS 2")
        name = schema.name if schema else ""
        if not MESSAGE_TYPE.fullmatch(name):
            raise LookupError(f"its type {name!r} is none of ROS 2")
        try:
            kind = interface_class(name)
        except (ImportError, AttributeError) as error:
            raise LookupError(f"its type {name} is not installed") from error
        try:
            profile = offered_in(channel.metadata.get(OFFERED, ""))
        except ValueError as error:
            profile = QoSProfile(depth=100)
            self._node.get_logger().warning(f"{channel.topic} is sent reliably: {error}")
        if profile.durability is DurabilityPolicy.VOLATILE:  # a late joiner gets nothing of it
            profile.history = HistoryPolicy.KEEP_ALL
        return self._node.create_publisher(kind, channel.topic, profile)

    def _messages(self) -> Iterator[tuple[Publisher, Message]]:
        for file in self._files:
            for message in file.messages():
                channel = file.channels.get(message.channel_id)
                if channel is None:
                    continue  # of a damaged file
                schema = file.schemas.get(channel.schema_id)
                key = channel.topic, channel.message_encoding, schema.name if schema else ""
                publisher = self._publishers[key]
                if publisher is not None:
                    yield publisher, message
            if file.damage:
                text = f"{file.path} was played as far as it can be read: {file.damage}"
                self._node.get_logger().warning(text)

    def play(self, rate: float, patience: float) -> int:
        """Publish all of it, ``rate`` times as fast as it was recorded; return how many messages.

        It begins when every topic has a subscriber, or after ``patience`` seconds.
        """
        publishers = [each for each in self._publishers.values() if each is not None]
        patient_until = time.monotonic() + patience
        while time.monotonic() < patient_until:
            if all(publisher.get_subscription_count() for publisher in publishers):
                break
            spin_once(self._node, 0.05)
        count, began, first = 0, time.monotonic(), 0
        for publisher, message in self._messages():
            first = first if count else message.log_time
            due = began + (message.log_time - first) * 1e-9 / rate
            while (left := due - time.monotonic()) > 0.0:
                spin_once(self._node, left)
            stop_if_interrupted()
            publish(publisher, message.data)  # bytes are published as they are
            count += 1
        for publisher in publishers:
            if not publisher.wait_for_all_acked(ACKNOWLEDGEMENT_TIMEOUT):
                text = f"a subscriber of {publisher.topic_name} has not acknowledged all messages"
                self._node.get_logger().warning(text)
        return count


def publish(publisher: Publisher, data: bytes) -> None:
    """Publish a message; raises MissionFailed where a subscriber holds up thousands of them."""
    try:
        publisher.publish(data)
    except RCLError:  # all that can be kept for those that have not acknowledged is kept
        if not publisher.wait_for_all_acked(ACKNOWLEDGEMENT_TIMEOUT):
            topic = publisher.topic_name
            raise MissionFailed(f"a subscriber of {topic} takes no more messages") from None
        publisher.publish(data)


def main() -> None:
    """Run the player."""
    run("replay", replay, Parameters, LARGEST_MESSAGE)
