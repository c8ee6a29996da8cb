# SPDX-License-Identifier: Apache-2.0
"""Every verb of the ros2 command against a real node."""

from __future__ import annotations

import re
import signal
import time

import pytest

pytest.importorskip("rclpy")
pytestmark = pytest.mark.usefixtures("probe")

MESSAGE_OF_PUB = "publishing #1: std_msgs.msg.String(data='{}')"


def check(program, output="", errors="", code=0):
    """Compare the whole output, with lines of the GIL-free kind (stamps, ids) masked."""
    assert program.code == code, program.output + program.errors
    assert program.output.rstrip("\n") == output.rstrip("\n")
    assert program.errors == errors


# topic ----------------------------------------------------------------------------------------
TOPICS = {
    "/arrays": "test_msgs/msg/Arrays",
    "/parameter_events": "rcl_interfaces/msg/ParameterEvent",
    "/pose": "geometry_msgs/msg/PoseStamped",
    "/rosout": "rcl_interfaces/msg/Log",
    "/state": "std_msgs/msg/String",
    "/ticks": "std_msgs/msg/String",
    "/words": "std_msgs/msg/String",
}


def test_topic_list(ros2):
    check(ros2("topic", "list"), "\n".join(TOPICS))
    check(ros2("topic", "list", "-c"), "7")
    check(ros2("topic", "list", "-t"), "\n".join(f"{n} [{t}]" for n, t in TOPICS.items()))
    hidden = ros2("topic", "list", "--include-hidden-topics").output.splitlines()
    assert "/fibonacci/_action/feedback" in hidden
    verbose = ros2("topic", "list", "-v").output
    assert " * /state [std_msgs/msg/String] 1 publisher\n" in verbose
    assert "Subscribed topics:\n * /words [std_msgs/msg/String] 1 subscriber\n" in verbose


