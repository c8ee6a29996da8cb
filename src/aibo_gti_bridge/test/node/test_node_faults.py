# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node and every fault of the simulated dog, in the middle of everything."""

import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import AiboOutcome, LinkState
from legacy_robots_testing.stopwatch import Stopwatch
from legacy_robots_trajectories.joint_trajectory import Outcome

pytestmark = pytest.mark.node

FAULTS = ["cut", "stall", "flood", "garbage", "restart"]


# --- faults --------------------------------------------------------------------------------


def in_mid_trajectory(scene):
    goal = scene.follow(["neck_pan", "lf_knee"], (20.0, [1.5, 0.2]))
    goal.feedback.wait_for()

    def check(end):
        assert end.result.error_code == Outcome.LINK_LOST
        return end.result.error_string

    return goal, check


def while_searching(scene):
    goal = scene.search("yellow", 60.0)
    goal.feedback.wait_for(lambda m: m.neck_pan > 0.3)
    return goal, outcome_of_lost_link


def while_walking(scene):
    goal = scene.steps(x=1.2)
    assert scene.simulator.wait_for(lambda: scene.dog.walker.walking)
    return goal, outcome_of_lost_link


def while_playing(scene):
    goal = scene.play("stretch")
    assert scene.simulator.wait_for(lambda: scene.dog.body.playing == "stretch.mot")
    return goal, outcome_of_lost_link


def outcome_of_lost_link(end):
    assert end.result.outcome.code == AiboOutcome.LINK_LOST
    return end.result.outcome.message


@pytest.mark.timeout(180)
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_while_walking_searching_playing_and_in_mid_trajectory(world, fault):
    recovery = []
    seconds = 2.5 if fault == "stall" else 0.8  # a stall outlasts the reply_timeout
    with world(fault_seconds=seconds) as scene, Stopwatch() as watch:
        diagnostics = scene.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
        for number, begin in enumerate(
            (while_walking, while_searching, in_mid_trajectory, while_playing), 1
        ):
            goal, check = begin(scene)
            scene.link.clear()
            scene.simulator.inject(fault)
            end = goal.end()
            assert end.status == GoalStatus.STATUS_ABORTED
            reason = check(end)
            peer = f"127.0.0.1:{scene.simulator.port}"
            assert reason.startswith(f"the connection with {peer} is lost: ")
            lost = scene.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
            assert lost.detail in reason
            # The robot's side: it stands and holds its joints, at the latest when it is back.
            assert scene.simulator.wait_for(lambda: not scene.dog.active)
            away = {
                "stall": lambda: scene.simulator.stalled,
                "restart": lambda: not scene.simulator.listening,
            }.get(fault, lambda: False)
            assert scene.simulator.wait_for(lambda away=away: not away())
            watch.restart()
            scene.wait_for_link(connections=number + 1)
            recovery.append(watch.seconds)
            # The bridge's side: nothing goes on by itself.
            assert not scene.node._velocity._control.walking
            assert not scene.dog.active
        if fault in ("stall", "flood", "garbage"):
            diagnostics.wait_for(lambda d: d.status[0].level != DiagnosticStatus.OK)
    assert max(recovery) <= 1.0, recovery


@pytest.mark.parametrize("fault", FAULTS)
def test_a_link_lost_under_cmd_vel_stops_the_robot_until_it_is_asked_again(world, fault):
    with world(cmd_vel_timeout=10.0) as scene:
        scene.walk_until(lambda: scene.dog.walker.walking)
        scene.link.clear()
        scene.simulator.inject(fault)
        scene.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
        scene.wait_for_link(connections=2)
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
        states = scene.stream(JointState, "joint_states")
        states.wait_for_count(10)
        assert not scene.dog.walker.walking
        scene.walk_until(lambda: scene.dog.walker.walking)


def test_nothing_old_is_published_after_a_loss_and_goals_say_why(world):
    with world() as scene:
        states = scene.stream(JointState, "joint_states")
        states.wait_for()
        scene.link.clear()
        scene.simulator.close()
        scene.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
        states.clear()
        outcome = scene.play("wave").result().outcome
        assert outcome.code == AiboOutcome.LINK_LOST
        assert outcome.message.startswith("there is no connection with 127.0.0.1:")
        response = scene.peer.call(Trigger, "/aibo/stop")
        assert not response.success
        assert states.items == []


def test_the_end_of_the_bridge_stops_the_robot_whatever_cmd_vel_asks_for(world):
    with world(cmd_vel_timeout=10.0) as scene:
        scene.walk_until(lambda: scene.dog.walker.walking)
        scene.running.stop()
        for _ in range(50):
            scene.walk(0.1)
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
        assert scene.simulator.wait_for(lambda: not scene.simulator.connected)
