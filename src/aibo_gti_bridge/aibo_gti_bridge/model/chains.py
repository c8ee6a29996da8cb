# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The ERS-7's body as one table of numbers, from which everything that has a place follows.

Source of the numbers: touretzkyds/Tekkotsu, commit 6b7ea9a, project/ms/config/ERS-7.kin.
Kinematics, URDF, poses and the frames of the sensors use this table; nothing else has a length.

``base_link`` is the middle between the four hips: x forward, y left, z up. A row is one of Denavit
and Hartenberg's: its frame is Rz(theta) Tz(d) Tx(r) Rx(alpha) after the row before it, and its
joint turns about its z.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from math import cos, degrees, radians, sin
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Row(NamedTuple):
    """One row: degrees and millimetres, as in the source; ``joint`` is ours, empty for none."""

    theta: float
    d: float
    alpha: float
    r: float
    joint: str = ""

    def matrix(self) -> Array:
        """Return its frame in the one before it for a joint at 0, 4 x 4, m."""
        ct, st = cos(radians(self.theta)), sin(radians(self.theta))
        ca, sa = cos(radians(self.alpha)), sin(radians(self.alpha))
        r, d = self.r / 1000.0, self.d / 1000.0
        return np.array(
            [
                [ct, -st * ca, st * sa, r * ct],
                [st, ct * ca, -ct * sa, r * st],
                [0.0, sa, ca, d],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )


def _leg(leg: str, foot: Row) -> tuple[Row, ...]:
    """Return a leg; ``foot`` is that of the left one."""
    side, end = (1.0 if leg[0] == "l" else -1.0), (1.0 if leg[1] == "f" else -1.0)
    turned = side * end
    return (
        Row(0.0, 0.0, end * 90.0, end * 65.0, f"{leg}_rotor"),
        Row(end * -90.0, turned * -62.5, turned * -90.0, 0.0, f"{leg}_elevator"),
        Row(0.0, turned * 9.0, turned * 90.0, 69.5, f"{leg}_knee"),
        foot._replace(d=side * foot.d),
    )


_FRONT_FOOT = Row(-4.4088, -4.7, 0.0, 65.434)
_REAR_FOOT = Row(-11.537, 4.7, 180.0, 67.647)
_HEAD = (
    Row(0.0, 19.5, 90.0, 67.5, "neck_tilt"),
    Row(0.0, 0.0, -90.0, 0.0, "neck_pan"),
    Row(0.0, 80.0, 90.0, 0.0, "neck_nod"),
)
CHAINS: Mapping[str, tuple[Row, ...]] = MappingProxyType(
    {
        "lf_foot": _leg("lf", _FRONT_FOOT),
        "rf_foot": _leg("rf", _FRONT_FOOT),
        "lb_foot": _leg("lb", _REAR_FOOT),
        "rb_foot": _leg("rb", _REAR_FOOT),
        "camera": (*_HEAD, Row(-90.0, 0.0, -90.0, 14.6), Row(-90.0, 81.06, 0.0, 0.0)),
        "jaw": (*_HEAD, Row(-23.629, 0.0, 0.0, 43.6606, "mouth")),
        "near_ir": (
            *_HEAD,
            Row(degrees(0.0249189), 2.79525, 0.0, 76.9239),
            Row(degrees(1.50041), 0.0, degrees(1.55997), 0.0),
        ),
        "far_ir": (
            *_HEAD,
            Row(degrees(0.0136814), -8.04682, 0.0, 76.9072),
            Row(degrees(1.52305), 0.0, degrees(1.56055), 0.0),
        ),
        "right_ear": (*_HEAD, Row(90.0, 42.0, -90.0, 14.5), Row(0.0, 11.1, 90.0, 0.0)),
        "left_ear": (*_HEAD, Row(90.0, -42.0, 90.0, 14.5), Row(0.0, -11.1, -90.0, 0.0)),
        "chest_ir": (Row(0.0, -3.38397459622, 90.0, 109.13620668), Row(60.0, 0.0, 90.0, 0.0)),
        "tail": (
            Row(0.0, 33.0, -90.0, -102.0, "tail_tilt"),
            Row(-90.0, 0.0, -90.0, 0.0, "tail_pan"),
        ),
    }
)
"""By the part at their end, the name of its link in the URDF; the joints come before it."""
FOOT_RADIUS = 0.013
"""m; the ball of a foot, whose centre is the end of its chain."""


class Hinge(NamedTuple):
    """A joint in the body whose joints are all at 0: a point on its axis (m), and the axis."""

    joint: str
    at: Array
    axis: tuple[float, float, float]


class End(NamedTuple):
    """A chain in that body: its joints in order, and its last frame: place (m) and rotation."""

    hinges: tuple[Hinge, ...]
    place: Array
    rotation: Array


def _end(rows: tuple[Row, ...]) -> End:
    # To a nanometre: cosines of 90 degrees are not quite 0.
    frames = [
        np.round(frame, 9) + 0.0 for frame in accumulate((row.matrix() for row in rows), np.matmul)
    ]
    hinges = tuple(
        Hinge(row.joint, frame[:3, 3], tuple(frame[:3, 2].tolist()))
        for row, frame in zip(rows, frames, strict=True)
        if row.joint
    )
    return End(hinges, frames[-1][:3, 3], frames[-1][:3, :3])


ENDS: Mapping[str, End] = MappingProxyType({part: _end(rows) for part, rows in CHAINS.items()})
"""Every chain of CHAINS in the body whose joints are all at 0."""
HINGES: Mapping[str, Hinge] = MappingProxyType(
    {hinge.joint: hinge for end in ENDS.values() for hinge in end.hinges}
)
"""Every joint of it by name."""
