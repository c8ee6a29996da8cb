# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals and services that come before the first connection wait for it, and end truthfully."""

import enum
import threading
from contextlib import contextmanager

import pytest
from action_msgs.msg import GoalStatus
from std_srvs.srv import Trigger

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import GoalServer, LocalGoal
from legacy_robots_common.goals.policies import GoalQueue
from legacy_robots_core.link.base import Link, LinkLost
from legacy_robots_msgs.action import NaoPickUp
from legacy_robots_msgs.msg import LinkState, NaoOutcome
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer, wait
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_testing.stopwatch import Stopwatch
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

LONG_S = 600.0


class Outcome(enum.IntEnum):
    """How goals of the test end."""

    SUCCEEDED = 0
    CANCELED = 2
    QUEUE_FULL = 3
    LINK_LOST = 4
    INVALID = 7
    SHUTDOWN = 8


class Plug(Link):
    """Connects when it is plugged in, and loses the connection when it is pulled out."""

    def __init__(self, observer):
        super().__init__("a plug", observer)
        self.is_in = threading.Event()
        self.changed = threading.Event()

    def plug(self, is_in):
        self.is_in.set() if is_in else self.is_in.clear()
        self.changed.set()

    def interrupt(self):
        self.changed.set()

    def _wait(self):
        self.changed.wait()
        self.changed.clear()

    def serve(self):
        while not self.is_in.is_set():
            if self.closing.is_set():
                return
            self._wait()
        self.connected("a plug")
        while self.is_in.is_set() and not self.closing.is_set():
            self._wait()
        raise LinkLost("it was pulled out")


class PickUp(GoalServer):
    """Records the goals that begin; they run until they are ended from outside."""

    def __init__(self, node, name, begun, queue):
        super().__init__(node, NaoPickUp, name, Outcome, policy=queue)
        self._begun = begun

    def begin(self, goal):
        self._begun.add((self.name, goal.request.object_id, goal))

    def cancel(self, goal):
        return goal.end(Outcome.CANCELED, "cancelled")

    def result(self, goal, ending):
        outcome = NaoOutcome(code=int(ending.outcome), message=ending.message)
        return NaoPickUp.Result(outcome=outcome)


class Bridge(BridgeNode):
    """A bridge with two actions of one queue, and a service."""

    def __init__(self, seconds=LONG_S, **arguments):
        super().__init__("bridge", hardware_id="toy", namespace="toy", **arguments)
        self.begun = Recorder("goals that have begun")
        queue = GoalQueue(2)
        self.left = PickUp(self, "left", self.begun, queue)
        self.right = PickUp(self, "right", self.begun, queue)
        self.create_service(Trigger, "reset", self._reset)
        self.plug = Plug(self)
        self.use_link(self.plug, seconds)

    async def _reset(self, request, response):
        await self.first_connection.wait()
        response.success = self.connected
        response.message = "" if self.connected else self.why_not_connected()
        return response


class World:
    """The bridge, and a client of it."""

    def __init__(self, running, peer):
        self.running, self.node, self.peer = running, running.node, peer
        self.link = peer.subscribe(LinkState, "/toy/link_state")

    def send(self, number=1, hand="left"):
        return self.peer.send_goal(NaoPickUp, f"/toy/{hand}", NaoPickUp.Goal(object_id=number))

    def wait_for_waiting(self, count):
        """Wait until ``link_state`` shows that this many goals wait."""
        text = f"connecting; goals that wait for the first connection: {count}"
        return self.link.wait_for(
            lambda m: m.detail == (text if count else "connecting") and m.connections == 0
        )

    def order(self, count):
        return [(hand, number) for hand, number, _ in self.node.begun.wait_for_count(count)]

    def succeed(self, number):
        """Let the goal with this object succeed, once it has begun."""
        _, _, goal = self.node.begun.wait_for(lambda begun: begun[1] == number)
        goal.end(Outcome.SUCCEEDED, "done")


@pytest.fixture(params=TASK_ORDERS, ids=lambda order: order.__name__)
def make(request):
    """Return a context manager that runs a bridge which is not connected."""

    @contextmanager
    def run(seconds=LONG_S):
        def bridge(**arguments):
            return Bridge(seconds, **arguments)

        with RosPeer() as peer:
            running = RunningNode(bridge, {}, request.param)
            with running:
                yield World(running, peer)

    return run


@pytest.fixture
def world(make):
    """Return a bridge whose goals wait for long."""
    with make() as world:
        yield world


def ended(goal, outcome, status=GoalStatus.STATUS_ABORTED):
    """Wait for the end; assert what it is, and return its sentence."""
    end = goal.end()
    assert (Outcome(end.result.outcome.code), end.status) == (outcome, status)
    return end.result.outcome.message


