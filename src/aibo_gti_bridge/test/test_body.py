# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The body against Tekkotsu's own table of it, its poses and its motions.

The table stands here again, row by row as in touretzkyds/Tekkotsu at 6b7ea9a,
project/ms/config/ERS-7.kin, and is evaluated by code that shares nothing with the package.
"""

from __future__ import annotations

import os
import plistlib
import random
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import acos, degrees, pi, radians
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aibo_gti_bridge.model import kinematics as k
from aibo_gti_bridge.model.joints import BY_NAME, NAMES, limit_error
from aibo_gti_bridge.model.motion_library import MotionLibrary
from aibo_gti_bridge.model.motions import Motion, outputs, read
from aibo_gti_bridge.model.poses import STANDING
from legacy_robots_description import urdf
from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_geometry.rotations import Pose, matrix_of

IDENTITY = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
Row = tuple[float, float, float, float, str]
# theta (degrees), d (mm), alpha (degrees), r (mm), the joint that turns about the row's z.
HEAD: list[Row] = [
    (0, 19.5, 90, 67.5, "neck_tilt"), (0, 0, -90, 0, "neck_pan"), (0, 80, 90, 0, "neck_nod"),
]  # fmt: skip
TABLE: dict[str, list[Row]] = {
    "camera_optical_frame": [*HEAD, (-90, 0, -90, 14.6, ""), (-90, 81.06, 0, 0, "")],
    "jaw": [*HEAD, (-23.629, 0, 0, 43.6606, "mouth")],
    "near_ir": [
        *HEAD, (degrees(0.0249189), 2.79525, 0, 76.9239, ""),
        (degrees(1.50041), 0, degrees(1.55997), 0, ""),
    ],
    "far_ir": [
        *HEAD, (degrees(0.0136814), -8.04682, 0, 76.9072, ""),
        (degrees(1.52305), 0, degrees(1.56055), 0, ""),
    ],
    "chest_ir": [(0, -3.384, 90, 109.136, ""), (60, 0, 90, 0, "")],
    "lf_foot": [
        (0, 0, 90, 65, "lf_rotor"), (-90, -62.5, -90, 0, "lf_elevator"),
        (0, 9, 90, 69.5, "lf_knee"), (-4.4088, -4.7, 0, 65.434, ""),
    ],
    "rf_foot": [
        (0, 0, 90, 65, "rf_rotor"), (-90, 62.5, 90, 0, "rf_elevator"),
        (0, -9, -90, 69.5, "rf_knee"), (-4.4088, 4.7, 0, 65.434, ""),
    ],
    "lb_foot": [
        (0, 0, -90, -65, "lb_rotor"), (90, 62.5, 90, 0, "lb_elevator"),
        (0, -9, -90, 69.5, "lb_knee"), (-11.537, 4.7, 180, 67.647, ""),
    ],
    "rb_foot": [
        (0, 0, -90, -65, "rb_rotor"), (90, -62.5, -90, 0, "rb_elevator"),
        (0, 9, 90, 69.5, "rb_knee"), (-11.537, -4.7, 180, 67.647, ""),
    ],
    "tail": [(0, 33, -90, -102, "tail_tilt"), (-90, 0, -90, 0, "tail_pan")],
}  # fmt: skip
# What of a part's frame in the table is x, y and z of ours: of sensors by what the directions
# mean, of the others by the body, to which all links are parallel while its joints are at 0.
RAY = np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0]])
RAYS = ("near_ir", "far_ir", "chest_ir")
MEANING = {"camera_optical_frame": np.eye(3), **dict.fromkeys(RAYS, RAY)}


def turned(axis: int, angle: float) -> np.ndarray:
    """Return the rotation about x (0) or z (2), 4 x 4."""
    matrix, (a, b) = np.eye(4), ((1, 2), (0, 1))[axis // 2]
    matrix[a, a] = matrix[b, b] = np.cos(angle)
    matrix[b, a] = np.sin(angle)
    matrix[a, b] = -matrix[b, a]
    return matrix


def by_table(part: str, joints: Mapping[str, float]) -> np.ndarray:
    """Return the frame of a part in the body by the table, 4 x 4, m."""
    frame = np.eye(4)
    for theta, d, alpha, r, joint in TABLE[part]:
        along_z, along_x = np.eye(4), np.eye(4)
        along_z[2, 3], along_x[0, 3] = d / 1000.0, r / 1000.0
        frame = frame @ turned(2, radians(theta)) @ along_z @ along_x @ turned(0, radians(alpha))
        if joint:
            frame = frame @ turned(2, joints[joint])
    return frame


def by_urdf(
    model: RobotModel, part: str, joints: Mapping[str, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return place (m) and rotation of a link in base_link by the URDF."""
    by_child = {joint.child: joint for joint in model.joints}
    pose = IDENTITY
    while part != "base_link":
        joint = by_child[part]
        pose = joint.pose(joints.get(joint.name, 0.0)).transform(pose)
        part = joint.parent
    return np.array(pose.translation), matrix_of(pose.rotation)


