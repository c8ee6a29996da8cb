# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The verbs of ``ros2 node``, ``service`` and ``action`` against a real node."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

pytest.importorskip("rclpy")
pytestmark = [pytest.mark.system, pytest.mark.usefixtures("probe")]
HERE = Path(__file__).parent

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


def test_node(ros2_all, check):
    plain, count, info, unknown = ros2_all(
        "node list", "node list -c", "node info /probe", "node info /nope"
    )
    check(plain, "/probe")
    check(count, "1")
    assert info.output.startswith(
        "/probe\n  Subscribers:\n    /words: std_msgs/msg/String\n  Publishers:\n"
        "    /arrays: test_msgs/msg/Arrays\n"
    )
    assert "\n    /switch: std_srvs/srv/SetBool\n  Service Clients:\n\n" in info.output
    assert "  Action Servers:\n    /fibonacci: test_msgs/action/Fibonacci\n" in info.output
    check(unknown, errors="Unable to find node '/nope'", code=1)


def test_service_list(ros2_all, check):
    names = [*(f"/probe/{name}" for name in PARAMETER_SERVICES), "/switch"]
    plain, typed, count, type_, unknown, found, info = ros2_all(
        "service list",
        "service list -t",
        "service list -c",
        "service type /switch",
        "service type /nope",
        "service find std_srvs/srv/SetBool",
        "service info /switch",
    )
    check(plain, "\n".join(names))
    assert typed.output.splitlines()[-1] == "/switch [std_srvs/srv/SetBool]"
    check(count, "8")
    check(type_, "std_srvs/srv/SetBool")
    check(unknown, code=1)
    check(found, "/switch")
    check(info, "Type: std_srvs/srv/SetBool\nClients count: 0\nServices count: 1")


def test_service_call(ros2, check):
    program = ros2("service", "call", "/switch", "std_srvs/srv/SetBool", "{data: true}")
    assert program.code == 0
    lines = [line for line in program.output.splitlines() if not line.startswith("waiting")]
    assert lines == [
        "requester: making request: std_srvs.srv.SetBool_Request(data=True)",
        "",
        "response:",
        "std_srvs.srv.SetBool_Response(success=True, message='on')",
    ]
    invalid = ros2("service", "call", "/switch", "std_srvs/srv/Nope")
    check(invalid, errors="The passed service type is invalid", code=1)
    wrong = ros2("service", "call", "/switch", "std_srvs/srv/SetBool", "{nope: 1}")
    assert "'SetBool_Request' object has no attribute 'nope'" in wrong.errors


def test_service_call_waits(start):
    program = start("service", "call", "/nope", "std_srvs/srv/SetBool")
    program.wait_for("^waiting for service to become available...$")
    program.send(signal.SIGINT)
    assert program.end(5) == signal.SIGINT
    assert program.errors == ""


# action ---------------------------------------------------------------------------------------
GOAL = ("/fibonacci", "test_msgs/action/Fibonacci")


def test_action_list(ros2_all, check):
    plain, typed, count, type_, info, unknown = ros2_all(
        "action list",
        "action list -t",
        "action list -c",
        "action type /fibonacci",
        "action info /fibonacci -t",
        "action info /no",
    )
    check(plain, "/fibonacci")
    check(typed, "/fibonacci [test_msgs/action/Fibonacci]")
    check(count, "1")
    check(type_, "test_msgs/action/Fibonacci")
    check(
        info,
        "Action: /fibonacci\nAction clients: 0\nAction servers: 1\n"
        "    /probe [test_msgs/action/Fibonacci]",
    )
    check(unknown, "Action: /no\nAction clients: 0\nAction servers: 0")


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
    # feedback that is on its way may come in between
    assert "\nCanceling goal...\n" in program.output
    assert program.output.endswith("\nGoal canceled.")
    probe.wait_for("^goal of order 1000 canceled$")


@pytest.fixture
def probe_program(program_type, base_env):
    """Start further test nodes, in the namespace /killed."""
    running = []

    def start():
        program = HERE / "prefix" / "lib" / "probe_pkg" / "probe"
        running.append(program_type([str(program), "--ros-args", "-r", "__ns:=/killed"], base_env))
        running[-1].wait_for("probe ready")
        return running[-1]

    yield start
    for program in running:
        program.kill()


def test_action_of_a_server_that_is_killed(start, probe_program):
    first = probe_program()
    program = start("action", "send_goal", "/killed/fibonacci", GOAL[1], "{order: 1000}")
    program.wait_for("^Goal accepted")
    first.kill()
    probe_program()
    assert program.end() == 1
    assert "The action server does not know the goal: it was started anew" in program.errors


def test_action_errors(ros2, check):
    for type_ in ("test_msgs/action/Nope", "nonsense"):
        program = ros2("action", "send_goal", "/fibonacci", type_, "{}")
        check(program, errors="The passed action type is invalid", code=1)
    assert "no attribute 'nope'" in ros2("action", "send_goal", *GOAL, "{nope: 1}").errors
    assert "needs a dictionary" in ros2("action", "send_goal", *GOAL, "[1]").errors
