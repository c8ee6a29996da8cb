# SPDX-License-Identifier: Apache-2.0
"""Geometry of the crane: three joints in a row on the board.

Source: docs/originals/roboskate.md, "Robot and levels". Joint 1 turns the crane about an axis that
points down: at 0 the crane is over the tail, positive turns it to the left, seen from above
clockwise. Joints 2 and 3 tilt away from the upright, for positive angles towards the tail. Angles
are in rad, lengths in metres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

SHOULDER_HEIGHT = 0.3
UPPER_LENGTH = 1.1
LOWER_LENGTH = 0.9
ANGLE_LIMITS = (math.pi, math.pi / 2.0, math.radians(125.0))
"""Each joint turns this far to both sides."""
RATE_LIMIT = math.radians(170.0)
KEY_FORCE = 40.0
"""Joint force, in the game's units, that a key held down stands for."""
RATE_OF_FORCE = math.radians(3.67)
"""rad/s that a joint settles at for each unit of force, up to RATE_LIMIT."""
RATE_OF_KEY = RATE_OF_FORCE * KEY_FORCE
"""rad/s that a joint settles at while its key is held down."""

JOINT_NAMES = ("crane_turn_joint", "crane_shoulder_joint", "crane_elbow_joint")
"""Joints 1, 2 and 3 of the wire."""


@dataclass(frozen=True)
class Reach:
    """Where the tip is: ``radius`` from the axis of joint 1, ``height`` above the wheels' foot."""

    radius: float
    height: float


def reach(shoulder: float, elbow: float) -> Reach:
    """Return where the tip is for the angles of joints 2 and 3."""
    tilt = shoulder + elbow
    return Reach(
        UPPER_LENGTH * math.sin(shoulder) + LOWER_LENGTH * math.sin(tilt),
        SHOULDER_HEIGHT + UPPER_LENGTH * math.cos(shoulder) + LOWER_LENGTH * math.cos(tilt),
    )


def angles(wanted: Reach) -> tuple[float, float]:
    """Return angles of joints 2 and 3, elbow up, that bring the tip there or nearly so."""
    up = wanted.height - SHOULDER_HEIGHT
    square = wanted.radius**2 + up**2
    cosine = (square - UPPER_LENGTH**2 - LOWER_LENGTH**2) / (2.0 * UPPER_LENGTH * LOWER_LENGTH)
    elbow = math.acos(max(-1.0, min(1.0, cosine)))
    shoulder = math.atan2(wanted.radius, up) - math.atan2(
        LOWER_LENGTH * math.sin(elbow), UPPER_LENGTH + LOWER_LENGTH * math.cos(elbow)
    )
    return shoulder, elbow


def tip(turn: float, radius: float) -> tuple[float, float]:
    """Return x and y of the tip in the board's frame (x forward, y left)."""
    return (-radius * math.cos(turn), radius * math.sin(turn))
