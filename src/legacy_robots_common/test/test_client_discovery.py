# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client that is discovered in parts: what it asks for is answered once it can be."""

import enum
import threading
import uuid

import pytest
from action_msgs.srv import CancelGoal
from std_srvs.srv import Trigger
from unique_identifier_msgs.msg import UUID

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import GoalServer
from legacy_robots_common.node import client_discovery
from legacy_robots_msgs.action import NaoPickUp
from legacy_robots_msgs.msg import NaoOutcome
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import TIMEOUT, RosPeer, wait
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

SendGoal = NaoPickUp.Impl.SendGoalService
ACTION = "/toy/pick_up/_action"
LONG_S = 0.5
"""In which what does not wait is surely done."""


class Outcome(enum.IntEnum):
    """How goals of the test end."""

    SUCCEEDED = 0
    CANCELED = 2
    LINK_LOST = 4
    INVALID = 7
    SHUTDOWN = 8


class Server(GoalServer):
    """Goals go on until they are cancelled."""

    def __init__(self, node):
        super().__init__(node, NaoPickUp, "pick_up", Outcome, needs_link=False)
        self.begun = Recorder("goals that have begun")

    def begin(self, goal):
        self.begun.add(goal.request.object_id)

    def cancel(self, goal):
        goal.end(Outcome.CANCELED, "cancelled")
        return True

    def result(self, goal, ending):
        return NaoPickUp.Result(outcome=NaoOutcome(code=int(ending.outcome)))


class Bridge(BridgeNode):
    """A bridge to which what reads answers stays unknown while it is ``hidden``."""

    hidden = False

    def __init__(self, **arguments):
        super().__init__("bridge", hardware_id="toy", namespace="toy", **arguments)
        self.server = Server(self)
        self.pressed = threading.Event()
        self.create_service(Trigger, "press", self._press)

    def _press(self, request, response):
        self.pressed.set()
        return response

    def get_subscriptions_info_by_topic(self, topic_name, no_mangle=False):
        found = super().get_subscriptions_info_by_topic(topic_name, no_mangle)
        return [] if self.hidden and topic_name.startswith("rr/") else found


@pytest.fixture(params=TASK_ORDERS, ids=lambda order: order.__name__)
def bridge(request):
    with RunningNode(Bridge, {}, request.param) as node:
        node.hidden = True
        yield node


@pytest.fixture
def peer():
    with RosPeer() as peer:
        yield peer


def send(peer, *objects):
    """Send goals as one client; return the futures of their answers."""
    ids = [UUID(uuid=list(uuid.uuid4().bytes)) for _ in objects]
    goals = [NaoPickUp.Goal(object_id=number) for number in objects]
    requests = [SendGoal.Request(goal_id=i, goal=g) for i, g in zip(ids, goals, strict=True)]
    return [peer.call_later(SendGoal, f"{ACTION}/send_goal", request) for request in requests]


def have_begun(bridge, count, timeout=TIMEOUT):
    try:
        return bridge.server.begun.wait_for_count(count, timeout)
    except TimeoutError:
        return []


def test_goals_begin_in_order_once_their_client_can_be_answered(bridge, peer):
    answers = send(peer, 1, 2, 3)
    assert have_begun(bridge, 1, LONG_S) == []
    bridge.hidden = False
    assert have_begun(bridge, 3) == [1, 2, 3]
    assert [wait(answer, "an answer").accepted for answer in answers] == [True] * 3


def test_a_goal_that_waits_is_cancelled_at_once(bridge, peer):
    (accepted,) = send(peer, 1)
    assert have_begun(bridge, 1, LONG_S) == []
    cancelled = peer.call_later(CancelGoal, f"{ACTION}/cancel_goal", CancelGoal.Request())
    assert wait(accepted, "the goal's answer").accepted
    until(lambda: not bridge.server.goals, "it goes on")
    assert not cancelled.done()
    bridge.hidden = False
    assert len(wait(cancelled, "the cancellation's answer").goals_canceling) == 1


def test_a_client_that_cannot_be_answered_is_waited_for_once(bridge, peer, monkeypatch):
    monkeypatch.setattr(client_discovery, "LONGEST_WAIT_S", 0.3)
    send(peer, 1)
    assert have_begun(bridge, 1) == [1]
    monkeypatch.setattr(client_discovery, "LONGEST_WAIT_S", 3600.0)
    send(peer, 2)
    assert have_begun(bridge, 2) == [1, 2]


def test_a_service_is_carried_out_at_once_and_answered_later(bridge, peer):
    answer = peer.call_later(Trigger, "/toy/press")
    assert bridge.pressed.wait(TIMEOUT)
    with pytest.raises(TimeoutError):
        wait(answer, "the answer", LONG_S)
    bridge.hidden = False
    wait(answer, "the answer")
