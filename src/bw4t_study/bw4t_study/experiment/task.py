# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The map of a trial, on which a condition may set another sequence."""

from __future__ import annotations

import random
from dataclasses import replace

from bw4t_study.experiment.design import Trial
from bw4t_world.maps import BlockColor, MapSpec, load_map
from bw4t_world.maps.model import RANDOM_COLORS

MAX_IN_ROOM = 8
"""Blocks in a room at most; more may not find a place."""


def map_of(trial: Trial, seed: int) -> MapSpec:
    """Return a trial's map; with a ``sequence`` of the condition the blocks are dealt anew.

    As many blocks as the map has lie in rooms by chance, which the ``seed`` makes repeatable:
    those of the sequence, and others of random colours. Raises MapError and ValueError.
    """
    spec = load_map(trial.map_file)
    colors = [BlockColor.from_text(name) for name in trial.settings.get("sequence", ())]
    if not colors:
        return spec
    rooms = [zone.name for zone in spec.zones if zone.is_blocks_room]
    number = sum(len(zone.blocks) for zone in spec.zones) + spec.random_blocks
    number = min(max(number, len(colors)), MAX_IN_ROOM * len(rooms))
    if len(colors) > number:
        raise ValueError(f"{trial.map}: a sequence of {len(colors)} does not fit into its rooms")
    choose = random.Random(seed)
    blocks = colors + [choose.choice(RANDOM_COLORS) for _ in range(number - len(colors))]
    places = choose.sample([room for room in rooms for _ in range(MAX_IN_ROOM)], number)
    lying = {room: [b for b, p in zip(blocks, places, strict=True) if p == room] for room in rooms}
    return replace(
        spec,
        zones=tuple(replace(zone, blocks=tuple(lying.get(zone.name, ()))) for zone in spec.zones),
        sequence=tuple(colors),
        random_blocks=0,
        random_sequence=0,
    )
