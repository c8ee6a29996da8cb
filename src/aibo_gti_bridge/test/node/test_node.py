# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real node, the real wire, the simulated dog: what a user of topics and actions sees."""

import math

import pytest
from action_msgs.msg import GoalStatus
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from geometry_msgs.msg import Twist, TwistStamped, Vector3
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

from aibo_gti_bridge.model.room import Ball
from aibo_gti_bridge.simulator.world import Press, Settings
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import AiboSearchBall
from legacy_robots_msgs.msg import AiboBall, AiboButtons, AiboOutcome
from legacy_robots_trajectories.joint_trajectory import Outcome

pytestmark = pytest.mark.node


def values_of(diagnostics):
    """Return the key-value pairs of the bridge's entry."""
    return {pair.key: pair.value for pair in diagnostics.status[0].values}


# --- what is measured ----------------------------------------------------------------------


def test_the_paws_stand_on_the_floor_and_buttons_are_latched(world):
    press = Press("HeadBut", at=0.0, seconds=1e9)
    with world(settings=Settings(presses=(press,))) as scene:
        buttons = scene.peer.subscribe(AiboButtons, "/aibo/buttons").wait_for(lambda m: m.valid)
        assert buttons.lf_paw
        assert buttons.rb_paw
        assert buttons.head
        assert buttons.head_pressure == 1.0
        assert not buttons.chin
        scene.simulator.close()
        stale = scene.peer.subscribe(AiboButtons, "/aibo/buttons").wait_for(lambda m: not m.valid)
        assert stale.lf_paw
        assert stale.header.stamp == buttons.header.stamp


@pytest.mark.parametrize("overlays", [(), ("ball-int-first-32", "acknowledged")])
def test_where_a_ball_is(world, overlays):
    with world(overlays, Settings(noise=0.0), balls=[Ball("green", 0.2, 0.3)]) as scene:
        ball = scene.stream(AiboBall, "ball/green").wait_for(lambda m: m.visible)
        bearing = math.atan2(0.3, 0.2 - (-0.8 + 0.154))
        assert ball.azimuth == pytest.approx(bearing, abs=0.02)
        assert ball.elevation == pytest.approx(-0.17, abs=0.05)
        assert ball.x < 0.0
        assert ball.header.frame_id == "camera_optical_frame"
        assert math.hypot(ball.direction.x, ball.direction.y, ball.direction.z) == pytest.approx(1)


def test_frames_of_a_second_robot(world):
    with world(frame_prefix="aibo_2/", publish_description=False) as scene:
        tf = scene.peer.subscribe(TFMessage, "/tf", qos.stream(50)).wait_for()
        assert all(t.child_frame_id.startswith("aibo_2/") for t in tf.transforms)
        state = scene.stream(JointState, "joint_states").wait_for()
        assert state.header.frame_id == "aibo_2/base_link"


# --- walking -------------------------------------------------------------------------------


def test_cmd_vel_walks_and_the_watchdog_stops(world):
    with world(cmd_vel_timeout=1.0) as scene:
        scene.walk_until(lambda: scene.dog.walker.target == pytest.approx((0.1, 0.0, 0.0)))
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
        assert scene.dog.x > -0.8


def test_cmd_vel_is_clamped_to_the_gait(world):
    with world() as scene:
        scene.walk_until(lambda: scene.dog.walker.target[0] == pytest.approx(0.18), x=5.0)


def test_a_zero_and_a_nan_stop_the_robot_at_once(world):
    with world(cmd_vel_timeout=10.0) as scene:
        for bad in (0.0, math.nan):
            scene.walk_until(lambda: scene.dog.walker.target[0] == pytest.approx(0.1))
            scene.walk(bad)
            assert scene.simulator.wait_for(lambda: scene.dog.walker.target == (0.0, 0.0, 0.0))


def test_a_stamped_cmd_vel(world):
    with world(enable_stamped_cmd_vel=True) as scene:
        publisher = scene.peer.node.create_publisher(TwistStamped, "/aibo/cmd_vel", 5)
        stamped = TwistStamped(twist=Twist(angular=Vector3(z=1.0)))
        for _ in range(200):
            publisher.publish(stamped)
            if scene.simulator.wait_for(lambda: scene.dog.walker.target[2] == 1.0, 0.05):
                break
        assert scene.dog.walker.target == (0.0, 0.0, 1.0)


