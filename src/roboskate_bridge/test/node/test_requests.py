# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Each request under way is answered once, whatever ends first."""

from __future__ import annotations

import pytest

from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import wait
from legacy_robots_testing.stopwatch import Stopwatch
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

REQUESTS = ("run_game", "reset", "initialize", "shutdown")


@pytest.fixture
def begun(make_game):
    """Return a function that has requests wait for a game that does not answer."""

    def begin(world):
        world.wait_for_link()
        calls = Recorder("calls")
        world.game.service._on_call = calls.add
        world.game.service.begin_fault("stall")
        calls.wait_for()
        futures = [world.call_later(name) for name in REQUESTS]
        while len(world.node._requests) < len(REQUESTS):
            assert not any(future.done() for future in futures)
        return futures

    return begin


def answers_of(futures):
    """Return the responses to requests, and the seconds until the last had come."""
    with Stopwatch() as watch:
        answers = [wait(future, "an answer") for future in futures]
        return answers, watch.seconds


PATIENT = {"mode": "stepped", "call_timeout": 60.0, "initialize_timeout": 60.0}


@pytest.mark.parametrize("executor_type", TASK_ORDERS)
def test_requests_under_way_are_answered_when_the_program_stops(make_world, begun, executor_type):
    with make_world(executor_type=executor_type, **PATIENT) as world:
        futures = begun(world)
        world.stop()
        answers, took = answers_of(futures)
        assert took < 1.0
        for answer in answers:
            assert (answer.success, answer.message) == (False, "the bridge is shutting down")


@pytest.mark.parametrize("transport", ["grpc", "http"])
@pytest.mark.parametrize("executor_type", TASK_ORDERS)
def test_requests_under_way_are_answered_when_the_link_is_lost(
    make_world, begun, executor_type, transport
):
    with make_world(
        faults=("cut",), transport=transport, executor_type=executor_type, **PATIENT
    ) as world:
        futures = begun(world)
        for relay in world.game._relays:
            relay.stop()
        answers, took = answers_of(futures)
        assert took < 1.0
        for answer in answers:
            assert not answer.success
            assert "cannot be reached" in answer.message or "was lost" in answer.message


@pytest.mark.parametrize("executor_type", TASK_ORDERS)
def test_requests_are_carried_out_in_any_order_of_tasks(make_world, executor_type):
    with make_world(mode="stepped", executor_type=executor_type) as world:
        world.wait_for_link()
        for _ in range(5):
            futures = [world.call_later(name) for name in ("run_game", "reset", "run_game")]
            answers, _ = answers_of(futures)
            assert [answer.success for answer in answers] == [True, True, True]
