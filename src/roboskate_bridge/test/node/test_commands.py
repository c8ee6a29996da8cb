# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Commands to the board: clamped, held, released."""

from __future__ import annotations

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from sensor_msgs.msg import Image, JointState

from legacy_robots_msgs.msg import LinkState, RoboSkateKeys
from roboskate_bridge.drivers.messages import keys_message
from roboskate_game.protocol.messages import NO_KEYS, Keys

pytestmark = pytest.mark.node


def command(publisher, *values):
    publisher.publish(keys_message(Keys(*values)))


def commander(world):
    """Return a publisher of commands that the bridge has found, and the stream of joint states."""
    publisher = world.peer.node.create_publisher(RoboSkateKeys, "/roboskate/command", 10)
    joints = world.stream(JointState, "/roboskate/joint_states")
    joints.wait_for()
    while not publisher.get_subscription_count():
        joints.wait_for_count(len(joints.items) + 1)
    return publisher, joints


def test_commands_are_clamped_held_and_released(make_world):
    with make_world(command_timeout=1.0) as world:
        world.wait_for_link()
        publisher, joints = commander(world)
        command(publisher, 5.0, 0.0, 0.0)
        joints.wait_for(lambda m: m.velocity[0] > 0.5)
        turning = max(m.velocity[0] for m in joints.items)
        assert turning <= math.radians(147)  # a whole key, not five
        joints.clear()
        joints.wait_for(lambda m: abs(m.velocity[0]) < 0.01)
        assert world.game.world.keys == NO_KEYS


@pytest.mark.parametrize("transport", ["grpc", "http"])
def test_a_whole_key_stands_for_the_force_that_is_set(make_world, transport):
    speeds = []
    for options in ({}, {"force_scale": 250.0}):
        with make_world("game", transport, mode="stepped", **options) as world:
            world.wait_for_link()
            assert world.run_game(1.0, Keys(0.5, 0.0, 0.0)).success
            speeds.append(world.game.world.state().joint_velocities[0])
    # 20 units of force, and 125: 3.67 degrees/s for each, up to 170.
    assert speeds == pytest.approx([math.radians(73.4), math.radians(170.0)], rel=0.02)


def test_a_command_that_is_no_number_is_passed_over_and_reported(make_world):
    with make_world(command_timeout=0.0) as world:
        world.wait_for_link()
        diagnostics = world.stream(DiagnosticArray, "/diagnostics")
        publisher, _ = commander(world)
        command(publisher, 0.0, 0.25, 0.0)
        command(publisher, math.nan, 0.0, 0.0)
        warned = diagnostics.wait_for(
            lambda m: (
                m.status[0].level == DiagnosticStatus.WARN
                and "commands passed over" in m.status[0].message
            )
        )
        values = {v.key: v.value for v in warned.status[0].values}
        assert values["bad commands"] == "1"
        assert world.game.world.keys == Keys(0.0, 0.25, 0.0)


def test_a_camera_fault_releases_no_key_and_ends_no_request(make_world):
    with make_world(command_timeout=0.0, fault_seconds=1.0) as world:
        world.wait_for_link()
        world.stream(Image, "/roboskate/camera/image_raw").wait_for()
        publisher, joints = commander(world)
        command(publisher, 0.25, 0.0, 0.0)
        joints.wait_for(lambda m: m.velocity[0] > 0.1)
        world.game.inject("bad_image")
        world.link.wait_for(lambda m: m.state == LinkState.FAULT and "camera: " in m.detail)
        assert world.game.world.keys == Keys(0.25, 0.0, 0.0)
        world.link.wait_for(lambda m: m.detail == "connected, and images come again")
        assert world.game.world.keys == Keys(0.25, 0.0, 0.0)
