# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's body: its URDF on ``robot_description``, the frames of its links on /tf."""

from __future__ import annotations

import math
from collections.abc import Sequence

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from legacy_robots_common.frames.link_transforms import LinkTransforms
from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_geometry.robot_model import Joint, RobotModel
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.bridge.serialized import SerializedForm
from luar_bridge.model.link_poses import STANCE, LinkPoses
from luar_bridge.model.motion import HEAD_JOINTS, inertia
from luar_bridge.model.robot_description import urdf
from luar_bridge.model.snapshots import Memory

TEAM_COLOURS = ("team-blue", "team-red")
"""In the palette, by gcmTeam.color."""


class LinkTopics:
    """Publishes the links by joint positions. Called on the link's thread.

    Joints that are not reported stand as in STANCE.
    """

    def __init__(
        self, node: Node, memory: Memory, settings: Parameters, transforms: LazyPublisher
    ) -> None:
        self._memory = memory
        self._transforms = transforms
        self._period = 1.0 / settings.link_rate
        self._sent_at = 0.0
        model = RobotModel(urdf())
        self._poses = LinkPoses(model)
        prefix = settings.frame_prefix
        base = (f"{prefix}base_link", prefix + settings.base_frame)
        self._form = _form(self._poses.joints, prefix, base)
        self._head = _form(self._poses.joints[: len(HEAD_JOINTS)], prefix)
        self._fixed = TransformBroadcaster(node)
        self._fixed.send_static(LinkTransforms(model, prefix).fixed(Time()))

    def publish(self, stamp: float, positions: Sequence[float]) -> None:
        """Publish the frames of the links if it is time; ``positions`` in JOINTS' order (rad)."""
        if abs(stamp - self._sent_at) < self._period:
            return
        self._sent_at = stamp
        known = inertia(self._memory)
        roll, pitch = (known.roll, known.pitch) if known else (0.0, 0.0)
        reported = [*positions, *STANCE[len(positions) :]]
        if not all(map(math.isfinite, (*reported, roll, pitch))):
            return  # not yet written, or written wrongly
        self._transforms.publish(
            self._form.filled(stamp, self._poses.values(reported, roll, pitch))
        )

    def publish_head(self, stamp: float, angles: Sequence[float]) -> None:
        """Publish the frames of neck and head by yaw and pitch (rad), unless they have been.

        ``stamp`` is that of the image that was taken with them.
        """
        if stamp != self._sent_at and all(map(math.isfinite, angles)):
            yaw, pitch = (0.5 * angle for angle in angles)
            turns = (
                0.0,
                0.0,
                math.sin(yaw),
                math.cos(yaw),
                0.0,
                math.sin(pitch),
                0.0,
                math.cos(pitch),
            )
            self._transforms.publish(self._head.filled(stamp, turns))


class Description:
    """The latched topic ``robot_description``, in the colour of the robot's team."""

    def __init__(self, node: Node) -> None:
        self._publisher = qos.publisher(node, String, "robot_description", qos.LATCHED)
        self._colour = ""
        self.paint(None)

    def paint(self, team: int | None) -> None:
        """Publish the URDF if the team's colour (gcmTeam.color) is another than before."""
        colour = TEAM_COLOURS[team] if team in (0, 1) else "team-none"
        if colour != self._colour:
            self._colour = colour
            self._publisher.publish(String(data=urdf(colour)))


def _form(
    joints: Sequence[Joint], prefix: str, base: tuple[str, str] | None = None
) -> SerializedForm:
    """Return the form of a message of /tf that :meth:`LinkPoses.values` fill.

    ``base`` is child and parent of a transform before those of ``joints``.
    """
    transforms, fields = [], []
    if base is not None:
        transforms.append(TransformStamped(child_frame_id=base[0]))
        transforms[0].header.frame_id = base[1]
        fields = [f"transforms.0.transform.translation.{axis}" for axis in "xyz"]
    for joint in joints:
        transform = TransformStamped(child_frame_id=prefix + joint.child)
        transform.header.frame_id = prefix + joint.parent
        place = transform.transform.translation
        place.x, place.y, place.z = joint.origin.translation
        transforms.append(transform)
    for number in range(len(transforms)):
        fields += [f"transforms.{number}.transform.rotation.{axis}" for axis in "xyzw"]
    headers = [f"transforms.{number}.header" for number in range(len(transforms))]
    return SerializedForm(TFMessage(transforms=transforms), *fields, stamped=headers)
