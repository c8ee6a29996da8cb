# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the ball is on the field, for other software: a Luar robot's ball as a PointStamped.

    ros2 run legacy_robots_examples ball_in_map --ros-args -r __ns:=/luar

The robot reports the ball in its own frame and its pose in the map, both with the stamp of the
camera image; this node joins what belongs together.
"""

from __future__ import annotations

import math
import sys
from typing import Any

from geometry_msgs.msg import Point, PointStamped, Pose, PoseWithCovarianceStamped
from soccer_model_msgs.msg import Ball

from legacy_robots_common.node.main import run
from legacy_robots_common.node.program_node import ProgramNode

MOST_WAITING = 30
"""Messages that may wait for their other half: a second of images."""


def to_map(point: Point, robot: Pose) -> Point:
    """Return a point of the robot's frame in the map; the robot stands on the ground."""
    yaw = 2.0 * math.atan2(robot.orientation.z, robot.orientation.w)
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return Point(
        x=robot.position.x + cosine * point.x - sine * point.y,
        y=robot.position.y + sine * point.x + cosine * point.y,
        z=point.z,
    )


class BallInMap(ProgramNode):
    """Publishes ``ball_in_map``."""

    def __init__(self) -> None:
        super().__init__("ball_in_map")
        self._waiting: dict[tuple[int, int], Any] = {}
        """By stamp, what came before its other half."""
        self._publisher = self.create_publisher(PointStamped, "ball_in_map", 10)
        self.create_subscription(PoseWithCovarianceStamped, "pose", self._join, 10)
        self.create_subscription(Ball, "ball", self._join, 10)

    def _join(self, message: PoseWithCovarianceStamped | Ball) -> None:
        """Publish when the other half with the same stamp is there, else wait for it."""
        stamp = (message.header.stamp.sec, message.header.stamp.nanosec)
        other = self._waiting.pop(stamp, None)
        if other is None:
            self._waiting[stamp] = message
            if len(self._waiting) > MOST_WAITING:
                del self._waiting[min(self._waiting)]
            return
        pose, ball = (other, message) if isinstance(message, Ball) else (message, other)
        point = to_map(ball.point.point, pose.pose.pose)
        self._publisher.publish(PointStamped(header=pose.header, point=point))


def main() -> None:
    """Run the node until SIGINT or SIGTERM."""
    sys.exit(run(BallInMap))
