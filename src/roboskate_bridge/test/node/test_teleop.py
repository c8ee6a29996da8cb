# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Skating by hand: a terminal's keys, and a recorded gamepad."""

from __future__ import annotations

import os
import pty
import sys

import pytest
from sensor_msgs.msg import Joy

from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_msgs.msg import RoboSkateKeys
from legacy_robots_testing.polling import until
from legacy_robots_testing.running_node import RunningNode
from roboskate_bridge.drivers.teleop import PressedKeys, Teleop
from roboskate_game.protocol.messages import NO_KEYS, Keys

pytestmark = pytest.mark.node


def test_a_press_counts_for_a_while_and_the_other_key_of_its_joint_ends_it():
    pressed = PressedKeys(0.5)
    assert pressed.press(b"aW\x1b[D", 10.0) == []
    assert pressed.keys(10.4) == Keys(-1.0, 1.0, 1.0)
    assert pressed.press(b"\x1bOCd", 10.4) == []
    assert pressed.keys(10.45) == Keys(1.0, -1.0, 1.0)
    assert pressed.keys(10.6) == Keys(1.0, -1.0, 0.0)
    # An arrow may come in pieces; what is no key of the game is given back.
    assert pressed.press(b"rx3\x1b", 11.0) == [b"r", b"x", b"3"]
    assert pressed.press(b"[D", 11.0) == []
    assert pressed.keys(11.1) == Keys(-1.0, 0.0, 0.0)
    pressed.press(b" ", 11.1)
    assert pressed.keys(11.1) == NO_KEYS


def commands_found(world):
    """Return whether bridge and recorder hear of teleop."""
    return world.node.count_publishers("command") and world.peer.node.count_publishers(
        "/roboskate/command"
    )


def test_the_keyboard_turns_the_crane_and_begins_levels(make_world, monkeypatch):
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "rb", buffering=0) as terminal, make_world() as world:
        monkeypatch.setattr(sys, "stdin", terminal)
        world.wait_for_link()
        with RunningNode(Teleop, {}) as teleop:
            commands = world.stream(RoboSkateKeys, "/roboskate/command")
            until(lambda: commands_found(world))
            os.write(ours, b"\x1b[C")
            commands.wait_for(lambda m: m.right_left == 1.0)
            until(lambda: world.game.world.state().joint_angles[0] > 0.2)
            commands.wait_for(lambda m: (m.right_left, m.a_d, m.w_e) == (0.0, 0.0, 0.0))
            os.write(ours, b"2")
            until(lambda: world.game.world.level == 2)
            os.write(ours, b"q")
            until(lambda: teleop.exit_code == 0)
    os.close(ours)


# As joy_node sends it: axes 0 to 3 are two sticks and triggers, button 7 is "start".
RECORDED = (
    Joy(axes=[0.0] * 6, buttons=[0] * 11),
    Joy(axes=[-1.0, 0.25, 0.0, 0.0, -0.5, 0.0], buttons=[0] * 11),
    Joy(axes=[0.0] * 6, buttons=[0] * 7 + [1, 0, 0, 0]),
)


def test_a_recorded_gamepad_turns_the_crane_and_begins_the_level(make_world):
    with make_world(level=1) as world, RunningNode(Teleop, {"joy_timeout": 60.0}):
        world.wait_for_link()
        commands = world.stream(RoboSkateKeys, "/roboskate/command")
        joy = world.peer.node.create_publisher(Joy, "/roboskate/joy", 10)
        until(lambda: joy.get_subscription_count() and commands_found(world))
        joy.publish(RECORDED[0])
        joy.publish(RECORDED[1])
        commands.wait_for(lambda m: (m.right_left, m.a_d, m.w_e) == (1.0, -0.5, 0.25))
        until(lambda: world.game.world.state().joint_angles[0] > 0.2)
        joy.publish(RECORDED[2])
        commands.wait_for(lambda m: (m.right_left, m.a_d, m.w_e) == (0.0, 0.0, 0.0))
        until(lambda: world.game.world.state().joint_angles[0] < 0.1)
        assert world.game.world.level == 1


def test_axes_are_three():
    with pytest.raises(ParameterError, match="3 items"), RunningNode(Teleop, {"joy_axes": [1]}):
        pass
