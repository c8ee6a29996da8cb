# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The dead reckoning of the real node against where the simulated dog is."""

import math
import time

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from aibo_gti_bridge.model.room import Room
from aibo_gti_bridge.simulator.world import Settings
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState

pytestmark = pytest.mark.node

ROUND = ((0.18, 0.0, 0.0, 4.0), (0.0, 0.0, 1.2, 1.5), (0.0, 0.14, 0.0, 2.0), (0.1, 0.0, 0.6, 3.0))
"""Velocities (m/s, m/s, rad/s) and how long each is walked (s), about 1.3 m."""
MOST_LATE_S = 0.1
"""Where a reading came later, only the published deviation has to hold."""
TEKKOTSU = {"profile": "tekkotsu", "wire": "tekkotsu"}
WITHOUT_WALLS = Room(width=100.0, depth=100.0, balls=[], boxes=[])
"""Dead reckoning sees no walls: a dog that walks against one is elsewhere."""


def yaw(message):
    q = message.pose.pose.orientation
    return 2.0 * math.atan2(q.z, q.w)


def drive(scene, states, velocity, seconds):
    """Publish a velocity with each reading while the dog's time passes; return the longest wait
    for a reading (s)."""
    longest, at = 0.0, time.monotonic()
    end = scene.dog.time + seconds
    while scene.dog.time < end:
        states.wait_for_count(len(states.items) + 1)
        scene.walk(*velocity)
        longest, at = max(longest, time.monotonic() - at), time.monotonic()
    return longest


@pytest.mark.parametrize("wire", [{}, TEKKOTSU], ids=["gti", "tekkotsu"])
def test_a_course_with_turns(world, wire):
    start = Settings(x=0.0, y=0.0, noise=0.0)
    with world(settings=start, room=WITHOUT_WALLS, cmd_vel_timeout=5.0, **wire) as scene:
        if wire:
            scene.release()
        odometry = scene.stream(Odometry, "odom")
        states = scene.stream(JointState, "joint_states")
        states.wait_for()
        latest = max(drive(scene, states, leg[:3], leg[3]) for leg in ROUND)
        scene.walk(0.0)
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
        odometry.clear()
        odom = odometry.wait_for(lambda m: m.twist.twist == Twist())
        x, y, heading = scene.dog.x, scene.dog.y, scene.dog.yaw
    place = odom.pose.pose.position
    off = (place.x - x, place.y - y, math.remainder(yaw(odom) - heading, math.tau))
    deviation = [math.sqrt(odom.pose.covariance[i * 7]) for i in (0, 1, 5)]
    print(f"off by {off}, standard deviations {deviation}, a reading came after {latest:.2f} s")
    assert all(abs(a) <= 3.0 * b for a, b in zip(off, deviation, strict=True))
    assert latest > MOST_LATE_S or math.hypot(*off[:2]) < 0.1


def test_frames_and_covariance_of_odom(world):
    with world(frame_prefix="a/") as scene:
        odom = scene.stream(Odometry, "odom").wait_for()
        assert (odom.header.frame_id, odom.child_frame_id) == ("a/odom", "a/base_footprint")
        assert min(odom.pose.covariance[i * 7] for i in range(6)) > 0.0
        assert odom.pose.pose.orientation.w == 1.0


def test_the_transform_is_switched_off(world):
    with world(enable_odom_tf=False) as scene:
        tf = scene.peer.subscribe(TFMessage, "/tf", qos.stream(50))
        frames = {t.child_frame_id for m in tf.wait_for_count(5) for t in m.transforms}
        assert len(frames) == 18
        scene.stream(Odometry, "odom").wait_for()


def test_a_lost_link_makes_the_place_uncertain(world):
    with world(cmd_vel_timeout=10.0) as scene:
        odom = scene.stream(Odometry, "odom")
        scene.walk_until(lambda: scene.dog.walker.velocity[0] == pytest.approx(0.1))
        before = odom.wait_for(lambda m: m.twist.twist.linear.x > 0.09)
        scene.link.clear()
        scene.simulator.inject("cut")
        scene.link.wait_for(lambda m: m.state != LinkState.CONNECTED)
        odom.clear()
        scene.wait_for_link(connections=2)
        after = odom.wait_for()
        assert after.twist.twist == Twist()
        assert after.pose.pose.position.x >= before.pose.pose.position.x
        assert after.pose.covariance[0] > before.pose.covariance[0]
