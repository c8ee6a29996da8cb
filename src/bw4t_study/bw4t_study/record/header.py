# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The first line of a record: what the game is, so that it can be played again."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timezone
from enum import Enum
from functools import cache
from importlib.metadata import version
from typing import Any

from bw4t_study.record.game_file import FORMAT, Line
from bw4t_world import PROFILES, World
from bw4t_world.maps.writer import format_map
from bw4t_world.scenarios import BotSpec, EPartnerSpec


def header_of(world: World, about: Mapping[str, Any]) -> Line:
    """Return the header of the game that begins in a world; ``about`` is free."""
    snapshot = world.snapshot()
    known = PROFILES.get(world.profile.name) == world.profile
    return {
        "kind": "header",
        "format": FORMAT,
        "started": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        "versions": versions(),
        "about": about,
        "profile": world.profile.name if known else f"{world.profile.name} (changed)",
        "tick_seconds": world.profile.tick_seconds,
        "seed": world.seed,
        "collisions": world.collisions,
        "members": {name: described(spec) for name, spec in world.members.items()},
        "sequence": [color.value for color in snapshot.sequence],
        "blocks": [[block.id, block.color.value, block.zone] for block in snapshot.blocks],
        "map": format_map(world.map),
    }


@cache
def versions() -> dict[str, str]:
    """Return the versions of what has a part in a game."""
    packages = {name: version(name) for name in ("bw4t_world", "bw4t_study")}
    return packages | {"python": platform.python_version()}


def described(spec: BotSpec | EPartnerSpec) -> dict[str, Any]:
    """Return what a robot or e-partner is as JSON can hold it; ``what`` is its class."""
    fields = {
        name: value.value if isinstance(value, Enum) else value
        for name, value in asdict(spec).items()
    }
    return {"what": "robot" if isinstance(spec, BotSpec) else "epartner", **fields}
