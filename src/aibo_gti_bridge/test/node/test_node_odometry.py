# SPDX-License-Identifier: Apache-2.0
"""The dead reckoning of the real node against where the simulated dog is."""

import math
import time

import pytest
from geometry_msgs.msg import Twist
from legacy_robots_msgs.msg import LinkState
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from aibo_gti_bridge.simulator.world import Settings
from legacy_robots_common.node import qos

ROUND = ((0.18, 0.0, 0.0, 4.0), (0.0, 0.0, 1.2, 1.5), (0.0, 0.14, 0.0, 2.0), (0.1, 0.0, 0.6, 3.0))
"""Velocities (m/s, m/s, rad/s) and how long each is walked (s): a closed way, about 1.3 m."""
MOST_LATE_S = 0.1
"""On a machine that stands still for longer, the simulated dog walks on for longer than the bridge
knows of: then only the deviation that is told has to hold."""
STANDSTILL_S = 0.3
"""What happens to a dog meanwhile is no matter of its odometry."""
START = Settings(x=-0.3, y=-0.3, noise=0.0)


def yaw(message):
    q = message.pose.pose.orientation
    return 2.0 * math.atan2(q.z, q.w)


def drive(scene, states, velocity, seconds):
    """Publish a velocity at the rate of the readings; return the longest wait for one (s)."""
    longest, at = 0.0, time.monotonic()
    for _ in range(round(seconds * 31.25)):
        states.wait_for_count(len(states.items) + 1)
        scene.walk(*velocity)
        longest, at = max(longest, time.monotonic() - at), time.monotonic()
    return longest


def walk_rounds(scene, metres):
    """Walk until the dog has gone so far.

    Return the m and rad, where it is by odometry and where it is (m), and the longest wait for a
    reading (s).
    """
    odom = scene.stream(Odometry, "odom")
    states = scene.stream(JointState, "joint_states")
    states.wait_for()
    walked = turned = latest = 0.0
    while walked < metres:
        for forward, left, turn, seconds in ROUND:
            before = (scene.dog.x, scene.dog.y, scene.dog.yaw)
            latest = max(latest, drive(scene, states, (forward, left, turn), seconds))
            walked += math.hypot(scene.dog.x - before[0], scene.dog.y - before[1])
            turned += abs(turn) * seconds
            states.clear()
    scene.walk(0.0)
    assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
    odom.clear()
    last = odom.wait_for(lambda m: m.twist.twist == Twist())
    start = scene.dog.settings
    truth = (scene.dog.x - start.x, scene.dog.y - start.y, scene.dog.yaw)
    return walked, turned, last, truth, latest


@pytest.mark.parametrize(
    "metres", [2.0, pytest.param(20.0, marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
)
def test_a_course_with_turns(world, metres):
    with world(settings=START, balls=[], cmd_vel_timeout=5.0) as scene:
        walked, turned, odom, (x, y, heading), latest = walk_rounds(scene, metres)
    if latest > STANDSTILL_S:
        pytest.skip(f"this machine stood still for {latest:.1f} s while the dog walked")
    place = odom.pose.pose.position
    off = (place.x - x, place.y - y, math.remainder(yaw(odom) - heading, math.tau))
    distance = math.hypot(*off[:2])
    print(f"{walked:.1f} m, {turned:.1f} rad: off by {distance:.3f} m, {off[2]:.3f} rad")
    deviation = [math.sqrt(odom.pose.covariance[i * 7]) for i in (0, 1, 5)]
    print(f"standard deviations: {deviation}")
    assert all(abs(a) <= 3.0 * b for a, b in zip(off, deviation, strict=True))
    assert latest > MOST_LATE_S or distance < 0.1 * walked


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
