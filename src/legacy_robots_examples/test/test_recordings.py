# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""record and replay: killed recorders, full disks, files of other writers."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

mcap_writer = pytest.importorskip("mcap.writer", reason="needs: pip install mcap")

from mcap.writer import IndexType, Writer  # noqa: E402
from rclpy.serialization import serialize_message  # noqa: E402
from std_msgs.msg import String  # noqa: E402

from legacy_robots_common.node import qos  # noqa: E402
from legacy_robots_common.node.raw_topics import definition  # noqa: E402
from legacy_robots_examples.mcap_files import McapFile  # noqa: E402
from legacy_robots_testing.machine import ros2  # noqa: E402
from legacy_robots_testing.process import Process  # noqa: E402
from legacy_robots_testing.ros_peer import RosPeer  # noqa: E402

pytestmark = pytest.mark.node
COUNT = 40
STRING = "std_msgs/msg/String"
BARE = {
    "index_types": IndexType.NONE,
    "repeat_channels": False,
    "repeat_schemas": False,
    "use_statistics": False,
    "use_summary_offsets": False,
}


def program(name, **parameters):
    words = [word for key, value in parameters.items() for word in ("-p", f"{key}:={value}")]
    return ros2("run", "legacy_robots_examples", name, "--ros-args", *words)


def written(path: Path, **options) -> Path:
    """Write COUNT messages of /text, some milliseconds apart."""
    with path.open("wb") as stream:
        writer = Writer(stream, chunk_size=300, **options)
        writer.start(profile="ros2")
        schema = writer.register_schema(STRING, "ros2msg", definition(STRING).encode())
        channel = writer.register_channel("/text", "cdr", schema)
        for number in range(COUNT):
            data = serialize_message(String(data=str(number)))
            writer.add_message(channel, number * 10**6, data, number * 10**6, number)
        writer.finish()
    return path


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def numbers(path: Path):
    file = McapFile(path)
    file.find_channels()
    assert {channel.topic for channel in file.channels.values()} == {"/text"}
    return [message.sequence for message in file.messages()], file.damage


@pytest.mark.parametrize("options", [{}, {"use_statistics": False}, BARE, {"use_chunking": False}])
def test_files_of_any_writer_are_read(options, tmp_path):
    assert numbers(written(tmp_path / "a.mcap", **options)) == (list(range(COUNT)), "")


@pytest.mark.parametrize("options", [{}, {"use_chunking": False}])
def test_what_was_cut_off_is_read_as_far_as_it_goes(options, tmp_path):
    found, damage = numbers(cut(written(tmp_path / "a.mcap", **options)))
    assert damage == "it ends in the middle of a record"
    assert 5 < len(found) < COUNT
    assert found == list(range(len(found)))


def test_what_is_damaged_in_the_middle_is_read_until_there(tmp_path):
    path = written(tmp_path / "a.mcap", compression=mcap_writer.CompressionType.ZSTD)
    data = bytearray(path.read_bytes())
    middle = data.index(b"\x28\xb5\x2f\xfd", len(data) // 3)  # where a zstd frame begins
    data[middle : middle + 4] = b"\0\0\0\0"
    path.write_bytes(data)
    found, damage = numbers(path)
    assert damage
    assert found == list(range(len(found)))


@pytest.mark.parametrize("known", [{}, BARE])
def test_a_compression_that_is_not_known_is_damage(known, tmp_path):
    path = written(tmp_path / "a.mcap", compression=mcap_writer.CompressionType.ZSTD, **known)
    path.write_bytes(path.read_bytes().replace(b"zstd", b"snap"))
    file = McapFile(path)
    file.find_channels()
    assert not list(file.messages())
    assert file.damage


@pytest.mark.parametrize("content", [b"", b"this is no recording", b"#ROSBAG V2.0\n"])
def test_what_is_no_recording_is_refused(content, tmp_path):
    path = tmp_path / "no.mcap"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"\w"):
        McapFile(path)


FOREIGN = {
    "/json": ("json", "Pose", "its messages are json"),
    "/protobuf": ("protobuf", "foxglove.Log", "its messages are protobuf"),
    "/ros1": ("ros1", STRING, "its messages are ros1"),
    "/nothing": ("", STRING, "of no named encoding"),
    "/unknown": ("cdr", "their_msgs/msg/Thing", "their_msgs/msg/Thing is not installed"),
    "/old": ("cdr", "std_msgs/String", "'std_msgs/String' is none of ROS 2"),
    "/service": ("cdr", "std_srvs/srv/Trigger", "'std_srvs/srv/Trigger' is none of ROS 2"),
    "/no type": ("cdr", None, "its type '' is none of ROS 2"),
    "/a wrong name": ("cdr", STRING, "Invalid topic name"),
    "/defined_by_ros1": ("cdr", "std_msgs/msg/Bool", "its definition is ros1msg"),
    "/text": ("cdr", "std_msgs/msg/Empty", "incompatible type"),
}
"""Encoding and type of topics that no publisher of ROS 2 could send, and why they are left out."""


