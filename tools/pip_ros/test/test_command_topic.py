# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The verbs of ``ros2 topic`` against a real node."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("rclpy")
pytestmark = [pytest.mark.system, pytest.mark.usefixtures("probe")]

NO_MORE_THAN_A_NODE = """
import rclpy
rclpy.init()
rclpy.create_node("floor").destroy_node()
rclpy.shutdown()
"""
MESSAGE_OF_PUB = "publishing #1: std_msgs.msg.String(data='{}')"
TOPICS = {
    "/arrays": "test_msgs/msg/Arrays",
    "/parameter_events": "rcl_interfaces/msg/ParameterEvent",
    "/pose": "geometry_msgs/msg/PoseStamped",
    "/rosout": "rcl_interfaces/msg/Log",
    "/state": "std_msgs/msg/String",
    "/ticks": "std_msgs/msg/String",
    "/words": "std_msgs/msg/String",
}


def test_topic_list(ros2_all, check):
    plain, count, typed, hidden, verbose = ros2_all(
        "topic list",
        "topic list -c",
        "topic list -t",
        "topic list --include-hidden-topics",
        "topic list -v",
    )
    check(plain, "\n".join(TOPICS))
    check(count, "7")
    check(typed, "\n".join(f"{name} [{type_}]" for name, type_ in TOPICS.items()))
    assert "/fibonacci/_action/feedback" in hidden.output.splitlines()
    assert " * /state [std_msgs/msg/String] 1 publisher\n" in verbose.output
    assert "Subscribed topics:\n * /words [std_msgs/msg/String] 1 subscriber\n" in verbose.output


def test_lists_are_complete_and_quick(ros2, ros2_all, env, check):
    """The graph is found anew by every command, without a daemon."""
    floors, times = [], []
    for _ in range(3):
        begin = time.monotonic()
        subprocess.run([sys.executable, "-c", NO_MORE_THAN_A_NODE], env=env, check=True)
        floors.append(time.monotonic() - begin)
        assert ros2("topic", "list").output.splitlines() == list(TOPICS)
        times.append(time.monotonic() - begin - floors[-1])
    # Quick: a node that is made and looks around for at most 1.5 s.
    assert min(times) < 3.0 * min(floors) + 1.5, (floors, times)
    for program in ros2_all(*["node list"] * 5):
        check(program, "/probe")


def test_topic_type_and_find(ros2_all, check):
    full, relative, unknown, found = ros2_all(
        "topic type /pose",
        "topic type pose",
        "topic type /nope",
        "topic find std_msgs/msg/String",
    )
    check(full, "geometry_msgs/msg/PoseStamped")
    check(relative, "geometry_msgs/msg/PoseStamped")
    check(unknown, code=1)
    check(found, "/state\n/ticks\n/words")


def test_topic_info(ros2_all, check):
    plain, verbose, unknown = ros2_all(
        "topic info /ticks", "topic info -v /state", "topic info /nope"
    )
    check(plain, "Type: std_msgs/msg/String\nPublisher count: 1\nSubscription count: 0")
    assert verbose.output.startswith(
        "Type: std_msgs/msg/String\n\nPublisher count: 1\n\nNode name: probe\nNode namespace: /\n"
    )
    assert "  Reliability: RELIABLE\n" in verbose.output
    assert "  Durability: TRANSIENT_LOCAL\n" in verbose.output
    assert "\nSubscription count: 0" in verbose.output
    check(unknown, errors="Unknown topic '/nope'", code=1)


def test_topic_echo_matches_the_publisher(ros2_all, check):
    latched, best_effort, given = ros2_all(
        "topic echo --once /state",
        "topic echo --once /ticks",
        "topic echo --once /state std_msgs/msg/String",
    )
    check(latched, "data: latched\n---")
    assert re.fullmatch(r"data: tick \d+\n---", best_effort.output)
    check(given, "data: latched\n---")


