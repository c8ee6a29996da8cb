# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every goal of every action ends once, truthfully, whatever ends it."""

import pytest
from action_msgs.msg import GoalStatus
from sensor_msgs.msg import Imu, JointState
from tf2_msgs.msg import TFMessage

from aibo_gti_bridge.system import SYSTEM
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import AiboOutcome, LinkState
from legacy_robots_simulation.program import FAULTS
from legacy_robots_testing.polling import until
from legacy_robots_testing.stopwatch import Stopwatch
from legacy_robots_testing.task_orders import TASK_ORDERS
from legacy_robots_trajectories.joint_trajectory import Outcome

pytestmark = pytest.mark.node

ENDS_WITHIN_S = 1.0
ACTIONS = ("walk_steps", "search_ball", "native search", "play_motion", "follow_joint_trajectory")
CODES = {
    Outcome.LINK_LOST: AiboOutcome.LINK_LOST,
    Outcome.INTERRUPTED: AiboOutcome.INTERRUPTED,
    Outcome.SHUTDOWN: AiboOutcome.SHUTDOWN,
}
SLOW = 0.5
"""The dog's pace: what it carries out is not over before a busy machine has seen it."""


@pytest.fixture(params=TASK_ORDERS, ids=lambda order: order.__name__)
def task_order(request):
    """The order in which the executor runs its tasks."""
    return request.param


def open_world(world, action, **options):
    mode = "native" if action == "native search" else "scan"
    return world(search_mode=mode, cmd_vel_timeout=10.0, **options)


def under_way(scene, action):
    """Send a goal that takes long, wait until the dog carries it out, ask for its end."""
    dog = scene.dog
    if action == "walk_steps":
        goal, begun = scene.steps(x=1.2), lambda: dog.walker.walking
    elif action == "search_ball":
        goal, begun = scene.search("yellow", 60.0), lambda: dog.body.moving
    elif action == "native search":
        goal, begun = scene.search("yellow"), lambda: dog.searching
    elif action == "play_motion":
        goal, begun = scene.play("stretch"), lambda: dog.body.playing == "stretch.mot"
    else:
        goal, begun = scene.follow(["neck_pan"], (20.0, [1.5])), lambda: dog.body.moving
    assert scene.simulator.wait_for(begun)
    return goal


def outcome(end):
    """Return code and sentence of AiboOutcome, whatever the action."""
    result = end.result
    if hasattr(result, "outcome"):
        return result.outcome.code, result.outcome.message
    return CODES.get(result.error_code, AiboOutcome.SUCCEEDED), result.error_string


@pytest.mark.parametrize("action", ACTIONS)
def test_the_end_of_the_program_stops_the_dog_and_ends_the_goal(world, task_order, action):
    with open_world(world, action, executor_type=task_order) as scene, Stopwatch() as watch:
        goal = under_way(scene, action)
        watch.restart()
        scene.running.stop()
        end = goal.end()
        assert watch.seconds < ENDS_WITHIN_S
        assert outcome(end) == (AiboOutcome.SHUTDOWN, "the bridge is shutting down")
        assert end.status == GoalStatus.STATUS_ABORTED
        assert scene.simulator.wait_for(lambda: not scene.dog.active)


@pytest.mark.parametrize("action", ACTIONS)
def test_the_loss_of_the_link_ends_the_goal(world, task_order, action):
    with open_world(world, action, executor_type=task_order) as scene, Stopwatch() as watch:
        goal = under_way(scene, action)
        scene.link.clear()
        watch.restart()
        scene.simulator.inject("cut")
        end = goal.end()
        assert watch.seconds < ENDS_WITHIN_S
        code, message = outcome(end)
        lost = scene.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
        assert code == AiboOutcome.LINK_LOST
        assert message.endswith(f" is lost: {lost.detail}")
        # A new connection begins with a robot that takes commands.
        scene.wait_for_link(connections=2)
        again = under_way(scene, action)
        scene.running.stop()
        again.end()


@pytest.mark.parametrize("action", ACTIONS)
def test_a_cancelled_goal_is_canceled(world, task_order, action):
    with open_world(world, action, executor_type=task_order, time_scale=SLOW) as scene:
        goal = under_way(scene, action)
        assert goal.cancel()
        end = goal.end()
        assert end.status == GoalStatus.STATUS_CANCELED
        assert outcome(end)[1]
        assert scene.simulator.wait_for(lambda: not scene.dog.active)


@pytest.mark.parametrize("victim", ["_sensors.publish", "_search.on_ball"])
def test_an_exception_in_the_links_thread_is_a_fault_and_passes(world, monkeypatch, victim):
    with world() as scene:
        goal = under_way(scene, "search_ball")
        name, method = victim.split(".")
        part = getattr(scene.node, name)

        def fail(*arguments):
            monkeypatch.undo()
            raise ZeroDivisionError("a fault of the test")

        scene.link.clear()
        monkeypatch.setattr(part, method, fail)
        text = "unexpected ZeroDivisionError: a fault of the test"
        assert outcome(goal.end())[1].endswith(text)
        fault = scene.link.wait_for(lambda m: m.state == LinkState.FAULT)
        assert fault.detail == text
        scene.wait_for_link(connections=2)
        assert scene.node.counters.snapshot()["exceptions"][0] == 1
        states = scene.stream(JointState, "joint_states")
        states.wait_for_count(5)


def test_no_stamp_is_negative_without_a_clock(world):
    with world(use_sim_time=True) as scene:
        messages = [
            scene.stream(JointState, "joint_states").wait_for(),
            scene.stream(Imu, "imu").wait_for(),
            scene.wait_for_link(),
            *scene.peer.subscribe(TFMessage, "/tf", qos.stream(50)).wait_for().transforms,
        ]
        assert all(message.header.stamp.sec == 0 for message in messages)
        # Trajectories and walks go by real time.
        assert scene.follow(["neck_pan"], (0.3, [0.2])).end().status == (
            GoalStatus.STATUS_SUCCEEDED
        )


def test_a_flood_of_velocities_is_thinned_and_refusals_are_counted(world, monkeypatch):
    with world(cmd_vel_timeout=10.0) as scene, Stopwatch() as watch:
        sent = []
        walk = scene.dog.walk
        monkeypatch.setattr(
            scene.dog, "walk", lambda *velocity: (sent.append(velocity), walk(*velocity))
        )
        scene.walk_until(lambda: scene.dog.walker.walking)
        sent.clear()
        watch.restart()
        for number in range(2000):
            scene.walk(0.1 + number * 1e-5)
        assert scene.simulator.wait_for(lambda: bool(sent))
        assert len(sent) <= watch.wall / 0.032 + 1
        scene.link.clear()
        scene.simulator.close()
        scene.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
        while scene.node.counters.snapshot().get("refused velocities", (0, 0.0))[0] < 50:
            scene.walk(0.1)


def test_the_registry_names_the_faults_of_the_simulator():
    assert set(SYSTEM.faults) == set(FAULTS)


def test_a_reading_does_not_end_a_goal_that_has_not_begun(world):
    with world() as scene:
        robot = scene.node._robot
        (walks,) = (action for action in scene.node._actions if action.name == "walk_steps")
        with robot.lock:  # as the link's thread holds it when a reading comes
            goal = scene.steps(x=0.1)
            until(lambda: walks.goals, "the goal does not arrive")
            walks.on_reading(robot.reading)
        assert goal.result().outcome.message == "walked for 1.0 s"
