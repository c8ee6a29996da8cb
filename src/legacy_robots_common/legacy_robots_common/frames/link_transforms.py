# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The transforms between the links of a robot model, as messages."""

from __future__ import annotations

from collections.abc import Mapping

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Quaternion, Transform, TransformStamped, Vector3
from std_msgs.msg import Header

from legacy_robots_geometry.robot_model import Joint, RobotModel
from legacy_robots_geometry.rotations import Pose


class LinkTransforms:
    """Makes the transforms of a model's joints, with ``prefix`` before every frame."""

    def __init__(self, model: RobotModel, prefix: str = "") -> None:
        self._prefix = prefix
        self._fixed = [joint for joint in model.joints if not joint.moves]
        self._moving = {
            joint.name: (joint, self._transform(joint)) for joint in model.joints if joint.moves
        }

    def fixed(self, stamp: Time) -> list[TransformStamped]:
        """Return those that never change. Stamp 0 says that they hold at all times."""
        transforms = [self._transform(joint) for joint in self._fixed]
        for transform in transforms:
            transform.header.stamp = stamp
        return transforms

    def moving(self, positions: Mapping[str, float], stamp: Time) -> list[TransformStamped]:
        """Return those of the joints whose ``positions`` (rad or m, by name) are known.

        The messages are reused at the next call: publish them, do not keep them.
        """
        transforms = []
        for name, (joint, transform) in self._moving.items():
            if name in positions:
                _fill(transform.transform, joint.pose(positions[name]))
                transform.header.stamp = stamp
                transforms.append(transform)
        return transforms

    def _transform(self, joint: Joint) -> TransformStamped:
        transform = TransformStamped(
            header=Header(frame_id=self._prefix + joint.parent),
            child_frame_id=self._prefix + joint.child,
            transform=Transform(translation=Vector3(), rotation=Quaternion()),
        )
        _fill(transform.transform, joint.origin)
        return transform


def _fill(transform: Transform, pose: Pose) -> None:
    translation, rotation = transform.translation, transform.rotation
    translation.x, translation.y, translation.z = pose.translation
    rotation.x, rotation.y, rotation.z, rotation.w = pose.rotation
