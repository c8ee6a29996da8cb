# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""gti_host: commands that come close together, searches that take long, and the host's end."""

from __future__ import annotations

import math
import select
import threading
from contextlib import contextmanager
from functools import partial

import pytest
from rclpy.action import ActionServer, CancelResponse
from trajectory_msgs.msg import JointTrajectory

from aibo_gti_bridge.host import senses
from legacy_robots_common.node import qos
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_core.link.base import LinkState
from legacy_robots_msgs.action import AiboPlayMotion
from legacy_robots_msgs.msg import AiboBall
from legacy_robots_testing.byte_peer import BytePeer
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

SEARCH_PINK = ("iii", 3, 4, 0)
WALK = ("ii3dii", 6, 32, 100.0, 0.0, 0.0, -1, 0)


@contextmanager
def busy(host):
    """Keep the host's executor busy: what others ask of it piles up."""
    begun, over = threading.Event(), threading.Event()

    def wait():
        begun.set()
        over.wait(TIMEOUT)

    host.call_soon(wait)
    assert begun.wait(TIMEOUT)
    try:
        yield
    finally:
        over.set()


class EndlessMotions:
    """The action play_motion, whose goals go on until they are cancelled."""

    def __init__(self, peer):
        self._peer = peer
        self._ends = {}
        self.begun, self.cancelled = [], []
        """Names of motions."""
        serve = partial(ActionServer, peer.node, AiboPlayMotion, "/aibo/play_motion", self._play)
        self._server = peer.on_executor(partial(serve, cancel_callback=self._cancel))

    async def _play(self, handle):
        self.begun.append(handle.request.name)
        await self._end(handle)
        handle.canceled()
        return AiboPlayMotion.Result()

    def _cancel(self, handle):
        self.cancelled.append(handle.request.name)
        self._end(handle).set_result(None)
        return CancelResponse.ACCEPT

    def _end(self, handle):
        end = ThreadsafeFuture(self._peer.node.executor)
        return self._ends.setdefault(bytes(handle.goal_id.uuid), end)

    def close(self):
        self._peer.on_executor(self._server.destroy)


@pytest.mark.parametrize("task_order", TASK_ORDERS)
def test_goals_come_to_the_robot_in_the_client_s_order(stage, task_order):
    with stage(executor_type=task_order) as (host, robot), BytePeer(host.port) as client:

        def turn_head(degrees):
            client.send("iiiiiid", 4, 24, 1, 0, 13, 200, degrees)

        def targets():
            found = [math.degrees(goal.points[-1].positions[0]) for goal in robot.goals]
            return [degrees for degrees in found if degrees > 7.0]

        def try_it():
            turn_head(5.0)
            return robot.goals

        until(try_it, period=0.1)  # the host has found the robot
        with busy(host):
            for degrees in (10.0, 20.0, 30.0):
                turn_head(degrees)
            client.send("iiii", 1, 8, 1, 0)
            client.read("d")  # the host has read all that
        until(lambda: len(targets()) == 3)
        assert targets() == pytest.approx([10.0, 20.0, 30.0])


@pytest.mark.parametrize("task_order", TASK_ORDERS)
def test_the_motion_of_a_client_that_leaves_at_once_is_cancelled(stage, task_order):
    with stage(executor_type=task_order) as (host, robot):
        motions = EndlessMotions(robot.peer)
        with BytePeer(host.port) as client:

            def wave():
                client.send("ii9s", 5, 9, b"wave.mot\0")
                return motions.begun

            until(wave, period=0.1)  # the host has found the action
        with busy(host):
            with BytePeer(host.port) as client:
                client.send("ii8s", 5, 8, b"sit.mot\0")
            until(lambda: host.link_status.connections == 2)
            until(lambda: host.link_status.state is LinkState.CONNECTING)  # it has gone
        until(lambda: "sit.mot" in motions.begun)
        until(lambda: "sit.mot" in motions.cancelled)
        motions.close()


@pytest.fixture
def head_map(tmp_path):
    """A map of a robot with a head that looks around for balls that another node sees."""
    path = tmp_path / "head.yaml"
    path.write_text(
        "joints: {neckPan: pan}\n"
        "controllers: [{trajectory: head, joints: [pan]}]\n"
        "ball: {topics: {pink: ball/pink}}\n"
    )
    return str(path)


def test_what_waits_behind_a_search_is_not_carried_out_when_the_host_ends(stage, head_map):
    with stage(map=head_map) as (host, robot), BytePeer(host.port) as client:
        robot.walks(client)
        client.send("ii3dii", 6, 32, 0.0, 0.0, 0.0, -1, 0)
        robot.cmd_vel.wait_for(lambda m: m.linear.x == 0.0)
        robot.cmd_vel.clear()
        head = robot.peer.subscribe(JointTrajectory, "/aibo/head", qos.stream(10))
        client.send(SEARCH_PINK[0] + WALK[0], *SEARCH_PINK[1:], *WALK[1:])
        head.wait_for()
        robot.end_host()
        client.read_to_the_end()
        robot.peer.wait_for_no_publisher("/aibo/cmd_vel")
        assert not any(m.linear.x for m in robot.cmd_vel.items)


def test_a_search_sees_a_ball_however_late_it_comes(stage, head_map, monkeypatch):
    monkeypatch.setattr(senses, "IDLE_BALL_S", 0.2)
    with stage(map=head_map) as (host, robot), BytePeer(host.port) as client:
        head = robot.peer.subscribe(JointTrajectory, "/aibo/head", qos.stream(10))
        client.send(*SEARCH_PINK)
        head.wait_for_count(2)  # the second turn is due 1.8 s after the first

        def answered():
            robot.publish("ball/pink", AiboBall(colour="pink", visible=True))
            return select.select([client.sock], [], [], 0.0)[0]

        until(answered)
        assert client.read("i") == (1,)


def test_a_client_that_waits_for_a_search_is_not_silent(stage, tmp_path):
    path = tmp_path / "turning.yaml"
    path.write_text("walk: {max_turn: 3.0}\nball: {turn: 3.0}\n")
    with stage(map=str(path), client_timeout=0.3) as (host, _), BytePeer(host.port) as client:
        client.send(*SEARCH_PINK)
        assert client.read("i") == (0,)  # after 2.1 s: there is no ball all around
        assert "walks that were stopped" not in host.counters.snapshot()
