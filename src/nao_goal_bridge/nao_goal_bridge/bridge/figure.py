# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A Nao's body as markers for rviz, in poses that stand for what the robot reports.

Its wire tells no joint angles: this is a drawing, not a state. Nothing of it is on joint_states.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import NamedTuple

from geometry_msgs.msg import Point, Vector3
from geometry_msgs.msg import Quaternion as QuaternionMessage
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker

import legacy_robots_description
from legacy_robots_common.drawing.markers import new_marker
from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_geometry.rotations import Pose, Vector, quaternion_of

HEIGHT_M = 0.58
"""Of the robot, standing; drawn, it is as high as a room is wide."""
SOLES = ("l_sole", "r_sole")
_BENT = {"HipPitch": -0.45, "KneePitch": 0.9, "AnklePitch": -0.45}
_HANGING = {"ShoulderPitch": 1.5}
_CARRYING = {"ShoulderPitch": 0.5, "ElbowRoll": 0.6}
_STRIDE = {"HipPitch": -0.35, "AnklePitch": 0.35}
_MIRRORED = ("ShoulderRoll", "ElbowYaw", "ElbowRoll")
"""Joints whose left one turns the other way than the right one."""


def angles(stride: int, carries: bool) -> dict[str, float]:
    """Return the joints' angles (rad) by name; with ``stride`` 1 the left leg is in front."""
    found = {}
    for side, foot in (("L", 1), ("R", -1)):
        pose = {**_BENT, **(_CARRYING if carries else _HANGING)}
        for joint, angle in _STRIDE.items():
            pose[joint] += stride * foot * angle
        for joint, angle in pose.items():
            found[side + joint] = -angle if side == "L" and joint in _MIRRORED else angle
    return found


@cache
def _model() -> RobotModel:
    return RobotModel(legacy_robots_description.urdf("nao"))


@cache
def link_poses(stride: int, carries: bool) -> dict[str, Pose]:
    """Return where each link is (m), x forward, a sole on z = 0."""
    turns = angles(stride, carries)
    poses = {"base_link": Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))}
    waiting = list(_model().joints)
    while waiting:  # a joint may stand before the one above it
        joint = waiting.pop(0)
        if joint.parent in poses:
            poses[joint.child] = poses[joint.parent].transform(
                joint.pose(turns.get(joint.name, 0.0))
            )
        else:
            waiting.append(joint)
    low = min(poses[sole].translation[2] for sole in SOLES)
    raised = Pose((0.0, 0.0, -low), (0.0, 0.0, 0.0, 1.0))
    return {link: raised.transform(pose) for link, pose in poses.items()}


class _Part(NamedTuple):
    kind: int
    size: Vector
    color: ColorRGBA | None  # None: the chest's
    pose: Pose


@cache
def _parts(stride: int, carries: bool) -> list[_Part]:
    """Return the shapes (m) of a robot that looks along x, a sole on z = 0."""
    root = ElementTree.fromstring(_model().urdf)
    colors = {m.get("name", ""): m[0].get("rgba", "") for m in root.findall("material")}
    poses = link_poses(stride, carries)
    parts = []
    for link in root.findall("link"):
        for visual in link.findall("visual"):
            origin, shape = visual.find("origin"), visual.find("geometry")[0]  # type: ignore[index]
            own = Pose(_numbers(origin, "xyz"), quaternion_of(*_numbers(origin, "rpy")))
            name = visual.find("material").get("name", "")  # type: ignore[union-attr]
            rgba = zip("rgba", map(float, colors[name].split()), strict=True)
            color = None if name == "team" else ColorRGBA(**dict(rgba))
            pose = poses[link.get("name", "")].transform(own)
            parts.append(_Part(*_shape(shape), color, pose))
    return parts


def nao_markers(
    header: Header,
    at: tuple[float, float],
    heading: float,
    height: float,
    chest: ColorRGBA,
    *,
    stride: int = 0,
    carries: bool = False,
) -> list[Marker]:
    """Return the body at ``at`` (m), ``height`` m high, looking along ``heading`` (rad)."""
    scale = height / HEIGHT_M
    ground = Pose((0.0, 0.0, 0.0), quaternion_of(0.0, 0.0, heading))
    markers = []
    for number, part in enumerate(_parts(stride, carries)):
        pose = ground.transform(part.pose)
        marker = new_marker(header, "body", number, part.kind, part.color or chest)
        x, y, z = (scale * value for value in pose.translation)
        marker.pose.position = Point(x=at[0] + x, y=at[1] + y, z=z)
        qx, qy, qz, qw = pose.rotation
        marker.pose.orientation = QuaternionMessage(x=qx, y=qy, z=qz, w=qw)
        marker.scale = Vector3(**dict(zip("xyz", (scale * s for s in part.size), strict=True)))
        markers.append(marker)
    return markers


def _numbers(element: ElementTree.Element | None, name: str) -> Vector:
    x, y, z = map(float, ("" if element is None else element.get(name, "")).split() or (0, 0, 0))
    return x, y, z


def _shape(shape: ElementTree.Element) -> tuple[int, Vector]:
    """Return the kind of marker and its sizes (m) for a shape of a URDF."""
    if shape.tag == "box":
        return Marker.CUBE, _numbers(shape, "size")
    wide = 2.0 * float(shape.get("radius", 0.0))
    high = float(shape.get("length", wide))
    return (Marker.SPHERE if shape.tag == "sphere" else Marker.CYLINDER), (wide, wide, high)


def direction(here: tuple[float, float], there: tuple[float, float] | None) -> float:
    """Return the heading (rad) towards a place; without one, towards who looks at the map."""
    if there is None or there == here:
        return -math.pi / 2
    return math.atan2(there[1] - here[1], there[0] - here[0])
