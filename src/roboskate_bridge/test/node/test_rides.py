# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rides that are recorded by ROS are those that the simulation repeats."""

from __future__ import annotations

import numpy as np
import pytest
from nav_msgs.msg import Odometry

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_testing.polling import until
from legacy_robots_testing.running_node import RunningNode
from roboskate_bridge.drivers.rides import RideRecorder
from roboskate_game.learning.rides import repeated
from roboskate_game.physics.mechanics import Physics

pytestmark = pytest.mark.node


def test_rides_are_those_of_the_simulation(make_world, tmp_path):
    file = tmp_path / "rides.npz"
    with make_world("game", mode="stepped", force_scale=250.0) as world:
        world.wait_for_link()
        with RunningNode(RideRecorder, {"output": str(file), "rides": 4}) as node:
            until(lambda: node.exit_code is not None, timeout=30.0)
            assert node.exit_code == 0
    with np.load(file) as rides:
        again = repeated(rides["forces"], [Physics()])[0]
        assert rides["seen"] == pytest.approx(again, abs=1e-3)
        assert np.ptp(rides["seen"][:, -1, 0]) > 0.5  # the rides differ


def test_a_lost_link_ends_it_and_nothing_is_written(make_world, tmp_path):
    file = tmp_path / "rides.npz"
    with make_world("game", mode="stepped", force_scale=250.0) as world:
        world.wait_for_link()
        steps = world.peer.subscribe(Odometry, "/roboskate/odom", qos.stream(10))
        with RunningNode(RideRecorder, {"output": str(file), "rides": 10000}) as node:
            steps.wait_for_count(3)
            world.game.close()
            until(lambda: node.exit_code is not None)
            assert node.exit_code == 1
    assert not file.exists()


def test_a_directory_that_is_missing_is_said_before_it_begins(tmp_path):
    with pytest.raises(StartupError, match="there is no directory"):
        RunningNode(RideRecorder, {"output": str(tmp_path / "no" / "rides.npz")})


def test_a_file_that_cannot_be_written_ends_it_with_a_sentence(make_world, tmp_path, capfd):
    file = tmp_path / "rides.npz"
    file.mkdir()
    with make_world("game", mode="stepped", force_scale=250.0) as world:
        world.wait_for_link()
        with RunningNode(RideRecorder, {"output": str(file), "rides": 4}) as node:
            until(lambda: node.exit_code is not None, timeout=60.0)
            assert node.exit_code == 1
    assert f"{file} cannot be written: " in capfd.readouterr().err
