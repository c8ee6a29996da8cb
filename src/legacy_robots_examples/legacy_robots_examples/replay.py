# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Publish what an MCAP file of ROS 2 messages holds, at the pace at which it was recorded.

    ros2 run legacy_robots_examples replay --ros-args -p file:=skate.mcap \
        -r /roboskate/odom:=/replay/odom

The files in which a recording goes on follow. Where rosbag2 is installed `ros2 bag play` does the
same.
"""

from __future__ import annotations

import glob
import itertools
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from rclpy.action.server import RCLError
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, HistoryPolicy

from legacy_robots_common.node.raw_topics import OFFERED, interface_class, offered_in
from legacy_robots_examples.goals import MissionFailed, run, spin_once, stop_if_interrupted
from legacy_robots_examples.record import NAME

try:
    from mcap.exceptions import McapError
    from mcap.reader import McapReader, make_reader
except ImportError:
    sys.exit("replay needs mcap: pip install mcap; or use: ros2 bag play FILE")

LARGEST_MESSAGE = 640 * 480 * 3
"""Bytes; what is larger may be lost where it was recorded best effort."""
ACKNOWLEDGEMENT_TIMEOUT = Duration(seconds=20)
"""Fast DDS asks every 3 s what a subscriber lacks, and may have to ask a few times."""


def replay(node: Node) -> None:
    """Publish message after message."""
    path = Path(node.declare_parameter("file", "recording.mcap").value)
    rate = node.declare_parameter("rate", 1.0).value
    patience = node.declare_parameter("patience", 2.0).value
    try:
        with ExitStack() as files:
            streams = [files.enter_context(part.open("rb")) for part in parts(node, path)]
            count = play(node, [make_reader(stream) for stream in streams], rate, patience)
    except (OSError, McapError) as error:
        raise MissionFailed(f"{path} cannot be read: {error}") from error
    node.get_logger().info(f"published {count} messages")


def parts(node: Node, path: Path) -> list[Path]:
    """Return a file and, in order, those in which its recording goes on."""
    name = recording_of(path)
    numbered: dict[int, Path] = {}
    for each in path.parent.glob(f"{glob.escape(path.stem)}_*{path.suffix}"):
        number = each.stem[len(path.stem) + 1 :]
        if name is None or not number.isdecimal():
            continue
        try:
            if recording_of(each) == name:
                numbered[int(number)] = each
        except (OSError, McapError) as error:
            node.get_logger().warning(f"{each} is left out, it cannot be read: {error}")
    return [path, *(each for _, each in sorted(numbered.items()))]


def recording_of(path: Path) -> str | None:
    """Return what is the same in all parts of a recording, None where the file has no such.

    Raises OSError and McapError.
    """
    with path.open("rb") as stream:
        found = [each for each in make_reader(stream).iter_metadata() if each.name == NAME]
    return found[0].metadata.get(NAME) if found else None


def play(node: Node, readers: list[McapReader], rate: float, patience: float) -> int:
    """Publish what ``readers`` read, one after the other, ``rate`` times as fast; return how many.

    It begins when every topic has a subscriber, or after ``patience`` seconds. Topics are offered
    as they were when they were recorded, so latched ones are again; but what is sent reliably is
    kept until each subscriber has acknowledged it.
    """
    publishers: dict[str, Publisher] = {}
    summaries = [reader.get_summary() for reader in readers]
    for summary in summaries:
        for channel in summary.channels.values():
            if channel.topic in publishers:
                continue
            kind = interface_class(summary.schemas[channel.schema_id].name)
            try:
                profile = offered_in(channel.metadata.get(OFFERED, ""))
            except ValueError as error:
                raise MissionFailed(f"{channel.topic}: {error}") from error
            if profile.durability is DurabilityPolicy.VOLATILE:  # a late joiner gets nothing of it
                profile.history = HistoryPolicy.KEEP_ALL
            publishers[channel.topic] = node.create_publisher(kind, channel.topic, profile)
    patient_until = time.monotonic() + patience
    while time.monotonic() < patient_until:
        if all(publisher.get_subscription_count() for publisher in publishers.values()):
            break
        spin_once(node, 0.05)
    count, began, first = 0, time.monotonic(), summaries[0].statistics.message_start_time
    messages = itertools.chain.from_iterable(reader.iter_messages() for reader in readers)
    for _, channel, message in messages:
        due = began + (message.log_time - first) * 1e-9 / rate
        while (left := due - time.monotonic()) > 0.0:
            spin_once(node, left)
        stop_if_interrupted()
        publish(publishers[channel.topic], message.data)  # bytes are published as they are
        count += 1
    for publisher in publishers.values():
        if not publisher.wait_for_all_acked(ACKNOWLEDGEMENT_TIMEOUT):
            text = f"a subscriber of {publisher.topic_name} has not acknowledged all messages"
            node.get_logger().warning(text)
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
    run("replay", replay, LARGEST_MESSAGE)
