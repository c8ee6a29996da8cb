# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is published at every step: clock, joints, odometry, frames, path and checkpoints."""

from __future__ import annotations

import math
from collections import deque

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry, Path
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Header, String

from legacy_robots_common.frames.link_transforms import LinkTransforms
from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_geometry.robot_model import RobotModel
from roboskate_bridge.bridge import conversions
from roboskate_bridge.bridge.course_topics import CourseTopics
from roboskate_bridge.bridge.parameters import Parameters
from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.crane import JOINT_NAMES

ODOM_FRAME, BASE_FRAME = "odom", "base_link"
PATH_PERIOD = 0.5
"""Seconds of simulated time between two messages of the path."""


class StateTopics:
    """Publishes one state at a time; everything of one state has one stamp.

    To be used on one thread, except ``stamp``.
    """

    def __init__(self, node: Node, parameters: Parameters, model: RobotModel) -> None:
        self._prefix = parameters.frame_prefix
        self._odom, self._base = self._prefix + ODOM_FRAME, self._prefix + BASE_FRAME
        self._links = LinkTransforms(model, self._prefix)
        self._joints = LazyPublisher(node, JointState, "joint_states", qos.stream())
        self._odometry = LazyPublisher(node, Odometry, "odom", qos.stream())
        self._path = _PathTopic(node, self._odom, parameters)
        self._course = CourseTopics(node, self._odom)
        self._clock = (
            # As simulators do: the newest time is the only one that matters.
            LazyPublisher(node, Clock, "/clock", qos.stream(10))
            if parameters.publish_clock
            else None
        )
        self._transforms = TransformBroadcaster(node) if parameters.publish_tf else None
        self._description = qos.publisher(node, String, "robot_description", qos.LATCHED)
        self._description.publish(String(data=model.urdf))
        if self._transforms is not None:
            # Fixed frames hold at all times; stamp 0 says so.
            self._transforms.send_static(self._links.fixed(Time()))
        self.stamp = Time()

    @property
    def wanted(self) -> bool:
        """Whether the state of every step has a subscriber."""
        return (
            self._joints.wanted
            or self._odometry.wanted
            or self._course.wanted
            or (self._transforms is not None and self._transforms.wanted)
        )

    @property
    def time_wanted(self) -> bool:
        """Whether any topic of a step has a subscriber, the time included."""
        return self.wanted or self._path.wanted or (self._clock is not None and self._clock.wanted)

    def publish_time(self, nanoseconds: int) -> None:
        """Publish the simulated time alone."""
        self.stamp = conversions.time_message(nanoseconds)
        if self._clock is not None:
            self._clock.publish(Clock(clock=self.stamp))

    def publish_state(self, board: BoardInRos, nanoseconds: int) -> None:
        """Publish a state of that simulated time."""
        # The clock first: who waits for it finds the state of its time right behind.
        self.publish_time(nanoseconds)
        stamp = self.stamp
        if self._transforms is not None and self._transforms.wanted:
            angles = dict(zip(JOINT_NAMES, board.joint_angles, strict=True))
            self._transforms.send(
                [
                    conversions.board_transform(board, stamp, self._odom, self._base),
                    *self._links.moving(angles, stamp),
                ]
            )
        # Joints before odometry: who acts on odometry has the joints of the same step.
        if self._joints.wanted:
            self._joints.publish(conversions.joint_state(board, stamp))
        if self._odometry.wanted:
            self._odometry.publish(conversions.odometry(board, stamp, self._odom, self._base))
        self._path.append_pose(board, nanoseconds)
        self._course.update(board.position[:2])

    def begin_level(self, level: int) -> None:
        """Forget the path: the board is somewhere else now."""
        self._path.clear()
        self._course.begin_level(level)


class _PathTopic:
    """The way that the board has come on this level, for drawing."""

    def __init__(self, node: Node, frame_id: str, parameters: Parameters) -> None:
        self._publisher = LazyPublisher(node, Path, "path", qos.LATCHED)
        self._frame_id = frame_id
        self._spacing = parameters.path_spacing
        self._poses: deque[PoseStamped] = deque(maxlen=parameters.path_length)
        self._last = (math.inf, math.inf, math.inf)
        self._due = 0

    @property
    def wanted(self) -> bool:
        return self._publisher.wanted

    def clear(self) -> None:
        self._poses.clear()
        self._last = (math.inf, math.inf, math.inf)
        self._due = 0

    def append_pose(self, board: BoardInRos, nanoseconds: int) -> None:
        stamp = conversions.time_message(nanoseconds)
        if math.dist(board.position, self._last) >= self._spacing:
            self._last = board.position
            self._poses.append(conversions.pose_stamped(board, stamp, self._frame_id))
        if nanoseconds >= self._due:
            self._due = nanoseconds + round(PATH_PERIOD * 1e9)
            if self._publisher.wanted:
                header = Header(stamp=stamp, frame_id=self._frame_id)
                self._publisher.publish(Path(header=header, poses=list(self._poses)))