def test_topic_echo_formats(ros2_all, check):
    plain, field, text, csv, flow, no_text = ros2_all(
        "topic echo --once /pose",
        "topic echo --once /pose --field pose.position",
        "topic echo --once /pose --field header.frame_id",
        "topic echo --once /pose --csv",
        "topic echo --once /pose --flow-style",
        "topic echo --once /state --no-str",
    )
    assert re.fullmatch(
        "header:\n  stamp:\n    sec: \\d+\n    nanosec: \\d+\n  frame_id: map\npose:\n"
        "  position:\n    x: 1.5\n    y: 0.0\n    z: 0.0\n"
        "  orientation:\n    x: 0.0\n    y: 0.0\n    z: 0.0\n    w: 1.0\n---",
        plain.output,
    )
    check(field, "x: 1.5\ny: 0.0\nz: 0.0\n---")
    check(text, "map\n---")
    assert re.fullmatch(r"\d+,\d+,map,1\.5,0\.0,0\.0,0\.0,0\.0,0\.0,1\.0", csv.output)
    assert "  position: {x: 1.5, y: 0.0, z: 0.0}\n" in flow.output
    check(no_text, "data: '<string length: <7>>'\n---")


def test_topic_echo_waits_for_the_publisher_behind_other_subscriptions(start, ros2, check):
    """The topic is known from a subscription; the latched message must still be asked for."""
    other = start("topic", "echo", "/state", "--qos-durability", "volatile")
    for _ in range(3):
        check(ros2("topic", "echo", "--once", "/state"), "data: latched\n---")
    assert other.process.poll() is None


def test_topic_echo_of_arrays(ros2_all):
    full, without, short = ros2_all(
        "topic echo --once /arrays",
        "topic echo --once /arrays --no-arr",
        "topic echo --once /arrays -l 2",
    )
    assert 'byte_values_default:\n- "\\0"\n- "\\x01"\n- ÿ\n' in full.output
    assert "uint64_values_default:\n- 0\n- 1\n- 18446744073709551615\n" in full.output
    assert "float64_values: '<array type: double[3]>'\n" in without.output
    assert "basic_types_values: '<array type: test_msgs/msg/BasicTypes[3]>'\n" in without.output
    assert "float64_values:\n- 0.0\n- 0.0\n- '...'\n" in short.output
    assert "- ma...\n" in short.output


def test_topic_echo_filter_and_interrupt(start):
    program = start("topic", "echo", "/ticks", "--filter", "m.data.endswith('0')")
    program.wait_for(r"^data: tick \d+$", 2)
    program.send(signal.SIGINT)
    assert program.end(5) == signal.SIGINT
    assert not re.search("data: tick .*[1-9]$", program.output, re.MULTILINE)
    assert program.errors == ""


def test_topic_echo_errors(ros2_all, check):
    unknown, no_field, silent, *invalid = ros2_all(
        "topic echo /nope",
        "topic echo /pose --field nope",
        "topic echo /silent std_msgs/msg/String --timeout 0.1",
        "topic echo /ticks nonsense",
        "topic echo /ticks std_msgs/msg/Nope",
        "topic echo /ticks std_msgs/srv/String",
        "topic echo /ticks ../x/y",
    )
    check(
        unknown,
        "WARNING: topic [/nope] does not appear to be published yet",
        "Could not determine the type for the passed topic",
        1,
    )
    attribute = "'PoseStamped' object has no attribute 'nope'"
    check(no_field, errors=f"Invalid field 'nope': {attribute}", code=1)
    check(silent)
    for program in invalid:
        check(program, errors="The passed message type is invalid", code=1)


def test_topic_hz_bw_delay(start):
    hz = start("topic", "hz", "/ticks", "--window", "20")
    bw = start("topic", "bw", "/ticks")
    delay = start("topic", "delay", "/pose")
    (rate,) = hz.wait_for(r"^average rate: ([\d.]+)\n\tmin: ([\d.]+)s max: ([\d.]+)s std dev: ")
    assert 10.0 < float(rate[1]) < 40.0
    hz.wait_for(r"s window: 20$")
    bw.wait_for(r"^Subscribed to \[/ticks\]$")
    bw.wait_for(r"^\d+ B/s from \d+ messages\n\tMessage size mean: \d+ B min: \d+ B max: \d+ B$")
    (average,) = delay.wait_for(r"^average delay: ([\d.]+)\n\tmin: ")
    assert 0.0 <= float(average[1]) < 1.0
    for program in (hz, bw, delay):
        program.send(signal.SIGINT)
        assert program.end(5) == signal.SIGINT
        assert program.errors == ""


