# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws maps and worlds as the original's overview window does: from above, y downwards."""

from __future__ import annotations

from pathlib import Path

from bw4t_world.drawing.canvas import Canvas, DrawingError, Image, Paint, load_cv2
from bw4t_world.drawing.scene import (
    DrawnEPartner,
    DrawnRobot,
    Scene,
    scene_of_map,
    scene_of_snapshot,
)
from bw4t_world.maps.model import BlockColor, Box, MapSpec, Point, ZoneSpec, ZoneType
from bw4t_world.maps.xml_document import Source
from bw4t_world.simulation.snapshots import Snapshot

Subject = MapSpec | Snapshot | Scene
"""What can be drawn."""

BLOCK_PAINTS: dict[BlockColor, Paint] = {
    BlockColor.RED: (214, 39, 40),
    BlockColor.ORANGE: (255, 150, 30),
    BlockColor.YELLOW: (250, 220, 40),
    BlockColor.GREEN: (50, 160, 60),
    BlockColor.BLUE: (45, 95, 210),
    BlockColor.PINK: (245, 140, 200),
    BlockColor.WHITE: (255, 255, 255),
    BlockColor.DARK_GRAY: (90, 90, 90),
    BlockColor.CYAN: (60, 210, 220),
    BlockColor.MAGENTA: (200, 40, 180),
}

_BACKGROUND: Paint = (206, 210, 214)
_WALL: Paint = (60, 64, 70)
_LABEL: Paint = (95, 100, 108)
_INK: Paint = (25, 25, 28)
_PAPER: Paint = (255, 255, 255)
_FAINT: Paint = (176, 180, 186)
_OPEN, _CLOSED = (70, 170, 90), (205, 60, 55)
_ROBOT, _HUMAN, _EPARTNER = (52, 58, 70), (70, 84, 150), (150, 90, 30)
_FLOORS: dict[ZoneType, Paint] = {
    ZoneType.CORRIDOR: (238, 240, 242),
    ZoneType.CHARGINGZONE: (222, 243, 218),
    ZoneType.BLOCKADE: (150, 154, 160),
    ZoneType.ROOM: (255, 253, 246),
}
_DROP_ZONE_FLOOR: Paint = (226, 235, 252)
_FOOTER = 5.0  # units below the map for the sequence
_MARGIN = 1.0
_BLOCK_SIZE = 1.0
_DRAWN_BLOCK = 1.5  # larger than it is, or its letter would not be readable


def draw(subject: Subject, *, pixels_per_unit: float = 12.0) -> Image:
    """Return a picture, shape (rows, columns, 3), blue-green-red, of a map or a moment.

    Rooms stand out from corridors by their walls, charging zones are green, blockades hatched,
    doors green or (occupied) red. Blocks have their colour and its initial, robots their name.
    The colours to deliver stand in a row below, delivered ones ticked off.

    Raises :class:`DrawingError` without OpenCV, or when the picture would be too large.
    """
    scene = _scene(subject)
    if not 0 < pixels_per_unit <= 1000:
        raise DrawingError(f"pixels_per_unit must be from 0 to 1000, not {pixels_per_unit:g}")
    area = scene.map.area
    canvas = _Painter(area.x + 2 * _MARGIN, area.y + 2 * _MARGIN + _FOOTER, pixels_per_unit, scene)
    return canvas.paint()


def write_png(subject: Subject, target: Source, *, pixels_per_unit: float = 12.0) -> None:
    """Draw into a PNG file. Raises :class:`DrawingError`, and ``OSError`` where writing fails."""
    done, data = load_cv2().imencode(".png", draw(subject, pixels_per_unit=pixels_per_unit))
    if not done:
        raise DrawingError("the picture cannot be encoded as PNG")
    Path(target).write_bytes(data.tobytes())


def _scene(subject: Subject) -> Scene:
    if isinstance(subject, MapSpec):
        return scene_of_map(subject)
    if isinstance(subject, Snapshot):
        return scene_of_snapshot(subject)
    return subject


