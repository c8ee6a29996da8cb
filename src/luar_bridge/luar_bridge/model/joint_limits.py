# SPDX-License-Identifier: Apache-2.0
"""The limits of a Nao's joints, of position (rad) and speed (rad/s), from its URDF. No ROS."""

from __future__ import annotations

from legacy_robots_common.frames.robot_model import RobotModel
from legacy_robots_common.goals.joint_trajectory import JointLimits
from luar_bridge.model.robot_description import urdf


def joint_limits() -> dict[str, JointLimits]:
    """Return the limits of each joint by name."""
    return {
        joint.name: JointLimits(joint.lower, joint.upper, joint.max_speed)
        for joint in RobotModel(urdf()).joints
        if joint.moves
    }
