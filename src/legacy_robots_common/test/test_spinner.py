# SPDX-License-Identifier: Apache-2.0
"""An executor spins until it is told to stop, and remembers nothing of its turns."""

import threading
import tracemalloc

import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor

from legacy_robots_common.spinner import Spinner

TURNS = 1000


@pytest.fixture
def executor():
    """Return an executor in a context of its own."""
    context = Context()
    rclpy.init(context=context)
    executor = SingleThreadedExecutor(context=context)
    yield executor
    executor.shutdown()
    rclpy.shutdown(context=context)


def test_turns_leave_nothing_behind(executor):
    spinner = Spinner(executor)
    allocated = []

    def turn(number):
        if number % TURNS == 0:
            allocated.append(tracemalloc.get_traced_memory()[0])
        if number < 3 * TURNS:
            executor.create_task(turn, number + 1)
        else:
            spinner.stop()

    executor.create_task(turn, 0)
    tracemalloc.start()
    try:
        spinner.spin()
    finally:
        tracemalloc.stop()
    # A list entry a turn is 8 bytes, a callback 64 more.
    assert allocated[-1] - allocated[1] < 4 * TURNS


def test_another_thread_stops_it_while_nothing_happens(executor):
    spinner = Spinner(executor)
    thread = threading.Thread(target=spinner.spin)
    thread.start()
    spinner.stop()
    thread.join(10.0)
    assert not thread.is_alive()


def test_what_a_callback_raises_comes_out(executor):
    def fail():
        raise ValueError("a fault of the program")

    executor.create_task(fail)
    with pytest.raises(ValueError, match="a fault of the program"):
        Spinner(executor).spin()
