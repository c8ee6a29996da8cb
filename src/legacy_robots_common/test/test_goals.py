# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every goal of a GoalServer ends exactly once, whatever ends first, in any order of tasks."""

import enum
import threading

import pytest
from action_msgs.msg import GoalInfo, GoalStatus, GoalStatusArray
from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from unique_identifier_msgs.msg import UUID

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals import result_watch
from legacy_robots_common.goals.action_server import TruthfulActionServer
from legacy_robots_common.goals.goal_server import GoalRefusedError, GoalServer
from legacy_robots_common.goals.policies import GoalQueue
from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import Observer
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_core.link.base import Link, LinkLost
from legacy_robots_msgs.action import NaoPickUp
from legacy_robots_msgs.msg import LinkState, NaoOutcome
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer, wait
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node


class Outcome(enum.IntEnum):
    """How goals of the test end."""

    SUCCEEDED = 0
    CANCELED = 2
    QUEUE_FULL = 3
    LINK_LOST = 4
    INVALID = 7
    SHUTDOWN = 8
    REMOVED = 9


class ToyLink(Link):
    """Is connected until it is told to lose its connection."""

    def __init__(self, observer):
        super().__init__("a toy", observer)
        self.lose = threading.Event()
        self.failure = LinkLost("the toy was unplugged")

    def serve(self):
        self.connected("a toy")
        self.lose.wait()
        if not self.closing.is_set():
            self.lose.clear()
            raise self.failure

    def interrupt(self):
        self.lose.set()


class ToyServer(GoalServer):
    """Goals run until they are ended from outside."""

    answer = True
    """What a cancellation is answered; None: later, by ``late``."""

    def __init__(self, node, **options):
        super().__init__(node, NaoPickUp, "pick_up", Outcome, **options)
        self.begun = []
        self.has_begun = threading.Condition()
        self.late = None
        self.asked_to_cancel = threading.Event()

    def begin(self, goal):
        if goal.request.object_id < 0:
            raise GoalRefusedError("there is no object below 0")
        with self.has_begun:
            self.begun.append(goal)
            self.has_begun.notify_all()

    def wait_for(self, count):
        with self.has_begun:
            assert self.has_begun.wait_for(lambda: len(self.begun) >= count, 10.0)
        return self.begun[count - 1]

    def cancel(self, goal):
        if self.answer is None:
            self.late = ThreadsafeFuture(self.node.executor)
            self.asked_to_cancel.set()
            return self.late
        if self.answer:
            goal.end(Outcome.CANCELED, "cancelled")
        return self.answer

    def result(self, goal, ending):
        outcome = NaoOutcome(code=int(ending.outcome), message=ending.message)
        return NaoPickUp.Result(outcome=outcome)


class ToyBridge(BridgeNode):
    """A bridge with one action."""

    def __init__(self, **arguments):
        super().__init__("bridge", hardware_id="toy", namespace="toy", **arguments)
        self.order = []
        self.policy = GoalQueue(1)
        self.robot_lock = threading.RLock()
        self.server = ToyServer(self, policy=self.policy, lock=self.robot_lock)
        self.link = ToyLink(self)
        self.use_link(self.link)

    def make_safe(self, reason):
        self.order.append("safe")

    def on_disconnected(self, reason):
        self.order.append("disconnected" if not self.server.goals else "goals still run")


@pytest.fixture(params=TASK_ORDERS, ids=lambda order: order.__name__)
def running(request):
    """Run the bridge, on executors of both orders of tasks."""
    with RunningNode(ToyBridge, {}, request.param) as node:
        yield node


@pytest.fixture
def peer():
    """Return a client."""
    with RosPeer() as peer:
        yield peer


def wait_connected(peer, times=1):
    """Wait until the link has come up for the ``times``-th time."""
    states = peer.subscribe(LinkState, "/toy/link_state")
    states.wait_for(lambda s: s.state == LinkState.CONNECTED and s.connections >= times)


def send(peer, number=1):
    """Send a goal to a bridge that is connected."""
    wait_connected(peer)
    return peer.send_goal(NaoPickUp, "/toy/pick_up", NaoPickUp.Goal(object_id=number))


def ended(goal, outcome, status=GoalStatus.STATUS_ABORTED):
    """Wait for the end; assert what it is, and return its sentence."""
    end = goal.end()
    assert (Outcome(end.result.outcome.code), end.status) == (outcome, status)
    return end.result.outcome.message


def test_a_goal_that_another_thread_ends_succeeds(running, peer):
    goal = send(peer)
    begun = running.server.wait_for(1)
    assert begun.end(Outcome.SUCCEEDED, "done")
    assert not begun.end(Outcome.INVALID, "too late")
    assert ended(goal, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED) == "done"


def test_a_goal_that_cannot_be_carried_out_is_aborted_with_the_reason(running, peer):
    assert ended(send(peer, -1), Outcome.INVALID) == "there is no object below 0"


def test_a_cancelled_goal_is_canceled(running, peer):
    goal = send(peer)
    running.server.wait_for(1)
    assert goal.cancel()
    ended(goal, Outcome.CANCELED, GoalStatus.STATUS_CANCELED)