def test_goals_begin_with_the_first_connection_in_their_order_and_by_their_policy(world):
    sent = (("left", 1), ("right", 2), ("left", 3), ("right", 4))
    goals = []
    for hand, number in sent:
        goals.append(world.send(number, hand))
        state = world.wait_for_waiting(number)
        assert state.state == LinkState.CONNECTING
    assert world.node.begun.items == []
    world.node.plug.plug(True)
    # One is carried out, two may wait behind it.
    assert "2 goals are waiting already" in ended(goals[3], Outcome.QUEUE_FULL)
    for goal, (_, number) in zip(goals[:3], sent, strict=False):
        world.succeed(number)
        ended(goal, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)
    assert world.order(3) == list(sent[:3])
    shown = world.link.last
    assert (shown.state, shown.detail) == (LinkState.CONNECTED, "connected")


def test_the_stamp_of_link_state_stays_when_goals_wait(world):
    began = world.link.wait_for(lambda m: m.state == LinkState.CONNECTING).header.stamp
    world.send()
    assert world.wait_for_waiting(1).header.stamp == began


def test_the_time_of_a_goal_counts_from_the_connection(world):
    goal = world.send()
    world.wait_for_waiting(1)
    plugged_at = world.node.now()
    world.node.plug.plug(True)
    _, _, begun = world.node.begun.wait_for()
    assert begun.began >= plugged_at
    world.succeed(1)
    ended(goal, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)


def test_after_its_time_a_goal_ends_as_by_a_lost_link(make):
    with make(0.5) as world:
        goals = [world.send(1), world.send(2)]
        for goal in goals:
            assert ended(goal, Outcome.LINK_LOST) == (
                "there is no connection with a plug: connecting; the goal has waited for 0.5 s"
            )
        world.link.clear()
        world.send(3)
        world.wait_for_waiting(1)
        world.node.plug.plug(True)
        assert world.order(1) == [("left", 3)]


def test_with_no_time_a_goal_ends_at_once(make):
    with make(0.0) as world:
        message = ended(world.send(), Outcome.LINK_LOST)
        assert message == "there is no connection with a plug: connecting"
        assert not world.peer.call(Trigger, "/toy/reset").success


def test_a_goal_that_waits_is_cancelled_at_once(world):
    first, second = world.send(1), world.send(2)
    assert first.cancel()
    assert ended(first, Outcome.CANCELED, GoalStatus.STATUS_CANCELED) == (
        "cancelled before it began"
    )
    world.wait_for_waiting(1)
    world.node.plug.plug(True)
    world.succeed(2)
    ended(second, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)
    assert world.order(1) == [("left", 2)]


def test_the_end_of_the_program_ends_what_waits(world):
    goal = world.send()
    asked = world.peer.call_later(Trigger, "/toy/reset")
    world.wait_for_waiting(1)
    world.running.stop()
    assert ended(goal, Outcome.SHUTDOWN) == "the bridge is shutting down"
    assert not wait(asked, "reset").success


def test_a_robot_that_is_to_stand_does_not_begin_what_waits(world):
    goal = world.send()
    world.wait_for_waiting(1)
    world.peer.on_executor(
        world.node.call_soon, world.node.first_connection.drop, "halted on request"
    )
    message = ended(goal, Outcome.LINK_LOST)
    assert message == "halted on request before the first connection"
    world.wait_for_waiting(0)


def test_after_the_first_connection_a_loss_ends_goals_at_once(world):
    goal = world.send(1)
    world.wait_for_waiting(1)
    world.node.plug.plug(True)
    world.order(1)
    world.node.plug.plug(False)
    with Stopwatch() as watch:
        assert "it was pulled out" in ended(goal, Outcome.LINK_LOST)
        again = ended(world.send(2), Outcome.LINK_LOST)
        assert watch.seconds < 5.0
    assert again.startswith("there is no connection with a plug")
    assert not world.peer.call(Trigger, "/toy/reset").success


def test_a_service_waits_for_the_first_connection(world):
    asked = world.peer.call_later(Trigger, "/toy/reset")
    goal = world.send()  # comes after it
    world.wait_for_waiting(1)
    assert not asked.done()
    world.node.plug.plug(True)
    assert wait(asked, "reset").success
    world.succeed(1)
    ended(goal, Outcome.SUCCEEDED, GoalStatus.STATUS_SUCCEEDED)


def test_a_goal_that_comes_by_a_topic_does_not_wait(world):
    inner = LocalGoal(NaoPickUp.Goal(object_id=1), lambda feedback: None)
    ends = Recorder("ends")

    async def carry_out():
        ends.add(await world.node.left.carry_out(inner))

    world.node.call_soon(carry_out)
    assert ends.wait_for().outcome is Outcome.LINK_LOST
