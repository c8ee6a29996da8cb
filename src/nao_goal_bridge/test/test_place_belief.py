# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How long the room is awaited that a robot reports after a walk."""

import pytest

from nao_goal_bridge.protocol import Agent, Dialect, Location, Profile, Success
from nao_goal_bridge.protocol.place import PlaceBelief


@pytest.mark.parametrize(
    "profile,waits", [("may24", False), ("may31", False), ("june7", True), ("naovigate", True)]
)
def test_a_late_room_is_awaited_from_a_robot_that_surely_reports_one(profile, waits):
    now = [0.0]
    place = PlaceBelief(Dialect(Profile(profile)), believes_greeting=False, clock=lambda: now[0])
    place.connected()
    place.report(Agent(31), owes_reply=False)
    place.set(16)
    place.report(Success(1), owes_reply=False)
    now[0] = 9.0
    assert place.expire() is not waits
    assert place.is_awaited is waits
    assert place.room is None
    assert place.report(Location(15), owes_reply=False)
    assert (place.room, place.is_awaited) == (15, False)
