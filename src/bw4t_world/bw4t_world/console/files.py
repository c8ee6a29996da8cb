# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The commands about files: draw, generate, check and maps."""

from __future__ import annotations

import argparse
import sys

from bw4t_world.drawing import write_png
from bw4t_world.maps import SHIPPED_MAPS, MapError, MapSpec, load_map, map_remarks, parse_map
from bw4t_world.maps.generator import Layout, generate_map
from bw4t_world.maps.writer import format_map, write_map
from bw4t_world.maps.xml_document import read, root_of
from bw4t_world.scenarios import Scenario, parse_scenario, scenario_remarks


def draw(options: argparse.Namespace) -> int:
    """Draw a map into a PNG file."""
    write_png(load_map(options.map), options.picture, pixels_per_unit=options.scale)
    return 0


def generate(options: argparse.Namespace) -> int:
    """Make a map."""
    layout = Layout(
        rows=options.rows,
        columns=options.columns,
        spawns=options.spawns,
        charging=options.charging,
        blockade=options.blockade,
        one_bot_per_corridor_zone=options.one_bot_per_corridor,
    )
    spec = generate_map(
        layout,
        blocks=options.blocks,
        sequence=options.sequence,
        seed=None if options.random else options.seed,
    )
    if options.file == "-":
        sys.stdout.write(format_map(spec))
    else:
        write_map(spec, options.file)
    return 0


def check(options: argparse.Namespace) -> int:
    """Validate maps and scenarios; the first error ends it."""
    for file in options.files:
        text = read(file, MapError)  # once: a pipe has no second time
        if root_of(text, file, MapError) == "bw4TClientConfig":
            scenario = parse_scenario(text, source=file)
            what, remarks = _describe_scenario(scenario), scenario_remarks(scenario)
        else:
            spec = parse_map(text, source=file)
            what, remarks = _describe_map(spec), map_remarks(spec)
        sys.stdout.write(f"{file}: {what}\n")
        for remark in remarks:
            sys.stdout.write(f"{file}: note: {remark}\n")
    return 0


def list_maps(options: argparse.Namespace) -> int:
    """List the maps of the package."""
    for name in SHIPPED_MAPS:
        sys.stdout.write(f"{name}: {_describe_map(load_map(name))}\n")
    return 0


def _describe_map(spec: MapSpec) -> str:
    rooms = sum(zone.is_blocks_room for zone in spec.zones)
    blocks = sum(len(zone.blocks) for zone in spec.zones)
    blocks += spec.random_blocks + spec.random_sequence
    sequence = len(spec.sequence) + spec.random_sequence
    return (
        f"a valid map with {len(spec.zones)} zones, {rooms} of them rooms, {blocks} blocks, "
        f"a sequence of {sequence}, {len(spec.entities)} spawn points"
    )


def _describe_scenario(scenario: Scenario) -> str:
    robots = sum(bot.amount for bot in scenario.bots)
    epartners = sum(epartner.amount for epartner in scenario.epartners)
    return f"a valid scenario with {robots} robots and {epartners} e-partners"
