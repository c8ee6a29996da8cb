# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The errand with a robot whose room is not known."""

import pytest

from legacy_robots_testing.polling import until
from legacy_robots_testing.running_node import RunningNode
from nao_goal_bridge.demonstration.errand import Errand
from nao_goal_bridge.protocol import Dialect, Profile
from nao_goal_bridge.simulator.nao_settings import NaoSettings

pytestmark = pytest.mark.node

QUICK = NaoSettings(speed=50.0, grab_time=0.05, put_down_time=0.05)
ERRAND = {"errand_rooms": [1, 2], "errand_pause": 0.1}


def test_it_says_once_why_it_waits_and_begins_when_the_room_is_set(bridged, capfd):
    said = []

    def has_been_said(text):
        said.append(capfd.readouterr().err)
        return text in "".join(said)

    with (
        bridged(QUICK, dialect=Dialect(Profile.NAOVIGATE), maze="naovigate") as scene,
        RunningNode(Errand, ERRAND),
    ):
        until(lambda: has_been_said("waiting for the robot's room"), "it says nothing")
        assert scene.set_location(16).success
        world = scene.simulator.world
        assert scene.simulator.wait_for(lambda: world.room == 2 and not world.held_object)
    said.append(capfd.readouterr().err)
    log = "".join(said)
    assert log.count("claims its start room, wherever it is; set_location") == 1
    assert "place unknown" not in log.lower()
