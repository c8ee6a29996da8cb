# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Geometry of the crane: three joints in a row on the board.

Source: docs/originals/roboskate.md, "Robot and levels". Joint 1 turns the crane about an axis that
points down: at 0 the crane is over the tail, positive turns it to the left, seen from above
clockwise. Joints 2 and 3 tilt away from the upright, for positive angles towards the tail. Angles
are in rad, lengths in metres.
"""

from __future__ import annotations

import math

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
