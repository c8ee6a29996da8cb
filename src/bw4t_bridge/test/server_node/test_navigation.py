# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals as Nav2's clients send them, to robots of the blocks world."""

from __future__ import annotations

import math
import sys

import pytest
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import PointStamped, PoseStamped, Transform, TransformStamped, Vector3
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import Bw4tGoing, Bw4tState, LinkState
from legacy_robots_msgs.srv import Bw4tRemovePlayer
from legacy_robots_testing.navigation import ended, pose, send_through, send_to
from legacy_robots_testing.polling import until
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

FAST = {"speed": 20.0, "robots": 2}
SLOW = {"speed": 0.05, "robots": 2}

both_orders = pytest.mark.parametrize("order", TASK_ORDERS, ids=lambda order: order.__name__)


def send(peer, *place):
    return send_to(peer, "Bot_1", pose(*place))


def where(server, name="Bot_1"):
    """Return where a robot is in the map frame, in m."""
    robot = next(r for r in server.runner.snapshot.robots if r.name == name)
    return robot.x, -robot.y


@both_orders
def test_a_robot_goes_to_a_pose_and_tells_how_far_it_is(serve, order):
    server, peer = serve(order=order, **FAST)
    start = where(server)
    goal = send(peer, 15.0, -25.0)
    assert ended(goal, GoalStatus.STATUS_SUCCEEDED) == ""
    assert where(server) == pytest.approx((15.0, -25.0), abs=0.5)
    reported = goal.feedback.items
    assert reported[0].current_pose.header.frame_id == "map"
    first = reported[0].current_pose.pose.position
    assert (first.x, first.y) == pytest.approx(start, abs=5.0)
    assert all(f.number_of_recoveries == 0 for f in reported)
    remaining = [f.distance_remaining for f in reported]
    assert remaining[0] >= math.hypot(15.0 - first.x, -25.0 - first.y) - 1e-3


def test_feedback_counts_down(serve, step):
    _server, peer = serve(speed=2.0, robots=1)
    goal = send(peer, 15.0, -25.0)
    longest = goal.feedback.wait_for(lambda f: f.distance_remaining > 0).distance_remaining
    later = goal.feedback.wait_for(lambda f: 0 < f.distance_remaining < longest - 1.0)
    assert later.navigation_time.sec + later.navigation_time.nanosec > 0
    assert later.estimated_time_remaining.sec + later.estimated_time_remaining.nanosec > 0
    assert goal.cancel()


def test_a_pose_of_another_frame_is_found_by_tf(serve):
    server, peer = serve(**FAST)
    desk = TransformStamped(
        header=Header(frame_id="map"),
        child_frame_id="desk",
        transform=Transform(translation=Vector3(x=10.0, y=-20.0)),
    )
    publisher = peer.node.create_publisher(TFMessage, "/tf_static", qos.LATCHED)
    publisher.publish(TFMessage(transforms=[desk]))
    ended(send(peer, 5.0, -5.0, "desk"), GoalStatus.STATUS_SUCCEEDED)
    assert where(server) == pytest.approx((15.0, -25.0), abs=0.5)


@pytest.mark.parametrize(
    "arguments, error_code, words",
    [
        ((15.0, -25.0, "moon"), 9002, "'moon'"),
        ((15.0, -25.0, ""), 9002, "no frame_id"),
        ((-3.0, -65.0), 204, "outside of the map"),
        ((25.0, 4.0), 204, "outside of the map"),
        ((math.nan, 0.0), 9000, "nan"),
    ],
)
def test_a_goal_that_is_no_place_of_the_map_is_aborted_with_the_reason(
    serve, arguments, error_code, words
):
    server, peer = serve(**FAST)
    start = where(server)
    assert words in ended(send(peer, *arguments), GoalStatus.STATUS_ABORTED, error_code)
    assert where(server) == start


def test_an_orientation_that_is_none_and_a_behaviour_tree_are_refused(serve):
    _, peer = serve(**FAST)
    target = pose(15.0, -25.0)
    target.pose.orientation.w = 0.0
    text = ended(send_to(peer, "Bot_1", target), GoalStatus.STATUS_ABORTED, 9000)
    assert "unit quaternion" in text
    goal = send_to(peer, "Bot_1", pose(15.0, -25.0), behavior_tree="follow_point.xml")
    assert "follow_point.xml" in ended(goal, GoalStatus.STATUS_ABORTED, 9001)


