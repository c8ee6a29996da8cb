# SPDX-License-Identifier: Apache-2.0
"""The robot's URDF, and the transforms between its links for given joint positions."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from geometry_msgs.msg import Quaternion, Transform, TransformStamped, Vector3
from std_msgs.msg import Header

URDF_FILE = Path(__file__).with_name("urdf") / "ers7.urdf"

_Quaternion: TypeAlias = tuple[float, float, float, float]
_Triple: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class UrdfJoint:
    """A joint of the URDF: its child's frame in the parent's, and what it turns about."""

    name: str
    parent: str
    child: str
    xyz: _Triple
    """m"""
    rotation: _Quaternion
    """x, y, z, w, at position 0"""
    axis: _Triple | None
    """In the child's frame; None: fixed."""
    lower: float = 0.0
    upper: float = 0.0
    velocity: float = 0.0


def urdf_text() -> str:
    """Return the URDF of an ERS-7."""
    return URDF_FILE.read_text(encoding="utf-8")


def urdf_joints(text: str) -> list[UrdfJoint]:
    """Return the joints of a URDF, revolute and fixed ones, in the order of the text."""
    joints = []
    for element in ElementTree.fromstring(text).iterfind("joint"):
        origin = element.find("origin")
        xyz = _triple(origin, "xyz")
        axis, limit = element.find("axis"), element.find("limit")
        numbers = {k: float(v) for k, v in limit.attrib.items()} if limit is not None else {}
        joints.append(
            UrdfJoint(
                element.attrib["name"],
                element.find("parent").attrib["link"],  # type: ignore[union-attr]
                element.find("child").attrib["link"],  # type: ignore[union-attr]
                xyz,
                _from_rpy(*_triple(origin, "rpy")),
                _triple(axis, "xyz") if element.attrib["type"] == "revolute" else None,
                numbers.get("lower", 0.0),
                numbers.get("upper", 0.0),
                numbers.get("velocity", 0.0),
            )
        )
    return joints


def _triple(element: ElementTree.Element | None, attribute: str) -> _Triple:
    text = "0 0 0" if element is None else element.get(attribute, "0 0 0")
    x, y, z = (float(word) for word in text.split())
    return x, y, z


def _from_rpy(roll: float, pitch: float, yaw: float) -> _Quaternion:
    turn = _about((0.0, 0.0, 1.0), yaw)
    turn = _product(turn, _about((0.0, 1.0, 0.0), pitch))
    return _product(turn, _about((1.0, 0.0, 0.0), roll))


def _about(axis: _Triple, angle: float) -> _Quaternion:
    s = math.sin(angle / 2.0)
    return axis[0] * s, axis[1] * s, axis[2] * s, math.cos(angle / 2.0)


def _product(a: _Quaternion, b: _Quaternion) -> _Quaternion:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


class LinkTransforms:
    """Makes the transforms of a URDF's joints, with ``prefix`` before every frame."""

    def __init__(self, joints: Iterable[UrdfJoint], prefix: str = "") -> None:
        self._prefix = prefix
        self._fixed = []
        self._moving: dict[str, tuple[UrdfJoint, TransformStamped]] = {}
        for joint in joints:
            if joint.axis is None:
                self._fixed.append(joint)
            else:
                transform = self._transform(joint, joint.rotation, Header())
                self._moving[joint.name] = (joint, transform)

    def fixed(self, header: Header) -> list[TransformStamped]:
        """Return those that never change, with the stamp of ``header``."""
        return [self._transform(joint, joint.rotation, header) for joint in self._fixed]

    def moving(self, positions: Mapping[str, float], header: Header) -> list[TransformStamped]:
        """Return those of the joints whose ``positions`` (rad, by name) are known.

        The messages are the same objects each time, filled anew: to be published, not to be kept.
        """
        transforms = []
        for name, (joint, transform) in self._moving.items():
            if name in positions and joint.axis is not None:
                x, y, z, w = _product(joint.rotation, _about(joint.axis, positions[name]))
                rotation = transform.transform.rotation
                rotation.x, rotation.y, rotation.z, rotation.w = x, y, z, w
                transform.header.stamp = header.stamp
                transforms.append(transform)
        return transforms

    def _transform(
        self, joint: UrdfJoint, rotation: _Quaternion, header: Header
    ) -> TransformStamped:
        x, y, z, w = rotation
        return TransformStamped(
            header=Header(stamp=header.stamp, frame_id=self._prefix + joint.parent),
            child_frame_id=self._prefix + joint.child,
            transform=Transform(
                translation=Vector3(x=joint.xyz[0], y=joint.xyz[1], z=joint.xyz[2]),
                rotation=Quaternion(x=x, y=y, z=z, w=w),
            ),
        )