def test_a_refused_cancellation_leaves_the_goal_running(running, peer):
    running.server.answer = False
    goal = send(peer)
    begun = running.server.wait_for(1)
    assert not goal.cancel()
    begun.end(Outcome.SUCCEEDED, "done")
    ended(goal, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)


@pytest.mark.parametrize("end_first", [True, False])
def test_a_cancellation_that_is_answered_late(running, peer, end_first):
    running.server.answer = None
    goal = send(peer)
    begun = running.server.wait_for(1)
    response = peer.on_executor(goal._request.handle.cancel_goal_async)
    assert running.server.asked_to_cancel.wait(10.0)
    if not end_first:
        running.server.late.set_result(True)
    begun.end(Outcome.CANCELED, "cancelled")
    ended(goal, Outcome.CANCELED, GoalStatus.STATUS_CANCELED)
    assert response.done()
    assert response.result().goals_canceling


def test_a_goal_that_succeeds_while_its_cancellation_is_considered(running, peer):
    running.server.answer = None
    goal = send(peer)
    begun = running.server.wait_for(1)
    response = peer.on_executor(goal._request.handle.cancel_goal_async)
    assert running.server.asked_to_cancel.wait(10.0)
    begun.end(Outcome.SUCCEEDED, "done")
    ended(goal, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)
    assert not response.result().goals_canceling


def test_a_cancellation_that_comes_with_its_goal_is_accepted(running, peer):
    """Both are there when the server looks: the goal is accepted, and not executed yet."""
    wait_connected(peer)
    remote = peer.on_executor(RemoteAction, peer.node, NaoPickUp, "/toy/pick_up")
    until(remote.is_ready)
    ends, refused = Recorder("end"), threading.Event()
    observer = Observer(ends.add, on_refused=refused.set)
    for number in range(1, 11):
        go_on = threading.Event()
        running.call_soon(lambda go_on=go_on: go_on.wait(10.0) and None)
        request = peer.on_executor(remote.send, NaoPickUp.Goal(object_id=number), observer)
        peer.on_executor(request.cancel)
        go_on.set()
        end = ends.wait_for_count(number)[-1]
        assert (end.fate, end.status) == ("cancelled", GoalStatus.STATUS_CANCELED)
    assert not refused.is_set()
    peer.on_executor(remote.destroy)


def test_two_cancellations_of_a_goal_are_both_answered_truly(running, peer):
    running.server.answer = None
    goal = send(peer)
    begun = running.server.wait_for(1)
    info = GoalInfo(goal_id=UUID(uuid=list(goal.id)))
    request = CancelGoal.Request(goal_info=info)
    name = "/toy/pick_up/_action/cancel_goal"
    answers = [peer.call_later(CancelGoal, name, request)]
    assert running.server.asked_to_cancel.wait(10.0)
    answers.append(peer.call_later(CancelGoal, name, request))
    running.server.late.set_result(True)
    begun.end(Outcome.CANCELED, "cancelled")
    codes = [wait(answer, "a cancellation").return_code for answer in answers]
    # The second one may come after the end.
    assert codes[0] == CancelGoal.Response.ERROR_NONE
    assert codes[1] in (
        CancelGoal.Response.ERROR_NONE,
        CancelGoal.Response.ERROR_GOAL_TERMINATED,
    )
    assert ended(goal, Outcome.CANCELED, GoalStatus.STATUS_CANCELED) == "cancelled"


def test_goals_wait_for_their_turn_and_no_more_than_the_limit(running, peer):
    first, second = send(peer), send(peer)
    third = send(peer)
    assert "1 goals are waiting" in ended(third, Outcome.QUEUE_FULL)
    running.server.wait_for(1).end(Outcome.SUCCEEDED, "first")
    running.server.wait_for(2).end(Outcome.SUCCEEDED, "second")
    assert ended(first, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED) == "first"
    assert ended(second, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED) == "second"


def test_a_waiting_goal_is_cancelled_at_once(running, peer):
    running.server.answer = False  # as for one that has begun
    first, second = send(peer), send(peer)
    assert second.cancel()
    ended(second, Outcome.CANCELED, GoalStatus.STATUS_CANCELED)
    running.server.wait_for(1).end(Outcome.SUCCEEDED, "done")
    ended(first, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)


def test_a_goal_that_ends_while_it_waits_for_the_lock_does_not_begin(running, peer):
    wait_connected(peer)
    with running.robot_lock:
        goal = send(peer)  # its server's thread waits for the lock before it begins
        while not running.server.goals:
            pass
        running.server.end_goals("LINK_LOST", "the toy was unplugged")
    assert ended(goal, Outcome.LINK_LOST) == "the toy was unplugged"
    assert running.server.begun == []


def test_link_loss_ends_all_goals_in_order(running, peer):
    goals = [send(peer), send(peer)]
    running.server.wait_for(1)
    running.link.lose.set()
    for goal in goals:
        assert "the toy was unplugged" in ended(goal, Outcome.LINK_LOST)
    assert running.order == ["safe", "disconnected"]


