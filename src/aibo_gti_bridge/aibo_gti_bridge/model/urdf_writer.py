# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The URDF of an ERS-7: ``python3 -m aibo_gti_bridge.model.urdf_writer > ers7.urdf``.

Joints, limits and speeds are those of :mod:`aibo_gti_bridge.model.joints`, places and axes those
of :mod:`aibo_gti_bridge.model.chains`; this module has what no other needs: shapes and masses.
Chosen here, as no document has them: the shapes, how the 1.65 kg of a real dog are distributed,
the efforts, friction and damping, and the place of the acceleration sensor.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from math import pi

from aibo_gti_bridge.model.chains import ENDS, FOOT_RADIUS, HINGES
from aibo_gti_bridge.model.joints import BY_NAME, NAMES
from aibo_gti_bridge.model.kinematics import AT_ZERO, LEGS, hip
from aibo_gti_bridge.model.poses import STANDING
from legacy_robots_geometry.rotations import angles_of_matrix
from legacy_robots_geometry.urdf_writer import (
    ALONG_X,
    ALONG_Y,
    ZERO,
    Range,
    Shape,
    fixed,
    frame,
    link,
    revolute,
    robot,
)

EFFORT_NM = 1.0
COLOURS = {
    "white": (0.93, 0.94, 0.95), "grey": (0.52, 0.53, 0.56), "dark": (0.24, 0.25, 0.28),
    "black": (0.07, 0.07, 0.09), "blue": (0.25, 0.65, 1.0),
}  # fmt: skip
COMMENT = """\
  Sony AIBO ERS-7. Written by aibo_gti_bridge/model/urdf_writer.py.

  base_link is in the middle between the four hips, x forward, z up. It has no mass, as
  robot_state_publisher wants of a root: the trunk has it. The writer says what of this is
  Tekkotsu's or Sony's, and what was chosen."""


def _moving(name: str, parent: str, child: str, at: Iterable[float]) -> str:
    joint = BY_NAME[name]
    limits = Range(joint.lower, joint.upper, joint.max_speed, EFFORT_NM)
    return revolute(name, parent, child, at, HINGES[name].axis, limits)


def _mounted(part: str, parent: str, parent_at: Iterable[float] = ZERO) -> str:
    """Return a part that does not move in its parent, whose origin is at ``parent_at``."""
    yaw, pitch, roll = angles_of_matrix(AT_ZERO[part].tolist(), "rzyx")
    at = ENDS[part].place - list(parent_at)
    return fixed(f"{part}_mount", parent, part, at, (roll + 0.0, pitch + 0.0, yaw + 0.0))


def _leg(leg: str) -> Iterable[str]:
    side, end = (1.0 if leg[0] == "l" else -1.0), (1.0 if leg[1] == "f" else -1.0)
    names = f"{'left' if side > 0 else 'right'} {'front' if end > 0 else 'rear'}"
    knee = HINGES[f"{leg}_knee"].at
    knee_x, knee_y, knee_z = (knee - hip(leg)).tolist()
    foot_x, foot_y, foot_z = (ENDS[f"{leg}_foot"].place - knee).tolist()
    yield f"\n  <!-- {names} leg -->"
    yield link(
        f"{leg}_shoulder", 0.03, Shape((0.026, 0.030), ZERO, ALONG_Y),
        Shape((0.027, 0.028), (0, side * 0.001, 0), ALONG_Y),
        Shape((0.017, 0.004), (0, side * 0.017, 0), ALONG_Y),
    )  # fmt: skip
    yield link(
        f"{leg}_upper_leg", 0.075, Shape((0.038, 0.028, 0.0695), (knee_x / 2, 0, knee_z / 2)),
        Shape((0.040, 0.024, 0.050), (knee_x / 2, side * 0.003, -0.036)),
        Shape((0.021, 0.026), (knee_x, side * 0.002, knee_z), ALONG_Y),
        Shape((0.012, 0.030), (knee_x, side * 0.002, knee_z), ALONG_Y),
    )  # fmt: skip
    yield link(
        f"{leg}_lower_leg", 0.055,
        Shape((0.014, -foot_z), (foot_x / 2, foot_y / 2, foot_z / 2), (0, foot_x / foot_z, 0)),
        Shape((0.0145, 0.040), (foot_x / 2, foot_y / 2, -0.030), (0, foot_x / foot_z, 0)),
        Shape((0.0175,), (-end * 0.003, foot_y / 2, -0.016)),
        Shape((0.0165,), (foot_x + 0.006, foot_y, foot_z + 0.010)),
    )  # fmt: skip
    yield link(f"{leg}_foot", 0.01, Shape((FOOT_RADIUS,)), Shape((FOOT_RADIUS,), colour="dark"))
    yield _moving(f"{leg}_rotor", "base_link", f"{leg}_shoulder", hip(leg))
    yield _moving(f"{leg}_elevator", f"{leg}_shoulder", f"{leg}_upper_leg", ZERO)
    yield _moving(f"{leg}_knee", f"{leg}_upper_leg", f"{leg}_lower_leg", (knee_x, knee_y, knee_z))
    yield _mounted(f"{leg}_foot", f"{leg}_lower_leg", knee)


