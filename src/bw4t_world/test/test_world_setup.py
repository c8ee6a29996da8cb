# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a world begins with: where players are spawned, ids, and blocks in rooms."""

from __future__ import annotations

from typing import Any

import pytest

from bw4t_world import SpawnError, World
from bw4t_world.maps import EntitySpec, Point, load_map
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.model.ground import hash_map_order, string_hash
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

# --- Spawning ------------------------------------------------------------------------------


def test_robots_take_the_spawn_points_in_order(lab: Any) -> None:
    game = lab(BotSpec(amount=4))
    spots = [(5.0, 5.0), (15.0, 5.0), (25.0, 5.0), (3.0, 7.0)]
    assert [game.place(f"Bot_{n}") for n in range(1, 5)] == spots
    with pytest.raises(SpawnError, match="Bot_5 cannot be placed: all 4 spawn points are taken"):
        game.world.add_robot()
    game.world.remove("Bot_2")
    assert game.world.add_robot() == "Bot_2"
    assert game.place("Bot_2") == (15.0, 5.0)


def test_a_robot_cannot_be_spawned_in_a_room_or_a_taken_corridor(lab: Any, small_map: Any) -> None:
    inside = small_map(entities=(EntitySpec(Point(5, 15)),))
    with pytest.raises(SpawnError, match=r"Bot_1 cannot be placed at \(5, 15\) in Hall: wall"):
        lab(spec=inside)
    crowded = small_map(
        one_bot_per_corridor_zone=True,
        entities=(EntitySpec(Point(5, 5)), EntitySpec(Point(6, 5))),
    )
    with pytest.raises(SpawnError, match="in West: occupied zone"):
        lab(BotSpec(amount=2), spec=crowded)


def test_epartners_are_spawned_at_humans_without_one(lab: Any) -> None:
    human = BotSpec(name="Hum", controller=Controller.HUMAN)
    scenario = Scenario(bots=(BotSpec(), human), epartners=(EPartnerSpec(amount=2),))
    game = lab(scenario=scenario)
    first, second = game.epartner("E-Partner_1"), game.epartner("E-Partner_2")
    assert (first.x, first.y) == game.place("Hum_1")
    assert (second.x, second.y) == (25.0, 5.0)  # the next spawn point
    game.world.remove("E-Partner_1")
    game.world.remove("E-Partner_2")
    game.world.add_epartner(EPartnerSpec(amount=2))
    first = game.epartner("E-Partner_1")
    assert (first.x, first.y) == game.place("Hum_1")
    assert game.world.add_robot() == "Bot_2"
    game.world.add_robot()
    assert game.place("Bot_3") == (25.0, 5.0)


# --- Numbers -------------------------------------------------------------------------------


def test_ids_are_given_in_the_order_of_the_original(lab: Any) -> None:
    world = World(nine_rooms(), Scenario(bots=(BotSpec(),)), seed=1)
    snapshot = world.snapshot()
    numbers = {zone.name: zone.id for zone in snapshot.zones}
    assert [zone.id for zone in snapshot.zones][:18] == list(range(18))
    assert (numbers["RoomA1"], numbers["DropZone"]) == (18, 36)
    assert [door.id for door in snapshot.doors] == list(range(19, 38, 2))
    assert [block.id for block in snapshot.blocks] == list(range(38, 60))
    in_c1 = [block.id for block in snapshot.blocks if block.zone == "RoomC1"]
    assert in_c1 == [43, 44, 45, 46, 47, 48]
    assert snapshot.robots[0].id == 60


def test_rooms_are_filled_in_the_order_of_a_java_hash_map() -> None:
    rooms = [f"Room{row}{column}" for row in "ABC" for column in "123"]
    order = ["A3", "A2", "B3", "C1", "A1", "B2", "C3", "B1", "C2"]
    assert hash_map_order(rooms) == [f"Room{name}" for name in order]
    # Values of String.hashCode from the documentation of its formula.
    assert string_hash("") == 0
    assert string_hash("ab") == 31 * 97 + 98
    assert string_hash("\N{GRINNING FACE}") == 31 * 0xD83D + 0xDE00


@pytest.mark.parametrize("name", ["nine_rooms", "large", "nine_rooms_random"])
def test_blocks_lie_inside_their_rooms_apart_from_each_other(name: str) -> None:
    world = World(load_map(name), seed=5)
    by_room: dict[str, list[Any]] = {}
    for block in world.snapshot().blocks:
        by_room.setdefault(str(block.zone), []).append(block)
    for room, blocks in by_room.items():
        box = world.map.zone(room).box
        for index, block in enumerate(blocks):
            assert box.min_x + 0.5 <= block.x <= box.max_x - 0.5
            assert box.min_y + 0.5 <= block.y <= box.max_y - 0.5
            for other in blocks[:index]:
                assert max(abs(block.x - other.x), abs(block.y - other.y)) >= 2
