# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The programs of docs/integrate.md against the shipped launch files, as their users run them."""

import math
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from contextlib import ExitStack
from itertools import pairwise

import pytest
import rclpy
from geometry_msgs.msg import PointStamped
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message
from sensor_msgs.msg import CompressedImage, JointState
from std_msgs.msg import UInt32

from legacy_robots_common.node import qos
from legacy_robots_common.node.raw_topics import definition
from legacy_robots_msgs.msg import (
    AiboBall,
    Bw4tTask,
    LinkState,
    NaoHeldObject,
    NaoLocation,
    NaoState,
)
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

PACKAGE = "legacy_robots_examples"


@pytest.fixture
def launch(ros2, port):
    """Start a launch file on a free port, and wait until its link is up."""

    def start(system, *arguments):
        command = ros2("launch", "legacy_robots_bringup", f"{system}.launch.py", *arguments)
        process = processes.enter_context(Process(command))
        process.wait_for_line("link connected|the world is up")
        return process

    with ExitStack() as processes:  # nothing is left of one that does not come up
        yield start


def test_a_nao_fetches_an_object(launch, ros2, port):
    with launch("nao", f"port:={port}"), Process(ros2("run", PACKAGE, "fetch_object")) as program:
        assert program.wait() == 0, program.lines.items
        with RosPeer() as peer:
            peer.subscribe(NaoLocation, "/nao/location").wait_for(lambda m: m.marker_id == 146)
            assert not peer.subscribe(NaoHeldObject, "/nao/held_object").wait_for().holding
        text = "\n".join(program.lines.items)
        assert "rooms before it" in text
        assert text.index("holding object 1") < text.index("at marker 146")


def test_what_the_nao_cannot_do_ends_the_mission_with_its_reason(launch, ros2, port):
    arguments = ["--ros-args", "-p", "waypoints:=[148]"]
    command = ros2("run", PACKAGE, "fetch_object", *arguments)
    with launch("nao", f"port:={port}"), Process(command) as program:
        assert program.wait() == 1
        program.wait_for_line("go to 148: the robot reported failure")


def test_ctrl_c_stops_the_nao(launch, ros2, port):
    with launch("nao", f"port:={port}"), RosPeer() as peer:
        state = peer.subscribe(NaoState, "/nao/state")
        with Process(ros2("run", PACKAGE, "fetch_object")) as program:
            state.wait_for(lambda m: m.state == NaoState.WALKING)
            state.clear()
            program.signal(signal.SIGINT)
            assert program.wait() == 130, program.lines.items
        state.wait_for(lambda m: m.state == NaoState.HALTED)
        location = peer.subscribe(NaoLocation, "/nao/location").wait_for()
        assert location.marker_id != 146


def seconds(stamp):
    return stamp.sec + stamp.nanosec * 1e-9


@pytest.fixture(scope="module")
def mcap_readers():
    pytest.importorskip("mcap")
    decoder = pytest.importorskip("mcap_ros2.decoder")
    reader = pytest.importorskip("mcap.reader")
    return lambda stream: reader.make_reader(stream, decoder_factories=[decoder.DecoderFactory()])


@pytest.mark.usefixtures("mcap_readers")
def test_a_ride_is_recorded_read_and_replayed(launch, ros2, port, tmp_path, mcap_readers):
    file = tmp_path / "skate.mcap"
    ports = [f"port:={port}", f"http_port:={free_port()}"]
    with launch("roboskate", "autopilot:=true", *ports), RosPeer() as peer:
        heard = peer.subscribe(Odometry, "/roboskate/odom", qos.stream(1000))
        heard.wait_for()
        arguments = ["--ros-args", "-p", f"file:={file}", "-p", "seconds:=3.0"]
        with Process(ros2("run", PACKAGE, "record", *arguments)) as program:
            assert program.wait() == 0, program.lines.items
    with file.open("rb") as stream:
        reader = mcap_readers(stream)
        assert reader.get_header().profile == "ros2"
        recorded = {}
        for _, channel, _, message in reader.iter_decoded_messages():
            recorded.setdefault(channel.topic, []).append(message)
    odometry = recorded["/roboskate/odom"]
    stamps = [seconds(m.header.stamp) for m in odometry]
    assert len(stamps) > 100
    assert stamps == sorted(set(stamps))
    # Nothing is left out between the first and the last, and the values are those that were heard.
    assert max(b - a for a, b in pairwise(stamps)) < 0.0201
    reported = {seconds(m.header.stamp): m.pose.pose.position.x for m in heard.items}
    assert [reported[s] for s in stamps] == [m.pose.pose.position.x for m in odometry]
    images = recorded["/roboskate/camera/image_raw/compressed"]
    assert all(bytes(m.data[:2]) == b"\xff\xd8" for m in images)
    assert len(images) > 30

    with RosPeer() as peer:
        replayed = peer.subscribe(Odometry, "/replay/odom", qos.stream(1000))
        joints = peer.subscribe(JointState, "/roboskate/joint_states", qos.stream(1000))
        peer.subscribe(CompressedImage, "/roboskate/camera/image_raw/compressed", qos.stream())
        remap = ["-r", "/roboskate/odom:=/replay/odom"]
        arguments = ["--ros-args", "-p", f"file:={file}", "-p", "rate:=4.0", *remap]
        arguments += ["-p", "patience:=60.0"]  # it begins when all three are subscribed to
        with Process(ros2("run", PACKAGE, "replay", *arguments)) as program:
            assert program.wait(90) == 0, program.lines.items
        assert len(replayed.wait_for_count(len(stamps))) == len(stamps)
        assert [seconds(m.header.stamp) for m in replayed.items] == stamps
        assert joints.items[-1].name == recorded["/roboskate/joint_states"][-1].name