def test_walk_steps(world):
    with world(settings=Settings(noise=0.0)) as scene:
        goal = scene.steps(x=0.15, theta=0.1)
        end = goal.end()
        assert end.status == GoalStatus.STATUS_SUCCEEDED
        assert goal.feedback.last.duration == pytest.approx(1.0)  # two steps
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
        assert scene.dog.x == pytest.approx(-0.65, abs=0.01)
        assert scene.dog.yaw == pytest.approx(0.1, abs=0.01)


def test_a_walk_is_cancelled_and_cmd_vel_takes_over(world):
    with world() as scene:
        goal = scene.steps(x=1.0)
        assert scene.simulator.wait_for(lambda: scene.dog.walker.walking)
        assert goal.cancel()
        assert goal.end().status == GoalStatus.STATUS_CANCELED
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
        goal = scene.steps(x=1.0)
        scene.walk_until(lambda: scene.dog.walker.target[0] == pytest.approx(-0.1), x=-0.1)
        outcome = goal.result().outcome
        assert outcome.code == AiboOutcome.INTERRUPTED
        assert outcome.message == "cmd_vel makes the robot walk"


def test_a_goal_that_cannot_be_carried_out_interrupts_no_other(world):
    with world(unknown_motion_duration=1.0) as scene:
        others = [scene.steps(x=1.0, steps=100), scene.follow(["neck_pan"], (50.0, [0.5]))]
        for goal in (scene.steps(x=1e10), scene.play("no/file")):
            assert goal.result().outcome.code == AiboOutcome.INVALID
        for goal in others:
            assert goal.cancel()  # it goes on
            assert goal.end().status == GoalStatus.STATUS_CANCELED


# --- the ball ------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["scan", "native"])
def test_the_ball_is_found_and_looked_at(world, mode):
    with world(search_mode=mode) as scene:
        goal = scene.search()
        end = goal.end(40.0)
        assert end.status == GoalStatus.STATUS_SUCCEEDED, end.result.outcome
        assert end.result.found
        assert end.result.ball.azimuth == pytest.approx(0.67, abs=0.1)
        pan = scene.dog.body.positions["neck_pan"]
        assert pan == pytest.approx(0.67, abs=0.1)
        stage = AiboSearchBall.Feedback.NATIVE if mode == "native" else 1
        assert goal.feedback.wait_for(lambda m: m.stage == stage)


@pytest.mark.parametrize("mode", ["scan", "native"])
def test_a_ball_that_is_not_there(world, mode):
    with world(search_mode=mode, time_scale=8.0 if mode == "native" else 1.0) as scene:
        end = scene.search("yellow").end(40.0)
        assert end.status == GoalStatus.STATUS_ABORTED
        assert end.result.outcome.code == AiboOutcome.NOT_FOUND
        assert not end.result.found


def test_a_search_that_takes_too_long(world):
    with world() as scene:
        outcome = scene.search("yellow", 0.5).result().outcome
        assert outcome.code == AiboOutcome.TIMED_OUT
        assert outcome.message == "no yellow ball was found in 0.5 s"
        assert scene.simulator.wait_for(lambda: not scene.dog.body.moving)


def test_a_native_search_stops_the_walk_blocks_commands_and_is_cancelled_at_its_end(world):
    with world(search_mode="native", cmd_vel_timeout=5.0, time_scale=2.0) as scene:
        scene.walk_until(lambda: scene.dog.walker.walking)
        goal = scene.search("yellow")
        assert scene.simulator.wait_for(lambda: scene.dog.searching)
        assert scene.dog.walker.target == (0.0, 0.0, 0.0)
        outcome = scene.play("wave").result().outcome
        assert "takes no commands" in outcome.message
        assert goal.cancel()
        assert goal.end(40.0).status == GoalStatus.STATUS_CANCELED
        assert not scene.dog.searching


