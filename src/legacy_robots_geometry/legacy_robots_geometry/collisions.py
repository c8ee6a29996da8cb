# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which links of a URDF's boxes, cylinders and spheres touch, for many configurations at once."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from legacy_robots_geometry.robot_model import Joint, RobotModel, RobotModelError

Array = NDArray[np.float64]
STEPS = 100
"""Of the search for a plane between two shapes; what is undecided then counts as touching."""


@dataclass(frozen=True)
class Shape:
    """A convex body of a link: half sizes (m) in its own frame, which is at ``place``, ``turn``.

    A box has three; a cylinder its radius twice and half its length; a sphere its radius.
    """

    link: str
    kind: str
    half: Array
    place: Array
    turn: Array

    @property
    def reach(self) -> float:
        """Radius (m) of a sphere around it."""
        return float(
            self.half[0] if self.kind == "sphere" else np.hypot(self.half[0], self.half[2])
            if self.kind == "cylinder" else np.linalg.norm(self.half)
        )  # fmt: skip

    def furthest(self, ways: Array) -> Array:
        """Return the points (N, 3) that are furthest along ``ways`` (N, 3), in its own frame."""
        if self.kind == "box":
            return np.copysign(self.half, ways)
        axes = 3 if self.kind == "sphere" else 2
        flat = ways[:, :axes]
        length = np.linalg.norm(flat, axis=1, keepdims=True)
        round_part = self.half[0] * flat / np.where(length > 0.0, length, 1.0)
        if axes == 3:
            return np.asarray(round_part)
        return np.hstack([round_part, np.copysign(self.half[2], ways[:, 2:])])


def shapes(model: RobotModel) -> list[Shape]:
    """Return the collision bodies. Raises RobotModelError for a mesh."""
    found = []
    for link in ElementTree.fromstring(model.urdf).findall("link"):
        for collision in link.findall("collision"):
            geometry, origin = collision.find("geometry"), collision.find("origin")
            body = geometry[0] if geometry is not None else None
            if body is None or body.tag not in ("box", "cylinder", "sphere"):
                raise RobotModelError(f"link {link.get('name')!r}: only boxes, cylinders, spheres")
            xyz, rpy = (
                np.array([float(v) for v in (origin.get(n, "0 0 0") if origin is not None
                                             else "0 0 0").split()])
                for n in ("xyz", "rpy")
            )  # fmt: skip
            radius = float(body.get("radius", 0.0))
            half = {
                "box": [float(v) / 2.0 for v in body.get("size", "0 0 0").split()],
                "cylinder": [radius, radius, float(body.get("length", 0.0)) / 2.0],
                "sphere": [radius] * 3,
            }[body.tag]
            turn = _about(2, rpy[2:]) @ _about(1, rpy[1:2]) @ _about(0, rpy[:1])
            found.append(Shape(link.get("name", ""), body.tag, np.array(half), xyz, turn[0]))
    return found


def _about(axis: int, angles: Array) -> Array:
    """Return the rotations (N, 3, 3) about x, y or z (0, 1, 2) by angles in rad."""
    return _turns(np.eye(3)[axis], angles)


def _turns(axis: Array, angles: Array) -> Array:
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, cosine = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.asarray(np.eye(3) + sine * cross + (1.0 - cosine) * (cross @ cross))


def link_frames(
    model: RobotModel, positions: Mapping[str, Array], count: int
) -> dict[str, tuple[Array, Array]]:
    """Return rotation (N, 3, 3) and place (N, 3) of each link in the root link.

    ``positions`` has ``count`` positions (rad or m) by joint; others are 0.
    """
    children = {joint.child for joint in model.joints}
    roots = [joint.parent for joint in model.joints if joint.parent not in children]
    frames: dict[str, tuple[Array, Array]] = {}
    for root in roots:
        frames[root] = (np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3)))
    waiting: list[Joint] = list(model.joints)
    while waiting:
        joint = waiting.pop(0)
        if joint.parent not in frames:
            waiting.append(joint)
            continue
        turn, place = frames[joint.parent]
        position = np.asarray(positions.get(joint.name, np.zeros(count)), np.float64)
        x, y, z, w = joint.origin.rotation
        own = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        place = place + turn @ np.array(joint.origin.translation)
        turn = turn @ own
        axis = np.array(joint.axis)
        if joint.kind == "prismatic":
            place = place + (turn @ axis) * position[:, None]
        elif joint.moves:
            turn = turn @ _turns(axis, position)
        frames[joint.child] = (turn, place)
    return frames


def touching(
    one: Shape, other: Shape, frames: Mapping[str, tuple[Array, Array]]
) -> NDArray[np.bool_]:
    """Return in which configurations two bodies touch.

    Gilbert's algorithm goes to the point of the difference of both that is nearest to the origin;
    a plane that has all of the difference on one side proves that they are apart.
    """
    turns, places = [], []
    for shape in (one, other):
        turn, place = frames[shape.link]
        places.append(place + turn @ shape.place)
        turns.append(turn @ shape.turn)
    gap = places[0] - places[1]
    result: NDArray[np.bool_] = np.linalg.norm(gap, axis=1) <= one.reach + other.reach
    open_ = np.flatnonzero(result)
    nearest = gap[open_]
    for _ in range(STEPS):
        if not len(open_):
            break
        far = gap[open_]
        for sign, shape, turn in ((1.0, one, turns[0]), (-1.0, other, turns[1])):
            local = np.einsum("nji,nj->ni", turn[open_], -sign * nearest)
            far = far + sign * np.einsum("nij,nj->ni", turn[open_], shape.furthest(local))
        apart = np.einsum("ni,ni->n", nearest, far) > 0.0
        result[open_[apart]] = False
        keep = ~apart
        open_, nearest, far = open_[keep], nearest[keep], far[keep]
        way = far - nearest
        square = np.einsum("ni,ni->n", way, way)
        part = -np.einsum("ni,ni->n", nearest, way) / np.where(square > 0.0, square, 1.0)
        nearest = nearest + np.clip(part, 0.0, 1.0)[:, None] * way
    return result
