# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which velocities of cmd_vel are obeyed, by their stamps."""

import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist, TwistStamped

from legacy_robots_common.node import qos
from legacy_robots_common.node.velocity_input import VelocityInput
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node


def velocity(speed, stamp):
    message = TwistStamped()
    message.header.stamp = stamp
    message.twist.linear.x = speed
    return message


@pytest.mark.parametrize("stamp", [Time(sec=-1), Time(sec=1)])
def test_an_old_stamp_is_refused_unless_it_stops_the_robot(stamp):
    obeyed, problems = Recorder("velocities"), Recorder("problems")

    def listen():
        VelocityInput(
            peer.node,
            stamped=True,
            max_age=0.5,
            on_twist=obeyed.add,
            on_problem=lambda counter, text: problems.add(counter),
        )

    with RosPeer() as peer:
        peer.on_executor(listen)
        publisher = peer.node.create_publisher(TwistStamped, "cmd_vel", qos.stream())
        until(publisher.get_subscription_count, "no subscriber")
        publisher.publish(velocity(0.1, stamp))
        publisher.publish(velocity(0.0, stamp))
        assert obeyed.wait_for() == Twist()
        assert problems.items == ["old velocities"]


def test_a_publisher_of_the_other_type_is_named_once_its_name_is_known():
    """It is discovered before its node, which rmw then calls by a name of its own."""
    problems = Recorder("problems")
    with RosPeer() as peer, RosPeer("joystick") as joystick:
        joystick.node.create_publisher(Twist, "cmd_vel", qos.stream())
        look = peer.node.get_publishers_info_by_topic
        unnamed = 2

        def look_early(topic):
            nonlocal unnamed
            found = look(topic)
            unnamed -= bool(found)
            if unnamed >= 0:
                for publisher in found:
                    publisher.node_name = "_NODE_NAME_UNKNOWN_"
            return found

        peer.node.get_publishers_info_by_topic = look_early
        peer.on_executor(
            lambda: VelocityInput(
                peer.node,
                stamped=True,
                max_age=0.5,
                on_twist=lambda twist: None,
                on_problem=lambda counter, text: problems.add(text),
            )
        )
        assert problems.wait_for().startswith("/joystick publishes cmd_vel")
    assert len(problems.items) == 1