def _trunk() -> Iterable[str]:
    yield "\n  <!-- trunk: a white shell over a dark belly, three buttons on the back -->"
    yield frame("base_link")
    yield link(
        "trunk", 0.64, Shape((0.190, 0.088, 0.085), (0, 0, 0.012)),
        Shape((0.043, 0.120), (0, 0, 0.018), ALONG_X),
        Shape((0.140, 0.070, 0.040), (0, 0, -0.014), colour="dark"),
        Shape((0.043,), (0.060, 0, 0.018)),
        Shape((0.043,), (-0.060, 0, 0.018)),
        Shape((0.030,), (0.078, 0, -0.004), colour="black"),
        Shape((0.006,), (0.106, 0, 0.002), colour="blue"),
        *(Shape((0.011, 0.006), (x, 0, 0.0605), colour="grey") for x in (0.034, 0.0, -0.034)),
    )  # fmt: skip
    yield fixed("trunk_mount", "base_link", "trunk", ZERO)


def _head() -> Iterable[str]:
    neck, head = HINGES["neck_tilt"].at, HINGES["neck_nod"].at
    length = float(head[2] - neck[2])
    nose, jaw, eyes = (ENDS[part].place - head for part in ("camera", "jaw", "near_ir"))
    ears = [
        Shape(
            (0.026, 0.008, 0.052), (x, y, z - 0.018), (side * 0.22, -0.25, 0), colour="grey"
        )
        for side, (x, y, z) in (
            (1.0, ENDS["left_ear"].place - head), (-1.0, ENDS["right_ear"].place - head)
        )
    ]  # fmt: skip
    yield "\n  <!-- head: skull, muzzle, a black face with lights, ears that hang -->"
    yield link(
        "neck", 0.06, Shape((0.017, length), (0, 0, length / 2)),
        Shape((0.015, length), (0, 0, length / 2), colour="dark"),
        Shape((0.022, 0.030), (0, 0, 0.018), colour="dark"),
    )  # fmt: skip
    yield link("head_pan", 0.03, Shape((0.020,)), Shape((0.023,), colour="dark"))
    yield link(
        "head", 0.20, Shape((0.105, 0.078, 0.070), (0.030, 0, 0.008)),
        Shape((0.039,), (0.006, 0, 0.014)),
        Shape((0.034, 0.044), (0.034, 0, 0.006), ALONG_X),
        Shape((0.0335,), (0.054, 0, 0.004)),
        Shape((0.0285,), (0.063, 0, 0.006), colour="black"),
        *(Shape((0.0055,), (0.0865, side * 0.013, 0.015), colour="blue") for side in (1.0, -1.0)),
        Shape((0.009,), (nose[0] - 0.004, 0, nose[2]), colour="black"),
        Shape((0.004, 0.016, 0.006), (eyes[0], 0, eyes[2]), colour="grey"),
        Shape((0.013, 0.006), (0.004, 0, 0.0525), colour="blue"),
        *ears,
    )  # fmt: skip
    yield link(
        "jaw", 0.02, Shape((0.050, 0.046, 0.010), (0.018, 0, -0.010)),
        Shape((0.036, 0.040, 0.010), (0.012, 0, -0.010)),
        Shape((0.020, 0.010), (0.026, 0, -0.010)),
    )  # fmt: skip
    yield _moving("neck_tilt", "base_link", "neck", neck)
    yield _moving("neck_pan", "neck", "head_pan", head - neck)
    yield _moving("neck_nod", "head_pan", "head", ZERO)
    yield _moving("mouth", "head", "jaw", jaw)
    yield from map(frame, ("camera", "camera_optical_frame", "near_ir", "far_ir"))
    for part in ("camera", "near_ir", "far_ir"):
        yield _mounted(part, "head", head)
    yield fixed("camera_optical", "camera", "camera_optical_frame", ZERO, (-pi / 2, 0, -pi / 2))


def _tail() -> Iterable[str]:
    yield "\n  <!-- tail: it stands up while its tilt is at 0 -->"
    yield link("tail_base", 0.01, Shape((0.010,)), Shape((0.010,), colour="grey"))
    yield link(
        "tail", 0.01, Shape((0.005, 0.070), (0, 0, 0.035)),
        Shape((0.0045, 0.066), (0, 0, 0.033), colour="grey"),
        Shape((0.0065,), (0, 0, 0.068), colour="grey"),
    )  # fmt: skip
    yield _moving("tail_tilt", "base_link", "tail_base", HINGES["tail_tilt"].at)
    yield _moving("tail_pan", "tail_base", "tail", ZERO)


def _sensors() -> Iterable[str]:
    yield "\n  <!-- the distance sensor of the chest looks forward and down -->"
    yield from map(frame, ("chest_ir", "imu"))
    yield _mounted("chest_ir", "base_link")
    yield fixed("imu_mount", "base_link", "imu", ZERO)


def _control() -> Iterable[str]:
    yield '\n  <ros2_control name="ers7" type="system">'
    yield "    <hardware><plugin>mock_components/GenericSystem</plugin></hardware>"
    for name in NAMES:
        joint = BY_NAME[name]
        yield f'    <joint name="{name}">'
        yield (
            '      <command_interface name="position">'
            f'<param name="min">{joint.lower:.6f}</param>'
            f'<param name="max">{joint.upper:.6f}</param>'
            "</command_interface>"
        )
        yield (
            '      <state_interface name="position">'
            f'<param name="initial_value">{STANDING[name]:.6f}</param></state_interface>'
        )
        yield '      <state_interface name="velocity"/>'
        yield "    </joint>"
    yield "  </ros2_control>"


def urdf() -> str:
    """Return the text of the URDF."""
    parts = [*_trunk(), *(line for leg in LEGS for line in _leg(leg)), *_head(), *_sensors()]
    parts += [*_tail(), *_control()]
    return robot("ers7", COMMENT, COLOURS, parts)


if __name__ == "__main__":
    sys.stdout.write(urdf())
