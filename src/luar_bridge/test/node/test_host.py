# SPDX-License-Identifier: Apache-2.0
"""The host: Lua's walk becomes cmd_vel, odometry goes back, and a loss on either side stops."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from geometry_msgs.msg import Twist
from legacy_robots_msgs.msg import LinkState
from nav_msgs.msg import Odometry

from legacy_robots_common.node import qos
from legacy_robots_common.testing.polling import until
from legacy_robots_common.testing.ros_peer import RosPeer
from legacy_robots_common.testing.running_node import RunningNode
from luar_bridge.host.node import LuarHost
from luar_bridge.protocol.host_walk import LENGTHS, SEGMENT
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.segment_owner import SegmentOwner


@dataclass
class Scene:
    """A host between a Lua and a robot that the test plays."""

    lua: SegmentOwner
    file: str
    peer: RosPeer
    link: Any
    velocities: Any
    odometry: Any
    place: tuple[float, float] = (0.0, 0.0)
    count: int = field(default=0)

    def lua_walks(self, *velocity: float) -> None:
        self.count += 1
        self.lua.set(self.file, "velocity", velocity)
        self.lua.set(self.file, "count", float(self.count))
        self.lua.flush()

    def robot_reports(self) -> None:
        message = Odometry()
        message.pose.pose.position.x, yaw = self.place
        message.pose.pose.orientation.z = math.sin(yaw / 2)
        message.pose.pose.orientation.w = math.cos(yaw / 2)
        self.odometry.publish(message)

    def both_go_on_until(self, holds: Any, *velocity: float) -> None:
        def step() -> bool:
            self.lua_walks(*velocity)
            self.robot_reports()
            return bool(holds())

        until(step, "the robot does not do so")

    def moves(self) -> bool:
        return bool(self.velocities.items and self.velocities.last.linear.x > 0.0)

    def stops_within(self, seconds: float, go_on: Any) -> None:
        begun = time.monotonic()

        def stopped() -> bool:
            go_on()
            return not self.moves()

        until(stopped, "the robot does not stop")
        assert time.monotonic() - begun < seconds


@pytest.fixture
def scene(user: str) -> Iterator[Scene]:
    file = f"{SEGMENT}01{user}"
    with SegmentOwner() as lua, RosPeer() as peer, RunningNode(LuarHost, {"user": user}):
        lua.create(file)
        for variable, length in LENGTHS.items():
            lua.set(file, variable, [0.0] * length)
        lua.sync()
        yield Scene(
            lua, file, peer,
            peer.subscribe(LinkState, "/luar_host/link_state"),
            peer.subscribe(Twist, "/luar_host/cmd_vel", qos.stream(50)),
            peer.node.create_publisher(Odometry, "/luar_host/odom", qos.stream(5)),
        )  # fmt: skip


def test_the_walk_of_lua_is_cmd_vel_within_the_robots_limits(scene: Scene) -> None:
    scene.both_go_on_until(scene.moves, 0.1, 0.05, 0.4)
    twist = scene.velocities.last
    told = (twist.linear.x, twist.linear.y, twist.angular.z)
    assert told == (0.1, 0.0, 0.4)  # a wheeled robot: max_sideways is 0
    scene.both_go_on_until(lambda: scene.velocities.last.linear.x == 0.5, 9.0, 0.0, -9.0)
    assert scene.velocities.last.angular.z == -1.5
    scene.both_go_on_until(lambda: not scene.moves(), math.nan, 0.0, 0.0)
    scene.link.wait_for(lambda m: m.state == LinkState.CONNECTED)


def test_odometry_goes_to_lua(scene: Scene) -> None:
    scene.place = (1.5, -0.5)

    def written() -> bool:
        scene.robot_reports()
        with Segment(DIRECTORY / scene.file) as segment:
            place = segment.snapshot.numbers("odometry", 3)
        return place == pytest.approx((1.5, 0.0, -0.5))

    until(written, "odometry does not come")


# 0.3 s is the time-out; the rest is for a loaded machine.
def test_the_robot_stands_when_lua_dies(scene: Scene) -> None:
    scene.both_go_on_until(scene.moves, 0.2, 0.0, 0.0)
    scene.stops_within(5.0, scene.robot_reports)
    scene.link.wait_for(lambda m: m.state == LinkState.FAULT and "stands still" in m.detail)


def test_the_robot_is_stopped_when_it_reports_no_odometry(scene: Scene) -> None:
    scene.both_go_on_until(scene.moves, 0.2, 0.0, 0.0)
    scene.stops_within(5.0, lambda: scene.lua_walks(0.2, 0.0, 0.0))
    scene.link.wait_for(lambda m: m.state == LinkState.FAULT and "no odometry" in m.detail)


def test_a_segment_that_is_gone_stops_the_robot(scene: Scene) -> None:
    scene.both_go_on_until(scene.moves, 0.2, 0.0, 0.0)
    scene.lua.remove(scene.file)
    scene.lua.sync()
    scene.stops_within(5.0, scene.robot_reports)
    scene.link.wait_for(lambda m: m.state == LinkState.CONNECTING and SEGMENT in m.detail)
