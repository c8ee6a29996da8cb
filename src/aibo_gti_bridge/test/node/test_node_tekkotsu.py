# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node and a simulated dog on which Tekkotsu runs: wire:=tekkotsu."""

import pytest
from action_msgs.msg import GoalStatus
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import AiboOutcome, LinkState
from legacy_robots_testing.polling import until

pytestmark = pytest.mark.node

FAULTS = ["cut", "stall", "flood", "garbage", "restart"]
ENDING = [fault for fault in FAULTS if fault != "flood"]


@pytest.fixture
def robot(world):
    with world(profile="tekkotsu", wire="tekkotsu", fault_seconds=2.5) as scene:
        yield scene


def test_bring_up_drive_head_stop(robot):
    stopped = robot.peer.subscribe(Bool, "/aibo/emergency_stopped", qos.LATCHED)
    assert stopped.wait_for().data
    # What is refused names the way out.
    end = robot.follow(["neck_pan"], (0.5, [0.4])).end()
    assert "emergency_stop" in end.result.error_string
    assert "emergency_stop" in robot.steps(x=0.1).result().outcome.message
    robot.release()
    stopped.wait_for(lambda m: not m.data)

    odom = robot.stream(Odometry, "odom")
    assert robot.steps(x=0.2).result().outcome.code == AiboOutcome.SUCCEEDED
    assert robot.simulator.wait_for(lambda: not robot.dog.walker.walking)
    assert robot.dog.x == pytest.approx(-0.6, abs=0.05)  # a busy machine stops it late
    odom.clear()
    reached = odom.wait_for(lambda m: m.twist.twist.linear.x == 0.0).pose.pose.position
    assert reached.x == pytest.approx(robot.dog.x + 0.8, abs=0.05)

    states = robot.stream(JointState, "joint_states")
    end = robot.follow(["neck_pan", "neck_tilt"], (1.0, [0.6, -0.4])).end()
    assert end.result.error_code == 0, end.result.error_string
    last = states.wait_for(lambda m: abs(m.position[m.name.index("neck_pan")] - 0.6) < 0.05)
    assert last.position[last.name.index("neck_tilt")] == pytest.approx(-0.4, abs=0.05)

    robot.walk_until(lambda: robot.dog.walker.walking)
    response = robot.peer.call(Trigger, "/aibo/stop")
    assert response.success
    assert "emergency stop is on" in response.message
    assert robot.simulator.wait_for(lambda: robot.simulator.session.stopped)
    stopped.wait_for(lambda m: m.data)
    robot.walk(0.1)
    states.clear()
    states.wait_for_count(10)
    assert not robot.dog.walker.walking


def test_all_that_it_measures_is_published(robot):
    for message_type, topic in (
        (Imu, "imu"), (Range, "range/near"), (Range, "range/chest"), (BatteryState, "battery"),
    ):  # fmt: skip
        robot.stream(message_type, topic).wait_for()
    state = robot.stream(JointState, "joint_states").wait_for()
    assert len(state.name) == 18


def test_legs_are_not_its_to_move(robot):
    robot.release()
    with pytest.raises(AssertionError, match="rejected"):
        robot.follow(["lf_knee"], (1.0, [0.2]))


def test_a_velocity_lasts_as_long_as_cmd_vel_and_no_longer(world):
    with world(profile="tekkotsu", wire="tekkotsu", cmd_vel_timeout=8.0) as scene:
        scene.release()
        scene.walk_until(lambda: scene.dog.walker.walking, x=0.02)
        begun = scene.dog.time
        # One message is enough for longer than the robot's own patience of 3 s.
        assert scene.simulator.wait_for(lambda: scene.dog.time > begun + 5.0)
        assert scene.dog.walker.walking
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)


def test_two_taps_on_the_back_end_a_goal_and_the_velocity(robot):
    robot.release()
    goal = robot.steps(x=1.0)
    assert robot.simulator.wait_for(lambda: robot.dog.walker.walking)
    robot.simulator.tap_back()
    end = goal.end()
    assert end.result.outcome.code == AiboOutcome.INTERRUPTED
    assert "emergency stop" in end.result.outcome.message
    told = robot.simulator.session
    assert robot.simulator.wait_for(lambda: not any(told._walk.values()))
    robot.simulator.tap_back()
    stopped = robot.peer.subscribe(Bool, "/aibo/emergency_stopped", qos.LATCHED)
    stopped.wait_for(lambda m: not m.data)
    assert not robot.dog.walker.walking


def test_a_cancelled_walk_stops(robot):
    robot.release()
    goal = robot.steps(x=1.0)
    assert robot.simulator.wait_for(lambda: robot.dog.walker.walking)
    goal.cancel()
    assert goal.end().result.outcome.code == AiboOutcome.CANCELED
    assert robot.simulator.wait_for(lambda: not robot.dog.walker.walking)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("fault", ENDING)
def test_a_fault_ends_goals_and_the_robot_stands(robot, fault):
    robot.release()
    goals = [robot.steps(x=1.2), robot.follow(["neck_pan"], (20.0, [1.2]))]
    assert robot.simulator.wait_for(lambda: robot.dog.walker.walking)
    goals[1].feedback.wait_for()
    robot.link.clear()
    robot.simulator.inject(fault)
    assert goals[0].end().result.outcome.code == AiboOutcome.LINK_LOST
    assert goals[1].end().status == GoalStatus.STATUS_ABORTED
    robot.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
    robot.wait_for_link(connections=2)
    assert robot.simulator.wait_for(lambda: not robot.dog.walker.walking)
    robot.release()
    assert robot.steps(x=0.05).result().outcome.code == AiboOutcome.SUCCEEDED


def test_a_flood_of_the_same_state_is_passed_over(robot):
    robot.release()
    goal = robot.steps(x=0.3)
    assert robot.simulator.wait_for(lambda: robot.dog.walker.walking)
    robot.simulator.inject("flood")
    assert goal.result().outcome.code == AiboOutcome.SUCCEEDED
    assert robot.link.items[-1].state == LinkState.CONNECTED


def test_a_behaviour_that_ends_ends_the_link_and_is_started_again(robot):
    robot.release()
    robot.link.clear()
    session = robot.simulator.session
    robot.simulator.calls.call(lambda: session._menu_line('!select "#Head Remote Control"'))
    lost = robot.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
    assert str(robot.simulator.port + 32) in lost.detail
    robot.wait_for_link(connections=2)


def test_what_it_cannot_do_is_not_offered(robot):
    actions = {name for name, _ in robot.node.get_service_names_and_types()}
    assert not any("search_ball" in name or "play_motion" in name for name in actions)


def test_the_end_of_the_bridge_stops_the_robot(robot):
    robot.release()
    robot.walk_until(lambda: robot.dog.walker.walking)
    robot.running.stop()
    assert robot.simulator.wait_for(lambda: not robot.dog.walker.walking)
    until(lambda: not robot.simulator.connected)
