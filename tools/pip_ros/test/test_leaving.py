# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Commands at their ends: a node that hangs, Ctrl-C at any time, a process that is held up."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("rclpy")
pytestmark = [pytest.mark.system, pytest.mark.usefixtures("probe")]

STUCK = """
import ctypes
import rclpy.node
import ros2_command.leaving
ros2_command.leaving.LEAVE_SECONDS = 1
def destroy_node(self):
    ctypes.PyDLL(None).sleep(100)  # holds the interpreter
rclpy.node.Node.destroy_node = destroy_node
"""
COMMANDS = {
    "node list": (0, "/probe\n"),
    "node info /probe": (0, "  Subscribers:\n"),
    "topic list": (0, "/state\n"),
    "topic type /state": (0, "std_msgs/msg/String\n"),
    "topic info /state": (0, "Publisher count: 1\n"),
    "topic info /nothing": (1, "Unknown topic '/nothing'\n"),
    "topic echo --once /ticks": (0, "data: "),
    "topic pub --once /words std_msgs/msg/String {data: x}": (0, "publishing #1: "),
    "service list": (0, "/probe/get_parameters\n"),
    "service type /nothing": (1, ""),
    "param get /probe fixed": (0, "Boolean value is: True\n"),
    "param get /probe nothing": (1, "Parameter not set\n"),
    "param set /probe speed 5.0": (1, "Setting parameter failed"),
    "service call /switch std_srvs/srv/SetBool {data: true}": (0, "response:\n"),
    "action list": (0, "/fibonacci\n"),
    "action info /fibonacci": (0, "Action servers: 1\n"),
    "action send_goal /fibonacci test_msgs/action/Fibonacci {order: 1}": (0, "SUCCEEDED\n"),
    "action send_goal /fibonacci test_msgs/action/Fibonacci {order: -1}": (0, "rejected.\n"),
}
AT_ONCE = 4


@pytest.fixture
def stuck(tmp_path, env) -> dict[str, str]:
    """The environment of a Python in which no node can be destroyed."""
    (tmp_path / "sitecustomize.py").write_text(STUCK)
    return {"PYTHONPATH": os.pathsep.join([str(tmp_path), env["PYTHONPATH"]])}


def words(command: str) -> list[str]:
    """Split at blanks, but not within braces."""
    head, brace, tail = command.partition("{")
    return head.split() + ([brace + tail] if brace else [])


@pytest.mark.parametrize("first", range(0, len(COMMANDS), AT_ONCE))
def test_a_hanging_node_keeps_neither_output_nor_exit_code(start, stuck, first):
    commands = list(COMMANDS.items())[first : first + AT_ONCE]
    programs = [start(*words(command), more_env=stuck) for command, _ in commands]
    for program, (command, (code, output)) in zip(programs, commands, strict=True):
        assert program.end(60) == code, command + program.output + program.errors
        assert output in f"{program.output}{program.errors}\n", command


def test_an_unexpected_error_is_told_before_the_node_is_destroyed(env, stuck):
    program = (
        "import sys; from ros2_command import cli, graph\n"
        "graph.Graph.wait_for_discovery = lambda *_: 1 / 0\n"
        "sys.exit(cli.main(['node', 'list']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**env, **stuck},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")


INTERRUPT = """
import os, signal
from rclpy.executors import SingleThreadedExecutor
from ros2_command.graph import open_graph, spin
def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)
    os.getpid()  # Python looks for signals between its instructions
{where}
try:
    spin(open_graph(None).node, until, 20.0)
except KeyboardInterrupt:
    print("interrupted")
"""
WITHIN = {
    "destructor": """
class Dying:
    __del__ = interrupt
def until():
    Dying()
    return False
""",
    "constructor": """
make = SingleThreadedExecutor.__init__
def make_interrupted(executor):
    interrupt()
    make(executor)
SingleThreadedExecutor.__init__ = make_interrupted
def until():
    return False
""",
}


@pytest.mark.parametrize("where", WITHIN)
def test_ctrl_c_is_followed_wherever_it_comes(env, where):
    program = INTERRUPT.format(where=WITHIN[where])
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def test_a_command_that_was_held_up_still_finds_the_graph(env):
    program = """
import os, signal, sys, time
from ros2_command import cli, graph
class Held:  # the graph's module of time, whose first sleep holds the whole process up
    monotonic = time.monotonic
    def sleep(seconds):
        Held.sleep = time.sleep
        os.kill(os.getpid(), signal.SIGSTOP)
graph.time = Held
sys.exit(cli.main(["topic", "list"]))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, text=True
    ) as command:
        assert os.WIFSTOPPED(os.waitpid(command.pid, os.WUNTRACED)[1])
        time.sleep(4)  # longer than a command waits
        command.send_signal(signal.SIGCONT)
        output, _ = command.communicate()
    assert "/ticks" in output.splitlines()