def test_an_unforeseen_exception_of_the_link_is_a_fault_and_passes(running, peer):
    goal = send(peer)
    running.server.wait_for(1)
    running.link.failure = ZeroDivisionError("a fault of the test")
    running.link.lose.set()
    message = ended(goal, Outcome.LINK_LOST)
    assert "unexpected ZeroDivisionError: a fault of the test" in message
    wait_connected(peer, times=2)
    again = send(peer)
    running.server.wait_for(2).end(Outcome.SUCCEEDED, "done")
    ended(again, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)


def test_a_retired_server_ends_its_goals_and_goes(running, peer):
    goals = [send(peer), send(peer)]
    running.server.wait_for(1)
    retired = threading.Event()
    running.call_soon(running.server.retire, "REMOVED", "the robot was removed", retired.set)
    for goal in goals:
        assert ended(goal, Outcome.REMOVED) == "the robot was removed"
    assert retired.wait(10.0)
    assert running.server not in running._goal_servers


@pytest.mark.parametrize("order", TASK_ORDERS, ids=lambda order: order.__name__)
def test_the_end_of_the_program_ends_all_goals(peer, order):
    with RunningNode(ToyBridge, {}, order) as node:
        goals = [send(peer), send(peer)]
        node.server.wait_for(1)
    for goal in goals:
        end = goal.end()
        assert Outcome(end.result.outcome.code) is Outcome.SHUTDOWN
    assert node.order[0] == "safe"


def test_a_client_that_asks_late_for_its_result_gets_it_from_a_bridge_that_ends(peer):
    """On a loaded machine a client asks later than the result is there."""
    running = RunningNode(ToyBridge, {})
    with running:
        wait_connected(peer)
        client = peer.on_executor(ActionClient, peer.node, NaoPickUp, "/toy/pick_up")
        statuses = peer.subscribe(GoalStatusArray, "/toy/pick_up/_action/status")
        assert client.wait_for_server(10.0)
        sent = peer.on_executor(client.send_goal_async, NaoPickUp.Goal(object_id=1))
        handle = wait(sent, "goal")
        statuses.wait_for(lambda s: s.status_list)
        running.stop()
        statuses.wait_for(lambda s: s.status_list[-1].status == GoalStatus.STATUS_ABORTED)
        asked_late = threading.Event()
        peer.node.create_timer(0.6, asked_late.set)
        assert asked_late.wait(5.0)
        answer = wait(peer.on_executor(handle.get_result_async), "result")
        assert Outcome(answer.result.outcome.code) is Outcome.SHUTDOWN
        peer.on_executor(client.destroy)


@pytest.mark.parametrize("kind", ["dropped", "unasked", "written"])
def test_a_result_that_no_client_gets_is_told_by_its_goals_id(kind, peer, monkeypatch, capfd):
    monkeypatch.setattr(result_watch, "WITHIN_S", 0.5)
    if kind == "dropped":
        monkeypatch.setattr(TruthfulActionServer, "_send_result_response", lambda *_: None)
    with RunningNode(ToyBridge, {}) as node:
        wait_connected(peer)
        client = peer.on_executor(ActionClient, peer.node, NaoPickUp, "/toy/pick_up")
        statuses = peer.subscribe(GoalStatusArray, "/toy/pick_up/_action/status")
        assert client.wait_for_server(10.0)
        sent = peer.on_executor(client.send_goal_async, NaoPickUp.Goal(object_id=1))
        handle = wait(sent, "goal")
        if kind != "unasked":
            asked = peer.on_executor(handle.get_result_async)
        goal = node.server.wait_for(1)
        assert goal.id.hex() == bytes(handle.goal_id.uuid).hex()
        until(lambda: kind == "unasked" or goal.id in node.server._asked, "no request")
        goal.end(Outcome.SUCCEEDED, "done")
        statuses.wait_for(lambda s: s.status_list[-1].status == GoalStatus.STATUS_SUCCEEDED)
        looked = threading.Event()
        peer.node.create_timer(1.0, looked.set)  # later than the watch
        assert looked.wait(10.0)
        if kind == "written":
            assert Outcome(wait(asked, "result").result.outcome.code) is Outcome.SUCCEEDED
        peer.on_executor(client.destroy)
    said = [line for line in capfd.readouterr().err.splitlines() if goal.id.hex() in line]
    expected = {"dropped": ["ERROR"], "unasked": ["INFO"], "written": []}[kind]
    assert [word for line in said for word in ("ERROR", "INFO") if word in line] == expected


def test_a_goal_that_ends_while_it_is_submitted_holds_no_other_up():
    class Known:
        """A goal as its queue knows it; the link's thread has ended it in the meantime."""

        def __init__(self, over=False):
            self.server, self.over = self, over

        def start(self, goal):
            begun.append(goal)

    begun, queue, late = [], GoalQueue(1), Known()
    queue.submit(Known(over=True))
    queue.submit(late)
    assert begun == [late]