@both_orders
def test_a_cancelled_robot_stands(serve, order):
    server, peer = serve(order=order, **SLOW)
    goal = send(peer, 15.0, -25.0)
    goal.feedback.wait_for(lambda f: f.distance_remaining > 0)
    assert goal.cancel()
    ended(goal, GoalStatus.STATUS_CANCELED)
    assert next(r for r in server.runner.snapshot.robots if r.name == "Bot_1").state != "traveling"


@both_orders
def test_a_new_goal_preempts_the_one_before_whatever_their_kind(serve, order):
    _server, peer = serve(order=order, **SLOW)
    first = send(peer, 15.0, -25.0)
    first.feedback.wait_for(lambda f: f.distance_remaining > 0)
    second = send_through(peer, "Bot_1", pose(15.0, -25.0), pose(5.0, -25.0))
    assert ended(first, GoalStatus.STATUS_ABORTED, 9000) == "preempted by a newer goal"
    second.feedback.wait_for(lambda f: f.number_of_poses_remaining == 2)
    third = peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(place="RoomA1"))
    assert "another target" in ended(second, GoalStatus.STATUS_ABORTED, 9100)
    assert third.cancel()


def test_a_goal_that_is_refused_does_not_disturb_the_one_that_runs(serve):
    _server, peer = serve(**SLOW)
    first = send(peer, 15.0, -25.0)
    first.feedback.wait_for(lambda f: f.distance_remaining > 0)
    ended(send(peer, 15.0, -25.0, "moon"), GoalStatus.STATUS_ABORTED, 9002)
    assert first.cancel()
    ended(first, GoalStatus.STATUS_CANCELED)


def test_a_robot_goes_through_poses(serve):
    server, peer = serve(**FAST)
    goal = send_through(peer, "Bot_1", pose(15.0, -25.0), pose(5.0, -25.0))
    ended(goal, GoalStatus.STATUS_SUCCEEDED)
    assert where(server) == pytest.approx((5.0, -25.0), abs=0.5)
    assert goal.feedback.items[0].number_of_poses_remaining == 2
    ended(send_through(peer, "Bot_1"), GoalStatus.STATUS_ABORTED, 309)
    ended(send_through(peer, "Bot_1", pose(-1.0, 0.0)), GoalStatus.STATUS_ABORTED, 304)


@pytest.mark.parametrize("topic", ["goal_pose", "clicked_point"])
def test_the_tools_of_rviz_send_goals(serve, topic):
    _server, peer = serve(**FAST)
    kind = {"goal_pose": PoseStamped, "clicked_point": PointStamped}[topic]
    publisher = peer.node.create_publisher(kind, f"Bot_1/{topic}", qos.stream(1))
    until(publisher.get_subscription_count, "no subscriber")
    there = pose(15.0, -25.0)
    if topic == "clicked_point":
        there = PointStamped(header=there.header, point=there.pose.position)
    arrivals = peer.subscribe(Bw4tState, "Bot_1/state")
    publisher.publish(there)
    arrivals.wait_for(lambda s: math.hypot(s.position.x - 15.0, s.position.y + 25.0) < 0.5)


def test_a_robot_that_is_taken_away_ends_its_goal(serve):
    _, peer = serve(**SLOW)
    goal = send(peer, 15.0, -25.0)
    goal.feedback.wait_for(lambda f: f.distance_remaining > 0)
    peer.call(Bw4tRemovePlayer, "remove_player", Bw4tRemovePlayer.Request(name="Bot_1"))
    assert "Bot_1" in ended(goal, GoalStatus.STATUS_ABORTED, 9000)


@both_orders
def test_a_goal_under_way_when_the_program_ends(serve, order):
    server, peer = serve(order=order, **SLOW)
    goal = send(peer, 15.0, -25.0)
    goal.feedback.wait_for(lambda f: f.distance_remaining > 0)
    serve.stop(server)
    end = goal.end()
    assert end.status == GoalStatus.STATUS_ABORTED
    assert "shutting down" in end.result.error_msg


def test_without_nav2_msgs_all_else_works(serve, monkeypatch):
    monkeypatch.setitem(sys.modules, "nav2_msgs.action", None)
    monkeypatch.delitem(sys.modules, "legacy_robots_navigation.navigation", raising=False)
    _, peer = serve(**FAST)
    peer.subscribe(LinkState, "link_state").wait_for(lambda s: s.state == LinkState.CONNECTED)
    goal = peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(place="RoomC1"))
    assert goal.result().outcome.code == Bw4tGoing.ARRIVED
    names = {name for name, _ in peer.node.get_topic_names_and_types()}
    assert "/bw4t/Bot_1/goal_pose" not in names
