# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Frames of a robot's URDF: the poses of its links for given joint positions. No ROS.

robot_state_publisher does the same, but is not installed wherever the bridges run.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from functools import cached_property

from legacy_robots_geometry.rotations import (
    Pose,
    Quaternion,
    Vector,
    product,
    quaternion_of,
    rotated,
)

__all__ = ["Joint", "RobotModel", "RobotModelError"]

_MOVING = ("revolute", "continuous", "prismatic")


class RobotModelError(Exception):
    """A URDF cannot be used; the message says why."""


@dataclass(frozen=True)
class Joint:
    """A joint between two links; ``axis`` is a unit vector in the joint's frame.

    Limits are in rad and rad/s, or m and m/s for a prismatic joint; 0 where the URDF has none.
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: Pose
    axis: Vector
    lower: float = 0.0
    upper: float = 0.0
    max_speed: float = 0.0

    @property
    def moves(self) -> bool:
        """Whether the joint has a position."""
        return self.kind in _MOVING

    def pose(self, position: float) -> Pose:
        """Return where the child is for a position in rad, or metres for a prismatic joint."""
        origin = self.origin
        if self.kind == "prismatic":
            x, y, z = (
                t + position * a for t, a in zip(origin.translation, self._along, strict=True)
            )
            return Pose((x, y, z), origin.rotation)
        # The product with (sine * axis, cosine) is linear in both.
        cosine, sine = math.cos(0.5 * position), math.sin(0.5 * position)
        x, y, z, w = (
            cosine * o + sine * h for o, h in zip(origin.rotation, self._half_turn, strict=True)
        )
        return Pose(origin.translation, (x, y, z, w))

    @cached_property
    def _along(self) -> Vector:
        """The axis in the parent's frame."""
        return rotated(self.origin.rotation, self.axis)

    @cached_property
    def _half_turn(self) -> Quaternion:
        """The rotation at a position of pi."""
        return product(self.origin.rotation, (*self.axis, 0.0))


class RobotModel:
    """The joints of a URDF.

    Raises RobotModelError when ``urdf`` is no URDF, or has a joint of an unknown kind.
    """

    def __init__(self, urdf: str) -> None:
        try:
            root = ElementTree.fromstring(urdf)
        except ElementTree.ParseError as error:
            raise RobotModelError(f"the URDF is no XML: {error}") from error
        if root.tag != "robot":
            raise RobotModelError(f"the URDF's first element is <{root.tag}>, not <robot>")
        self.urdf = urdf
        self.name = root.get("name", "")
        self.joints = tuple(_joint(element) for element in root.findall("joint"))


def _joint(element: ElementTree.Element) -> Joint:
    name, kind = element.get("name", ""), element.get("type", "")
    if kind != "fixed" and kind not in _MOVING:
        raise RobotModelError(f"joint {name!r} is of kind {kind!r}, which is not known here")
    links = [element.find(tag) for tag in ("parent", "child")]
    if any(link is None or not link.get("link") for link in links):
        raise RobotModelError(f"joint {name!r} does not name its parent and child link")
    origin, axis = element.find("origin"), element.find("axis")
    xyz = _vector(name, None if origin is None else origin.get("xyz"), (0.0, 0.0, 0.0))
    rpy = _vector(name, None if origin is None else origin.get("rpy"), (0.0, 0.0, 0.0))
    along = _vector(name, None if axis is None else axis.get("xyz"), (1.0, 0.0, 0.0))
    length = math.sqrt(sum(a * a for a in along))
    if length == 0.0:
        raise RobotModelError(f"joint {name!r} has an axis without a direction")
    x, y, z = (a / length for a in along)
    parent, child = (link.get("link", "") for link in links if link is not None)
    limit = element.find("limit")
    limits = [
        _number(name, None if limit is None else limit.get(attribute))
        for attribute in ("lower", "upper", "velocity")
    ]
    return Joint(name, kind, parent, child, Pose(xyz, quaternion_of(*rpy)), (x, y, z), *limits)


def _number(joint: str, text: str | None) -> float:
    try:
        return 0.0 if text is None else float(text)
    except ValueError as error:
        raise RobotModelError(f"joint {joint!r}: {text!r} is no number") from error


def _vector(joint: str, text: str | None, default: Vector) -> Vector:
    if text is None:
        return default
    try:
        x, y, z = map(float, text.split())
    except ValueError as error:
        raise RobotModelError(f"joint {joint!r}: {text!r} are no three numbers") from error
    return (x, y, z)