def test_every_chain_of_the_urdf_is_that_of_tekkotsus_table() -> None:
    model, randomly = RobotModel(urdf("ers7")), random.Random(7)
    at_zero = dict.fromkeys(NAMES, 0.0)
    meaning = {part: MEANING.get(part, by_table(part, at_zero)[:3, :3].T) for part in TABLE}
    furthest = most_turned = 0.0
    for _ in range(1000):
        joints = {n: randomly.uniform(BY_NAME[n].lower, BY_NAME[n].upper) for n in NAMES}
        for part in TABLE:
            expected = by_table(part, joints)
            place, rotation = by_urdf(model, part, joints)
            furthest = max(furthest, float(np.linalg.norm(place - expected[:3, 3])))
            off = rotation.T @ expected[:3, :3] @ meaning[part]
            most_turned = max(most_turned, acos(min(1.0, (float(np.trace(off)) - 1.0) / 2.0)))
    print(f"{1000 * furthest:.6f} mm, {degrees(most_turned):.6f} degrees")
    assert furthest <= 0.0005
    assert degrees(most_turned) <= 0.1


def test_the_kinematics_of_the_package_are_that_tables_too() -> None:
    randomly = random.Random(8)
    for _ in range(100):
        joints = {n: randomly.uniform(BY_NAME[n].lower, BY_NAME[n].upper) for n in NAMES}
        for part in (*RAYS, "jaw", "tail", *(f"{leg}_foot" for leg in k.LEGS)):
            place, rotation = k.pose_of(part, joints)
            expected = by_table(part, joints)
            assert place == pytest.approx(expected[:3, 3], abs=1e-6)
            if part in MEANING:
                assert rotation == pytest.approx(expected[:3, :3] @ MEANING[part], abs=1e-6)
        assert k.pose_of("camera", joints)[0] == pytest.approx(
            by_table("camera_optical_frame", joints)[:3, 3], abs=1e-6
        )


# --- poses --------------------------------------------------------------------------------------

