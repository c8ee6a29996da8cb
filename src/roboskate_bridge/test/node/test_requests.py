# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Each request under way is answered once, whatever ends first."""

from __future__ import annotations

import os
import signal

import pytest
from ament_index_python.packages import get_package_prefix
from rcl_interfaces.srv import GetParameters
from std_srvs.srv import Trigger

from legacy_robots_msgs.srv import RoboSkateRunGame
from legacy_robots_testing.machine import ros2
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer, wait
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


def test_the_others_are_answered_though_a_client_was_killed(make_world, begun):
    with make_world(**PATIENT) as world:
        futures = begun(world)
        command = ros2("service", "call", "/roboskate/reset", "std_srvs/srv/Trigger")
        with Process(command) as client:
            client.wait_for_line("requester: making request")
            while len(world.node._requests) == len(futures):
                assert not any(future.done() for future in futures)
            os.kill(client.pid, signal.SIGKILL)
            client.wait()
        world.game.service.end_fault()
        answers, took = answers_of(futures)
        assert took < 1.0
        # In which order requests of several clients come is not said.
        assert all(answer.success != bool(answer.message) for answer in answers)
        assert answers[REQUESTS.index("initialize")].success


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_under_way_is_answered_when_the_process_gets_a_signal(make_game, number):
    game = make_game()
    calls = Recorder("calls")
    game.service._on_call = calls.add
    program = f"{get_package_prefix('roboskate_bridge')}/lib/roboskate_bridge/bridge"
    parameters = {"port": game.port, "mode": "stepped", "call_timeout": 60.0}
    arguments = [word for n, v in parameters.items() for word in ("-p", f"{n}:={v}")]
    with Process([program, "--ros-args", *arguments]) as bridge, RosPeer() as peer:
        bridge.wait_for_line("link connected")
        game.service.begin_fault("stall")
        calls.clear()
        request = RoboSkateRunGame.Request(seconds=0.05)
        future = peer.call_later(RoboSkateRunGame, "/roboskate/run_game", request)
        calls.wait_for(lambda name: name in ("run_game", "get_info"))
        queued = peer.call_later(Trigger, "/roboskate/reset")
        # Both have reached the bridge when one that came after them is answered.
        parameter = peer.call(GetParameters, "/roboskate/bridge/get_parameters")
        assert parameter.values == []
        bridge.signal(number)
        answers, took = answers_of([future, queued])
        assert took < 1.0
        assert {answer.message for answer in answers} == {"the bridge is shutting down"}
        game.service.end_fault()
        assert bridge.wait() == 0
        assert "Traceback" not in "\n".join(bridge.lines.items)


@pytest.mark.parametrize("executor_type", TASK_ORDERS)
def test_requests_are_carried_out_in_any_order_of_tasks(make_world, executor_type):
    with make_world(mode="stepped", executor_type=executor_type) as world:
        world.wait_for_link()
        for _ in range(5):
            futures = [world.call_later(name) for name in ("run_game", "reset", "run_game")]
            answers, _ = answers_of(futures)
            assert [answer.success for answer in answers] == [True, True, True]
