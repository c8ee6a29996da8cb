# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Taking a robot's command back, which only the owner of the world can."""

import pytest

from bw4t_world import World, WorldError
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario


@pytest.mark.parametrize("stepping", ["events", "ticks"])
def test_a_stopped_robot_stands_where_it_is_and_can_be_sent_again(stepping):
    world = World(
        load_map("nine_rooms"), Scenario(bots=(BotSpec(),)), seed=1, time_stepping=stepping
    )
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(17)
    before = world.snapshot().robots[0]
    world.stop("Bot_1")
    world.tick(100)
    robot = world.snapshot().robots[0]
    assert (robot.x, robot.y) == (before.x, before.y) != (25.0, 65.0)
    assert (robot.state, robot.stop, robot.path) == ("arrived", "arrived", ())
    world.stop("Bot_1")
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(600)
    assert world.snapshot().robots[0].zone == "RoomC1"


def test_only_robots_can_be_stopped():
    world = World(load_map("nine_rooms"), Scenario(epartners=(EPartnerSpec(),)))
    with pytest.raises(WorldError, match="E-Partner_1 is no robot"):
        world.stop("E-Partner_1")
    with pytest.raises(WorldError, match="Stranger"):
        world.stop("Stranger")
