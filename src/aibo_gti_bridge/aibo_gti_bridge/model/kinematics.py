# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the parts of an ERS-7 are, given its joint angles; camera geometry.

All lengths are those of :mod:`.chains`. The body frame ``base_link`` stands in the middle between
the four hips: x forward, y left, z up. Lengths in metres, angles in radians.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, pi, radians, tan
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from aibo_gti_bridge.model.chains import ENDS, FOOT_RADIUS, HINGES
from legacy_robots_geometry.rotations import matrix_about

Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]

LEGS = ("lf", "rf", "lb", "rb")

HORIZONTAL_FOV = radians(56.9)
IMAGE_WIDTH, IMAGE_HEIGHT = 208, 160
IMAGE_TOP = IMAGE_HEIGHT / IMAGE_WIDTH
"""Largest generalised y: the image is 2 wide, and its pixels are square."""
OPTICAL_TO_FORWARD: Matrix = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Turns a vector of the optical frame into one of the camera frame (x forward)."""
_RAY_TO_SOURCE: Matrix = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
"""Turns a vector of a distance sensor's frame (x along its ray) into one of the source's (z)."""


def _at_zero() -> Mapping[str, Matrix]:
    found = {part: np.eye(3) for part in ENDS}
    found["camera"] = ENDS["camera"].rotation @ OPTICAL_TO_FORWARD.T
    for part in (part for part in ENDS if part.endswith("_ir")):
        found[part] = ENDS[part].rotation @ _RAY_TO_SOURCE
    return found


AT_ZERO = _at_zero()
"""Rotation of each part in the body while its joints are at 0: x of camera and distance sensors is
where they look; the others are parallel to the body."""


def pose_of(part: str, joints: Mapping[str, float]) -> tuple[Vector, Matrix]:
    """Return place (m) and rotation in the body of a part of :data:`.chains.CHAINS`.

    ``joints`` by name (rad); those between the body and the part are needed.
    """
    end = ENDS[part]
    place, rotation = end.place, AT_ZERO[part]
    for hinge in reversed(end.hinges):
        turn = matrix_about(hinge.axis, joints[hinge.joint])
        place = hinge.at + turn @ (place - hinge.at)
        rotation = turn @ rotation
    return place, rotation


def foot(leg: str, joints: Mapping[str, float]) -> Vector:
    """Return the centre of a foot's ball in the body frame (m); ``joints`` by name (rad)."""
    return pose_of(f"{leg}_foot", joints)[0]


def hip(leg: str) -> Vector:
    """Return where a leg's rotor and elevator meet, in the body frame (m)."""
    return HINGES[f"{leg}_elevator"].at


_Y = (0.0, 1.0, 0.0)
_TRACK = float(ENDS["lf_foot"].place[1] - ENDS["rf_foot"].place[1])
"""m between a left and a right foot that hang down."""


class Stance(NamedTuple):
    """A body on a level floor: height (m), roll and pitch (rad), heights of its feet (m)."""

    height: float
    roll: float
    pitch: float
    feet: dict[str, float]


def stance(joints: Mapping[str, float]) -> Stance:
    """Return how a body stands on its lowest front and rear, left and right feet.

    ``joints``: at least those of the legs (rad, by name).
    """
    feet = {leg: foot(leg, joints) for leg in LEGS}
    front, rear = (
        min((f for leg, f in feet.items() if leg[1] == end), key=lambda f: float(f[2]))
        for end in "fb"
    )
    pitch = atan2(front[2] - rear[2], front[0] - rear[0])
    # A paw in front is no higher than one behind because the whole body is pitched.
    level = {leg: float((matrix_about(_Y, pitch) @ place)[2]) for leg, place in feet.items()}
    left, right = min(level["lf"], level["lb"]), min(level["rf"], level["rb"])
    roll = -atan2(left - right, _TRACK)
    # A lifted paw does not tip the dog over: it shifts its weight to the others.
    if abs(roll) > radians(8.0):
        roll = 0.0
    tilt = matrix_about(_Y, pitch) @ matrix_about((1.0, 0.0, 0.0), roll)
    heights = {leg: float((tilt @ place)[2]) for leg, place in feet.items()}
    ground = min(heights.values())
    above_ground = {leg: height - ground for leg, height in heights.items()}
    return Stance(FOOT_RADIUS - ground, roll, pitch, above_ground)


# --- the image -----------------------------------------------------------------------------

IMAGE_SCALE = tan(HORIZONTAL_FOV / 2.0)
"""Tangent of the angle from the middle of the image to generalised x = 1."""


def image_to_direction(x: float, y: float) -> Vector:
    """Return the direction of image point (x, y), generalised, in the optical frame.

    The frame is REP-103's: x right, y down, z forward; the vector has length 1.
    """
    direction: Vector = np.array([x * IMAGE_SCALE, y * IMAGE_SCALE, 1.0])
    return direction / np.linalg.norm(direction)


def point_to_image(point: Vector) -> tuple[float, float] | None:
    """Return the generalised image point of ``point`` (m, camera frame), None behind it."""
    if point[0] <= 1e-6:
        return None
    return -point[1] / point[0] / IMAGE_SCALE, -point[2] / point[0] / IMAGE_SCALE


def wrap(angle: float) -> float:
    """Return ``angle`` in (-π, π]."""
    return pi - (pi - angle) % (2.0 * pi)