def test_topic_pub(ros2, probe):
    program = ros2("topic", "pub", "--once", "/words", "std_msgs/msg/String", "{data: one word}")
    assert program.code == 0
    lines = [line for line in program.output.splitlines() if "Waiting" not in line]
    assert lines == ["publisher: beginning loop", MESSAGE_OF_PUB.format("one word")]
    probe.wait_for("^word: one word$")
    program = ros2("topic", "pub", "-r", "50", "-t", "3", "/words", "std_msgs/String", "data: 5")
    assert program.code == 0
    probe.wait_for("^word: 5$", 3)
    assert "publishing #3: std_msgs.msg.String(data='5')" in program.output


def test_topic_pub_values(ros2):
    words = ("topic", "pub", "-w", "0", "-t", "1", "/values")
    program = ros2(
        *words,
        "test_msgs/msg/UnboundedSequences",
        "{float64_values: [1, 2.5], string_values: [a, 5], uint8_values: [1, 255], "
        "basic_types_values: [{bool_value: true, byte_value: 7, int8_value: -128}]}",
    )
    assert program.code == 0, program.errors
    for part in (
        "float64_values=[1.0, 2.5]",
        "string_values=['a', '5']",
        "uint8_values=[1, 255]",
        r"BasicTypes(bool_value=True, byte_value=b'\x07',",
        "int8_value=-128",
    ):
        assert part in program.output
    stamped = ros2(
        *words, "geometry_msgs/msg/PoseStamped", "{header: auto, pose: {position: {x: 1}}}"
    )
    assert re.search(r"Time\(sec=\d{10}, .*Point\(x=1\.0, y=0\.0", stamped.output)
    now = ros2(*words, "builtin_interfaces/msg/Time", "{sec: 3, nanosec: 4}")
    assert "Time(sec=3, nanosec=4)" in now.output


@pytest.mark.parametrize(
    "type_,values,message",
    [
        ("std_msgs/msg/Nope", "", "The passed message type is invalid"),
        ("nonsense", "", "The passed message type is invalid"),
        (
            "std_msgs/msg/String",
            "text",
            "The passed value needs to be a dictionary in YAML format",
        ),
        ("std_msgs/msg/String", "[", "The passed value needs to be a dictionary in YAML format: "),
        (
            "std_msgs/msg/String",
            "{nope: 1}",
            "Failed to populate field: 'String' object has no attribute 'nope'",
        ),
        (
            "std_msgs/msg/Float64",
            "{data: abc}",
            "Failed to populate field: data: could not convert string to float: 'abc'",
        ),
        (
            "std_msgs/msg/String",
            "{data: 2026-01-31}",
            "data: needs a text, got datetime.date(2026",
        ),
        ("std_msgs/msg/String", "{data: [a]}", "data: needs a text, got ['a']: put it in quotes"),
        ("std_msgs/msg/Header", "{frame_id: 2026-01-31T10:00:00}", "frame_id: needs a text, got"),
        (
            "sensor_msgs/msg/JointState",
            "{name: [2026-01-31]}",
            "name: needs a text, got datetime.date(2026, 1, 31): put it in quotes",
        ),
        ("std_msgs/msg/UInt8", "{data: 300}", "300 is outside of uint8 (0 to 255)"),
        ("std_msgs/msg/Int32", "{data: 1.5}", "needs an integer, got 1.5"),
        ("std_msgs/msg/Bool", "{data: maybe}", "needs a boolean, got 'maybe'"),
        ("std_msgs/msg/Float64MultiArray", "{data: 1}", "needs a list, got 1"),
        ("test_msgs/msg/Arrays", "{float64_values: [1]}", "needs 3 values, got 1"),
        ("geometry_msgs/msg/Pose", "{position: 1}", "position needs a dictionary, got 1"),
    ],
)
def test_topic_pub_errors(ros2, type_, values, message):
    program = ros2("topic", "pub", "--once", "/words", type_, values)
    assert program.code == 1
    assert message in program.errors
    assert "Traceback" not in program.errors


def test_topic_pub_gives_up(ros2):
    program = ros2(
        "topic", "pub", "--once", "--max-wait-time-secs", "0.1", "/lonely", "std_msgs/msg/Empty"
    )
    assert program.code == 1
    assert program.output == "Waiting for at least 1 matching subscription(s)..."
    assert program.errors.startswith("Timed out waiting for subscribers: Expected 1")
