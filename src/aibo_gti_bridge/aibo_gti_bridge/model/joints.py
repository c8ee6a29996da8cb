# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The 18 joints of an ERS-7: names in four vocabularies, limits and speeds.

Source: docs/originals/aibo.md, 7. Sony's document contradicts itself on the range of J1, the
rotor: either all left legs turn from -115° to 130° and all right legs from -130° to 115°, or the
front legs do the one and the rear legs the other. The limits here are what both readings allow,
±115° for all four legs; the front/rear reading (Tekkotsu's) is opt-in, see :func:`limits`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees, radians
from types import MappingProxyType

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
    ("rotor", "rotor", -115.0, 115.0, 4.865),
    ("elevator", "elvtr", -10.0, 88.0, 5.280),
    ("knee", "knee", -25.0, 122.0, 5.280),
)


def _joints() -> tuple[Joint, ...]:
    found: list[Joint] = []
    for leg, tekkotsu, gti, urbi in _LEGS:
        for number, (name, short, lower, upper, speed) in enumerate(_LEG_JOINTS, 1):
            names = (f"{tekkotsu}:{short}", f"{gti}J{number}", f"{urbi}{number}")
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

    With ``full_rotor_range`` the rotors have Tekkotsu's ranges: front legs -115° to 130°, rear
    legs -130° to 115°. Only for robots on which that has been checked.
    """
    if full_rotor_range and joint.name.endswith("_rotor"):
        front = joint.name[1] == "f"
        return (radians(-115.0), radians(130.0)) if front else (radians(-130.0), radians(115.0))
    return joint.lower, joint.upper


STEEP_ROTOR_DEGREES = 10.0
"""Beyond this rotor angle a leg may not be pressed to the body: see elevator_lower_limit."""


def elevator_lower_limit(rotor: float) -> float:
    """Return the lower limit (rad) of a leg's J2 while its J1 is at ``rotor`` (rad).

    Sony's table lets the lower limit rise step by step from -10° to about 0° as the leg swings
    away from straight down; this is the safe side of it: -10° within ±10°, 0° beyond.
    """
    upright = abs(degrees(rotor)) <= STEEP_ROTOR_DEGREES
    return BY_NAME["lf_elevator"].lower if upright else 0.0


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
            lowest = elevator_lower_limit(rotor)
            if position < lowest - TOLERANCE:
                return (
                    f"{name} at {position:.4f} rad is below {lowest:.4f} rad, "
                    f"its limit while {name[:3]}rotor is at {rotor:.4f} rad"
                )
    return None