COUNTER = """
import rclpy
from legacy_robots_common.node import qos
from std_msgs.msg import UInt32

rclpy.init()
node = rclpy.create_node("counter")
print_number = lambda message: print("number", message.data, flush=True)
node.create_subscription(UInt32, "/numbers", print_number, qos.stream(1000))
rclpy.spin(node)
"""


def test_a_replay_loses_nothing_of_a_subscriber_that_stands_still_for_a_moment(ros2, tmp_path):
    writer_module = pytest.importorskip("mcap.writer")
    file = tmp_path / "numbers.mcap"
    with file.open("wb") as stream:
        writer = writer_module.Writer(stream)
        writer.start(profile="ros2")
        text = definition("std_msgs/msg/UInt32").encode()
        schema = writer.register_schema("std_msgs/msg/UInt32", "ros2msg", text)
        channel = writer.register_channel("/numbers", "cdr", schema)
        for number in range(1000):
            data = serialize_message(UInt32(data=number))
            writer.add_message(channel, number * 200_000, data, number * 200_000)
        writer.finish()
    arguments = ["--ros-args", "-p", f"file:={file}", "-p", "patience:=60.0"]
    with (
        Process([sys.executable, "-c", COUNTER]) as subscriber,
        Process(ros2("run", PACKAGE, "replay", *arguments)) as program,
    ):
        subscriber.wait_for_line("number 100$")
        subscriber.signal(signal.SIGSTOP)
        time.sleep(0.3)  # the stall itself: fifteen times as many messages as were kept are due
        subscriber.signal(signal.SIGCONT)
        subscriber.wait_for_line("number 999$")
        assert program.wait() == 0, program.lines.items
        numbers = [line for line in subscriber.lines.items if line.startswith("number")]
        assert numbers == [f"number {number}" for number in range(1000)]


PUBLISHER = """
import os
import rclpy
from legacy_robots_common.node import qos
from std_msgs.msg import String
from sensor_msgs.msg import CompressedImage

rclpy.init()
node = rclpy.create_node("publisher")
latched = node.create_publisher(String, "/latched", qos.LATCHED)
latched.publish(String(data="map"))
images = node.create_publisher(CompressedImage, "/bytes", qos.stream(1000))
node.create_timer(0.02, lambda: images.publish(CompressedImage(data=os.urandom(50000))))
rclpy.spin(node)
"""


def test_a_long_recording_is_split_and_each_part_has_what_is_latched(ros2, tmp_path, mcap_readers):
    file = tmp_path / "long.mcap"
    other = tmp_path / "long_1.mcap"
    other.write_bytes(b"another recording")
    arguments = ["--ros-args", "-p", f"file:={file}", "-p", "topics:=[/latched, /bytes]"]
    arguments += ["-p", "split_mb:=2.0"]
    with (
        Process([sys.executable, "-c", PUBLISHER]),
        Process(ros2("run", PACKAGE, "record", *arguments)) as program,
    ):
        until(lambda: (tmp_path / "long_3.mcap").exists())
        program.signal(signal.SIGINT)
        assert program.wait() == 0, program.lines.items
        program.wait_for_line("it goes on in .*long_3.mcap")
        counted = program.wait_for_line("messages of /bytes")
    assert other.read_bytes() == b"another recording"
    parts = [file, *sorted(tmp_path.glob("long_[2-9].mcap"))]
    count = 0
    for part in parts:
        with part.open("rb") as stream:
            messages = [
                (channel.topic, message.sequence, decoded)
                for _, channel, message, decoded in mcap_readers(stream).iter_decoded_messages()
            ]
        latched = [decoded.data for topic, _, decoded in messages if topic == "/latched"]
        sequence = [number for topic, number, _ in messages if topic == "/bytes"]
        assert latched == ["map"]
        assert sequence == list(range(count, count + len(sequence)))
        count += len(sequence)
    assert f"{count} messages of /bytes" in counted
    program = ros2(
        "run", PACKAGE, "replay", "--ros-args", "-p", f"file:={file}", "-p", "rate:=20.0"
    )
    done = subprocess.run(program, capture_output=True, text=True, timeout=90)
    assert f"published {count + len(parts)} messages" in done.stderr
    assert f"{other} is left out" in done.stderr


