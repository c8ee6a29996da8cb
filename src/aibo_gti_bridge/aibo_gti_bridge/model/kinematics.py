# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the parts of an ERS-7 are, given its joint angles; camera geometry.

Source: docs/originals/aibo.md, 5 and 7. The body frame ``base_link`` stands in the middle between
the four hips: x forward, y left, z up. Lengths in metres, angles in radians. Not known and
therefore chosen here: the signs of rotor and knee (positive swings a leg forward; positive bends
front legs forward and rear legs backward), the directions of the 9 mm knee offset and of the
camera's 14.6 mm offset, the place of the tail and of the chest sensor.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, pi, radians, tan
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from legacy_robots_geometry.rotations import matrix_about

Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]

HIP_X, HIP_Y = 0.065, 0.0625
UPPER_LEG, KNEE_OFFSET = 0.0695, 0.009
LOWER_LEG = {"f": 0.0654, "b": 0.0676}
FOOT_RADIUS = 0.012
NECK_X, NECK_Z, NECK_LENGTH = 0.0675, 0.0195, 0.080
CAMERA_X, CAMERA_Z = 0.08106, -0.0146
CHEST_X, CHEST_Z, CHEST_PITCH = 0.095, -0.010, radians(30.0)

LEGS = ("lf", "rf", "lb", "rb")

HORIZONTAL_FOV = radians(56.9)
IMAGE_WIDTH, IMAGE_HEIGHT = 208, 160
IMAGE_TOP = IMAGE_HEIGHT / IMAGE_WIDTH
"""Largest generalised y: the image is 2 wide, and its pixels are square."""


def rotor_axis() -> tuple[float, float, float]:
    """Return the axis of every leg's J1: positive swings the leg forward."""
    return (0.0, -1.0, 0.0)


def elevator_axis(leg: str) -> tuple[float, float, float]:
    """Return the axis of a leg's J2: positive lifts it away from the body."""
    return (1.0, 0.0, 0.0) if leg[0] == "l" else (-1.0, 0.0, 0.0)


def knee_axis(leg: str) -> tuple[float, float, float]:
    """Return the axis of a leg's J3: positive bends front legs forward, rear legs backward."""
    return (0.0, -1.0, 0.0) if leg[1] == "f" else (0.0, 1.0, 0.0)


def hip(leg: str) -> Vector:
    """Return where a leg begins, in the body frame."""
    return np.array([HIP_X if leg[1] == "f" else -HIP_X, HIP_Y if leg[0] == "l" else -HIP_Y, 0.0])


def knee_in_upper_leg(leg: str) -> Vector:
    """Return where the knee is in the frame of the upper leg."""
    return np.array([KNEE_OFFSET if leg[1] == "f" else -KNEE_OFFSET, 0.0, -UPPER_LEG])


def foot(leg: str, joints: Mapping[str, float]) -> Vector:
    """Return the centre of a foot's ball in the body frame (m); ``joints`` by name (rad)."""
    upper = matrix_about(rotor_axis(), joints[f"{leg}_rotor"]) @ matrix_about(
        elevator_axis(leg), joints[f"{leg}_elevator"]
    )
    lower = upper @ matrix_about(knee_axis(leg), joints[f"{leg}_knee"])
    down = np.array([0.0, 0.0, -LOWER_LEG[leg[1]]])
    place: Vector = hip(leg) + upper @ knee_in_upper_leg(leg) + lower @ down
    return place


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
    left = min(feet["lf"][2], feet["lb"][2])
    right = min(feet["rf"][2], feet["rb"][2])
    roll = -atan2(left - right, 2.0 * HIP_Y)
    # A lifted paw does not tip the dog over: it shifts its weight to the others.
    if abs(roll) > radians(8.0):
        roll = 0.0
    tilt = matrix_about((0.0, 1.0, 0.0), pitch) @ matrix_about((1.0, 0.0, 0.0), roll)
    heights = {leg: float((tilt @ place)[2]) for leg, place in feet.items()}
    ground = min(heights.values())
    above_ground = {leg: height - ground for leg, height in heights.items()}
    return Stance(FOOT_RADIUS - ground, roll, pitch, above_ground)


def camera(joints: Mapping[str, float]) -> tuple[Vector, Matrix]:
    """Return place (m) and rotation of the camera in the body frame, x looking forward."""
    neck = matrix_about((0.0, -1.0, 0.0), joints["neck_tilt"])
    head = neck @ matrix_about((0.0, 0.0, 1.0), joints["neck_pan"])
    head = head @ matrix_about((0.0, -1.0, 0.0), joints["neck_nod"])
    place = np.array([NECK_X, 0.0, NECK_Z]) + neck @ np.array([0.0, 0.0, NECK_LENGTH])
    return place + head @ np.array([CAMERA_X, 0.0, CAMERA_Z]), head


def chest_sensor() -> tuple[Vector, Matrix]:
    """Return place and rotation of the chest's distance sensor, x along its ray."""
    return np.array([CHEST_X, 0.0, CHEST_Z]), matrix_about((0.0, 1.0, 0.0), CHEST_PITCH)


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


OPTICAL_TO_FORWARD: Matrix = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Turns a vector of the optical frame into one of the camera frame (x forward)."""


def pixels_to_generalised(x: float, y: float, area: float) -> tuple[float, float, float]:
    """Return a ball's image coordinates in generalised units, given those in pixels."""
    half = IMAGE_WIDTH / 2.0
    return (x - half) / half, (y - IMAGE_HEIGHT / 2.0) / half, area / half**2


def generalised_to_pixels(x: float, y: float, area: float) -> tuple[float, float, float]:
    """Return a ball's image coordinates in pixels, given those in generalised units."""
    half = IMAGE_WIDTH / 2.0
    return x * half + half, y * half + IMAGE_HEIGHT / 2.0, area * half**2


def wrap(angle: float) -> float:
    """Return ``angle`` in (-π, π]."""
    return pi - (pi - angle) % (2.0 * pi)
