# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The cancellation of several goals at once is answered truly, whatever of it is refused."""

import enum
from functools import partial
from operator import eq

import pytest
from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from rclpy.action import ActionServer, GoalResponse
from rclpy.action.server import ServerGoalHandle

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals import action_server
from legacy_robots_common.goals.goal_server import GoalServer
from legacy_robots_msgs.action import NaoPickUp
from legacy_robots_msgs.msg import NaoOutcome
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

CANCEL = "/toy/pick_up/_action/cancel_goal"
STUBBORN = 1
"""Object id of goals that go on when they are cancelled."""


class Outcome(enum.IntEnum):
    """How goals of the test end."""

    SUCCEEDED = 0
    CANCELED = 2
    LINK_LOST = 4
    INVALID = 7
    SHUTDOWN = 8


class Server(GoalServer):
    """Goals go on until they are cancelled, and those of object STUBBORN longer."""

    def __init__(self, node):
        super().__init__(node, NaoPickUp, "pick_up", Outcome, needs_link=False)
        self.begun = Recorder("goals that have begun")

    def begin(self, goal):
        self.begun.add(goal.id)

    def cancel(self, goal):
        if goal.request.object_id == STUBBORN:
            return False
        goal.end(Outcome.CANCELED, "cancelled")
        return True

    def result(self, goal, ending):
        return NaoPickUp.Result(outcome=NaoOutcome(code=int(ending.outcome)))


class Bridge(BridgeNode):
    """A bridge with one action."""

    def __init__(self, **arguments):
        super().__init__("bridge", hardware_id="toy", namespace="toy", **arguments)
        self.server = Server(self)


@pytest.mark.parametrize("executor_type", TASK_ORDERS, ids=lambda order: order.__name__)
@pytest.mark.parametrize(
    "objects,code",
    [
        ((STUBBORN, STUBBORN, STUBBORN), CancelGoal.Response.ERROR_REJECTED),
        ((STUBBORN, 2, STUBBORN, 4), CancelGoal.Response.ERROR_NONE),
        ((2, STUBBORN, STUBBORN, 5), CancelGoal.Response.ERROR_NONE),
    ],
)
def test_every_goal_is_asked_about_and_those_that_go_on_are_not_named(
    objects, code, executor_type
):
    with RunningNode(Bridge, {}, executor_type) as node, RosPeer() as peer:
        goals = []
        for number in objects:
            goal = NaoPickUp.Goal(object_id=number)
            goals.append(peer.send_goal(NaoPickUp, "/toy/pick_up", goal))
            node.server.begun.wait_for(partial(eq, goals[-1].id))
        answer = peer.call(CancelGoal, CANCEL)
        assert answer.return_code == code
        named = {bytes(info.goal_id.uuid) for info in answer.goals_canceling}
        for goal, number in zip(goals, objects, strict=True):
            assert (goal.id in named) == (number != STUBBORN)
            if number != STUBBORN:
                assert goal.end().status == GoalStatus.STATUS_CANCELED
        # One that was sent again because its answer was lost may go on beside these.
        going_on = {goal.id for goal in node.server.goals}
        for goal, number in zip(goals, objects, strict=True):
            assert (goal.id in going_on) == (number == STUBBORN)


def test_another_rclpy_answers_by_itself(monkeypatch):
    monkeypatch.setattr(action_server, "PRIVATE", (*action_server.PRIVATE, "_of_another_rclpy"))
    with RunningNode(Bridge, {}) as node, RosPeer() as peer:
        goal = peer.send_goal(NaoPickUp, "/toy/pick_up", NaoPickUp.Goal(object_id=2))
        node.server.begun.wait_for(partial(eq, goal.id))
        answer = peer.call(CancelGoal, CANCEL)
        assert [bytes(info.goal_id.uuid) for info in answer.goals_canceling] == [goal.id]
        assert goal.end().status == GoalStatus.STATUS_CANCELED


def test_this_rclpy_has_what_a_true_answer_needs():
    class Seen(action_server.TruthfulActionServer):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.missing = [name for name in action_server.PRIVATE if not hasattr(self, name)]

    with RunningNode(Bridge, {}) as node:
        server = Seen(
            node,
            NaoPickUp,
            "other",
            lambda goal: NaoPickUp.Result(),
            goal_callback=lambda goal: GoalResponse.ACCEPT,
            on_result_request=lambda goal: None,
        )
        assert server.missing == []
        server.destroy()
    assert hasattr(ActionServer, "_execute_cancel_request")
    assert hasattr(ServerGoalHandle, "_update_state")
