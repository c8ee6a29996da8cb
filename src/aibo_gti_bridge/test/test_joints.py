# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Names and limits of the joints."""

from __future__ import annotations

from math import degrees, radians

import pytest

from aibo_gti_bridge.model import joints as j
from aibo_gti_bridge.model import poses


def test_the_joints_are_in_tekkotsus_order() -> None:
    assert [joint.index for joint in j.JOINTS] == list(range(18))
    assert j.NAMES[:3] == ("lf_rotor", "lf_elevator", "lf_knee")
    assert j.NAMES[12:] == ("neck_tilt", "neck_pan", "neck_nod", "tail_tilt", "tail_pan", "mouth")


@pytest.mark.parametrize(
    "names",
    [
        ("lf_rotor", "LFr:rotor", "leftFrontLegJ1", "legLF1"),
        ("rb_knee", "RBk:knee", "rightRearLegJ3", "legRH3"),
        ("neck_tilt", "NECK:tilt", "neckTilt1", "neck"),
        ("neck_nod", "NECK:nod", "neckTilt2", "headTilt"),
        ("neck_pan", "NECK:pan", "neckPan", "headPan"),
        ("mouth", "MOUTH", "mouth"),
    ],
)
def test_a_joint_is_found_by_the_names_of_all_vocabularies(names: tuple[str, ...]) -> None:
    assert {j.find(name) for name in names} == {j.BY_NAME[names[0]]}


def test_an_unknown_joint_is_named_with_those_there_are() -> None:
    with pytest.raises(j.UnknownJointError, match=r"'wing' is no joint of an ERS-7; .*lf_rotor"):
        j.find("wing")


LIMITS = {
    "lf_rotor": (-115, 115), "rf_rotor": (-115, 115), "rotor": (-130, 115),
    "elevator": (-10, 88), "knee": (-25, 122),
    "neck_tilt": (-75, 0), "neck_pan": (-88, 88), "neck_nod": (-15, 45),
    "tail_tilt": (5, 60), "tail_pan": (-45, 45), "mouth": (-55, -3),
}  # fmt: skip


@pytest.mark.parametrize("joint", j.JOINTS, ids=str)
def test_limits(joint: j.Joint) -> None:
    expected = LIMITS.get(joint.name) or LIMITS[joint.name.split("_")[1]]
    assert [degrees(limit) for limit in j.limits(joint)] == pytest.approx(expected)
    assert joint.lower < joint.upper
    assert joint.max_speed > 0


def test_the_full_range_is_that_of_the_front_rotors_alone() -> None:
    front, rear = j.BY_NAME["rf_rotor"], j.BY_NAME["lb_rotor"]
    assert j.limits(front, full_rotor_range=True) == (radians(-115), radians(130))
    assert j.limits(rear, full_rotor_range=True) == j.limits(rear)
    knee = j.BY_NAME["rf_knee"]
    assert j.limits(knee, full_rotor_range=True) == j.limits(knee)


def test_what_is_outside_is_named() -> None:
    assert j.limit_error({"neck_pan": 1.5, "mouth": -0.1}) is None
    assert j.limit_error({"neck_pan": radians(88), "lf_rotor": radians(-115)}) is None
    error = j.limit_error({"neck_pan": 1.6})
    assert error == "neck_pan at 1.6000 rad is outside its limits of -1.5359 to 1.5359 rad"
    assert j.limit_error({"lf_rotor": radians(120)}) is not None
    assert j.limit_error({"lf_rotor": radians(120)}, full_rotor_range=True) is None


@pytest.mark.parametrize(
    "leg,rotor,lowest",
    [
        # Sony's table of two joints, with its ends, gaps and overlaps.
        ("lf", 0, -10), ("rf", 20, -10), ("lf", 20.5, -9), ("rf", 21, -9), ("lf", 29.5, -7),
        ("lf", -10, -10), ("lf", -10.5, -9), ("rf", -36, -4), ("lf", -54.5, -2), ("lf", -75.5, -1),
        ("lf", -115, -1), ("rf", 115, -2), ("rf", 130, -2),
        ("lb", 0, -10), ("rb", 15, -10), ("rb", 16, -9), ("lb", -36, -4), ("lb", -55.5, -1),
        ("rb", -71, 0), ("lb", -130, 0), ("lb", 71, 0), ("rb", 115, 0),
    ],
)  # fmt: skip
def test_how_far_a_leg_may_be_pressed_to_the_body(leg: str, rotor: float, lowest: float) -> None:
    assert degrees(j.elevator_lower_limit(leg, radians(rotor))) == pytest.approx(lowest)


def test_a_leg_that_is_swung_away_must_not_be_pressed_to_the_body() -> None:
    assert j.limit_error({"lf_elevator": radians(-9)}) is None
    assert j.limit_error({"lf_elevator": radians(-9), "lf_rotor": radians(9)}) is None
    error = j.limit_error({"lf_elevator": radians(-9), "lf_rotor": radians(-40)})
    assert error is not None
    assert "lf_elevator at -0.1571 rad is below -0.0698 rad" in error
    assert j.limit_error({"lf_elevator": radians(-9), "rf_rotor": radians(-40)}) is None


def test_poses_of_a_real_robot_are_allowed() -> None:
    """AIBO-TinyConsole's: the legs at rest, and a frame of its walk."""
    for legs, angles in (("f", (80, 1, -25)), ("b", (-125, 5, 120)), ("b", (-36, -2, 98))):
        for side in "lr":
            names = (f"{side}{legs}_{joint}" for joint in ("rotor", "elevator", "knee"))
            assert j.limit_error(dict(zip(names, map(radians, angles), strict=True))) is None


def test_the_standing_pose_is_allowed() -> None:
    assert set(poses.STANDING) == set(j.NAMES)
    assert j.limit_error(poses.STANDING) is None
