# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Levels, health and refusals, as a user of services and parameters meets them."""

from __future__ import annotations

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav_msgs.msg import Odometry
from std_srvs.srv import Trigger

from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import RoboSkateInitialize
from legacy_robots_testing.ros_peer import RosPeer, wait
from legacy_robots_testing.running_node import RunningNode
from roboskate_bridge.bridge.node import RoboSkateBridge

pytestmark = pytest.mark.node


def test_levels(make_world):
    with make_world(auto_initialize=False) as world:
        world.wait_for_link()
        assert world.game.world.level is None
        assert not world.trigger("reset").success
        for level, succeeds in ((2, True), (7, False), (1, True)):
            answer = world.peer.call(
                RoboSkateInitialize, "/roboskate/initialize",
                RoboSkateInitialize.Request(level=level),
            )  # fmt: skip
            assert answer.success == succeeds
            if succeeds:
                assert (answer.image_width, answer.image_height) == (64, 36)
            else:
                assert "initialize failed" in answer.message
        assert world.game.world.level == 1
        odometry = world.stream(Odometry, "/roboskate/odom").wait_for()
        assert odometry.pose.pose.position.x == pytest.approx(107.69)
        assert world.trigger("shutdown").success
        assert world.game.world.level is None
        assert not world.trigger("shutdown").success
        negative = world.peer.call(
            RoboSkateInitialize, "/roboskate/initialize", RoboSkateInitialize.Request(level=-1)
        )
        assert (negative.success, negative.message) == (False, "there is no level -1")


def test_link_state_and_diagnostics_tell_of_a_fault(make_world):
    with make_world() as world:
        world.wait_for_link()
        diagnostics = world.stream(DiagnosticArray, "/diagnostics")
        healthy = diagnostics.wait_for(lambda m: m.status[0].level == DiagnosticStatus.OK)
        assert healthy.status[0].name == "roboskate/bridge"
        assert {v.key: v.value for v in healthy.status[0].values}["profile"] == "spec"
        odometry = world.stream(Odometry, "/roboskate/odom")
        odometry.wait_for()
        world.game.inject("wrong_length")
        bad = world.link.wait_for(lambda m: m.state == LinkState.FAULT)
        assert bad.detail == "boardRotation has 7 floats instead of 9"
        diagnostics.wait_for(
            lambda m: (
                m.status[0].level == DiagnosticStatus.ERROR
                and m.status[0].message == "boardRotation has 7 floats instead of 9"
            )
        )
        world.wait_for_link(2)
        answer = world.trigger("reset")
        assert answer.success


def test_services_that_come_before_the_game_wait_for_it_but_not_a_shutdown(make_game, free_port):
    parameters = {"port": free_port, "image_width": 64, "image_height": 36}
    with RunningNode(RoboSkateBridge, parameters), RosPeer() as peer:
        reset = peer.call_later(Trigger, "/roboskate/reset")
        shutdown = peer.call(Trigger, "/roboskate/shutdown")  # comes after it
        assert not shutdown.success
        assert "not connected to grpc://127.0.0.1" in shutdown.message
        assert not reset.done()
        make_game(port=free_port)
        answer = wait(reset, "reset")
        assert answer.success, answer.message


def test_a_service_that_waits_for_the_game_is_answered_when_the_program_ends(free_port):
    running = RunningNode(RoboSkateBridge, {"port": free_port})
    with running, RosPeer() as peer:
        reset = peer.call_later(Trigger, "/roboskate/reset")
        assert not peer.call(Trigger, "/roboskate/shutdown").success  # comes after it
        running.stop()
        answer = wait(reset, "reset")
        assert (answer.success, answer.message) == (False, "the bridge is shutting down")


@pytest.mark.parametrize(
    "parameters, error, words",
    [
        ({"profile": "guess"}, ParameterError, "profile"),
        ({"transport": "tcp"}, ParameterError, "transport"),
        ({"step_period": 0.0}, ParameterError, "step_period"),
        ({"image_width": 7680, "image_height": 4320}, ParameterError, "7680 x 4320"),
        ({"camera_info_url": "http://here"}, StartupError, "neither file:// nor package://"),
        ({"camera_info_url": "package://no_such/x.yaml"}, StartupError, "no package"),
        ({"camera_info_url": "/no/such/file"}, StartupError, "cannot be read"),
        ({"urdf": "/no/such/file"}, StartupError, "cannot be read"),
    ],
)
def test_a_bad_parameter_is_one_sentence(parameters, error, words):
    with pytest.raises(error, match=words), RunningNode(RoboSkateBridge, parameters):
        pass
