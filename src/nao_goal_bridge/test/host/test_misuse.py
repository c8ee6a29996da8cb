# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An agent that floods, ids that do not fit, and an exception of the host itself."""

import threading

import pytest

from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.msg import LinkState

pytestmark = pytest.mark.node


@pytest.fixture
def scene(hosted):
    with hosted() as scene:
        yield scene


def test_a_field_that_is_too_small_for_an_id_is_a_failure_with_the_reason_in_the_log(
    hosted, capfd
):
    small = {"pick_up_type": "legacy_robots_msgs/srv/LuarSet", "object_field": "kind"}
    with hosted(pick_up="grab", **small) as scene:
        agent = scene.greeted()
        agent.send("02 00000100", "02 FFFFFFFF")
        agent.expect("82 02", "82 02")
    logged = capfd.readouterr().err
    for number in (256, -1):
        assert f"object {number} does not fit the field kind of grab" in logged


def test_a_field_of_several_numbers_is_no_id(hosted):
    data = {"pick_up_type": "legacy_robots_msgs/srv/LuarSet", "object_field": "data"}
    with pytest.raises(StartupError, match="no id"), hosted(pick_up="grab", **data):
        pass


def test_an_agent_that_sends_without_end_is_a_fault_and_the_next_is_served(scene):
    blocked, free = threading.Event(), threading.Event()

    def block():
        blocked.set()
        free.wait(40.0)

    agent = scene.greeted()
    scene.node.call_soon(block)
    assert blocked.wait(40.0)
    agent.send("04" * 1100)
    fault = scene.link.wait_for(lambda m: m.state == LinkState.FAULT)
    assert fault.detail == "the agent sends commands faster than they are answered"
    free.set()
    successor = scene.greeted()
    successor.send("04")
    successor.expect("81 04")


def test_an_unexpected_exception_is_an_error_and_the_next_agent_is_served(scene):
    agent = scene.greeted()
    body = scene.node._body
    hands, body._objects = body._objects, None
    agent.send("02 00000005")
    agent.expect("80")
    agent.send("03")
    agent.expect("82 03")
    body._objects = hands
    agent.close()
    successor = scene.greeted()
    successor.send("02 00000005")
    successor.expect("81 02", "8D 00000005")
