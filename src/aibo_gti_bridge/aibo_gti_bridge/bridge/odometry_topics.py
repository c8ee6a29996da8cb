# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Publishes the dead reckoning: ``odom``, and odom → base_footprint → base_link on ``/tf``.

``initialpose`` says where the robot is, as robot_localization's ``set_pose`` does: odom jumps.
"""

from __future__ import annotations

from math import isfinite

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped, TransformStamped
from nav_msgs.msg import Odometry as OdometryMessage
from std_msgs.msg import Header

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.link import WalkConfirmed
from aibo_gti_bridge.bridge.odometry import Odometry
from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.model import kinematics
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.protocol.sensors import Reading
from legacy_robots_common.frames.transform_tree import FrameError, pose_in
from legacy_robots_common.goals.drive import Place
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.program_node import ProgramNode

LEG_JOINTS = frozenset(NAMES[:12])


class OdometryTopics:
    """Follows the walks that the robot has confirmed. Called on the link's thread."""

    def __init__(self, node: ProgramNode, parameters: Parameters) -> None:
        limits = parameters.velocity_limits
        self._node = node
        self._odometry = Odometry(
            (limits.forward, limits.sideways, limits.turn), parameters.step_period
        )
        self._publisher = LazyPublisher(node, OdometryMessage, "odom")
        self._frames = tuple(
            parameters.frame_prefix + name for name in ("odom", "base_footprint", "base_link")
        )
        self._told: tuple[float, float, float] | None = None
        qos.subscription(
            node, PoseWithCovarianceStamped, "initialpose", self._on_initial_pose, qos.stream(1)
        )

    @property
    def frame(self) -> str:
        """The frame in which the robot's place is known."""
        return self._frames[0]

    @property
    def place(self) -> Place:
        """Where the robot is in ``frame``. Thread-safe."""
        return Place(self._odometry.x, self._odometry.y, self._odometry.yaw)

    @property
    def walking(self) -> bool:
        """Whether the robot walks, or is still coming to a stop. On the link's thread."""
        return self._odometry.walking

    def _on_initial_pose(self, message: PoseWithCovarianceStamped) -> None:
        """Take a place from a person or a localization. On the executor."""

        async def take() -> None:
            pose = PoseStamped(header=message.header, pose=message.pose.pose)
            try:
                found = await pose_in(self._node, pose, self.frame)
            except FrameError as error:
                self._node.get_logger().warning(f"initialpose is not taken: {error}")
                return
            x, y, _ = found.translation
            if all(map(isfinite, (x, y, found.yaw))):
                self._told = (x, y, found.yaw)  # taken by the link's thread

        self._node.call_soon(take)

    def follow(self, walk: WalkConfirmed) -> None:
        """Take a walk."""
        # A stepped robot does in a step all that was sent in it; its answer is chance, then.
        latency = 0.0 if self._node.follows_clock else walk.confirmed - walk.time
        self._odometry.command(walk.time, walk.command, latency)

    def publish(self, reading: Reading) -> None:
        """Publish the pose at the time of a reading."""
        self._odometry.advance(reading.time)
        if self._told is not None:
            reported, self._told = self._told, None
            self._odometry.place(*reported)
        if self._publisher.wanted:
            header = Header(stamp=self._node.stamp(reading.time), frame_id=self._frames[0])
            message = conversions.odometry(self._odometry, header, self._frames[1])
            self._publisher.publish(message)

    def transforms(self, reading: Reading, stamp: Time) -> list[TransformStamped]:
        """Return where the robot is and how its body stands there, at the time of a reading.

        Without the latter where a joint of the legs is not reported.
        """
        odom, footprint, body = self._frames
        place = (self._odometry.x, self._odometry.y, 0.0)
        found = [
            conversions.transform(
                Header(stamp=stamp, frame_id=odom), footprint, place, yaw=self._odometry.yaw
            )
        ]
        if reading.positions.keys() >= LEG_JOINTS:
            stance = kinematics.stance(reading.positions)
            found.append(
                conversions.transform(
                    Header(stamp=stamp, frame_id=footprint),
                    body,
                    (0.0, 0.0, stance.height),
                    roll=stance.roll,
                    pitch=stance.pitch,
                )
            )
        return found

    def leave(self, time: float) -> None:
        """Lose the robot at ``time`` (monotonic clock, s)."""
        self._odometry.leave(time)
