# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Trajectories of an ERS-7: its names and limits, and legs that are pressed to the body."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

import pytest

from aibo_gti_bridge.bridge.trajectory_action import GtiJoints
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.model.poses import STANDING
from legacy_robots_trajectories.joint_trajectory import Point, TrajectoryError, check, own_names


@dataclass
class ReadRobot:
    """What a trajectory's joints know of the robot."""

    positions: Mapping[str, float]
    refusal: str = ""
    movable: Collection[str] = NAMES


def joints(present: Mapping[str, float], *, full_rotor_range: bool = False) -> GtiJoints:
    return GtiJoints(cast(Any, ReadRobot(present)), full_rotor_range=full_rotor_range)


def refusal(found: GtiJoints, names: list[str], *points: Point) -> str:
    """Return why a trajectory is refused, or nothing."""
    try:
        check(
            own_names(names, found.names), points, found.limits, found.setpoints,
            slack=found.start_tolerance, pose_error=found.pose_error,
        )  # fmt: skip
    except TrajectoryError as error:
        return str(error)
    return ""


def test_every_joint_has_four_names() -> None:
    found = joints({})
    for names in (["lf_rotor", "LFr:rotor", "leftFrontLegJ1", "legLF1"], ["mouth", "MOUTH"]):
        assert {found.names[name] for name in names} == {names[0]}


@pytest.mark.parametrize("name", NAMES)
def test_one_per_cent_beyond_each_limit_and_speed_is_refused_by_name(name: str) -> None:
    found = joints({**STANDING, "neck_pan": 0.0})
    limit = found.limits[name]
    margin = 0.01 * (limit.upper - limit.lower)
    for beyond in (limit.lower - margin, limit.upper + margin):
        assert f"{name} at {beyond:.4f} rad is outside its limits" in refusal(
            found, [name], Point(9.0, (beyond,))
        )
    begin = Point(5.0, (limit.upper,))
    fastest = (limit.upper - limit.lower) / limit.max_speed
    lowest = 0.0 if name.endswith("elevator") else limit.lower  # while the rotor is steep
    part = (limit.upper - lowest) / (limit.upper - limit.lower)
    too_fast = Point(5.0 + part * fastest / 1.01, (lowest,))
    assert f"{name} would have to turn at" in refusal(found, [name], begin, too_fast)
    assert not refusal(found, [name], begin, Point(5.0 + part * fastest, (lowest,)))


def test_rotors_turn_further_where_that_was_checked() -> None:
    point = Point(9.0, (2.2,))
    assert "lf_rotor at 2.2000 rad is outside" in refusal(joints(STANDING), ["lf_rotor"], point)
    assert not refusal(joints(STANDING, full_rotor_range=True), ["lf_rotor"], point)


def test_the_coupling_of_a_leg_counts_with_the_joint_that_is_not_moved() -> None:
    pressed = r"point 0: lf_elevator at -0.1000 rad is below"
    steep = joints({**STANDING, "lf_rotor": -1.0})
    assert refusal(steep, ["lf_elevator"], Point(1.0, (-0.1,))).startswith(pressed)
    upright = {**STANDING, "lf_rotor": 0.0, "lf_elevator": -0.1}
    swing = Point(1.0, (-1.0,))
    assert refusal(joints(upright), ["lf_rotor"], swing).startswith(pressed)
    # What is measured a little below 0 is noise.
    assert not refusal(joints({**upright, "lf_elevator": -0.001}), ["lf_rotor"], swing)
