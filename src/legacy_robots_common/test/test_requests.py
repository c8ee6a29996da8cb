# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Calls of services that end though their server does not answer."""

import threading

import pytest
from action_msgs.msg import GoalStatusArray
from control_msgs.action import FollowJointTrajectory
from rclpy.qos import qos_profile_action_status_default
from rclpy.task import Future
from std_srvs.srv import Trigger

from legacy_robots_common.goals.remote import RemoteAction, RemoteService
from legacy_robots_common.goals.requests import Observer
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node


def test_a_call_ends_when_another_server_has_taken_the_place_of_its_own():
    asked, ends = threading.Event(), Recorder("end")

    async def never(request, response):
        asked.set()
        await Future()

    with RosPeer("caller") as here:
        remote = here.on_executor(RemoteService, here.node, Trigger, "/wave")
        with RosPeer("first") as first:
            first.on_executor(first.node.create_service, Trigger, "/wave", never)
            observer = Observer(ends.add)
            request = here.on_executor(remote.send, Trigger.Request(), observer)
            assert asked.wait(40.0)
            assert not request.over
            with RosPeer("second") as second:
                second.on_executor(second.node.create_service, Trigger, "/wave", never)
                first.on_executor(lambda: [s.destroy() for s in list(first.node.services)])
                assert ends.wait_for().reason == "/wave: the server is gone"
        here.on_executor(remote.destroy)


def test_a_goal_to_be_cancelled_is_not_sent_again():
    """A server that answers neither the goal nor its cancellation; the goal shall not move it."""
    sent, ends, lost = Recorder("goal"), Recorder("end"), Recorder("lost")

    async def take(request, response):
        sent.add(request)
        await Future()

    async def never(request, response):
        await Future()

    with RosPeer("caller") as here, RosPeer("server") as there:
        action = FollowJointTrajectory.Impl
        services = {
            "send_goal": action.SendGoalService,
            "cancel_goal": action.CancelGoalService,
            "get_result": action.GetResultService,
        }
        for name, kind in services.items():
            callback = take if name == "send_goal" else never
            there.on_executor(there.node.create_service, kind, f"/follow/_action/{name}", callback)
        for name, kind, profile in (
            ("feedback", action.FeedbackMessage, 1),
            ("status", GoalStatusArray, qos_profile_action_status_default),
        ):
            topic = f"/follow/_action/{name}"
            there.on_executor(there.node.create_publisher, kind, topic, profile)
        remote = here.on_executor(RemoteAction, here.node, FollowJointTrajectory, "/follow")
        until(remote.is_ready)
        observer = Observer(ends.add, on_lost=lost.add)
        request = here.on_executor(remote.send, FollowJointTrajectory.Goal(), observer)
        sent.wait_for()
        here.on_executor(request.cancel)
        assert lost.wait_for() == "/follow: no answer to a goal and its cancellation"
        assert (len(sent.items), ends.items) == (1, [])
        here.on_executor(remote.destroy)
