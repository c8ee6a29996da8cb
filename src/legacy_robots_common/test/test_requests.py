# SPDX-License-Identifier: Apache-2.0
"""Calls of services that end though their server does not answer."""

import threading

from rclpy.task import Future
from std_srvs.srv import Trigger

from legacy_robots_common.goals.requests import Observer, RemoteService
from legacy_robots_common.testing.recorder import Recorder
from legacy_robots_common.testing.ros_peer import RosPeer


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
