# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The 18 joints of an ERS-7: names in four vocabularies, limits and speeds.

Source: docs/originals/aibo.md, 7. Of the rotors, J1, a rear one turns from -130° to 115°; for the
front ones the sources differ, and what all of them allow is the default: see :func:`limits`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees, radians
from types import MappingProxyType

FRONT_ROTOR_DEGREES = 115.0
"""What all sources allow a front rotor to either side."""
TOLERANCE = 1e-6
"""rad beyond a limit that still count as at it: degrees and radians round differently."""


class UnknownJointError(KeyError):
    """A name that is no joint of an ERS-7 in any of the four vocabularies."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Joint:
    """One joint.

    Limits are Tekkotsu's soft limits, in degrees; ``max_speed`` is Sony's recommended
    maximum in rad/s. ``alternatives`` are Tekkotsu's, Sony's (as GTI spells it) and URBI's name.
    """

    index: int
    name: str
    alternatives: tuple[str, str, str]
    lower_degrees: float
    upper_degrees: float
    max_speed: float

    @property
    def tekkotsu(self) -> str:
        """Tekkotsu's name, such as ``LFr:rotor``."""
        return self.alternatives[0]

    @property
    def lower(self) -> float:
        """Lower limit, rad."""
        return radians(self.lower_degrees)

    @property
    def upper(self) -> float:
        """Upper limit, rad."""
        return radians(self.upper_degrees)


_LEGS = (
    # our prefix, Tekkotsu's, GTI's, URBI's
    ("lf", "LFr", "leftFrontLeg", "legLF"),
    ("rf", "RFr", "rightFrontLeg", "legRF"),
    ("lb", "LBk", "leftRearLeg", "legLH"),
    ("rb", "RBk", "rightRearLeg", "legRH"),
)
_LEG_JOINTS = (
    ("rotor", "rotor", -130.0, 115.0, 4.865),
    ("elevator", "elvtr", -10.0, 88.0, 5.280),
    ("knee", "knee", -25.0, 122.0, 5.280),
)


def _joints() -> tuple[Joint, ...]:
    found: list[Joint] = []
    for leg, tekkotsu, gti, urbi in _LEGS:
        for number, (name, short, lower, upper, speed) in enumerate(_LEG_JOINTS, 1):
            names = (f"{tekkotsu}:{short}", f"{gti}J{number}", f"{urbi}{number}")
            if name == "rotor" and leg[1] == "f":
                lower = -FRONT_ROTOR_DEGREES
            found.append(Joint(len(found), f"{leg}_{name}", names, lower, upper, speed))
    found += [
        Joint(12, "neck_tilt", ("NECK:tilt", "neckTilt1", "neck"), -75.0, 0.0, 3.185),
        # Sony allows 10.057 rad/s; the robot's own configuration file limits it to 5.78.
        Joint(13, "neck_pan", ("NECK:pan", "neckPan", "headPan"), -88.0, 88.0, 5.78),
        Joint(14, "neck_nod", ("NECK:nod", "neckTilt2", "headTilt"), -15.0, 45.0, 5.781),
        Joint(15, "tail_tilt", ("TAIL:tilt", "tailTilt", "tailTilt"), 5.0, 60.0, 15.163),
        Joint(16, "tail_pan", ("TAIL:pan", "tailPan", "tailPan"), -45.0, 45.0, 15.163),
        Joint(17, "mouth", ("MOUTH", "mouth", "mouth"), -55.0, -3.0, 10.145),
    ]
    return tuple(found)


JOINTS = _joints()
"""All joints in the order of Tekkotsu's output index."""
NAMES = tuple(joint.name for joint in JOINTS)
"""Our names in the same order."""
OUTPUTS = 47
"""Outputs of an ERS-7: 18 joints, 27 LEDs and 2 ears, in this order."""
HEAD = ("neck_tilt", "neck_pan", "neck_nod")
BY_NAME: Mapping[str, Joint] = MappingProxyType({joint.name: joint for joint in JOINTS})
BY_ANY_NAME: Mapping[str, Joint] = MappingProxyType(
    {name: joint for joint in JOINTS for name in (joint.name, *joint.alternatives)}
)


