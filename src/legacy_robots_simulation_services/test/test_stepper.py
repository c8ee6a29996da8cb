# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node that steps a launch, by the action of simulation_interfaces, and what ends its time."""

import os
import sys

import pytest
from action_msgs.msg import GoalStatus
from simulation_interfaces import action, msg, srv

from legacy_robots_simulation.control_channel import ControlServer
from legacy_robots_simulation.controls import Controls, State
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node

# A process of its own, as it waits until all others that its parent has started sleep.
STEPPER = "from legacy_robots_simulation_services.stepper import main; main()"


@pytest.fixture
def peer():
    with RosPeer("peer", "/simulation") as peer:
        yield peer


@pytest.fixture
def start():
    """Return what starts the stepper with further parameters."""
    started = []

    def run(*parameters):
        given = [word for p in ("discovery:=0.0", *parameters) for word in ("-p", p)]
        process = Process([sys.executable, "-c", STEPPER, "--ros-args", *given])
        started.append(process)
        return process

    yield run
    for process in started:
        process.close()


def test_the_action_lets_steps_pass(peer, start):
    start()
    kind = action.SimulateSteps
    end = peer.send_goal(kind, "simulate_steps", kind.Goal(steps=3)).end()
    result = end.result.result
    assert (end.status, result.result) == (GoalStatus.STATUS_SUCCEEDED, 1), result.error_message


class Absurd(Controls):
    """A simulator whose time is no number."""

    abilities = frozenset(("play",))

    def state(self):
        return State.PAUSED

    def step(self, seconds=0.0):
        return "half past nine"


def test_an_unexpected_exception_stops_the_time_and_is_told(peer, start):
    name = f"absurd-{os.getpid()}"
    simulator = ControlServer(Absurd(), name)
    simulator.start()
    try:
        stepper = start(f"controls:=[{name}]")
        states, kind = msg.SimulationState, srv.SetSimulationState
        request = kind.Request(state=states(state=states.STATE_PLAYING))
        answer = peer.call(kind, "set_simulation_state", request)
        assert answer.result.result == 1, answer.result.error_message
        stepper.wait_for_line("time stands still: a step failed")
        get = srv.GetSimulationState
        until(
            lambda: peer.call(get, "get_simulation_state").state.state == states.STATE_PAUSED,
            "it plays on",
        )
    finally:
        simulator.close()
