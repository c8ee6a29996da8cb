# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""rosbags, a reader and writer of rosbag2 files in pure Python, and our recordings: both ways."""

import random
from pathlib import Path

import pytest
from rclpy.serialization import deserialize_message, serialize_message

from legacy_robots_common.node.raw_topics import definition, interface_class
from legacy_robots_testing.messages import filled

rosbags = pytest.importorskip("rosbags.highlevel", reason="needs: pip install rosbags")
writer = pytest.importorskip("mcap.writer", reason="needs: pip install mcap")

from mcap.reader import make_reader  # noqa: E402
from rosbags.rosbag2 import StoragePlugin, Writer  # noqa: E402

MESSAGES = Path(__file__).parents[1] / "msg"
OURS = [f"legacy_robots_msgs/msg/{path.stem}" for path in sorted(MESSAGES.glob("*.msg"))]
OTHERS = [
    "nav_msgs/msg/OccupancyGrid",
    "sensor_msgs/msg/CompressedImage",
    "soccer_vision_3d_msgs/msg/MarkingArray",
    "tf2_msgs/msg/TFMessage",
    "vision_msgs/msg/Detection3DArray",
    "visualization_msgs/msg/MarkerArray",
]
"""Of those that the bridges publish, some that are made of many parts."""


@pytest.fixture(scope="module")
def messages():
    """Return a message of each type."""
    chance = random.Random(20)
    return {type_name: filled(type_name, chance) for type_name in [*OURS, *OTHERS]}


def topic_of(type_name):
    return "/" + type_name.rpartition("/")[2].lower()


@pytest.fixture(scope="module")
def recording(messages, tmp_path_factory):
    """Write all of them as legacy_robots_examples' record does; return the file."""
    path = tmp_path_factory.mktemp("bag") / "all.mcap"
    with path.open("wb") as stream:
        mcap = writer.Writer(stream)
        mcap.start(profile="ros2", library="legacy_robots_examples")
        for number, (type_name, message) in enumerate(messages.items()):
            schema = mcap.register_schema(type_name, "ros2msg", definition(type_name).encode())
            channel = mcap.register_channel(topic_of(type_name), "cdr", schema)
            mcap.add_message(channel, 1000 + number, serialize_message(message), 1000 + number, 0)
        mcap.finish()
    return path


def test_rosbags_reads_every_message_of_our_recordings(recording, messages):
    seen = set()
    with rosbags.AnyReader([recording]) as reader:
        for connection, _, data in reader.messages():
            decoded = reader.deserialize(data, connection.msgtype)
            again = bytes(reader.typestore.serialize_cdr(decoded, connection.msgtype))
            kind = interface_class(connection.msgtype)
            assert deserialize_message(again, kind) == messages[connection.msgtype]
            seen.add(connection.msgtype)
    assert seen == set(messages)


def test_what_rosbags_writes_is_read_as_replay_reads_it(recording, messages, tmp_path):
    with (
        rosbags.AnyReader([recording]) as reader,
        Writer(tmp_path / "bag", version=9, storage_plugin=StoragePlugin.MCAP) as bag,
    ):
        for connection, time, data in reader.messages():
            decoded = reader.deserialize(data, connection.msgtype)
            entry = bag.add_connection(
                connection.topic, connection.msgtype, typestore=reader.typestore
            )
            bag.write(entry, time, reader.typestore.serialize_cdr(decoded, connection.msgtype))
    (path,) = (tmp_path / "bag").glob("*.mcap")
    seen = set()
    with path.open("rb") as stream:
        for schema, channel, message in make_reader(stream).iter_messages():
            assert channel.topic == topic_of(schema.name)
            kind = interface_class(schema.name)
            assert deserialize_message(message.data, kind) == messages[schema.name]
            seen.add(schema.name)
    assert seen == set(messages)
