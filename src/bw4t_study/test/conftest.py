# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Recorded games for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bw4t_study.record import Game, RecordedWorld, read_game, records_in
from bw4t_world.agents import Team
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., RecordedWorld]:
    """Return a function that makes a world of which records go to ``tmp_path``."""

    def make(robots: int = 2, map: str = "nine_rooms", **options: Any) -> RecordedWorld:
        scenario = Scenario(bots=(BotSpec(amount=robots),))
        options = {"seed": 3, "directory": tmp_path, **options}
        return RecordedWorld(load_map(map), scenario, **options)

    return make


@pytest.fixture
def played(make: Callable[..., RecordedWorld], tmp_path: Path) -> Callable[..., Game]:
    """Return a function that lets the searchers play a whole game and returns its record."""

    def played(**options: Any) -> Game:
        world = make(**options)
        assert Team(world, seed=world.seed).play(100_000)
        world.close()
        return read_game(records_in(tmp_path)[-1])

    return played
