# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The same launch files and commands under the real launch, launch_ros and ros2cli.

LEGACY_ROBOTS_REAL_ROS2CLI names the prefix of an installation that holds the three beside the
rclpy of this Python (``bin/ros2``, ``lib/python3.X/site-packages``, ``share/ament_index``).
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = HERE / "cases"
REAL = os.environ.get("LEGACY_ROBOTS_REAL_ROS2CLI")

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(
        not REAL, reason="needs the real ros2cli: see tools/pip_ros/README.md, Tests"
    ),
]


@pytest.fixture(scope="module")
def real(base_env, program_type):
    """Run the real ``ros2 WORDS`` to its end, with a daemon that knows the graph."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    paths = {
        "PYTHONPATH": [f"{REAL}/lib/{version}/site-packages"],
        "AMENT_PREFIX_PATH": [base_env["AMENT_PREFIX_PATH"], REAL],
        "LD_LIBRARY_PATH": [f"{REAL}/lib", *filter(None, [base_env.get("LD_LIBRARY_PATH")])],
    }
    env = {**base_env, **{name: os.pathsep.join(parts) for name, parts in paths.items()}}

    def run(*words, timeout=60.0):
        program = program_type([sys.executable, f"{REAL}/bin/ros2", *map(str, words)], env)
        try:
            program.code = program.end(timeout)
        finally:
            program.kill()
        return program

    run("daemon", "start")
    yield run
    run("daemon", "stop")


@pytest.fixture
def both(real, ros2):
    """Run a command with both."""
    return lambda *words: (ros2(*words), real(*words))


def by_process(output):
    """The lines of each process and of launch itself, without what differs from run to run."""
    found = {}
    for line in output.splitlines():
        if "All log files can be found below" in line:
            continue
        line = re.sub(r"\[?pid \[?\d+\]?", "pid", line)
        line = re.sub(r"!!python/tuple", "", line).rstrip()
        match = re.match(r"(?:\[[A-Z]+\] )?\[([^]]+)\]", line)
        found.setdefault(match[1] if match else "", []).append(line)
    for name, lines in found.items():
        # The output, its two streams and the reports about the process mix in any order.
        reports = [line for line in lines if re.match(r"\[[A-Z]+\]", line)]
        output = [line for line in lines if line not in reports]
        streams_mix = any("--err" in line for line in output)
        found[name] = (reports, sorted(output) if streams_mix else output)
    return found


@pytest.mark.parametrize(
    "words",
    [
        ["structure.launch.py"],
        ["structure.launch.py", "y:=1", "mode:=b", "x:=from outside"],
        ["structure.launch.py", "mode:=c"],
        ["nodes.launch.py"],
        ["nodes.launch.py", "number:=5", "flag:=1", "list:=[1,2,3]"],
        ["events.launch.py"],
    ],
    ids=" ".join,
)
def test_launch_files(both, words):
    ours, theirs = both("launch", CASES / words[0], *words[1:])
    assert ours.code == theirs.code
    assert by_process(ours.output) == by_process(theirs.output)


@pytest.mark.parametrize("name", ["structure", "nodes", "events", "included"])
def test_show_args(both, name):
    ours, theirs = both("launch", CASES / f"{name}.launch.py", "-s")
    assert (ours.code, ours.output) == (theirs.code, theirs.output)


COMMANDS = """
topic list | topic list -t | topic list -c | topic type /pose | topic type /nope
topic find std_msgs/msg/String | topic info /ticks | topic info /state -v | topic info /nope
topic echo /state --once | topic echo /arrays --once | topic echo /arrays --once --no-arr
topic echo /arrays --once -l 2 | topic echo /pose --once | topic echo /pose --once --csv
topic echo /pose --once --field pose | topic echo /pose --once --field nope | topic echo /nope
topic echo /ticks nonsense | topic echo /state --once --no-str | topic echo /ticks --once
topic pub -w 0 -t 2 -r 20 /p std_msgs/msg/String {data:\u00a0x}
topic pub -w 0 -t 1 /p geometry_msgs/msg/Pose {position:\u00a0{x:\u00a01}}
topic pub -w 0 -t 1 /p std_msgs/msg/String {nope:\u00a01} | topic pub /p nonsense
node list | node list -c | node info /probe | node info /nope
service list | service list -t | service list -c | service type /switch | service type /nope
service find std_srvs/srv/SetBool | service info /switch
service call /switch std_srvs/srv/SetBool {data:\u00a0true} | service call /switch nonsense
action list | action list -t | action list -c | action type /fibonacci | action info /fibonacci
action info /fibonacci -t | action info /fibonacci -c | action info /nope
action send_goal /fibonacci test_msgs/action/Fibonacci {order:\u00a03}
action send_goal -f /fibonacci test_msgs/action/Fibonacci {order:\u00a04}
action send_goal /fibonacci test_msgs/action/Fibonacci {order:\u00a0-1}
action send_goal /fibonacci nonsense {}
param list | param list /probe | param list --param-type /probe | param list /nope
param get /probe speed | param get /probe nested.names | param get /probe nope | param get /nope x
param get --hide-type /probe label | param set /probe count 5 | param set /nope x 1
param describe /probe speed count fixed label | param dump /probe
interface show geometry_msgs/msg/PoseStamped | interface show std_srvs/srv/SetBool
interface show sensor_msgs/msg/Imu | interface show test_msgs/action/Fibonacci
interface show geometry_msgs/msg/PoseStamped --all-comments | interface show nope
interface show diagnostic_msgs/msg/DiagnosticStatus
interface list -m | interface packages -a | interface package nope
pkg prefix probe_pkg | pkg prefix probe_pkg --share | pkg prefix nope | pkg executables nope
run probe_pkg printer | run probe_pkg nope | run nope nope
launch nope x.launch.py | launch probe_pkg nope.launch.py
"""


def normalised(program):
    text = f"{program.output}\n--- stderr\n{program.errors}"
    for pattern, replacement in (
        (r"([0-9a-f]{2}\.){15}[0-9a-f]{2}", "GID"),
        (r"[0-9a-f]{32}", "UUID"),
        (r"sec: \d+", "sec: N"),
        (r"^\d{10},\d+", "STAMP"),
        (r"tick \d+", "tick N"),
        (r", searching: \[.*", ""),
        # Discovery decides whether these come.
        (r"^WARNING: topic \[/(?!nope).*\n", ""),
        (r"^Waiting for at least .*\n", ""),
        (r"^waiting for service to become available...\n", ""),
    ):
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return program.code, text.replace("\n\n--- stderr", "\n--- stderr")


@pytest.mark.usefixtures("probe")
@pytest.mark.parametrize(
    "command", [entry.strip() for entry in re.split(r"[|\n]", COMMANDS) if entry.strip()]
)
def test_commands(ros2, real, command):
    words = [word.replace("\u00a0", " ") for word in command.split(" ")]
    expected = normalised(ros2(*words))
    # The discovery of the original is not reliable: it may need another attempt.
    for _ in range(3):
        if normalised(real(*words)) == expected:
            return
    assert expected == normalised(real(*words))
