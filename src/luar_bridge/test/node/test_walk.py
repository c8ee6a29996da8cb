# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS walks the simulated robot: cmd_vel and its watchdog, kicks, getting up, refusals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from soccer_model_msgs.msg import Ball

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_core.link.base import NotConnectedError
from legacy_robots_msgs.action import LuarGetUp, LuarKick
from legacy_robots_msgs.msg import LinkState, LuarOutcome, LuarSegment
from legacy_robots_testing.polling import until
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.parts.walk.body_memory import BodyMemory
from luar_bridge.protocol.game_control import GameState
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.ros_body import LENGTHS, SEGMENT, Motion, Order
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node

STREAM = qos.stream(50)
WALK = {"walk_commands": True, "writable": ["rcmBody.*"]}


@pytest.fixture
def walking(make_world: Any) -> Any:
    """Run a robot in ROS's hands in a game that is being played."""

    @contextmanager
    def make(*arguments: str, **parameters: Any) -> Iterator[Any]:
        with make_world("--ros-body", *arguments, **WALK, **parameters) as w:
            w.wait_for_link(LinkState.CONNECTED)
            w.robot.scene.ordered = GameState.PLAYING
            yield w

    return make


def goal_end(w: Any, kind: Any, name: str, **request: Any) -> Any:
    return w.peer.send_goal(kind, f"/luar/{name}", kind.Goal(**request)).end()


@pytest.mark.parametrize("stamped", [False, True])
def test_cmd_vel_walks_and_the_watchdog_stops(walking: Any, stamped: bool) -> None:
    with walking(enable_stamped_cmd_vel=stamped) as w:
        publisher = w.peer.node.create_publisher(
            TwistStamped if stamped else Twist, "/luar/cmd_vel", qos.stream(5)
        )
        x, _, begun = w.robot.scene.pose

        def walked() -> bool:
            message = TwistStamped() if stamped else Twist()
            twist = message.twist if stamped else message
            twist.linear.x, twist.angular.z = 5.0, 0.2  # limited to 0.16 m/s
            publisher.publish(message)
            return bool(w.robot.scene.pose[0] > x + 0.1)

        until(walked, "the robot does not walk")
        assert w.robot.scene.pose[2] > begun
        until(lambda: not w.robot.scene.walking, "the robot does not stop", 2.0)


def test_a_robot_stands_when_the_bridge_ends(walking: Any) -> None:
    with walking() as w:
        publisher = w.peer.node.create_publisher(Twist, "/luar/cmd_vel", qos.stream(5))
        twist = Twist()
        twist.linear.x = 0.1

        def walks() -> bool:
            publisher.publish(twist)
            return bool(w.robot.scene.walking)

        until(walks, "the robot does not walk")
    assert not w.robot.scene.walking


def test_a_behaviour_of_ros_walks_to_the_ball_and_kicks_it(walking: Any) -> None:
    with walking() as w:
        scene = w.robot.scene
        scene.ball.x, scene.ball.y = scene.pose[0] + 0.4, scene.pose[1] + 0.1
        balls = w.peer.subscribe(Ball, "/luar/ball", STREAM)
        publisher = w.peer.node.create_publisher(Twist, "/luar/cmd_vel", qos.stream(5))

        def at_ball() -> bool:
            ball = balls.wait_for_count(len(balls.items) + 1)[-1].point.point
            bearing = math.atan2(ball.y, ball.x)
            near = math.hypot(ball.x, ball.y) < 0.2
            twist = Twist()
            twist.linear.x, twist.angular.z = 0.0 if near else 0.15, 1.5 * bearing
            publisher.publish(Twist() if near else twist)
            return near

        until(at_ball, "the robot does not get to the ball")
        end = goal_end(w, LuarKick, "kick")
        assert end.result.outcome.code == LuarOutcome.SUCCEEDED, end.result.outcome.message
        until(lambda: scene.ball_in_robot[0] > 0.5, "the ball does not roll")


def test_a_robot_that_has_fallen_gets_up_and_cannot_kick(walking: Any) -> None:
    with walking() as w:
        w.robot.ros_body.fall(w.robot.scene.time)
        until(lambda: w.robot.ros_body.written["motion"] != 1.0, "the robot stands")
        outcomes = []

        def refused() -> bool:
            outcomes.append(goal_end(w, LuarKick, "kick").result.outcome)
            return bool(outcomes[-1].code == LuarOutcome.INVALID)

        until(refused, "it kicks")  # the bridge may not have read yet that the robot falls
        assert "cannot kick now; its motion: " in outcomes[-1].message
        goal = w.peer.send_goal(LuarGetUp, "/luar/get_up", LuarGetUp.Goal())
        goal.feedback.wait_for(lambda m: m.motion == LuarGetUp.Feedback.STANDUP)
        assert goal.end().result.outcome.code == LuarOutcome.SUCCEEDED
        assert goal_end(w, LuarGetUp, "get_up").status == GoalStatus.STATUS_SUCCEEDED
        unknown = goal_end(w, LuarKick, "kick", kick="kickHigh").result.outcome
        assert (unknown.code, "is no kick" in unknown.message) == (LuarOutcome.INVALID, True)