def test_a_recorder_of_nothing_says_so(ros2, tmp_path):
    pytest.importorskip("mcap")
    file = tmp_path / "nothing.mcap"
    arguments = ["--ros-args", "-p", f"file:={file}", "-p", "topics:=[/silent]"]
    done = subprocess.run(
        ros2("run", PACKAGE, "record", *arguments), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "no publisher of /silent" in done.stderr
    assert not file.exists()


def test_what_is_no_regular_expression_is_a_sentence(ros2, tmp_path):
    pytest.importorskip("mcap")
    arguments = ["--ros-args", "-p", f"file:={tmp_path / 'no.mcap'}", "-p", "regex:=(/nao"]
    command = ros2("run", PACKAGE, "record", *arguments)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "parameter 'regex': " in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_recording_is_a_sentence(ros2, tmp_path):
    pytest.importorskip("mcap")
    file = tmp_path / "no.mcap"
    file.write_text("this is no recording")
    command = ros2("run", PACKAGE, "replay", "--ros-args", "-p", f"file:={file}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert f"{file} cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def allowed(launch, ros2, port, tmp_path):
    """Write the policy of a Nao; return what it says of an enclave, such as ``publish``."""
    file = tmp_path / "policy.xml"
    with launch("nao", f"port:={port}"):
        command = ros2("run", PACKAGE, "security_policy", "--ros-args", "-p", f"file:={file}")
        with Process(command) as program:
            assert program.wait() == 0, program.lines.items
    root = ET.parse(file).getroot()

    def names(enclave, qualifier, rule="ALLOW"):
        found = root.findall(f"enclaves/enclave[@path='/{enclave}']//*[@{qualifier}='{rule}']/*")
        return {element.text for element in found}

    return names


def test_a_security_policy_has_who_may_command_and_who_may_only_look(allowed):
    assert "/nao/go_to" in allowed("robots", "execute")
    assert {"/nao/location", "/nao/link_state"} <= allowed("robots", "publish")
    assert "/nao/set_location" in allowed("robots", "reply")
    assert allowed("operators", "call") == allowed("robots", "execute")
    assert "/nao/set_location" in allowed("operators", "request")
    assert "/nao/initialpose" in allowed("operators", "publish")
    assert not allowed("operators", "publish") & {"/nao/location", "/nao/link_state"}
    assert "/nao/go_to/_action/status" in allowed("viewers", "subscribe")
    answers = allowed("robots", "publish") - allowed("operators", "publish")
    assert answers < allowed("viewers", "subscribe")
    assert allowed("viewers", "publish") == {"/rosout", "/parameter_events"}
    for enclave in ("operators", "viewers"):
        assert not allowed(enclave, "execute")
        assert allowed("robots", "request") == allowed(enclave, "reply", "DENY")
    assert not allowed("viewers", "call") | allowed("viewers", "request")


def test_a_security_policy_of_nothing_is_not_written(ros2, tmp_path):
    file = tmp_path / "policy.xml"
    command = ros2("run", PACKAGE, "security_policy", "--ros-args", "-p", f"file:={file}")
    with Process(command) as program:
        assert program.wait() == 1
        program.wait_for_line("nothing runs here")
    assert not file.exists()


def test_a_dog_walks_to_its_ball_and_waves(launch, ros2, port):
    pytest.importorskip("py_trees")
    with launch("aibo", f"port:={port}"), RosPeer() as peer:
        ball = peer.subscribe(AiboBall, "/aibo/ball/pink", qos.stream())
        with Process(ros2("run", PACKAGE, "find_ball")) as program:
            assert program.wait(110) == 0, program.lines.items
        text = "\n".join(program.lines.items)
        assert "wave" in text
        # It is near: the ball looms in the image, or has been pushed on by a paw since.
        assert max(m.area for m in ball.items if m.visible) > 0.15


def test_ctrl_c_cancels_what_the_tree_has_begun(launch, ros2, port):
    pytest.importorskip("py_trees")
    arguments = ["--ros-args", "-p", "colour:=blue"]  # there is none: the search takes its time
    with launch("aibo", f"port:={port}") as system:
        with Process(ros2("run", PACKAGE, "find_ball", *arguments)) as program:
            program.wait_for_line("look for it")
            program.signal(signal.SIGINT)
            assert program.wait() == 130, program.lines.items
        system.wait_for_line("search_ball: canceled")


def test_a_dog_without_a_ball_gives_up(launch, ros2, port):
    pytest.importorskip("py_trees")
    arguments = ["--ros-args", "-p", "colour:=purple"]
    command = ros2("run", PACKAGE, "find_ball", *arguments)
    with launch("aibo", f"port:={port}"), Process(command) as program:
        assert program.wait() == 1
        program.wait_for_line("the tree has failed: .*purple")


@pytest.mark.timeout(600)  # others may have the machine's one pair of joints for long
def test_the_ball_is_put_into_the_map(launch, ros2, machine_wide, tmp_path):
    from os import getpid

    with machine_wide("luar_joints"), launch("luar", f"user:=test{getpid()}"):
        command = ros2("run", PACKAGE, "ball_in_map", "--ros-args", "-r", "__ns:=/luar")
        with Process(command) as program, RosPeer() as peer:
            point = peer.subscribe(PointStamped, "/luar/ball_in_map", qos.stream())
            points = point.wait_for_count(20)
            assert all(m.header.frame_id == "map" for m in points)
            # The ball of the simulated robot rolls on a field of 6 m x 4 m.
            assert all(abs(m.point.x) < 3.5 and abs(m.point.y) < 2.5 for m in points)
            program.interrupt_group()
            assert program.wait() == 0


@pytest.mark.lint
@pytest.mark.parametrize(
    "yaw,expected",
    [(0.0, (3.0, 2.0)), (math.pi / 2, (1.0, 4.0)), (math.pi, (-1.0, 2.0))],
)
def test_a_point_of_the_robot_s_frame_in_the_map(yaw, expected):
    from geometry_msgs.msg import Point, Pose, Quaternion

    from legacy_robots_examples.ball_in_map import to_map

    half = Quaternion(z=math.sin(yaw / 2), w=math.cos(yaw / 2))
    found = to_map(Point(x=2.0), Pose(position=Point(x=1.0, y=2.0), orientation=half))
    assert (found.x, found.y) == pytest.approx(expected)


def test_halves_are_joined_though_one_topic_lags_behind_the_other():
    from builtin_interfaces.msg import Time
    from geometry_msgs.msg import PoseWithCovarianceStamped
    from soccer_model_msgs.msg import Ball

    from legacy_robots_examples.ball_in_map import MOST_WAITING, BallInMap

    rclpy.init()
    try:
        node = BallInMap()
        joined = []
        node._publisher.publish = joined.append
        for lag in (0, 1, 5):
            joined.clear()
            for k in range(100):
                for kind, now in ((PoseWithCovarianceStamped, k), (Ball, k - lag)):
                    message = kind()
                    message.header.stamp = Time(sec=1000 * lag + now)
                    node._join(message)
            assert len(joined) == 100 - lag
            assert len(node._waiting) <= MOST_WAITING
    finally:
        rclpy.shutdown()


def test_a_courier_delivers_the_sequence(launch, ros2):
    with launch("bw4t", "robots:=1", "team:=none", "speed:=8.0", "seed:=1"), RosPeer() as peer:
        task = peer.subscribe(Bw4tTask, "/bw4t/task")
        command = ros2("run", PACKAGE, "courier", "--ros-args", "-r", "__ns:=/bw4t")
        with Process(command) as program:
            assert program.wait(110) == 0, program.lines.items
        done = task.wait_for(lambda m: m.done)
        assert done.wrong_drops == 0
        assert done.good_drops == len(done.sequence) == 6
        assert len([line for line in program.lines.items if "delivered" in line]) == 6


def test_two_robots_in_one_mission(launch, ros2, port):
    with (
        launch("aibo", f"port:={port}"),
        launch("nao", f"port:={free_port()}"),
        Process(ros2("run", PACKAGE, "two_robots")) as program,
        RosPeer() as peer,
    ):
        assert program.wait(90) == 0, program.lines.items
        program.wait_for_line("mission accomplished")
        held = peer.subscribe(NaoHeldObject, "/nao/held_object").wait_for()
        assert held.holding
        assert held.object_id == 1


def test_a_mission_without_its_first_robot_does_not_move_the_second(launch, ros2, port):
    with launch("nao", f"port:={port}"), RosPeer() as peer:
        link = peer.subscribe(LinkState, "/nao/link_state")
        link.wait_for(lambda m: m.state == LinkState.CONNECTED)
        with Process(ros2("run", PACKAGE, "two_robots")) as program:
            assert program.wait() == 1
            program.wait_for_line("/aibo/search_ball: there is no server")
        peer.subscribe(NaoLocation, "/nao/location").wait_for(lambda m: m.marker_id == 64)
