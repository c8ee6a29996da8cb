# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes urdf/nao.urdf, the description of a Nao. No ROS.

``python3 -m luar_bridge.model.urdf_writer > nao.urdf``. Lengths, limits and speeds are those of
Aldebaran's documentation of the Nao H25; joints and sensors have the names that this bridge
publishes. Chosen here: the shapes, how the 5.2 kg of a real Nao are distributed, efforts, friction
and damping.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from math import sqrt

from legacy_robots_core.palette import rgb
from legacy_robots_geometry.urdf_writer import (
    ALONG_X,
    ALONG_Y,
    ZERO,
    Range,
    Shape,
    Triple,
    fixed,
    frame,
    link,
    revolute,
    robot,
)
from luar_bridge.model.motion import JOINTS

NECK_Z, SHOULDER_Y, SHOULDER_Z = 0.1265, 0.098, 0.100
ELBOW_Y, UPPER_ARM, LOWER_ARM, HAND_X = 0.015, 0.105, 0.05595, 0.05775
HIP_Y, HIP_Z, THIGH, TIBIA, FOOT_HEIGHT = 0.050, 0.085, 0.100, 0.1029, 0.04519
"""Lengths in m. The origin, base_link, is in the torso."""

COMMENT = """\
  Aldebaran Nao, as Luar knows its joints. Written by luar_bridge/model/urdf_writer.py:
  change that, not this.

  base_link is in the torso, x forward, z up. It has no mass, as robot_state_publisher wants of a
  root: the torso has it. The writer says what of this is the Nao's, and what was chosen."""

_LIMITS = {
    "HeadYaw": (-2.0857, 2.0857, 8.27), "HeadPitch": (-0.6720, 0.5149, 7.19),
    "LShoulderPitch": (-2.0857, 2.0857, 8.27), "RShoulderPitch": (-2.0857, 2.0857, 8.27),
    "LShoulderRoll": (-0.3142, 1.3265, 7.19), "RShoulderRoll": (-1.3265, 0.3142, 7.19),
    "LElbowYaw": (-2.0857, 2.0857, 8.27), "RElbowYaw": (-2.0857, 2.0857, 8.27),
    "LElbowRoll": (-1.5446, -0.0349, 7.19), "RElbowRoll": (0.0349, 1.5446, 7.19),
    "LHipYawPitch": (-1.1453, 0.7408, 4.16), "RHipYawPitch": (-1.1453, 0.7408, 4.16),
    "LHipRoll": (-0.3795, 0.7905, 4.16), "RHipRoll": (-0.7905, 0.3795, 4.16),
    "LHipPitch": (-1.5359, 0.4841, 6.40), "RHipPitch": (-1.5359, 0.4841, 6.40),
    "LKneePitch": (-0.0923, 2.1125, 6.40), "RKneePitch": (-0.1031, 2.1202, 6.40),
    "LAnklePitch": (-1.1895, 0.9227, 6.40), "RAnklePitch": (-1.1864, 0.9321, 6.40),
    "LAnkleRoll": (-0.3979, 0.7690, 4.16), "RAnkleRoll": (-0.7690, 0.3979, 4.16),
}  # fmt: skip
"""Lower and upper limit (rad), greatest speed (rad/s)."""
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def _joint(name: str, parent: str, child: str, at: Triple, axis: Triple) -> str:
    return revolute(name, parent, child, at, axis, Range(*_LIMITS[name]))


def _torso() -> Iterable[str]:
    yield frame("base_link")
    yield link(
        "torso", 1.05, Shape((0.11, 0.14, 0.19), (0, 0, 0.03)),
        Shape((0.062, 0.12), (0, 0, 0.055), colour="team"),
        Shape((0.058,), (0.012, 0, 0.085), colour="team"),
        Shape((0.052, 0.07), (0, 0, -0.03)),
        Shape((0.030, 0.19), (0, 0, SHOULDER_Z), ALONG_Y, "grey"),
        Shape((0.055,), (0, 0, -0.065), colour="grey"),
        Shape((0.014, 0.012), (0.064, 0, 0.07), ALONG_X, "dark"),
    )  # fmt: skip
    yield fixed("torso_mount", "base_link", "torso", ZERO)
    sonar, imu = ("LSonar_frame", "RSonar_frame"), "ImuTorsoAccelerometer_frame"
    yield from map(frame, (*sonar, imu))
    for name, side in zip(sonar, (1.0, -1.0), strict=True):
        turned = (0.0, -0.1745, side * 0.3491)
        yield fixed(f"{name}_mount", "torso", name, (0.0537, side * 0.0341, 0.0698), turned)
    yield fixed(f"{imu}_mount", "torso", imu, (-0.008, 0.00606, 0.027))


def _head() -> Iterable[str]:
    yield link("neck", 0.08, Shape((0.03, 0.04)), Shape((0.028, 0.05), colour="grey"))
    yield link(
        "head", 0.60, Shape((0.068,), (0, 0, 0.055)),
        Shape((0.064,), (0, 0, 0.058)),
        Shape((0.050, 0.060), (0.012, 0, 0.035), ALONG_X),
        *(Shape((0.034, 0.018), (0, side * 0.062, 0.058), ALONG_Y, "grey") for side in (1, -1)),
        *(Shape((0.014,), (0.053, side * 0.026, 0.058), colour="dark") for side in (1, -1)),
        Shape((0.008,), (0.058, 0, 0.0636), colour="dark"),
        Shape((0.008,), (0.060, 0, 0.0177), colour="dark"),
    )  # fmt: skip
    yield _joint("HeadYaw", "torso", "neck", (0, 0, NECK_Z), _Z)
    yield _joint("HeadPitch", "neck", "head", ZERO, _Y)
    cameras = (("Top", (0.05871, 0, 0.06364), 0.0209), ("Bottom", (0.05071, 0, 0.01774), 0.6929))
    for name, at, pitch in cameras:
        camera = f"Camera{name}_frame"
        optical = f"Camera{name}_optical_frame"
        yield from map(frame, (camera, optical))
        yield fixed(f"{camera}_mount", "head", camera, at, (0.0, pitch, 0.0))
        yield fixed(f"{optical}_mount", camera, optical, ZERO, (-1.5708, 0.0, -1.5708))