class _Painter:
    def __init__(self, width: float, height: float, pixels_per_unit: float, scene: Scene) -> None:
        self._canvas = Canvas(width, height, pixels_per_unit)
        self._scene = scene
        self._area = scene.map.area

    def paint(self) -> Image:
        area = self._area
        self._canvas.rectangle(
            self._moved(Box(area.x / 2, area.y / 2, area.x, area.y)), _BACKGROUND
        )
        # Walls and doors come after all floors, or a neighbour would cover half of them.
        for zone in self._scene.map.zones:
            self._floor(zone)
        for zone in self._scene.map.zones:
            self._walls(zone)
        for zone in self._scene.map.zones:
            if zone.label_visible:
                self._label(zone)
        if not self._scene.robots:
            for entity in self._scene.map.entities:
                self._canvas.circle(self._at(entity.position), 0.6, edge=_LABEL, line=0.12)
        for block in self._scene.blocks:
            self._block(block.position, block.color, _DRAWN_BLOCK)
        for robot in self._scene.robots:
            self._robot(robot)
        for epartner in self._scene.epartners:
            self._epartner(epartner)
        self._sequence()
        return self._canvas.image()

    def _at(self, point: Point) -> Point:
        return Point(point.x + _MARGIN, point.y + _MARGIN)

    def _moved(self, box: Box) -> Box:
        return Box(box.x + _MARGIN, box.y + _MARGIN, box.width, box.height)

    def _visible(self, box: Box) -> Box:
        """Return the part of a zone inside the area; the halls of old maps reach beyond it."""
        left, right = max(box.min_x, 0.0), min(box.max_x, self._area.x)
        top, bottom = max(box.min_y, 0.0), min(box.max_y, self._area.y)
        width, height = max(0.0, right - left), max(0.0, bottom - top)
        return self._moved(Box((left + right) / 2, (top + bottom) / 2, width, height))

    def _floor(self, zone: ZoneSpec) -> None:
        box = self._visible(zone.box)
        floor = _DROP_ZONE_FLOOR if zone.is_drop_zone else _FLOORS[zone.type]
        edge = _FAINT if zone.type is not ZoneType.ROOM else None
        self._canvas.rectangle(box, floor, edge, 0.08)
        if zone.type is ZoneType.BLOCKADE:
            self._canvas.hatch(box, _WALL)
        if zone.type is ZoneType.CHARGINGZONE:
            self._lightning(box.center)

    def _lightning(self, center: Point) -> None:
        x, y = center.x, center.y - 2.2
        paint = _FLOORS[ZoneType.BLOCKADE]
        self._canvas.polygon(
            [Point(x + 0.4, y - 1.5), Point(x - 0.9, y + 0.2), Point(x + 0.3, y + 0.2)], paint
        )
        self._canvas.polygon(
            [Point(x - 0.4, y + 1.5), Point(x + 0.9, y - 0.2), Point(x - 0.3, y - 0.2)], paint
        )

    def _walls(self, zone: ZoneSpec) -> None:
        if zone.type in (ZoneType.ROOM, ZoneType.BLOCKADE):
            self._canvas.rectangle(self._visible(zone.box), edge=_WALL, line=0.3)
        paint = _CLOSED if zone.name in self._scene.occupied else _OPEN
        for door in zone.doors:
            box = self._moved(door.box)
            thin = Box(box.x, box.y, max(box.width - 0.4, 0.6), max(box.height - 0.4, 0.6))
            self._canvas.rectangle(thin, _PAPER, paint, 0.14)
            self._canvas.rectangle(thin, paint)

    def _label(self, zone: ZoneSpec) -> None:
        box = self._visible(zone.box)
        high = zone.type is ZoneType.ROOM and not zone.is_drop_zone
        y = box.min_y + 1.6 if high else box.y
        paint = _PAPER if zone.type is ZoneType.BLOCKADE else _LABEL
        if zone.type is ZoneType.BLOCKADE:
            plate = Box(box.x, box.y, box.width * 0.9, 1.6)
            self._canvas.rectangle(plate, _WALL)
        self._canvas.text(zone.name, Point(box.x, y), 0.8, box.width * 0.86, paint)

    def _block(self, position: Point, color: BlockColor, size: float) -> None:
        self._free_block(self._at(position), color, size)

    def _free_block(self, at: Point, color: BlockColor, size: float) -> None:
        paint = BLOCK_PAINTS[color]
        self._canvas.rectangle(Box(at.x, at.y, size, size), paint, _INK, 0.09)
        bright = 0.3 * paint[0] + 0.59 * paint[1] + 0.11 * paint[2] > 120
        self._canvas.text(color.value[0], at, size * 0.55, size * 0.8, _INK if bright else _PAPER)

    def _robot(self, robot: DrawnRobot) -> None:
        at, half = self._at(robot.position), robot.size / 2
        paint = _HUMAN if robot.is_human else _ROBOT
        self._canvas.rectangle(Box(at.x, at.y, robot.size, robot.size), _PAPER, paint, 0.3)
        # From the bottom of the stack up, each block covering a part of the one below.
        for rank, color in enumerate(reversed(robot.holding)):
            where = Point(at.x, at.y - rank * 0.45)
            self._free_block(where, color, min(_BLOCK_SIZE + 0.2, robot.size - 0.5))
        if not robot.holding:
            self._canvas.circle(at, half * 0.45, paint)
        self._plate(robot.name, Point(at.x, at.y + half + 0.75), paint)

    def _plate(self, name: str, at: Point, paint: Paint) -> None:
        width = min(8.0, 0.55 * len(name) + 0.5)
        self._canvas.rectangle(Box(at.x, at.y, width, 1.1), paint)
        self._canvas.text(name, at, 0.62, width - 0.3, _PAPER)

    def _epartner(self, epartner: DrawnEPartner) -> None:
        at = self._at(epartner.position)
        self._canvas.circle(at, 0.6, _EPARTNER, _PAPER)
        self._plate(epartner.name, Point(at.x, at.y + 1.2), _EPARTNER)

    def _sequence(self) -> None:
        sequence = self._scene.sequence
        y = self._area.y + 2 * _MARGIN + _FOOTER / 2 - 0.5
        if not sequence:
            return
        step = min(3.0, self._area.x / len(sequence))
        size = step * 0.72
        for index, color in enumerate(sequence):
            at = Point(_MARGIN + step * (index + 0.5), y)
            self._free_block(at, color, size)
            if index < self._scene.sequence_index:
                bar = Box(at.x, y + size * 0.75, size, max(0.15, size * 0.14))
                self._canvas.rectangle(bar, _OPEN)
            elif index == self._scene.sequence_index:
                tip = y - size * 0.6
                self._canvas.polygon(
                    [
                        Point(at.x, tip),
                        Point(at.x - size * 0.25, tip - size * 0.4),
                        Point(at.x + size * 0.25, tip - size * 0.4),
                    ],
                    _INK,
                )
