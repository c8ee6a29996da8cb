# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a driver reads in the bridge's messages, and says to it: pure functions."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from legacy_robots_geometry.rotations import matrix_of
from legacy_robots_msgs.msg import RoboSkateKeys
from roboskate_game.model.coordinates import BoardInRos, out_of_frame
from roboskate_game.protocol.messages import Keys


def keys_message(keys: Keys, until: float = 0.0) -> RoboSkateKeys:
    """Return the command that holds keys down, each from -1 to 1.

    ``until``: simulated time (s) at which the game waits for the next command; 0: it does not.
    """
    seconds, nanoseconds = divmod(round(until * 1e9), 1_000_000_000)
    return RoboSkateKeys(
        right_left=keys.right_left,
        a_d=keys.a_d,
        w_e=keys.w_e,
        until=Time(sec=seconds, nanosec=nanoseconds),
    )


def board_of(odometry_message: Odometry, joints: JointState) -> BoardInRos:
    """Return what odometry and joint states say: the inverse of bridge.conversions."""
    position, q = odometry_message.pose.pose.position, odometry_message.pose.pose.orientation
    linear = odometry_message.twist.twist.linear
    angular = odometry_message.twist.twist.angular
    x, y, z = matrix_of((q.x, q.y, q.z, q.w)).tolist()
    rotation = (tuple(x), tuple(y), tuple(z))
    velocity = (linear.x, linear.y, linear.z)
    a, b, c = joints.position
    d, e, f = joints.velocity
    return BoardInRos(
        position=(position.x, position.y, position.z),
        rotation=rotation,
        linear_velocity=velocity,
        angular_velocity=(angular.x, angular.y, angular.z),
        linear_velocity_world=out_of_frame(rotation, velocity),
        joint_angles=(a, b, c),
        joint_velocities=(d, e, f),
    )
