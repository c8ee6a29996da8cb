# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which level is played, as late joiners see it, and a state on demand."""

from __future__ import annotations

import pytest
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter

from legacy_robots_msgs.msg import LinkState, RoboSkateLevel

pytestmark = pytest.mark.node


def shown(world):
    """Return the fields that a late joiner gets, and the topic."""
    topic = world.peer.subscribe(RoboSkateLevel, "/roboskate/level")
    return fields(topic.wait_for()), topic


def fields(message):
    return message.loaded, message.paused, message.level, message.name


def test_the_level_is_latched_through_load_pause_and_end(make_world):
    with make_world(auto_initialize=False) as world:
        idle = world.link.wait_for(lambda m: m.detail == "connected, no level is loaded")
        assert idle.state == LinkState.CONNECTED
        assert shown(world)[0] == (False, True, -1, "")
        assert world.initialize(2).success
        topic = shown(world)[1]
        topic.wait_for(lambda m: fields(m) == (True, False, 2, "level 2"))
        world.link.wait_for(lambda m: m.detail == "connected")
        world.node.set_parameters([Parameter("mode", value="stepped")])
        topic.wait_for(lambda m: fields(m) == (True, True, 2, "level 2"))
        world.node.set_parameters([Parameter("mode", value="free_run")])
        topic.wait_for(lambda m: fields(m) == (True, False, 2, "level 2"))
        assert world.trigger("shutdown").success
        topic.wait_for(lambda m: fields(m) == (False, True, 2, ""))
        world.link.wait_for(lambda m: m.detail == "connected, no level is loaded")
        assert world.initialize(1).success
        topic.wait_for(lambda m: fields(m) == (True, False, 1, "level 1"))
        topic.clear()
        world.game.inject("restart")
        topic.wait_for(lambda m: fields(m) == (False, True, 1, ""))
        topic.wait_for(lambda m: fields(m) == (True, False, 1, "level 1"))
        world.stop()
        topic.wait_for(lambda m: fields(m) == (False, True, 1, ""))


def test_no_time_is_the_state_on_demand(make_world):
    with make_world(mode="stepped") as world:
        world.wait_for_link()
        odometry = world.stream(Odometry, "/roboskate/odom")
        while not odometry.items:
            assert world.run_game(0.0).success
        answer = world.run_game(0.0)
        assert answer.total_simulated_time == 0.0
        assert odometry.last.header.stamp == answer.stamp
