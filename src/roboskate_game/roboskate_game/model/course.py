# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The course of the simulated game as data, read from course.yaml.

Metres in the frame odom (x forward, y left as seen from the start of level 0, z up), angles in
rad. Nothing here knows physics or pictures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

Point = tuple[float, float]

_ARC_STEP = math.radians(3.0)


class CourseError(Exception):
    """A course file cannot be used; the message names the entry."""


@dataclass(frozen=True)
class Checkpoint:
    """A disc to be reached: centre and radius."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class LevelStart:
    """Where a level begins; ``first_checkpoint`` is None where no checkpoints are known."""

    start: Point
    heading: float
    first_checkpoint: int | None


@dataclass(frozen=True)
class GroundPiece:
    """A convex or arc-shaped piece of one plane: height ``z + slope * x``.

    ``outline`` is a list of convex polygons that cover it; ``surface`` names its look.
    """

    name: str
    surface: str
    z: float
    slope: float
    outline: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class Wall:
    """A polyline that stops the board on the left of its direction, up to the height ``top``."""

    points: tuple[Point, ...]
    top: float
    kind: str
    width: float


@dataclass(frozen=True)
class Course:
    """All that is known or made up of the map.

    ``corners``: bends of the path between a checkpoint, by its number, and the next one.
    """

    cell: float
    checkpoints: tuple[Checkpoint, ...]
    corners: dict[int, Point]
    levels: tuple[LevelStart, ...]
    ground: tuple[GroundPiece, ...]
    walls: tuple[Wall, ...]
    columns: tuple[tuple[float, float, float], ...]
    trees: tuple[tuple[float, float, float, float], ...]


def load_course(path: Path | None = None) -> Course:
    """Return the course in a file, without ``path`` the game's own. Raises CourseError."""
    source = path or resources.files("roboskate_game") / "course.yaml"
    try:
        content = yaml.safe_load(source.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise CourseError(f"{source} cannot be read: {error}") from error
    try:
        return Course(
            cell=float(content["cell"]),
            checkpoints=tuple(Checkpoint(*map(float, c)) for c in content["checkpoints"]),
            corners={int(i): (float(x), float(y)) for i, (x, y) in content["corners"].items()},
            levels=tuple(map(_level, content["levels"])),
            ground=tuple(map(_piece, content["ground"])),
            walls=tuple(map(_wall, content["walls"])),
            columns=tuple((x, y, z) for x, y, z in content["columns"]),
            trees=tuple((x, y, z, h) for x, y, z, h in content["trees"]),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{source} is no course: {error!r}") from error


def _level(entry: dict[str, Any]) -> LevelStart:
    x, y = entry["start"]
    return LevelStart((x, y), math.radians(entry["heading"]), entry.get("first_checkpoint"))


def _piece(entry: dict[str, Any]) -> GroundPiece:
    z, slope = float(entry.get("z", 0.0)), 0.0
    outline: tuple[tuple[Point, ...], ...]
    if "rectangle" in entry:
        x0, y0, x1, y1 = entry["rectangle"]
        if not (x0 < x1 and y0 < y1):
            raise ValueError(f"{entry['name']}: the rectangle's second corner is not the larger")
        outline = (((x0, y0), (x1, y0), (x1, y1), (x0, y1)),)
        if "z_end" in entry:
            slope = (float(entry["z_end"]) - z) / (x1 - x0)
            z -= slope * x0
    elif "beam" in entry:
        x0, y0, x1, y1, width = entry["beam"]
        length = math.hypot(x1 - x0, y1 - y0)
        sx, sy = -(y1 - y0) / length * width / 2.0, (x1 - x0) / length * width / 2.0
        outline = (
            ((x0 + sx, y0 + sy), (x0 - sx, y0 - sy), (x1 - sx, y1 - sy), (x1 + sx, y1 + sy)),
        )
    elif "disc" in entry:
        x, y, radius = entry["disc"]
        outline = (tuple(_arc(x, y, radius, 0.0, 2.0 * math.pi)[:-1]),)
    else:
        x, y, radius, start, end, width = entry["arc"]
        inner = _arc(x, y, radius - width / 2.0, math.radians(start), math.radians(end))
        outer = _arc(x, y, radius + width / 2.0, math.radians(start), math.radians(end))
        outline = tuple(
            (a, b, c, d) for (a, d), (b, c) in zip(pairwise(inner), pairwise(outer), strict=True)
        )
    return GroundPiece(entry["name"], entry["surface"], z, slope, outline)


def _wall(entry: dict[str, Any]) -> Wall:
    if "line" in entry:
        points = tuple((float(x), float(y)) for x, y in entry["line"])
    else:
        x, y, radius, start, end = entry["arc"]
        points = tuple(_arc(x, y, radius, math.radians(start), math.radians(end)))
    return Wall(points, float(entry["top"]), entry["kind"], float(entry.get("width", 0.0)))


def _arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Return points on an arc in steps of about 3 degrees, both ends included."""
    count = max(1, round(abs(end - start) / _ARC_STEP))
    turns = [start + (end - start) * i / count for i in range(count + 1)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]


COURSE = load_course()
"""The course of the game."""