def test_stop_during_a_native_search_ends_the_goal_when_the_robot_has_ended_it(world):
    with world(search_mode="native", time_scale=2.0) as scene:
        goal = scene.search("yellow")
        assert scene.simulator.wait_for(lambda: scene.dog.searching)
        response = scene.peer.call(Trigger, "/aibo/stop")
        assert not response.success
        assert response.message == "the robot searches and stops when that is over"
        assert scene.dog.searching
        assert not goal.ended.done()
        outcome = goal.end().result.outcome
        assert not scene.dog.searching
        assert outcome.code == AiboOutcome.INTERRUPTED
        assert outcome.message == "the service stop was called"
        assert scene.simulator.wait_for(lambda: not scene.dog.active)


def test_a_native_search_has_no_longer_than_the_connection_waits_for_it(world):
    with world(search_mode="native", search_timeout=5.0) as scene:
        outcome = scene.search("yellow", 6.0).result().outcome
        assert outcome.code == AiboOutcome.INVALID
        assert outcome.message == "a timeout of 6 s; the robot's own search has 5 s"
        assert not scene.dog.searching


# --- motions -------------------------------------------------------------------------------


def test_a_motion_is_played(world):
    with world() as scene:
        goal = scene.play("wave")
        assert scene.simulator.wait_for(lambda: scene.dog.body.playing == "wave.mot")
        assert scene.simulator.wait_for(lambda: scene.dog.sensors["LFrPaw"] == 0.0)
        assert goal.end().status == GoalStatus.STATUS_SUCCEEDED
        assert goal.feedback.last.duration == pytest.approx(3.5)
        assert goal.feedback.last.elapsed >= 3.4


def test_a_motion_that_only_the_robot_may_have(world, tmp_path):
    (tmp_path / "away.mot").write_text("#MSq\ndelay 300\nNECK:pan 1.0\n#END\n")
    with world(motion_directory=str(tmp_path), unknown_motion_duration=0.2) as scene:
        # The bridge has a copy, the robot has not: its last pose is never seen.
        outcome = scene.play("away").result().outcome
        assert outcome.code == AiboOutcome.TIMED_OUT
        assert "neck_pan" in outcome.message
        # The robot has it, the bridge has no copy: it is taken to last as configured.
        assert scene.play("look").result().outcome.code == AiboOutcome.SUCCEEDED


# --- trajectories --------------------------------------------------------------------------


def test_the_head_follows_a_trajectory_within_tolerance(world):
    with world() as scene:
        tolerances = [JointTolerance(name=n, position=0.15) for n in ("neck_pan", "neck_tilt")]
        goal = scene.follow(
            ["neckPan", "NECK:tilt"],
            (2.0, [0.5, -0.4]),
            (5.0, [-0.3, -0.2]),  # slowly: a busy machine is late, and the dog with it
            path_tolerance=tolerances,
            goal_tolerance=[JointTolerance(name="neck_pan", position=0.02)],
        )
        end = goal.end()
        assert end.status == GoalStatus.STATUS_SUCCEEDED, end.result.error_string
        assert end.result.error_code == FollowJointTrajectory.Result.SUCCESSFUL
        assert scene.dog.body.positions["neck_pan"] == pytest.approx(-0.3, abs=0.02)
        feedback = goal.feedback.items
        assert len(feedback) > 25
        assert list(feedback[-1].joint_names) == ["neck_pan", "neck_tilt"]
        assert max(abs(f.error.positions[0]) for f in feedback) < 0.15


def test_the_service_stop_ends_everything(world):
    with world(cmd_vel_timeout=5.0) as scene:
        goals = [scene.follow(["tail_pan"], (5.0, [0.5])), scene.search("yellow")]
        scene.walk_until(lambda: scene.dog.walker.walking)
        response = scene.peer.call(Trigger, "/aibo/stop")
        assert response.success, response.message
        assert scene.simulator.wait_for(lambda: not scene.dog.active)
        assert goals[0].result().error_code == Outcome.INTERRUPTED
        assert goals[1].result().outcome.code == AiboOutcome.INTERRUPTED
