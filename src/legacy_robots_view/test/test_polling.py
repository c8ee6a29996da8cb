# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Topics are read when asked for: the newest message counts; the rate is known all the same."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from std_msgs.msg import Int32, String

from legacy_robots_common.node import qos
from legacy_robots_testing.polling import until
from legacy_robots_view.polling import Polled, RateMeter


def test_a_rate_is_that_of_publication_not_of_looking():
    meter = RateMeter(window=3.0)
    for look in range(5):  # each look finds the newest of 20 messages a second
        meter.see(now=10.0 + look, published=9.9 + look, count=100 + 20 * look)
    assert meter.rate(14.0) == pytest.approx(20.0)


def test_a_rate_forgets_what_is_long_ago():
    meter = RateMeter(window=3.0)
    meter.see(0.0, 0.0, 1)
    meter.see(1.0, 1.0, 2)
    meter.see(50.0, 50.0, 3)
    meter.see(51.0, 51.0, 13)
    assert meter.rate(51.0) == pytest.approx(10.0)
    assert meter.rate(54.5) == 0.0


def test_a_publisher_that_begins_anew_has_no_negative_rate():
    meter = RateMeter(window=3.0)
    meter.see(1.0, 1.0, 500)
    meter.see(1.5, 1.5, 1)
    assert meter.rate(1.5) == 0.0
    meter.see(2.0, 2.0, 6)
    assert meter.rate(2.0) == pytest.approx(10.0)


def test_two_messages_of_one_moment_make_no_rate():
    meter = RateMeter()
    meter.see(1.0, 1.0, 1)
    meter.see(1.0, 1.0, 2)
    assert meter.rate(1.0) == 0.0


@pytest.fixture
def node() -> Iterator[Node]:
    context = Context()
    rclpy.init(context=context)
    node = Node("looker", context=context)
    yield node
    node.destroy_node()
    rclpy.shutdown(context=context)


@pytest.mark.node
def test_the_newest_of_many_messages_is_read(node):
    polled = Polled(node, Int32, "numbers")
    publisher = node.create_publisher(Int32, "numbers", 10)
    until(publisher.get_subscription_count)
    for number in range(50):
        publisher.publish(Int32(data=number))

    def newest():
        taken = polled.take(time.monotonic())
        return taken and polled.read(taken).data == 49

    until(newest)
    assert polled.take(time.monotonic()) is None
    polled.close()


@pytest.mark.node
def test_a_latched_message_tells_how_old_it_is(node):
    publisher = node.create_publisher(String, "reported", qos.LATCHED)
    publisher.publish(String(data="once"))
    published = time.monotonic()
    until(lambda: time.monotonic() - published > 0.2)
    polled = Polled.latched(node, String, "reported")
    taken = until(lambda: polled.take(time.monotonic()))
    assert polled.read(taken).data == "once"
    assert 0.2 <= taken.age <= time.monotonic() - published + 0.1
    polled.close()


@pytest.mark.node
def test_messages_do_not_wake_the_executor(node):
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    polled = Polled(node, Int32, "numbers")
    publisher = node.create_publisher(Int32, "numbers", 10)
    until(publisher.get_subscription_count)
    executor.spin_once(timeout_sec=0.05)  # what the new entities have brought
    publisher.publish(Int32(data=7))
    executor.spin_once(timeout_sec=0.2)
    taken = until(lambda: polled.take(time.monotonic()))  # it was not taken before
    assert polled.read(taken).data == 7
    executor.shutdown()
    polled.close()
