# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A mission against a real action server, which succeeds, fails, rejects and goes away."""

import threading

import pytest
from rclpy.action import ActionClient, ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future
from std_srvs.srv import Trigger

from legacy_robots_common.goals import requests
from legacy_robots_common.goals.mission import Mission
from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import Limits
from legacy_robots_msgs.action import NaoGoTo
from legacy_robots_msgs.msg import NaoOutcome
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node


class Counting(Mission):
    """Sends one goal after the other and tells how they ended."""

    orders = (3,)

    def __init__(self, **arguments):
        super().__init__("counting", **arguments)
        self.ended = Recorder("ends of goals")
        self._action = RemoteAction(self, NaoGoTo, "count")
        self._service = self.create_client(Trigger, "ask")

    async def plan(self):
        for order in self.orders:
            self.ended.add(await self.achieve(self._action, NaoGoTo.Goal(marker_id=order)))
        await self.pause(0.01)
        self.ended.add((await self.call(self._service, Trigger.Request())).message)


class Server:
    """Fails goals of odd order, rejects order 0, keeps order 100 until it is cancelled."""

    def __init__(self, peer):
        self.cancelled = Recorder("cancellations")
        self.held = Recorder("goals that are kept")
        self.asked = Recorder("goals that are asked for")
        self.answers = threading.Event()
        self.answers.set()
        peer.node.create_service(Trigger, "ask", self._answer)
        self.action = ActionServer(
            peer.node,
            NaoGoTo,
            "count",
            self._execute,
            goal_callback=self._decide,
            handle_accepted_callback=self._accepted,
            cancel_callback=self._cancel,
        )

    def _answer(self, request, response):
        response.message = "answered"
        return response

    def _decide(self, goal):
        self.asked.add(goal)
        self.answers.wait()
        return GoalResponse.ACCEPT if goal.marker_id else GoalResponse.REJECT

    def _accepted(self, handle):
        if handle.request.marker_id == 100:
            self.held.add(handle)
        else:
            handle.execute()

    def _cancel(self, handle):
        self.cancelled.add(handle)
        return CancelResponse.REJECT

    def _execute(self, handle):
        if handle.request.marker_id % 2:
            handle.abort()
        else:
            handle.succeed()
        return NaoGoTo.Result(outcome=NaoOutcome(message=f"no way to {handle.request.marker_id}"))


@pytest.fixture
def peer():
    with RosPeer() as peer:
        yield peer


def test_a_plan_goes_from_goal_to_goal(peer, monkeypatch):
    monkeypatch.setattr(Counting, "orders", (2, 3, 0))
    server = peer.on_executor(Server, peer)
    with RunningNode(Counting, {}) as node:
        success, failure, rejection, answer = node.ended.wait_for_count(4)
    assert (success.succeeded, success.reason) == (True, "")
    assert (failure.succeeded, failure.reason) == (False, "count: aborted: no way to 3")
    assert (rejection.succeeded, rejection.result) == (False, None)
    assert rejection.reason == "count: rejected"
    assert answer == "answered"
    peer.on_executor(server.action.destroy)


def test_a_server_that_goes_away_does_not_hold_the_plan_up(peer, monkeypatch):
    monkeypatch.setattr(Counting, "limits", Limits(server=0.5))
    monkeypatch.setattr(Counting, "orders", (100,))
    server = peer.on_executor(Server, peer)
    with RunningNode(Counting, {}) as node:
        assert node.ended.items == []
        server.held.wait_for()
        peer.on_executor(server.action.destroy)
        lost = node.ended.wait_for_count(1)[0]
    assert (lost.succeeded, lost.reason) == (False, "count: the server is gone")


def test_closing_cancels_the_goal_that_is_under_way(peer, monkeypatch):
    monkeypatch.setattr(Counting, "orders", (100,))
    server = peer.on_executor(Server, peer)
    with RunningNode(Counting, {}):
        server.held.wait_for()
    assert server.cancelled.wait_for().request.marker_id == 100
    peer.on_executor(server.action.destroy)


def test_closing_cancels_a_goal_whose_acceptance_is_not_known_yet(peer, monkeypatch):
    monkeypatch.setattr(Counting, "orders", (100,))
    server = peer.on_executor(Server, peer)
    server.answers.clear()
    with RunningNode(Counting, {}):
        server.asked.wait_for()
    server.answers.set()
    assert server.cancelled.wait_for().request.marker_id == 100
    peer.on_executor(server.action.destroy)


def test_a_goal_that_is_not_answered_is_sent_again(peer, monkeypatch):
    """As when the server has not discovered the client's ear for answers yet."""
    monkeypatch.setattr(requests, "ANSWER_TIMEOUT_S", 0.5)
    monkeypatch.setattr(Counting, "orders", (2,))
    server = peer.on_executor(Server, peer)
    original = ActionClient.send_goal_async
    asked = []

    def send(client, goal, **options):
        asked.append(options["goal_uuid"])
        answer = original(client, goal, **options)
        return answer if len(asked) > 1 else Future()

    monkeypatch.setattr(ActionClient, "send_goal_async", send)
    with RunningNode(Counting, {}) as node:
        assert node.ended.wait_for_count(1)[0].succeeded
    assert len(asked) >= 2  # a busy machine's answer takes longer, too
    peer.on_executor(server.action.destroy)
