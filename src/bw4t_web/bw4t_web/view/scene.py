# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the page draws: the map once, and then states that change.

A state (see :mod:`legacy_robots_web.changes`) is for one kind of viewer; its things have
names such as ``robot:Bot_1``. Lengths are map units, y grows downwards.
"""

from __future__ import annotations

from typing import Any

from bw4t_world import TeamSummary
from bw4t_world.maps import BlockColor, Box, MapSpec
from bw4t_world.simulation.snapshots import (
    BlockView,
    EPartnerView,
    HeldBlockView,
    RobotView,
    Snapshot,
)
from legacy_robots_web import Fields, State


def describe_map(spec: MapSpec) -> dict[str, Any]:
    """Return what never changes: the area, the zones with their doors, and the colours."""
    return {
        "area": [spec.area.x, spec.area.y],
        "zones": [
            {
                "name": zone.name,
                "kind": "DROPZONE" if zone.is_drop_zone else zone.type.value,
                "box": _rectangle(zone.box),
                "doors": [_rectangle(door.box) for door in zone.doors],
                "label": zone.label_visible,
                "neighbours": list(zone.neighbours),
            }
            for zone in spec.zones
        ],
        "colors": [color.value for color in BlockColor],
        "oneBotPerCorridor": spec.one_bot_per_corridor_zone,
    }


def _rectangle(box: Box) -> list[float]:
    """Return left, top, width and height."""
    return [box.min_x, box.min_y, box.width, box.height]


def length(value: float) -> float:
    """Return a coordinate as it is sent: in hundredths of a unit, a fifth of a pixel or so."""
    return round(value, 2)


class WholeView:
    """What those see who only watch: everything. Makes states of snapshots."""

    def __init__(self) -> None:
        self._blocks: tuple[tuple[BlockView, ...], State] = ((), {})

    def state(self, snapshot: Snapshot) -> State:
        """Return the state of a moment; parts that have not changed are the same objects."""
        if self._blocks[0] is not snapshot.blocks:
            self._blocks = (snapshot.blocks, _blocks(snapshot.blocks))
        closed = {door.room for door in snapshot.doors if not door.is_open}
        state: State = {f"room:{name}": {"closed": True} for name in sorted(closed)}
        state |= self._blocks[1]
        state |= {f"robot:{robot.name}": _robot(robot) for robot in snapshot.robots}
        state |= {f"epartner:{other.name}": _epartner(other) for other in snapshot.epartners}
        state["task"] = task(snapshot)
        return state


def task(snapshot: Snapshot) -> Fields:
    """Return the sequence and how far it is, and the time."""
    return {
        "sequence": [color.value for color in snapshot.sequence],
        "index": snapshot.delivered,
        "seconds": round(snapshot.seconds, 1),
        "paused": snapshot.is_paused,
        "done": snapshot.completed_at is not None,
    }


def _blocks(blocks: tuple[BlockView, ...]) -> State:
    return {
        f"block:{block.id}": {
            "id": block.id,
            "color": block.color.value,
            "x": length(block.x),
            "y": length(block.y),
            "zone": block.zone,
        }
        for block in blocks
    }


def _robot(robot: RobotView) -> Fields:
    return {
        "name": robot.name,
        "kind": robot.kind,
        "x": length(robot.x),
        "y": length(robot.y),
        "size": robot.size,
        "state": robot.state,
        "held": held(robot.held),
        "battery": round(robot.battery) if robot.has_battery else None,
        "played": robot.is_played,
    }


def held(blocks: tuple[HeldBlockView, ...]) -> list[list[Any]]:
    """Return a stack as pairs of id and colour, the bottom first."""
    return [[block.id, block.color.value] for block in blocks]


def _epartner(other: EPartnerView) -> Fields:
    return {
        "name": other.name,
        "x": length(other.x),
        "y": length(other.y),
        "holder": other.holder,
        "abilities": list(other.functionalities),
    }


def measures(summary: TeamSummary) -> Fields:
    """Return the figures of a run as they are shown when the sequence is complete."""
    return {
        "seconds": summary.completion_seconds,
        "goodDrops": summary.good_drops,
        "wrongDrops": summary.wrong_drops,
        "messages": summary.messages,
        "idleSeconds": round(summary.idle_seconds, 1),
        "roomsEntered": summary.rooms_entered,
        "robots": [
            {
                "name": robot.name,
                "kind": robot.kind,
                "goodDrops": robot.good_drops,
                "wrongDrops": robot.wrong_drops,
                "messages": robot.messages,
                "idleSeconds": round(robot.idle_seconds, 1),
                "roomsEntered": robot.rooms_entered,
            }
            for robot in summary.robots
        ],
    }