def test_a_newer_goal_takes_the_place_of_one_that_is_cancelled_or_not(walking: Any) -> None:
    with walking() as w:
        w.robot.ros_body.fall(w.robot.scene.time)
        until(lambda: w.robot.ros_body.written["motion"] != 1.0, "the robot stands")
        first = w.peer.send_goal(LuarGetUp, "/luar/get_up", LuarGetUp.Goal())
        first.feedback.wait_for()
        second = w.peer.send_goal(LuarGetUp, "/luar/get_up", LuarGetUp.Goal())
        assert first.end().result.outcome.code == LuarOutcome.PREEMPTED
        assert second.cancel()
        assert second.end().status == GoalStatus.STATUS_CANCELED


def test_orders_that_come_before_the_robot_wait_and_the_newest_is_carried_out(
    make_world: Any,
) -> None:
    with make_world("--ros-body", is_there=False, **WALK) as w:
        goals = [
            w.peer.send_goal(kind, f"/luar/{name}", kind.Goal())
            for kind, name in ((LuarKick, "kick"), (LuarGetUp, "get_up"), (LuarGetUp, "get_up"))
        ]
        w.wait_for_link(LinkState.CONNECTING, "wait for the first connection: 3")
        w.robot.start()
        outcomes = [goal.end().result.outcome for goal in goals]
        # A robot that has just been started may not be able to kick yet.
        assert outcomes[0].code in (LuarOutcome.PREEMPTED, LuarOutcome.INVALID), outcomes
        assert outcomes[1].code == LuarOutcome.PREEMPTED, outcomes
        assert outcomes[2].code == LuarOutcome.SUCCEEDED, outcomes


def test_an_order_that_waits_in_vain_ends_as_without_a_robot(make_world: Any) -> None:
    with make_world(is_there=False, first_connection_timeout=0.5, **WALK) as w:
        outcome = goal_end(w, LuarGetUp, "get_up").result.outcome
        assert outcome.code == LuarOutcome.LINK_LOST
        assert outcome.message.startswith("the robot does not run the body of ROS orders")
        assert outcome.message.endswith("the goal has waited for 0.5 s")


def test_a_robot_without_the_body_of_ros_orders_refuses(make_world: Any) -> None:
    with make_world(**WALK) as w:
        w.wait_for_link(LinkState.CONNECTED)
        end = goal_end(w, LuarGetUp, "get_up")
        assert end.result.outcome.code == LuarOutcome.LINK_LOST
        assert "does not run the body of ROS orders" in end.result.outcome.message
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM)
        publisher = w.peer.node.create_publisher(Twist, "/luar/cmd_vel", qos.LATCHED)
        twist = Twist()
        twist.linear.x = 0.1
        publisher.publish(twist)
        diagnostics.wait_for(
            lambda m: any(v.key == "refused velocities" for s in m.status for v in s.values)
        )


def test_numbers_that_are_none_do_not_disturb(user: str) -> None:
    file = f"{SEGMENT}01{user}"
    with SegmentOwner() as robot:
        robot.create(file)
        for variable, length in LENGTHS.items():
            robot.set(file, variable, [math.nan] * length)
        robot.sync()
        body = BodyMemory(DIRECTORY / file, 1.0)
        body.look(0.0)
        assert (body.motion, body.done_count, body.result) == (Motion.UNKNOWN, 0, 0)
        assert body.send_order(Order.STAND_UP) == 1
        with pytest.raises(NotConnectedError, match="stood still"):
            body.look(2.0)


def test_the_allow_list_has_to_name_the_orders(user: str) -> None:
    parameters = {"user": user, "walk_commands": True, "writable": ["rcmBody.velocity"]}
    expected = pytest.raises(ParameterError, match=r"does not name rcmBody\.velocity_count")
    with expected, RunningNode(LuarBridge, parameters):
        pass


def test_the_walk_s_parameters_are_told_and_taken_back(walking: Any) -> None:
    with walking(walk_step_height=0.03) as w:
        told = w.peer.subscribe(LuarSegment, "/luar/segments/mcmWalk")

        def value(message: LuarSegment, name: str) -> float:
            at = list(message.names).index(name)
            return float(message.values[sum(message.given[:at])])

        def set_parameter(name: str, given: float) -> str:
            parameter = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=given)
            request = SetParameters.Request(parameters=[Parameter(name=name, value=parameter)])
            (result,) = w.peer.call(SetParameters, "/luar/bridge/set_parameters", request).results
            return str(result.reason)

        told.wait_for(lambda m: value(m, "stepHeight") == 0.03 and value(m, "tStep") == 0.44)
        assert set_parameter("walk_step_time", 0.5) == ""
        told.wait_for(lambda m: value(m, "tStep") == 0.5)
        assert set_parameter("walk_step_time", 0.0) == ""
        assert set_parameter("walk_body_height", 0.1) == ""  # below what the robot allows
        told.wait_for(lambda m: (value(m, "tStep"), value(m, "bodyHeight")) == (0.44, 0.2))
        assert "from 0 to 0.06" in set_parameter("walk_step_height", 0.5)