# Rotor, elevator, knee (rad) of left front, right front, left rear, right rear; then how far the
# feet are below the hips, left front and left rear (mm).
POSES = {
    "Tekkotsu stand.pos": (
        (0.028518, -0.046542, 0.325868), (-0.011116, -0.017453, 0.408716),
        (-0.080376, -0.011635, 0.678121), (-0.057036, -0.040724, 0.627227), (-132, -132),
    ),
    "Tekkotsu walk.pos": (
        (-0.1592, 0.2164, 1.7743), (-0.2018, 0.2107, 1.8018),
        (-0.7361, 0.0171, 1.6175), (-0.7605, 0.0456, 1.6580), (-70, -110),
    ),
    "Tekkotsu situp.pos": (
        (-0.392146, 0.068402, 0.425285), (-0.266801, -0.081448, 0.231973),
        (-1.578805, 0.433217, 2.421673), (-1.667382, 0.267910, 2.519091), (-132, -63),
    ),
    "Tekkotsu k-stsit.mot, last keyframe": (
        *(tuple(map(radians, (-25, -4, 20))),) * 2, *(tuple(map(radians, (-78, 20, 110))),) * 2,
        (-131, -86),
    ),
    "AIBO-TinyConsole, rising": (
        *(tuple(map(radians, (-21, 2, 74))),) * 2, *(tuple(map(radians, (-44, 3, 95))),) * 2,
        (-111, -108),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", POSES)
def test_feet_are_where_the_originals_put_them(name: str) -> None:
    *legs, (front, rear) = POSES[name]
    joints = {
        f"{leg}_{joint}": angle
        for leg, angles in zip(k.LEGS, legs, strict=True)
        for joint, angle in zip(("rotor", "elevator", "knee"), angles, strict=True)
    }
    heights = [1000.0 * k.foot(leg, joints)[2] for leg in ("lf", "lb")]
    assert heights == pytest.approx([front, rear], abs=0.7)


def feet_above_ground(pose: Mapping[str, float]) -> list[float]:
    """Return the heights of the feet as the body stands, mm."""
    return sorted(1000.0 * height for height in k.stance(pose).feet.values())


def test_it_stands_level() -> None:
    motion = MotionLibrary().motion("stand")
    end = {**STANDING, **motion.pose(motion.duration, STANDING)}
    for pose in (STANDING, end):
        heights = [1000.0 * k.foot(leg, pose)[2] for leg in k.LEGS]
        assert max(heights) - min(heights) < 0.5
        for leg in k.LEGS:  # below its hip
            assert abs(1000.0 * (k.foot(leg, pose) - k.hip(leg))[0]) < 5.0


def test_it_sits_on_folded_hind_legs() -> None:
    motion = MotionLibrary().motion("sit")
    end = {**STANDING, **motion.pose(motion.duration, STANDING)}
    assert end["lb_rotor"] == end["rb_rotor"] == pytest.approx(-1.6)
    front, rear = (1000.0 * k.foot(leg, end)[2] for leg in ("lf", "lb"))
    assert front == pytest.approx(-132, abs=3)
    assert rear == pytest.approx(-68, abs=5)
    assert degrees(k.stance(end).pitch) == pytest.approx(-40, abs=5)


@pytest.mark.parametrize("name", MotionLibrary().names())
def test_at_every_moment_of_an_example_three_feet_carry_a_body_that_is_off_the_floor(
    name: str,
) -> None:
    motion = MotionLibrary().motion(name)
    for time in np.arange(0.0, motion.duration + 0.02, 0.02):
        pose = {**STANDING, **motion.pose(float(time), STANDING)}
        assert limit_error(pose) is None
        assert feet_above_ground(pose)[2] < 8.0, time
        stance = k.stance(pose)
        tilt = k.matrix_about((0.0, 1.0, 0.0), stance.pitch)
        belly = [tilt @ [x, 0.0, -0.034] for x in (-0.07, 0.07)]  # the ends of its underside
        knees = [tilt @ (k.foot(leg, {**pose, f"{leg}_knee": pi / 2})) for leg in k.LEGS]
        assert min(float(point[2]) for point in (*belly, *knees)) + stance.height > 0.0, time


# --- the files of Tekkotsu ----------------------------------------------------------------------

CLONES = [Path(path) for path in os.environ.get("LEGACY_ROBOTS_TEKKOTSU", "").split(":") if path]
needs_clones = pytest.mark.skipif(
    not CLONES,
    reason="needs LEGACY_ROBOTS_TEKKOTSU to name clones of touretzkyds/Tekkotsu and "
    "cartheur-aibo/tekkotsu on GitHub, separated by a colon: docs/originals/aibo.md, 13",
)
STANDING_FILES = ("stand.pos",)


def public_files() -> list[Path]:
    found = (
        file for clone in CLONES for end in ("pos", "mot") for file in clone.rglob(f"*.{end}")
    )
    return sorted(file for file in found if file.read_bytes()[:4] in (b"#MSq", b"#POS"))


def keyframes_in(file: Path) -> dict[str, list[tuple[float, float]]]:
    """Return time (s) and position (rad) of each joint's keyframes, read as plainly as can be."""
    frames: dict[str, list[tuple[float, float]]] = {}
    now, unit = 1.0 if file.suffix == ".pos" else 0.0, 1.0
    for line in file.read_text(encoding="latin-1").splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].lower() in ("delay", "advancetime"):
            now += int(words[1]) / 1000.0
        elif words[0].lower() in ("degrees", "radians"):
            unit = radians(1.0) if words[0].lower() == "degrees" else 1.0
        elif now:
            try:
                joints = outputs(words[0])
            except KeyError:
                continue
            for joint in joints:
                low, high = joint.lower, joint.upper
                value = min(max(float(words[1]) * unit, low), high)
                frames.setdefault(joint.name, []).append((now, value))
    return frames


def interpolated(frames: list[tuple[float, float]], time: float) -> float:
    if time >= frames[-1][0]:
        return frames[-1][1]
    for (t0, p0), (t1, p1) in pairwise([(0.0, 0.0), *frames]):
        if t0 <= time < t1:
            return p0 + (p1 - p0) * (time - t0) / (t1 - t0)
    raise AssertionError(time)


def motion_of(file: Path) -> Motion:
    library = MotionLibrary(file.parent)
    if file.suffix == ".mot":
        return library.motion(file.name)
    return read(f"#MSq\ndelay 1000\nload {file.name}\n#END\n", loader=library.load)


def poses_in(file: Path) -> Iterator[tuple[float, dict[str, float], dict[str, float]]]:
    """Yield each keyframe's time, the joints as the package plays it and as the file says."""
    motion, frames, start = motion_of(file), keyframes_in(file), dict.fromkeys(NAMES, 0.0)
    assert set(frames) == set(motion.joints), file
    for time in motion.times():
        said = {name: interpolated(frames[name], time) for name in frames}
        yield time, {**start, **motion.pose(time, start)}, {**start, **said}


@needs_clones
def test_feet_in_every_public_pose_and_motion_are_where_the_table_puts_them() -> None:
    files, furthest, seen = public_files(), 0.0, 0
    for file in files:
        for time, played, said in poses_in(file):
            seen += 1
            for leg in k.LEGS:
                off = k.foot(leg, played) - by_table(f"{leg}_foot", said)[:3, 3]
                furthest = max(furthest, float(np.linalg.norm(off)))
                assert furthest <= 0.0005, (file, time, leg)
            if file.name in STANDING_FILES:
                heights = [1000.0 * k.foot(leg, played)[2] for leg in k.LEGS]
                assert max(heights) - min(heights) <= 5.0, (file, heights)
    print(f"{len(files)} files, {seen} keyframes: {1000 * furthest:.6f} mm")
    assert files


@needs_clones
def test_the_table_is_what_tekkotsus_file_says() -> None:
    [file] = [f for clone in CLONES for f in clone.rglob("ERS-7.kin")]
    text = re.sub(r"<real>(inf|[^<]*°)</real>", r"<string>\1</string>", file.read_text("utf-8"))
    found = list(chains_of(plistlib.loads(text.encode()), []))
    for part, rows in TABLE.items():
        wanted = [[radians(theta), d, radians(alpha), r] for theta, d, alpha, r, _ in rows]
        assert any(
            len(chain) == len(wanted) and np.allclose(chain, wanted, rtol=0.0, atol=1e-3)
            for chain in found
        ), part


def chains_of(node: list[Any], before: list[list[float]]) -> Iterator[list[list[float]]]:
    """Yield the rows (rad, mm, rad, mm) from the body to each end of Tekkotsu's nested lists."""
    rows = list(before)
    for part in node:
        if isinstance(part, list):
            yield from chains_of(part, rows)
        elif "θ" in part:
            rows.append([_number(part[key]) for key in ("θ", "d", "α", "r")])
    if not any(isinstance(part, list) for part in node):
        yield rows


def _number(value: object) -> float:
    text = str(value)
    return radians(float(text[:-1])) if text.endswith("°") else float(text)
