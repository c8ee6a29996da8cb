# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real ros2 bag: it records our messages for replay, and reads and plays what record wrote."""

import importlib.util
import os
import random
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from rclpy.qos import DurabilityPolicy
from rclpy.serialization import deserialize_message

from legacy_robots_common.node import qos
from legacy_robots_common.node.raw_topics import OFFERED, interface_class, offered_in
from legacy_robots_testing.machine import ros2, with_installation
from legacy_robots_testing.messages import filled
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer

ROSBAG2 = os.environ.get("LEGACY_ROBOTS_ROSBAG2", "")
"""Where ros2bag, rosbag2_py and ros2cli are, see docs/integrate.md."""
needs_rosbag2 = pytest.mark.skipif(
    not ROSBAG2 and not importlib.util.find_spec("ros2bag"),
    reason="needs LEGACY_ROBOTS_ROSBAG2, see docs/integrate.md",
)
pytestmark = [needs_rosbag2, pytest.mark.timeout(600)]
rosbags = pytest.importorskip("rosbags.highlevel", reason="needs: pip install rosbags")
reader = pytest.importorskip("mcap.reader", reason="needs: pip install mcap")

OURS = sorted(path.stem for path in (Path(__file__).parents[1] / "msg").glob("*.msg"))
TYPES = [
    *(f"legacy_robots_msgs/msg/{name}" for name in OURS),
    "soccer_vision_3d_msgs/msg/MarkingArray",
    "tf2_msgs/msg/TFMessage",
    "vision_msgs/msg/Detection3DArray",
    "visualization_msgs/msg/MarkerArray",
]
EXAMPLES = "legacy_robots_examples"


def bag(*arguments):
    """Return the command line of ros2 bag and what its environment differs in."""
    if ROSBAG2:
        command = [sys.executable, f"{ROSBAG2}/bin/ros2", "bag", *map(str, arguments)]
        return command, with_installation(ROSBAG2)
    return ["ros2", "bag", *map(str, arguments)], {}


@pytest.fixture(scope="module")
def messages():
    """Return a message of each type by the topic on which it is sent, latched."""
    chance = random.Random(20)
    return {f"/bag/{name.rpartition('/')[2].lower()}": filled(name, chance) for name in TYPES}


@contextmanager
def published(messages):
    """Publish them; give a peer and its publishers."""
    with RosPeer() as peer:
        publishers = [
            peer.node.create_publisher(type(message), topic, qos.LATCHED)
            for topic, message in messages.items()
        ]
        for publisher, message in zip(publishers, messages.values(), strict=True):
            publisher.publish(message)
        yield peer, publishers


def finish(recorder, node, publishers):
    """End a recorder once each message has reached it."""
    peer, publishers = publishers
    for publisher in publishers:
        until(publisher.get_subscription_count, timeout=4 * TIMEOUT)
        assert publisher.wait_for_all_acked()
    for _ in range(2):  # its executor takes messages before requests
        peer.parameters(node, "use_sim_time")
    recorder.interrupt_group()
    assert recorder.wait(2 * TIMEOUT) in (0, 2), recorder.lines.items


def received(command, env, messages):
    """Return what latched subscribers get, by topic, while ``command`` runs."""
    with RosPeer("listener") as peer:
        heard = {topic: peer.subscribe(type(m), topic) for topic, m in messages.items()}
        with Process(command, env):
            got = {t: one.wait_for(timeout=4 * TIMEOUT) for t, one in heard.items()}
    return got


def recorded(folder):
    """Return what rosbags reads, by topic, decoded: bytes of alignment may differ."""
    with rosbags.AnyReader([folder]) as found:
        return {
            c.topic: deserialize_message(bytes(data), interface_class(c.msgtype))
            for c, _, data in found.messages()
        }


@pytest.mark.parametrize("storage", ["mcap", "sqlite3"])
def test_what_ros2_bag_records_is_read_and_replayed(storage, messages, tmp_path):
    folder = tmp_path / "bag"
    command, env = bag("record", "-s", storage, "-o", folder, "-e", "/bag/.*")
    with published(messages) as publishers, Process(command, env) as recorder:
        finish(recorder, "/rosbag2_recorder", publishers)
    assert recorded(folder) == messages
    if storage != "mcap":
        return
    (file,) = folder.glob("*.mcap")
    with file.open("rb") as stream:
        channels = reader.make_reader(stream).get_summary().channels.values()
    profiles = [offered_in(c.metadata[OFFERED]) for c in channels if c.topic in messages]
    assert {p.durability for p in profiles} == {DurabilityPolicy.TRANSIENT_LOCAL}
    arguments = ["--ros-args", "-p", f"file:={file}", "-p", "patience:=60.0"]
    assert received(ros2("run", EXAMPLES, "replay", *arguments), {}, messages) == messages


def test_ros2_bag_tells_of_plays_and_converts_what_record_wrote(messages, tmp_path):
    file = tmp_path / "ours.mcap"
    arguments = ["--ros-args", "-p", f"file:={file}", "-p", "regex:=/bag/.*"]
    command = ros2("run", EXAMPLES, "record", *arguments)
    with published(messages) as publishers, Process(command) as recorder:
        finish(recorder, "/record", publishers)

    def output(*arguments):
        command, env = bag(*arguments)
        ended = subprocess.run(
            command, env={**os.environ, **env}, capture_output=True, text=True, timeout=120
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    reported = output("info", file)
    for topic, message in messages.items():
        kind = next(name for name in TYPES if isinstance(message, interface_class(name)))
        assert f"Topic: {topic} | Type: {kind} | Count: 1 | Serialization Format: cdr" in reported
    assert received(*bag("play", file, "--loop"), messages) == messages  # to latched subscribers

    folder, options = tmp_path / "converted", tmp_path / "convert.yaml"
    options.write_text(f"output_bags: [{{uri: {folder}, storage_id: sqlite3, all_topics: true}}]")
    output("convert", "-i", file, "-o", options)
    assert recorded(folder) == messages
