# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Bridges that drive simulated dogs, and the node of their user; hosts of robots by hand."""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import partial

import pytest
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import Twist, Vector3
from rclpy.action import ActionServer, GoalResponse
from rclpy.executors import SingleThreadedExecutor
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from aibo_gti_bridge.bridge.node import AiboBridge
from aibo_gti_bridge.host.node import GtiHost
from aibo_gti_bridge.model.room import Room
from aibo_gti_bridge.protocol import wire_table as wire_tables
from aibo_gti_bridge.simulator.dog import SimulatorConfig
from aibo_gti_bridge.simulator.program import make
from aibo_gti_bridge.simulator.world import Settings
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall, AiboWalkSteps
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

REPLY_TIMEOUT = 1.5
"""Longer than a busy machine stands still."""
FAULT_SECONDS = 2.5
"""A stall that outlasts it."""


class DogWorld:
    """A bridge, its simulated dog and a user's node."""

    def __init__(self, running, simulator, peer):
        self.running, self.simulator, self.peer = running, simulator, peer
        self.node = running.node
        self.dog = simulator.world
        self.link = peer.subscribe(LinkState, "/aibo/link_state")
        self._cmd_vel = None

    def wait_for_link(self, state=LinkState.CONNECTED, connections=1):
        return self.link.wait_for(lambda m: m.state == state and m.connections >= connections)

    def stream(self, message_type, topic):
        return self.peer.subscribe(message_type, f"/aibo/{topic}", qos.stream(50))

    def trajectory(self, joints, *points):
        return make_trajectory(joints, *points)

    def walk(self, x=0.0, y=0.0, turn=0.0):
        twist = Twist(linear=Vector3(x=x, y=y), angular=Vector3(z=turn))
        if self._cmd_vel is None:
            self._cmd_vel = self.peer.node.create_publisher(Twist, "/aibo/cmd_vel", 5)
        self._cmd_vel.publish(twist)

    def walk_until(self, condition, x=0.1, timeout=40.0):
        """Publish cmd_vel until the simulated dog's ``condition`` holds."""
        deadline = time.monotonic() + timeout
        while not self.simulator.wait_for(condition, 0.05):
            assert time.monotonic() < deadline
            self.walk(x)

    def release(self):
        """Turn the emergency stop of Tekkotsu off."""
        request = SetBool.Request(data=False)
        response = self.peer.call(SetBool, "/aibo/emergency_stop", request)
        assert response.success, response.message

    def search(self, colour="pink", timeout=0.0):
        goal = AiboSearchBall.Goal(colour=colour, timeout=timeout)
        return self.peer.send_goal(AiboSearchBall, "/aibo/search_ball", goal)

    def play(self, name):
        goal = AiboPlayMotion.Goal(name=name)
        return self.peer.send_goal(AiboPlayMotion, "/aibo/play_motion", goal)

    def steps(self, x=0.0, y=0.0, theta=0.0, steps=0):
        goal = AiboWalkSteps.Goal(x=x, y=y, theta=theta, steps=steps)
        return self.peer.send_goal(AiboWalkSteps, "/aibo/walk_steps", goal)

    def follow(self, joints, *points, **fields):
        goal = FollowJointTrajectory.Goal(trajectory=make_trajectory(joints, *points), **fields)
        return self.peer.send_goal(FollowJointTrajectory, "/aibo/follow_joint_trajectory", goal)


def make_trajectory(joints, *points):
    return JointTrajectory(
        joint_names=joints,
        points=[
            JointTrajectoryPoint(
                positions=positions,
                time_from_start=Duration(sec=int(at), nanosec=round(at % 1 * 1e9)),
            )
            for at, positions in points
        ],
    )


@contextmanager
def run_world(
    overlays=(),
    settings=None,
    room=None,
    balls=None,
    fault_seconds=FAULT_SECONDS,
    time_scale=1.0,
    executor_type=SingleThreadedExecutor,
    is_there=True,
    profile="gti-le",
    **parameters,
):
    """Run a bridge and a simulator, to be started unless it ``is_there``, on a free port."""
    simulator = make(
        SimulatorConfig(
            port=0 if is_there else free_port(),
            wire=wire_tables.load(overlays),
            room=Room(balls=balls) if balls is not None else room,
            settings=settings or Settings(),
            fault_seconds=fault_seconds,
            time_scale=time_scale,
            profile=profile,
        )
    )
    if is_there:
        simulator.start()
    parameters = {
        "port": simulator.port,
        "wire_overlays": ", ".join(overlays),
        "reply_timeout": REPLY_TIMEOUT,
        **parameters,
    }
    try:
        running = RunningNode(AiboBridge, parameters, executor_type)
        with running, RosPeer() as peer:
            scene = DogWorld(running, simulator, peer)
            if is_there:
                scene.wait_for_link()
            yield scene
    finally:
        simulator.close()


@pytest.fixture(scope="session")
def world():
    """Return a context manager that runs a bridge against a simulator: see run_world."""
    return run_world


class FakeRobot:
    """The topics and the action of an AIBO bridge, by hand."""

    def __init__(self, peer, end_host):
        self.peer = peer
        self.end_host = end_host
        """Ends the host as a signal does."""
        self.goals = []
        """Trajectories in the order in which they came."""
        self.publishers = {}
        self.cmd_vel = peer.subscribe(Twist, "/aibo/cmd_vel", qos.stream(100))
        name = "/aibo/follow_joint_trajectory"
        serve = partial(ActionServer, peer.node, FollowJointTrajectory, name, self._move)
        self.action = peer.on_executor(partial(serve, goal_callback=self._take))

    def _take(self, request):
        self.goals.append(request.trajectory)
        return GoalResponse.ACCEPT

    def _move(self, handle):
        handle.succeed()
        return FollowJointTrajectory.Result()

    def publish(self, topic, message, latched=False):
        if topic not in self.publishers:
            self.publishers[topic] = self.peer.node.create_publisher(
                type(message), f"/aibo/{topic}", qos.LATCHED if latched else 10
            )
        self.publishers[topic].publish(message)

    def walks(self, client, between=lambda: None):
        """Have a client walk; again where it was stopped before its velocity was heard."""

        def walk():
            between()
            client.send("ii3dii", 6, 32, 100.0, 0.0, 0.0, -1, 0)
            return any(m.linear.x > 0.0 for m in self.cmd_vel.items)

        until(walk, period=0.1)

    def close(self):
        self.peer.on_executor(self.action.destroy)


@pytest.fixture
def stage():
    """Return a function that runs a host, which waits for its client, and a robot by hand."""

    @contextmanager
    def run(executor_type=SingleThreadedExecutor, **parameters):
        running = RunningNode(GtiHost, {"port": 0, **parameters}, executor_type)
        with running as host, RosPeer() as peer:
            until(lambda: host.link_status.detail.startswith("waiting"))
            robot = FakeRobot(peer, running.stop)
            yield host, robot
            robot.close()

    return run
