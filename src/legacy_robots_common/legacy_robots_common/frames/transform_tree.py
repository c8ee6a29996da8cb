# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Poses of one frame of TF in another. What tf2 does, for where it is not installed.

Only the latest transforms are known: the stamp of a pose is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from geometry_msgs.msg import PoseStamped, TransformStamped
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_geometry.rotations import Pose

TIMEOUT_S = 2.0
"""How long transforms are waited for; most are published several times a second."""


class FrameError(Exception):
    """A pose cannot be transformed; the message names the frames."""


class TransformTree:
    """The latest transform of each frame, in the frame of its parent."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Pose]] = {}

    def update(self, transforms: Iterable[TransformStamped]) -> list[TransformStamped]:
        """Take newer ones of those that are transforms, as tf2 does; return these."""
        usable = [message for message in transforms if _is_usable(message)]
        for message in usable:
            t, r = message.transform.translation, message.transform.rotation
            self._parents[_name(message.child_frame_id)] = (
                _name(message.header.frame_id),
                Pose((t.x, t.y, t.z), (r.x, r.y, r.z, r.w)),
            )
        return usable

    def transform(self, pose: Pose, source: str, target: str) -> Pose | None:
        """Return ``pose``, given in the frame ``source``, in ``target``; None: not connected."""
        above_source = self._ancestors(_name(source))
        for frame, from_target in self._ancestors(_name(target)).items():
            if frame in above_source:
                return from_target.inverse().transform(above_source[frame].transform(pose))
        return None

    def above(self, frame: str) -> list[str]:
        """Return ``frame`` and the frames above it, the nearest first."""
        return list(self._ancestors(_name(frame)))

    def _ancestors(self, frame: str) -> dict[str, Pose]:
        """Return where ``frame`` is in itself and in each frame above it, the nearest first."""
        found = {frame: Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))}
        pose = found[frame]
        while frame in self._parents:
            frame, step = self._parents[frame]
            if frame in found:
                break  # a loop: it leads nowhere else
            pose = found[frame] = step.transform(pose)
        return found


async def pose_in(node: ProgramNode, pose: PoseStamped, target: str) -> Pose:
    """Return ``pose`` in the frame ``target``. In a coroutine of the executor of ``node``.

    /tf and /tf_static are subscribed to only for a pose of another frame, and only until the
    frames are connected. Raises FrameError when they are not within TIMEOUT_S.
    """
    p, q = pose.pose.position, pose.pose.orientation
    given = Pose((p.x, p.y, p.z), (q.x, q.y, q.z, q.w))
    source = pose.header.frame_id
    if not source:
        raise FrameError("the pose has no frame_id")
    if _name(source) == _name(target):
        return given
    tree = TransformTree()
    found: ThreadsafeFuture[Pose | None] = ThreadsafeFuture(node.executor)

    def on_transforms(message: TFMessage) -> None:
        tree.update(message.transforms)
        result = tree.transform(given, source, target)
        if result is not None:
            found.set_result(result)

    subscriptions = [
        node.create_subscription(TFMessage, topic, on_transforms, profile)
        for topic, profile in (("/tf", qos.stream(100)), ("/tf_static", qos.LATCHED_BY_MANY))
    ]
    timer = node.steady_timer(TIMEOUT_S, lambda: found.set_result(None))
    try:
        result = await found
    finally:
        node.destroy_timer(timer)
        for subscription in subscriptions:
            node.destroy_subscription(subscription)
    if result is None:
        raise FrameError(f"TF does not connect the frame {source!r} with {target!r}")
    return result


def _is_usable(message: TransformStamped) -> bool:
    """Return whether the numbers are finite and the rotation is one."""
    at, turn = message.transform.translation, message.transform.rotation
    length = math.hypot(turn.x, turn.y, turn.z, turn.w)
    return abs(length - 1.0) < 1e-3 and all(math.isfinite(value) for value in (at.x, at.y, at.z))


def _name(frame: str) -> str:
    return frame.removeprefix("/")