def find(name: str) -> Joint:
    """Return the joint with ``name``: ours, Tekkotsu's, GTI's or URBI's.

    Raises UnknownJointError.
    """
    try:
        return BY_ANY_NAME[name]
    except KeyError:
        raise UnknownJointError(
            f"{name!r} is no joint of an ERS-7; its joints are {', '.join(NAMES)}"
        ) from None


def limits(joint: Joint, *, full_rotor_range: bool = False) -> tuple[float, float]:
    """Return lower and upper limit of ``joint``, rad.

    With ``full_rotor_range`` the front rotors turn from -115° to 130°, as Tekkotsu 4.0 and one of
    the two tables of Sony's document have it. Only for robots on which that has been checked.
    """
    if full_rotor_range and joint.name in ("lf_rotor", "rf_rotor"):
        return joint.lower, radians(130.0)
    return joint.lower, joint.upper


# Sony's table of two joints, degrees: J1 from and to, lower limit of J2.
_ELEVATOR_LIMITS = {
    "f": (
        (-115, -76, -1), (-75, -54, -2), (-55, -46, -3), (-45, -36, -4), (-35, -31, -5),
        (-30, -26, -6), (-25, -21, -7), (-20, -16, -8), (-15, -11, -9), (-10, 20, -10),
        (21, 25, -9), (26, 30, -8), (29, 40, -7), (41, 45, -6), (46, 50, -5), (51, 55, -4),
        (56, 65, -3), (64, 130, -2),
    ),
    "b": (
        (-130, -71, 0), (-70, -56, -1), (-55, -46, -2), (-45, -41, -3), (-40, -36, -4),
        (-35, -31, -5), (-30, -26, -6), (-25, -21, -7), (-20, -16, -8), (-15, -11, -9),
        (-10, 15, -10), (16, 20, -9), (21, 25, -8), (26, 30, -7), (31, 35, -6), (36, 40, -5),
        (41, 45, -4), (46, 50, -3), (51, 60, -2), (61, 70, -1), (71, 115, 0),
    ),
}  # fmt: skip


def elevator_lower_limit(leg: str, rotor: float) -> float:
    """Return the lower limit (rad) of the elevator of ``leg`` with its rotor at ``rotor`` (rad).

    Sony's rows have whole degrees. Where two of them meet or overlap, the higher limit holds.
    """
    at = degrees(rotor)
    margin = 1.0 - TOLERANCE
    rows = _ELEVATOR_LIMITS[leg[1]]
    return radians(max((low for a, b, low in rows if a - margin < at < b + margin), default=0.0))


def limit_error(positions: Mapping[str, float], *, full_rotor_range: bool = False) -> str | None:
    """Say which limit the joint ``positions`` (rad, by our names) break, or return None.

    The coupled limit of a leg's rotor and elevator counts only where both are given.
    """
    for name, position in positions.items():
        joint = BY_NAME[name]
        lower, upper = limits(joint, full_rotor_range=full_rotor_range)
        if not lower - TOLERANCE <= position <= upper + TOLERANCE:
            return (
                f"{name} at {position:.4f} rad is outside its limits "
                f"of {lower:.4f} to {upper:.4f} rad"
            )
        if name.endswith("_elevator"):
            rotor = positions.get(name[:3] + "rotor")
            if rotor is None:
                continue
            lowest = elevator_lower_limit(name, rotor)
            if position < lowest - TOLERANCE:
                return (
                    f"{name} at {position:.4f} rad is below {lowest:.4f} rad, "
                    f"its limit while {name[:3]}rotor is at {rotor:.4f} rad"
                )
    return None