def _arm(side: float, s: str) -> Iterable[str]:
    n = s.lower()
    yield link(f"{n}_shoulder", 0.09, Shape((0.034,)), Shape((0.036,), colour="grey"))
    yield link(
        f"{n}_upper_arm", 0.16, Shape((0.03, 0.10), (0.055, 0, 0), ALONG_X),
        Shape((0.030, 0.085), (0.055, side * 0.005, 0), ALONG_X),
    )  # fmt: skip
    yield link(f"{n}_elbow", 0.06, Shape((0.028,)), Shape((0.029,), colour="grey"))
    yield link(
        f"{n}_forearm", 0.10, Shape((0.027, 0.11), (0.05, 0, 0), ALONG_X),
        Shape((0.026, LOWER_ARM), (0.035, 0, 0), ALONG_X),
        Shape((0.028, 0.020), (LOWER_ARM + 0.010, 0, 0), ALONG_X),
        Shape((0.025,), (LOWER_ARM + HAND_X - 0.012, 0, 0), colour="grey"),
    )  # fmt: skip
    at = (0.0, side * SHOULDER_Y, SHOULDER_Z)
    yield _joint(f"{s}ShoulderPitch", "torso", f"{n}_shoulder", at, _Y)
    yield _joint(f"{s}ShoulderRoll", f"{n}_shoulder", f"{n}_upper_arm", ZERO, _Z)
    elbow = (UPPER_ARM, side * ELBOW_Y, 0.0)
    yield _joint(f"{s}ElbowYaw", f"{n}_upper_arm", f"{n}_elbow", elbow, _X)
    yield _joint(f"{s}ElbowRoll", f"{n}_elbow", f"{n}_forearm", ZERO, _Z)


def _leg(side: float, s: str) -> Iterable[str]:
    n = s.lower()
    yield link(f"{n}_pelvis", 0.07, Shape((0.035,)), Shape((0.036,), colour="grey"))
    yield link(f"{n}_hip", 0.13, Shape((0.035,)), Shape((0.034,), colour="grey"))
    yield link(
        f"{n}_thigh", 0.39, Shape((0.06, 0.055, THIGH), (0.005, 0, -THIGH / 2)),
        Shape((0.036, 0.080), (0.006, side * 0.004, -0.045)),
        Shape((0.031, 0.066), (0.0, 0, -THIGH), ALONG_Y, "grey"),
    )  # fmt: skip
    yield link(
        f"{n}_tibia", 0.29, Shape((0.06, 0.055, TIBIA), (0.0, 0, -TIBIA / 2)),
        Shape((0.037, 0.075), (0.004, 0, -0.052)),
        Shape((0.031,), (0.012, 0, -0.035)),
    )  # fmt: skip
    yield link(f"{n}_ankle", 0.14, Shape((0.03,)), Shape((0.031,), colour="grey"))
    top = FOOT_HEIGHT - 0.012
    yield link(
        f"{n}_foot", 0.16, Shape((0.15, 0.09, 0.03), (0.02, side * 0.004, 0.015 - FOOT_HEIGHT)),
        Shape((0.100, 0.086, 0.022), (0.010, side * 0.004, -top + 0.009)),
        Shape((0.043, 0.022), (0.060, side * 0.004, -top + 0.009)),
        Shape((0.104, 0.090, 0.010), (0.010, side * 0.004, 0.005 - FOOT_HEIGHT), colour="dark"),
        Shape((0.045, 0.010), (0.060, side * 0.004, 0.005 - FOOT_HEIGHT), colour="dark"),
    )  # fmt: skip
    slope = sqrt(0.5)
    hip = (0.0, side * HIP_Y, -HIP_Z)
    yield _joint(f"{s}HipYawPitch", "torso", f"{n}_pelvis", hip, (0.0, slope, -side * slope))
    yield _joint(f"{s}HipRoll", f"{n}_pelvis", f"{n}_hip", ZERO, _X)
    yield _joint(f"{s}HipPitch", f"{n}_hip", f"{n}_thigh", ZERO, _Y)
    yield _joint(f"{s}KneePitch", f"{n}_thigh", f"{n}_tibia", (0.0, 0.0, -THIGH), _Y)
    yield _joint(f"{s}AnklePitch", f"{n}_tibia", f"{n}_ankle", (0.0, 0.0, -TIBIA), _Y)
    yield _joint(f"{s}AnkleRoll", f"{n}_ankle", f"{n}_foot", ZERO, _X)
    yield frame(f"{n}_sole")
    yield fixed(f"{s}Sole", f"{n}_foot", f"{n}_sole", (0.0, 0.0, -FOOT_HEIGHT))


def urdf() -> str:
    """Return the text, for a robot without a team."""
    colours = {
        "white": (0.93, 0.94, 0.95),
        "grey": (0.52, 0.53, 0.56),
        "dark": (0.16, 0.17, 0.20),
        "team": rgb("team-none"),
    }
    parts = [*_torso(), *_head()]
    for side, letter in ((1.0, "L"), (-1.0, "R")):
        parts += [*_arm(side, letter), *_leg(side, letter)]
    assert set(_LIMITS) == set(JOINTS)
    return robot("nao", COMMENT, colours, parts)


if __name__ == "__main__":
    sys.stdout.write(urdf())
