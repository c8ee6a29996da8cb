# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign's client that knows rclpy alone: it notices an answer that a server drops."""

from pathlib import Path

import pytest
from action_msgs.msg import GoalStatus
from rclpy.action import ActionServer
from std_srvs.srv import SetBool

from legacy_robots_msgs.action import NaoPickUp
from legacy_robots_testing.ros_peer import RosPeer, wait
from measure.faults import plain_client
from measure.faults.plain import PlainPeer

pytestmark = pytest.mark.node


def succeed(goal):
    goal.succeed()
    result = NaoPickUp.Result()
    result.outcome.message = f"object {goal.request.object_id}"
    return result


class Dropping(ActionServer):
    """An action server that does not write its first ``drops`` results."""

    drops = 0

    def _send_result_response(self, *arguments):
        if self.drops:
            self.drops -= 1
        else:
            super()._send_result_response(*arguments)


@pytest.mark.parametrize("drops", [0, 1])
def test_a_result_that_was_not_written_is_a_lost_goal(drops):
    with RosPeer("server") as peer, PlainPeer("campaign") as client:
        server = peer.on_executor(Dropping, peer.node, NaoPickUp, "/pick_up", succeed)
        server.drops = drops
        goal = client.send_goal(NaoPickUp, "/pick_up", NaoPickUp.Goal(object_id=7))
        if drops:
            with pytest.raises(TimeoutError, match="was not answered"):
                goal.end(60.0)
        answer = wait(goal.ended, "goal")
        assert answer.status == GoalStatus.STATUS_SUCCEEDED
        assert answer.result.outcome.message == "object 7"
        peer.on_executor(server.destroy)


def test_services_are_called_and_refused_goals_told():
    def answer(request, response):
        response.success = request.data
        return response

    with RosPeer("server") as peer, PlainPeer("campaign") as client:
        peer.on_executor(peer.node.create_service, SetBool, "/switch", answer)
        assert client.call(SetBool, "/switch", SetBool.Request(data=True)).success
        with pytest.raises(TimeoutError):
            client.call(SetBool, "/no_such", timeout=0.2)
        server = peer.on_executor(
            lambda: ActionServer(peer.node, NaoPickUp, "/no", succeed, goal_callback=lambda _: 1)
        )
        with pytest.raises(AssertionError, match="rejected"):
            client.send_goal(NaoPickUp, "/no", NaoPickUp.Goal())
        peer.on_executor(server.destroy)


def test_it_shares_no_code_with_the_bridges():
    imports = [
        line
        for line in Path(plain_client.__file__).read_text().splitlines()
        if line.startswith(("import ", "from "))
    ]
    assert not any("legacy" in line or "measure" in line for line in imports)