def test_lists_are_complete_and_quick(ros2):
    """The graph is found anew by every command, without a daemon."""
    times = []
    for _ in range(8):
        begin = time.monotonic()
        assert ros2("topic", "list").output.splitlines() == list(TOPICS)
        times.append(time.monotonic() - begin)
        assert ros2("node", "list").output == "/probe"
    assert sorted(times)[len(times) // 2] < 2.0, times


def test_topic_type_and_find(ros2):
    check(ros2("topic", "type", "/pose"), "geometry_msgs/msg/PoseStamped")
    check(ros2("topic", "type", "pose"), "geometry_msgs/msg/PoseStamped")
    check(ros2("topic", "type", "/nope"), code=1)
    check(ros2("topic", "find", "std_msgs/msg/String"), "/state\n/ticks\n/words")


def test_topic_info(ros2):
    check(
        ros2("topic", "info", "/ticks"),
        "Type: std_msgs/msg/String\nPublisher count: 1\nSubscription count: 0",
    )
    verbose = ros2("topic", "info", "-v", "/state").output
    assert verbose.startswith(
        "Type: std_msgs/msg/String\n\nPublisher count: 1\n\nNode name: probe\nNode namespace: /\n"
    )
    assert "  Reliability: RELIABLE\n" in verbose
    assert "  Durability: TRANSIENT_LOCAL\n" in verbose
    assert "\nSubscription count: 0" in verbose
    check(ros2("topic", "info", "/nope"), errors="Unknown topic '/nope'", code=1)


def test_topic_echo_matches_the_publisher(ros2):
    check(ros2("topic", "echo", "--once", "/state"), "data: latched\n---")
    program = ros2("topic", "echo", "--once", "/ticks")
    assert re.fullmatch(r"data: tick \d+\n---", program.output)
    given = ros2("topic", "echo", "--once", "/state", "std_msgs/msg/String")
    check(given, "data: latched\n---")


def test_topic_echo_formats(ros2):
    program = ros2("topic", "echo", "--once", "/pose")
    assert re.fullmatch(
        "header:\n  stamp:\n    sec: \\d+\n    nanosec: \\d+\n  frame_id: map\npose:\n"
        "  position:\n    x: 1.5\n    y: 0.0\n    z: 0.0\n"
        "  orientation:\n    x: 0.0\n    y: 0.0\n    z: 0.0\n    w: 1.0\n---",
        program.output,
    )
    check(
        ros2("topic", "echo", "--once", "/pose", "--field", "pose.position"),
        "x: 1.5\n'y': 0.0\nz: 0.0\n---".replace("'", ""),
    )
    check(ros2("topic", "echo", "--once", "/pose", "--field", "header.frame_id"), "map\n---")
    csv = ros2("topic", "echo", "--once", "/pose", "--csv").output
    assert re.fullmatch(r"\d+,\d+,map,1\.5,0\.0,0\.0,0\.0,0\.0,0\.0,1\.0", csv)
    flow = ros2("topic", "echo", "--once", "/pose", "--flow-style").output
    assert "  position: {x: 1.5, y: 0.0, z: 0.0}\n" in flow
    check(
        ros2("topic", "echo", "--once", "/state", "--no-str"), "data: '<string length: <7>>'\n---"
    )
    arrays = ros2("topic", "echo", "--once", "/arrays", "--no-arr").output
    assert "float64_values: '<array type: double[3]>'\n" in arrays
    assert "basic_types_values: '<array type: test_msgs/msg/BasicTypes[3]>'\n" in arrays
    cut = ros2("topic", "echo", "--once", "/arrays", "-l", "2").output
    assert "float64_values:\n- 0.0\n- 0.0\n- '...'\n" in cut
    assert "- ma...\n" in cut
    full = ros2("topic", "echo", "--once", "/arrays").output
    assert 'byte_values_default:\n- "\\0"\n- "\\x01"\n- ÿ\n' in full
    assert "uint64_values_default:\n- 0\n- 1\n- 18446744073709551615\n" in full


def test_topic_echo_filter_and_interrupt(start):
    program = start("topic", "echo", "/ticks", "--filter", "m.data.endswith('0')")
    program.wait_for(r"^data: tick \d+$", 2)
    program.send(signal.SIGINT)
    assert program.end(5) == signal.SIGINT
    assert not re.search("data: tick .*[1-9]$", program.output, re.MULTILINE)
    assert program.errors == ""


def test_topic_echo_errors(ros2):
    check(
        ros2("topic", "echo", "/nope"),
        "WARNING: topic [/nope] does not appear to be published yet",
        "Could not determine the type for the passed topic",
        1,
    )
    for type_ in ("nonsense", "std_msgs/msg/Nope", "std_msgs/srv/String", "../x/y"):
        program = ros2("topic", "echo", "/ticks", type_)
        check(program, errors="The passed message type is invalid", code=1)
    check(
        ros2("topic", "echo", "/pose", "--field", "nope"),
        errors="Invalid field 'nope': 'PoseStamped' object has no attribute 'nope'",
        code=1,
    )
    check(ros2("topic", "echo", "/nope", "std_msgs/msg/String", "--timeout", "0.1"))


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
    assert lines == ["publisher: beginning loop", MESSAGE_OF_PUB.format("one word"), ""]
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
            "{no: 1}",
            "Failed to populate field: 'String' object has no attribute 'no'",
        ),
        (
            "std_msgs/msg/Float64",
            "{data: abc}",
            "Failed to populate field: data: could not convert string to float: 'abc'",
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


# node, service --------------------------------------------------------------------------------
PARAMETER_SERVICES = [
    "describe_parameters",
    "get_parameter_types",
    "get_parameters",
    "get_type_description",
    "list_parameters",
    "set_parameters",
    "set_parameters_atomically",
]


def test_node(ros2):
    check(ros2("node", "list"), "/probe")
    check(ros2("node", "list", "-c"), "1")
    check(ros2("node", "info", "/nope"), errors="Unable to find node '/nope'", code=1)
    output = ros2("node", "info", "/probe").output
    assert output.startswith(
        "/probe\n  Subscribers:\n    /words: std_msgs/msg/String\n  Publishers:\n"
        "    /arrays: test_msgs/msg/Arrays\n"
    )
    assert "\n    /switch: std_srvs/srv/SetBool\n  Service Clients:\n\n" in output
    assert "  Action Servers:\n    /fibonacci: test_msgs/action/Fibonacci\n" in output


def test_service_list(ros2):
    names = [*(f"/probe/{name}" for name in PARAMETER_SERVICES), "/switch"]
    check(ros2("service", "list"), "\n".join(names))
    typed = ros2("service", "list", "-t").output.splitlines()
    assert typed[-1] == "/switch [std_srvs/srv/SetBool]"
    check(ros2("service", "list", "-c"), "8")
    check(ros2("service", "type", "/switch"), "std_srvs/srv/SetBool")
    check(ros2("service", "type", "/nope"), code=1)
    check(ros2("service", "find", "std_srvs/srv/SetBool"), "/switch")
    check(
        ros2("service", "info", "/switch"),
        "Type: std_srvs/srv/SetBool\nClients count: 0\nServices count: 1",
    )


def test_service_call(ros2):
    program = ros2("service", "call", "/switch", "std_srvs/srv/SetBool", "{data: true}")
    assert program.code == 0
    lines = [line for line in program.output.splitlines() if not line.startswith("waiting")]
    assert lines == [
        "requester: making request: std_srvs.srv.SetBool_Request(data=True)",
        "",
        "response:",
        "std_srvs.srv.SetBool_Response(success=True, message='on')",
        "",
    ]
    invalid = ros2("service", "call", "/switch", "std_srvs/srv/Nope")
    check(invalid, errors="The passed service type is invalid", code=1)
    wrong = ros2("service", "call", "/switch", "std_srvs/srv/SetBool", "{no: 1}")
    assert "'SetBool_Request' object has no attribute 'no'" in wrong.errors


def test_service_call_waits(start):
    program = start("service", "call", "/nope", "std_srvs/srv/SetBool")
    program.wait_for("^waiting for service to become available...$")
    program.send(signal.SIGINT)
    assert program.end(5) == signal.SIGINT
    assert program.errors == ""


# action ---------------------------------------------------------------------------------------
GOAL = ("/fibonacci", "test_msgs/action/Fibonacci")


def test_action_list(ros2):
    check(ros2("action", "list"), "/fibonacci")
    check(ros2("action", "list", "-t"), "/fibonacci [test_msgs/action/Fibonacci]")
    check(ros2("action", "list", "-c"), "1")
    check(ros2("action", "type", "/fibonacci"), "test_msgs/action/Fibonacci")
    check(
        ros2("action", "info", "/fibonacci", "-t"),
        "Action: /fibonacci\nAction clients: 0\nAction servers: 1\n"
        "    /probe [test_msgs/action/Fibonacci]",
    )
    check(ros2("action", "info", "/no"), "Action: /no\nAction clients: 0\nAction servers: 0")


def test_action_send_goal(ros2):
    program = ros2("action", "send_goal", "--feedback", *GOAL, "{order: 3}")
    assert program.code == 0
    assert re.sub("[0-9a-f]{32}", "ID", program.output) == (
        "Waiting for an action server to become available...\n"
        "Sending goal:\n     order: 3\n\n"
        "Goal accepted with ID: ID\n\n"
        "Feedback:\n    sequence:\n- 0\n- 1\n- 1\n\n"
        "Feedback:\n    sequence:\n- 0\n- 1\n- 1\n- 2\n\n"
        "Result:\n    sequence:\n- 0\n- 1\n- 1\n- 2\n\n"
        "Goal finished with status: SUCCEEDED"
    )
    quiet = ros2("action", "send_goal", *GOAL)
    assert "Feedback" not in quiet.output
    assert quiet.output.endswith("Goal finished with status: SUCCEEDED")


def test_action_outcomes(ros2):
    rejected = ros2("action", "send_goal", *GOAL, "{order: -1}")
    assert rejected.output.endswith("\nGoal was rejected.")
    aborted = ros2("action", "send_goal", *GOAL, "{order: 99}")
    assert aborted.output.endswith("\nGoal finished with status: ABORTED")


def test_action_is_canceled_on_interrupt(start, probe):
    program = start("action", "send_goal", "-f", *GOAL, "{order: 1000}")
    program.wait_for("^Feedback:$", 2)
    program.send(signal.SIGINT)
    assert program.end(10) == signal.SIGINT
    assert program.output.endswith("Canceling goal...\nGoal canceled.")
    probe.wait_for("^goal of order 1000 canceled$")


def test_action_errors(ros2):
    for type_ in ("test_msgs/action/Nope", "nonsense"):
        program = ros2("action", "send_goal", "/fibonacci", type_, "{}")
        check(program, errors="The passed action type is invalid", code=1)
    assert "no attribute 'no'" in ros2("action", "send_goal", *GOAL, "{no: 1}").errors
    assert "needs a dictionary" in ros2("action", "send_goal", *GOAL, "[1]").errors


# param ----------------------------------------------------------------------------------------
PARAMETERS = {
    "count": "integer",
    "fixed": "boolean",
    "label": "string",
    "nested.bytes": "byte array",
    "nested.names": "string array",
    "nested.values": "double array",
    "speed": "double",
    "start_type_description_service": "boolean",
    "use_sim_time": "boolean",
}


def test_param_list(ros2):
    names = "\n".join(f"  {name}" for name in PARAMETERS)
    check(ros2("param", "list"), f"/probe:\n{names}")
    check(ros2("param", "list", "/probe"), names)
    check(
        ros2("param", "list", "--param-type", "/probe"),
        "\n".join(f"  {name} (type: {kind})" for name, kind in PARAMETERS.items()),
    )
    nested = "  nested.bytes\n  nested.names\n  nested.values"
    check(ros2("param", "list", "/probe", "--filter", "ne.*"), nested)
    check(ros2("param", "list", "/probe", "--param-prefixes", "nested"), nested)
    check(ros2("param", "list", "/nope"), errors="Node not found", code=1)


@pytest.mark.parametrize(
    "name,text",
    [
        ("speed", "Double value is: 0.5"),
        ("fixed", "Boolean value is: True"),
        ("nested.names", "String values are: ['a', 'b']"),
        ("nested.bytes", "Byte values are: [b'a']"),
    ],
)
def test_param_get(ros2, name, text):
    check(ros2("param", "get", "/probe", name), text)
    check(ros2("param", "get", "--hide-type", "/probe", name), text.partition(": ")[2])


def test_param_get_errors(ros2):
    check(ros2("param", "get", "/probe", "nope"), errors="Parameter not set", code=1)
    check(ros2("param", "get", "/nope", "x"), errors="Node not found", code=1)


def test_param_set(ros2):
    check(ros2("param", "set", "/probe", "count", "7"), "Set parameter successful")
    check(ros2("param", "get", "/probe", "count"), "Integer value is: 7")
    check(ros2("param", "set", "/probe", "label", "two words"), "Set parameter successful")
    check(
        ros2("param", "set", "/probe", "nested.values", "[3.0, 4.0]"), "Set parameter successful"
    )
    dumped = ros2("param", "dump", "/probe").output
    assert dumped.startswith("/probe:\n  ros__parameters:\n    count: 7\n    fixed: true\n")
    assert "    label: two words\n    nested:\n" in dumped
    assert "      values:\n      - 3.0\n      - 4.0\n" in dumped


@pytest.mark.parametrize(
    "name,value,reason",
    [
        ("speed", "5.0", "Parameter speed out of range Min: 0.0, Max: 2.0, value: 5.0"),
        ("speed", "1", "Wrong parameter type, expected 'Type.DOUBLE' got 'Type.INTEGER'"),
        ("fixed", "false", "Trying to set a read-only parameter: fixed."),
        ("label", "forbidden", "this label is forbidden"),
    ],
)
def test_param_set_failures(ros2, name, value, reason):
    program = ros2("param", "set", "/probe", name, value)
    check(program, errors=f"Setting parameter failed: {reason}", code=1)


def test_param_describe(ros2):
    check(
        ros2("param", "describe", "/probe", "speed", "count", "fixed"),
        "Parameter name: speed\n  Type: double\n  Description: How fast\n  Constraints:\n"
        "    Min value: 0.0\n    Max value: 2.0\n    Additional constraints: none\n"
        "Parameter name: count\n  Type: integer\n  Constraints:\n    Min value: 0\n"
        "    Max value: 9\n    Step: 1\n"
        "Parameter name: fixed\n  Type: boolean\n  Constraints:\n    Read only: true",
    )
    check(ros2("param", "describe", "/probe", "nope"), errors="Parameter 'nope' not set", code=1)