def test_what_is_no_ros_2_is_left_out_with_one_warning_each(tmp_path):
    path = tmp_path / "mixed.mcap"
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start(profile="")
        schemas = {None: 0}
        topics = [("/text", "cdr", STRING), *((t, *kind[:2]) for t, kind in FOREIGN.items())]
        for topic, encoding, kind in topics:
            if kind not in schemas:
                defined = "ros1msg" if topic == "/defined_by_ros1" else "ros2msg"
                schemas[kind] = writer.register_schema(kind, defined, b"string data")
            odd = (topic, kind) == ("/text", STRING)
            metadata = {"offered_qos_profiles": "- what?"} if odd else {}
            channel = writer.register_channel(topic, encoding, schemas[kind], metadata)
            for number in range(3):
                data = serialize_message(String(data=str(number)))
                writer.add_message(channel, number, data, number, number)
        writer.finish()
    with RosPeer() as peer:
        text = peer.subscribe(String, "/text", qos.stream(10))
        with Process(program("replay", file=path, patience=20.0)) as player:
            assert [message.data for message in text.wait_for_count(3)] == ["0", "1", "2"]
            assert player.wait() == 0, player.lines.items
        player.wait_for_line("published 3 messages")
        for topic, (_, _, reason) in FOREIGN.items():
            lines = [line for line in player.lines.items if f"{topic} is left out: " in line]
            assert len(lines) == 1
            assert reason in lines[0]
        assert len([line for line in player.lines.items if "[WARN]" in line]) == len(FOREIGN) + 1


QUIET = """
import rclpy
from std_msgs.msg import String
from legacy_robots_common.node import qos

rclpy.init()
node = rclpy.create_node("quiet")
text = node.create_publisher(String, "/text", qos.stream(100))
numbers = iter(range(10**6))
def publish():
    number = next(numbers)
    text.publish(String(data=str(number)))
    print(number, flush=True)
node.create_timer(0.05, publish)
rclpy.spin(node)
"""


def test_a_killed_recording_of_a_quiet_robot_is_replayed(tmp_path):
    path = tmp_path / "quiet.mcap"
    with (
        Process([sys.executable, "-c", QUIET]) as robot,
        Process(program("record", file=path, topics="[text]")) as recorder,
    ):
        recorder.wait_for_line("receiving /text")
        first = len(robot.lines.items)
        robot.wait_for_line(f"^{first + 40}$")
        recorder.signal(signal.SIGKILL)
        last = len(robot.lines.items)
        recorder.wait()
    found, damage = numbers(path)
    assert damage
    # Half a second goes by between two writings: 10 messages, and as many on a slow machine.
    assert len(found) >= last - first - 20
    player = subprocess.run(
        program("replay", file=path, rate=100.0, patience=0.0),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert player.returncode == 0
    assert f"published {len(found)} messages" in player.stderr
    assert f"{path} was played as far as it can be read" in player.stderr


def test_a_full_disk_is_a_sentence():
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with (
        Process([sys.executable, "-c", QUIET]),
        Process(program("record", file="/dev/full", topics="[/text]")) as recorder,
    ):
        assert recorder.wait() == 1
        recorder.wait_for_line("/dev/full cannot be written: No space left on device")
        assert "Traceback" not in "\n".join(recorder.lines.items)


def test_a_file_that_is_there_is_kept(tmp_path):
    path = tmp_path / "mine.mcap"
    path.write_bytes(b"mine")
    with Process(program("record", file=path, regex=".*")) as recorder:
        assert recorder.wait() == 1
        recorder.wait_for_line("mine.mcap cannot be written: File exists")
    assert path.read_bytes() == b"mine"


WRONG = [
    ("replay", {"rate": 0.0}, "parameter 'rate' must be from"),
    ("replay", {"rate": -1.0}, "parameter 'rate' must be from"),
    ("replay", {"rate": "fast"}, "parameter 'rate' must be of type float"),
    ("replay", {"rate": 2, "file": "/nonexistent/x.mcap"}, "/nonexistent/x.mcap cannot be read"),
    ("record", {"seconds": -2}, "parameter 'seconds' must be at least 0"),
    ("record", {"split_mb": 1, "topics": "[]"}, "nothing to record: give topics or a regex"),
    ("record", {"topics": "[1]"}, "parameter 'topics' must be of type a list of str"),
    ("fetch_object", {"object_id": 1.0}, "parameter 'object_id' must be of type int"),
    ("fetch_object", {"waypoints": "[1.0]"}, "parameter 'waypoints' must be of type a list of"),
    ("find_ball", {"colour": 1}, "parameter 'colour' must be of type str"),
    ("courier", {"player": "[a]"}, "parameter 'player' must be of type str"),
    ("security_policy", {"file": 1}, "parameter 'file' must be of type str"),
    ("two_robots", {"stepped": 2}, "parameter 'stepped' must be of type bool"),
    ("record", {"topics": "[a, 1]"}, "'-p topics:=.a, 1.'"),
    ("record", {"topics": "['/a b']"}, "'/a b' is no topic: topic name must not contain"),
    ("record", {"topics": "[a//b]"}, "'a//b' is no topic: .* must not contain repeated '/'"),
    ("agent_tools", {"allowed": "[1]"}, "parameter 'allowed' must be of type a list of str"),
    ("agent_tools", {"max_speed": -1}, "parameter 'max_speed' must be at least 0"),
]
"""Programs of the examples, wrong parameters and what is said of them."""


@pytest.mark.parametrize("name,parameters,sentence", WRONG)
def test_a_wrong_parameter_is_a_sentence(name, parameters, sentence):
    if needed := {"find_ball": "py_trees", "agent_tools": "mcp.server"}.get(name):
        pytest.importorskip(needed)
    with Process(program(name, **parameters)) as process:
        assert process.wait() in (1, 2)
        process.wait_for_line(sentence)
        assert "Traceback" not in "\n".join(process.lines.items)
