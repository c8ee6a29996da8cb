# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A runner spins a node until it is told to stop, and remembers nothing of its turns."""

import gc
import threading
import tracemalloc

import pytest
import rclpy
from rclpy.action import ActionServer
from rclpy.context import Context
from rclpy.impl.implementation_singleton import rclpy_implementation

from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_common.node.runner import Runner
from legacy_robots_msgs.action import NaoPickUp
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node

TURNS = 1000


class Recording(ProgramNode):
    """Records how it begins and ends."""

    def __init__(self, **arguments):
        super().__init__("recording", **arguments)
        self.calls = []
        self.reported = []
        self.started = threading.Event()
        self.turns_to_settle = 3

    def start(self):
        self.calls.append("start")
        self.call_soon(self.started.set)

    def stop(self):
        self.calls.append("stop")

    @property
    def settled(self):
        self.turns_to_settle -= 1
        return self.turns_to_settle < 0

    def close(self):
        self.calls.append("close")

    def on_exception(self, where, text):
        self.reported.append(text)


@pytest.fixture
def node():
    """Return a node in a context of its own."""
    context = Context()
    rclpy.init(context=context)
    yield Recording(context=context)
    rclpy.shutdown(context=context)


@pytest.fixture
def running(node):
    """Return a node that spins on a thread, with its runner and the thread."""
    runner = Runner(node)
    thread = threading.Thread(target=runner.run)
    thread.start()
    assert node.started.wait(10.0)
    yield node, runner, thread
    runner.stop()
    thread.join(10.0)


def test_turns_leave_nothing_behind(node):
    runner = Runner(node)
    allocated = []

    def turn(number):
        if number % TURNS == 0:
            allocated.append(tracemalloc.get_traced_memory()[0])
        if number < 3 * TURNS:
            node.call_soon(turn, number + 1)
        else:
            runner.stop()

    node.call_soon(turn, 0)
    tracemalloc.start()
    try:
        runner.run()
    finally:
        tracemalloc.stop()
    # A list entry a turn is 8 bytes, a callback 64 more.
    assert allocated[-1] - allocated[1] < 4 * TURNS


def test_a_node_that_has_ended_is_destroyed_later(node):
    runner = Runner(node)
    runner.stop()
    runner.spin()
    assert node.get_name() in node.get_node_names()
    runner.destroy()
    runner.destroy()  # a second time has no effect
    with pytest.raises(rclpy_implementation.InvalidHandle):
        node.get_node_names()


def test_a_node_that_cannot_be_made_is_not_on_the_graph(node):
    class Half(ProgramNode):
        def __init__(self, **arguments):
            super().__init__("half", **arguments)
            raise StartupError("no more")

        def destroy_node(self):
            self.body.close()  # which it would have had
            super().destroy_node()

    with pytest.raises(StartupError) as raised:
        Half(context=node.context)
    assert "half" not in node.get_node_names()
    assert raised.value  # which holds its frames


def test_timers_that_are_over_leave_nothing_behind(node):
    allocated = []
    tracemalloc.start()
    try:
        for _ in range(3):
            for _ in range(TURNS):
                node.destroy_timer(node.steady_timer(10.0, int))
            gc.collect()
            allocated.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    # A weak reference is 72 bytes.
    assert allocated[-1] - allocated[0] < 8 * TURNS


def test_another_thread_stops_it_while_nothing_happens(running):
    node, runner, thread = running
    runner.stop()
    thread.join(10.0)
    assert not thread.is_alive()
    assert node.calls == ["start", "stop", "close"]
    assert node.turns_to_settle < 0
    runner.stop()  # once more does nothing


def test_an_exception_in_a_callback_is_reported_and_the_node_goes_on(running):
    node, _, _ = running
    went_on = threading.Event()

    def fail():
        node.call_soon(went_on.set)
        raise ValueError("a fault of the test")

    node.call_soon(fail)
    assert went_on.wait(10.0)
    assert "ValueError: a fault of the test" in node.reported[0]


def test_an_exception_in_a_step_of_the_end_does_not_stop_the_others(running, monkeypatch):
    node, runner, thread = running

    def fail():
        raise ValueError("a fault of the test")

    monkeypatch.setattr(node, "stop", fail)
    runner.stop()
    thread.join(10.0)
    assert node.calls == ["start", "close"]
    assert "ValueError: a fault of the test" in node.reported[0]


def test_a_node_ends_its_program_by_an_exit_code(running):
    node, _, thread = running

    def end():
        node.exit_code = 3

    node.call_soon(end)
    thread.join(10.0)
    assert node.calls == ["start", "stop", "close"]


def test_the_actions_of_a_destroyed_node_are_off_the_graph_before_its_garbage_is_collected(
    running,
):
    node, runner, thread = running
    server = ActionServer(node, NaoPickUp, "remains", lambda goal: NaoPickUp.Result())
    with RosPeer() as peer:
        status = "/remains/_action/status"
        peer.wait_for_publishers(status)
        runner.stop()
        thread.join(10.0)
        peer.wait_for_no_publisher(status)
    assert server is not None  # held until now, as garbage in a cycle would be
