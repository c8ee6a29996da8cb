# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A small world for tests, where everything is where one expects it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bw4t_world import SPEC, Consumer, Outcome, Profile, World
from bw4t_world.maps import (
    BlockColor,
    Box,
    DoorSpec,
    EntitySpec,
    MapSpec,
    Point,
    ZoneSpec,
    ZoneType,
)
from bw4t_world.scenarios import BotSpec, Scenario
from bw4t_world.simulation.snapshots import EPartnerView, RobotView

# Three corridors in a row, a room below each:
#
#   West (5,5)     Middle (15,5)    East (25,5)       each 10 x 10
#   Hall (5,15)    Closet (15,11)   DropZone (25,15)  doors at y = 10; the closet is 2 x 2
#
# The closet is so small that its blue block lies within half a unit of its centre.


def lab_map(**changes: Any) -> MapSpec:
    corridor, room = ZoneType.CORRIDOR, ZoneType.ROOM
    spec = MapSpec(
        area=Point(30, 20),
        zones=(
            ZoneSpec("West", corridor, Box(5, 5, 10, 10), ("Middle", "Hall")),
            ZoneSpec("Middle", corridor, Box(15, 5, 10, 10), ("East", "Closet")),
            ZoneSpec("East", corridor, Box(25, 5, 10, 10), ("DropZone",)),
            ZoneSpec(
                "Hall",
                room,
                Box(5, 15, 10, 10),
                doors=(DoorSpec(Point(5, 10)),),
                blocks=(BlockColor.RED, BlockColor.RED, BlockColor.GREEN),
            ),
            ZoneSpec(
                "Closet",
                room,
                Box(15, 11, 2, 2),
                doors=(DoorSpec(Point(15, 10)),),
                blocks=(BlockColor.BLUE,),
            ),
            ZoneSpec("DropZone", room, Box(25, 15, 10, 10), doors=(DoorSpec(Point(25, 10)),)),
        ),
        entities=tuple(EntitySpec(Point(x, y)) for x, y in ((5, 5), (15, 5), (25, 5), (3, 7))),
        sequence=(BlockColor.BLUE, BlockColor.RED),
    )
    return replace(spec, **changes)


class Lab:
    """A world on the small map, with a consumer for each player."""

    def __init__(
        self,
        *bots: BotSpec,
        profile: Profile | str = SPEC,
        spec: MapSpec | None = None,
        scenario: Scenario | None = None,
        **options: Any,
    ) -> None:
        options.setdefault("seed", 1)
        if scenario is None:
            scenario = Scenario(bots=bots or (BotSpec(),))
        self.world = World(spec or lab_map(), scenario, profile=profile, **options)
        self.consumers: dict[str, Consumer] = {}
        for name in self.world.names:
            self.consumers[name] = self.world.connect(name)

    def robot(self, name: str = "Bot_1") -> RobotView:
        return next(robot for robot in self.world.snapshot().robots if robot.name == name)

    def place(self, name: str = "Bot_1") -> tuple[float, float]:
        robot = self.robot(name)
        return robot.x, robot.y

    def epartner(self, name: str = "E-Partner_1") -> EPartnerView:
        return next(other for other in self.world.snapshot().epartners if other.name == name)

    def act(self, *action: Any, name: str = "Bot_1") -> Outcome:
        return self.world.act(name, *action)

    def arrive(self, name: str = "Bot_1") -> str:
        """Let time pass until a robot stands; return its state."""
        for _ in range(3000):
            if self.robot(name).state != "traveling":
                break
            self.world.tick()
        return self.robot(name).state

    def go(self, *where: Any, name: str = "Bot_1") -> str:
        """Send a robot somewhere and wait for it; return its state."""
        self.act("goTo", *where, name=name)
        return self.arrive(name)

    def poll(self, name: str = "Bot_1") -> list[str]:
        """Return what an entity perceives, as text."""
        return [str(percept) for percept in self.consumers[name].poll().add]

    def perceives(self, percept: str, name: str = "Bot_1") -> list[str]:
        """Poll, and return the percepts of one name, as text."""
        return [text for text in self.poll(name) if text.startswith(f"{percept}(")]


@pytest.fixture(scope="session")
def lab() -> Callable[..., Lab]:
    """Make small worlds: ``lab(BotSpec(...), profile=..., spec=...)``."""
    return Lab


@pytest.fixture(scope="session")
def small_map() -> Callable[..., MapSpec]:
    """Make the small map, with some of its fields replaced."""
    return lab_map
