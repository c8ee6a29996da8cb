# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The pose in which the simulated dog stands, and its default gait's limits.

Source: docs/originals/aibo.md, 5. The pose is our own: by :mod:`.chains` all feet are 122.5 mm
lower than the hips and less than 4 mm before or behind them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import radians
from types import MappingProxyType

_LEG = {"f": (-30.0, 2.0, 62.0), "b": (-33.0, 2.0, 73.0)}

STANDING: Mapping[str, float] = MappingProxyType(
    {
        **{
            f"{side}{end}_{joint}": radians(angle)
            for end, angles in _LEG.items()
            for side in "lr"
            for joint, angle in zip(("rotor", "elevator", "knee"), angles, strict=True)
        },
        "neck_tilt": radians(-5.0),
        "neck_pan": 0.0,
        "neck_nod": 0.0,
        "tail_tilt": radians(20.0),
        "tail_pan": 0.0,
        "mouth": radians(-3.0),
    }
)
"""Joint angles (rad, by name) of the standing robot; a pose of our own."""

MAX_FORWARD_M_S = 0.180
"""m/s, forward and backward."""
MAX_SIDEWAYS_M_S = 0.140
"""m/s"""
MAX_TURN_RAD_S = 1.8
"""rad/s"""
STEP_PERIOD_S = 0.5
"""Seconds of one step, chosen; Tekkotsu's walk.prm has 0.335, tiger.prm 0.425."""
