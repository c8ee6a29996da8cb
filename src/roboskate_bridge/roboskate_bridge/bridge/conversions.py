# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""From what the game says to ROS messages: pure functions; units and axes are coordinates.py's."""

from __future__ import annotations

import math

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import (
    Point,
    Pose,
    PoseStamped,
    Transform,
    TransformStamped,
    Twist,
    Vector3,
)
from geometry_msgs.msg import Quaternion as QuaternionMessage
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo, JointState
from std_msgs.msg import Header

from legacy_robots_geometry.rotations import Quaternion
from legacy_robots_msgs.msg import RoboSkateKeys
from roboskate_bridge.bridge.game_clock import NANOSECONDS
from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.crane import JOINT_NAMES
from roboskate_game.protocol.messages import ImageSize, Keys, Vector

VARIANCE = 1e-8
"""Of the state that a game reports, in squares of m, rad, m/s and rad/s: 0.1 mm and the like.

Steps of float32 are 0.03 mm at 300 m, beyond the end of the longest level.
"""
_COVARIANCE = np.diag([VARIANCE] * 6).ravel()


def time_message(nanoseconds: int) -> Time:
    """Return simulated time as a stamp."""
    seconds, rest = divmod(nanoseconds, NANOSECONDS)
    return Time(sec=seconds, nanosec=rest)


def nanoseconds(stamp: Time) -> int:
    """Return a stamp in nanoseconds."""
    return int(stamp.sec * NANOSECONDS + stamp.nanosec)


def keys_of(message: RoboSkateKeys) -> Keys:
    """Return the key fractions of a command, not clamped yet."""
    return Keys(message.right_left, message.a_d, message.w_e)


def joint_state(board: BoardInRos, stamp: Time) -> JointState:
    """Return the crane's joints in rad and rad/s."""
    return JointState(
        header=Header(stamp=stamp),
        name=list(JOINT_NAMES),
        position=list(board.joint_angles),
        velocity=list(board.joint_velocities),
    )


def pose(board: BoardInRos) -> Pose:
    """Return the board's pose in odom."""
    return Pose(position=_point(board.position), orientation=_quaternion(board.orientation))


def odometry(board: BoardInRos, stamp: Time, frame_id: str, child_frame_id: str) -> Odometry:
    """Return pose in odom and twist in base_link, as REP-105's users expect it.

    The game reports its own state, so only float32 and the axes' conversion make it uncertain.
    """
    message = Odometry(
        header=Header(stamp=stamp, frame_id=frame_id), child_frame_id=child_frame_id
    )
    message.pose.pose = pose(board)
    message.pose.covariance = message.twist.covariance = _COVARIANCE
    message.twist.twist = Twist(
        linear=_vector(board.linear_velocity), angular=_vector(board.angular_velocity)
    )
    return message


def pose_stamped(board: BoardInRos, stamp: Time, frame_id: str) -> PoseStamped:
    """Return the board's pose in odom with its stamp."""
    return PoseStamped(header=Header(stamp=stamp, frame_id=frame_id), pose=pose(board))


def board_transform(
    board: BoardInRos, stamp: Time, frame_id: str, child_frame_id: str
) -> TransformStamped:
    """Return the transform odom -> base_link."""
    return TransformStamped(
        header=Header(stamp=stamp, frame_id=frame_id),
        child_frame_id=child_frame_id,
        transform=Transform(
            translation=_vector(board.position), rotation=_quaternion(board.orientation)
        ),
    )


def camera_info(size: ImageSize, vertical_fov: float) -> CameraInfo:
    """Return the calibration of an ideal pinhole camera.

    Source: docs/originals/roboskate.md, "ROS 2 conventions". ``vertical_fov`` is in rad, as
    Unity's field of view is vertical; the centre of the image is the principal point and there is
    no distortion. Header and stamp are left empty.
    """
    focal = size.height / (2.0 * math.tan(vertical_fov / 2.0))
    cx, cy = size.width / 2.0, size.height / 2.0
    return CameraInfo(
        width=size.width,
        height=size.height,
        distortion_model="plumb_bob",
        d=[0.0] * 5,
        k=[focal, 0.0, cx, 0.0, focal, cy, 0.0, 0.0, 1.0],
        r=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p=[focal, 0.0, cx, 0.0, 0.0, focal, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
    )


def _vector(v: Vector) -> Vector3:
    return Vector3(x=v[0], y=v[1], z=v[2])


def _point(v: Vector) -> Point:
    return Point(x=v[0], y=v[1], z=v[2])


def _quaternion(q: Quaternion) -> QuaternionMessage:
    return QuaternionMessage(x=q[0], y=q[1], z=q[2], w=q[3])
