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


@pytest.fixture
def times_said(capfd):
    """Return a function that counts a text in the log."""
    said = []

    def count(text):
        said.append(capfd.readouterr().err)
        return "".join(said).count(text)

    return count


def test_rooms_that_the_map_has_not_are_said_once(bridged, times_said):
    text = "errand_rooms 114 and 146 the map has not 114; its rooms are 1, 2"
    with (
        bridged(QUICK, dialect=Dialect(Profile.NAOVIGATE), maze="naovigate") as scene,
        RunningNode(Errand, {"errand_pause": 0.1}) as errand,
    ):
        until(lambda: times_said(text), "it says nothing")
        until(lambda: errand._running is None, "it goes on")
        assert scene.set_location(16).success
    assert times_said(text) == 1
    assert times_said("no room of the map has marker") == 0


def test_it_says_once_why_it_waits_and_begins_when_the_room_is_set(bridged, times_said):
    with (
        bridged(QUICK, dialect=Dialect(Profile.NAOVIGATE), maze="naovigate") as scene,
        RunningNode(Errand, ERRAND),
    ):
        until(lambda: times_said("waiting for the robot's room"), "it says nothing")
        assert scene.set_location(16).success
        world = scene.simulator.world
        assert scene.simulator.wait_for(lambda: world.room == 2 and not world.held_object)
    assert times_said("claims its start room, wherever it is; set_location") == 1
    assert times_said("lace unknown") == 0
