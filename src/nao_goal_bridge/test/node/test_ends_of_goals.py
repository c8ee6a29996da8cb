# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever ends a goal under way: every client gets one result, soon, and a true one."""

from contextlib import contextmanager

import pytest
from action_msgs.msg import GoalStatus
from std_srvs.srv import Trigger

from legacy_robots_msgs.msg import NaoOutcome, NaoState
from legacy_robots_testing.ros_peer import RosPeer, wait
from legacy_robots_testing.stopwatch import Stopwatch
from legacy_robots_testing.task_orders import TASK_ORDERS
from nao_goal_bridge.protocol import Exit, Halt
from nao_goal_bridge.simulator.nao_settings import NaoSettings

pytestmark = pytest.mark.node

ACTIONS = ("go_to", "pick_up", "put_down")
LONG = 600.0
"""Seconds that the action under test takes: it does not end by itself."""
WITHIN_S = 1.0


@pytest.fixture(params=TASK_ORDERS, ids=lambda order: order.__name__)
def executor_type(request):
    """Run the bridge on executors of both orders of tasks."""
    return request.param


@pytest.fixture
def under_way(bridged, client_type, executor_type):
    """Return a context manager: a scene where an action is under way, and two clients' goals.

    The first client's goal is under way, the second client's waits behind it.
    """

    @contextmanager
    def scene_of(action, **settings):
        durations = {
            "go_to": {"speed": 2.0 / LONG},
            "pick_up": {"grab_time": LONG},
            "put_down": {"put_down_time": LONG},
        }[action]
        brisk = {"speed": 20.0, "grab_time": 0.05, "put_down_time": 0.05, "see_rate": 0.0}
        nao = NaoSettings(**{**brisk, **durations, **settings})
        with bridged(nao, executor_type=executor_type) as scene, RosPeer("second") as peer:
            if action != "go_to":
                assert scene.go_to(114).result().outcome.code == NaoOutcome.SUCCEEDED
            if action == "put_down":
                assert scene.pick_up(1).result().outcome.code == NaoOutcome.SUCCEEDED
            other = client_type(peer)
            assert other.go_to(999).result().outcome.code == NaoOutcome.FAILED  # it is discovered
            first = {
                "go_to": lambda: scene.go_to(114),
                "pick_up": lambda: scene.pick_up(1),
                "put_down": scene.put_down,
            }[action]()
            first.feedback.wait_for(lambda f: f.phase == f.EXECUTING)
            second = other.go_to(80)
            second.feedback.wait_for(lambda f: f.phase == f.QUEUED)
            yield scene, first, second

    return scene_of


def ends_within_a_second(goals, cause):
    """Return the ends of the goals after ``cause()``."""
    with Stopwatch() as watch:
        cause()
        ends = [goal.end() for goal in goals]
        assert watch.seconds < WITHIN_S
    return ends


@pytest.mark.parametrize("action", ACTIONS)
def test_the_program_is_stopped(under_way, action):
    with under_way(action) as (scene, *goals):
        for end in ends_within_a_second(goals, scene.running.stop):
            assert end.status == GoalStatus.STATUS_ABORTED
            assert end.result.outcome.code == NaoOutcome.SHUTDOWN
        world = scene.simulator.world
        assert scene.simulator.wait_for(lambda: world.state == NaoState.HALTED)


@pytest.mark.parametrize("action", ACTIONS)
def test_the_link_is_lost(under_way, action):
    with under_way(action) as (scene, *goals):
        for end in ends_within_a_second(goals, lambda: scene.simulator.inject("cut")):
            assert end.status == GoalStatus.STATUS_ABORTED
            assert end.result.outcome.code == NaoOutcome.LINK_LOST
        scene.wait_for_link(connections=2)


def test_a_walk_is_cancelled(under_way):
    with under_way("go_to") as (scene, first, second):
        (end,) = ends_within_a_second([first], lambda: first.cancel() or pytest.fail("refused"))
        assert end.status == GoalStatus.STATUS_CANCELED
        assert end.result.outcome.code == NaoOutcome.HALTED
        second.feedback.wait_for(lambda f: f.phase == f.EXECUTING)
        assert second.cancel()
        assert second.end().status == GoalStatus.STATUS_CANCELED
        assert scene.simulator.wait_for(lambda: scene.simulator.world.state == NaoState.HALTED)


@pytest.mark.parametrize("action", ["pick_up", "put_down"])
def test_a_cancellation_that_the_robot_refuses_is_answered_and_changes_nothing(under_way, action):
    with under_way(action, grab_time=3.0, put_down_time=3.0) as (_, first, second):
        assert not first.cancel()
        for goal in (first, second):
            end = goal.end()
            assert end.status == GoalStatus.STATUS_SUCCEEDED, end.result
        assert "refused to halt" in first.result().outcome.message


@pytest.mark.parametrize("action", ACTIONS)
def test_a_waiting_goal_is_cancelled(under_way, action):
    with under_way(action) as (_, _first, second):
        (end,) = ends_within_a_second([second], second.cancel)
        assert end.status == GoalStatus.STATUS_CANCELED


@pytest.mark.parametrize("service", ["halt", "exit"])
def test_the_robot_is_stopped_by_a_service(under_way, service):
    with under_way("go_to") as (scene, *goals):

        def call():
            assert scene.peer.call(Trigger, f"/nao/{service}").success

        for end in ends_within_a_second(goals, call):
            assert end.status == GoalStatus.STATUS_ABORTED
            assert end.result.outcome.code == NaoOutcome.HALTED


@pytest.mark.parametrize("command", [Halt(), Exit()], ids=["halt", "exit"])
def test_a_service_that_waits_for_the_robot_is_answered_when_the_program_ends(robot, command):
    service = f"/nao/{type(command).__name__.lower()}"
    asked = robot.client.peer.call_later(Trigger, service)
    robot.expect(command)
    robot.running.stop()
    answer = wait(asked, service)
    assert not answer.success
    assert answer.message == "the bridge is shutting down"
