# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The limits of a robot's joints, of position (rad) and speed (rad/s). No ROS."""

from __future__ import annotations

import math
from collections.abc import Iterable

from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_trajectories.joint_trajectory import JointLimits
from luar_bridge.model import darwin_op
from luar_bridge.model.motion import JOINTS
from luar_bridge.model.robot_description import urdf

NAO, DARWIN_OP = "nao", "darwin_op"
GROUPS = {"head": ("Head",), "larm": ("LShoulder", "LElbow"), "rarm": ("RShoulder", "RElbow")}
GROUPS |= {f"{s}leg": (f"{s.upper()}Hip", f"{s.upper()}Knee", f"{s.upper()}Ankle") for s in "lr"}
"""How the names of a group's joints begin, by the original's names of the groups."""


def joint_limits(platform: str = NAO) -> dict[str, JointLimits]:
    """Return the limits of each joint, in the order of dcmSensor; a Nao's are its URDF's."""
    if platform == DARWIN_OP:
        return {
            name: JointLimits(math.radians(lower), math.radians(upper), darwin_op.MAX_SPEED)
            for name, (lower, upper) in darwin_op.RANGES_DEG.items()
        }
    joints = {joint.name: joint for joint in RobotModel(urdf()).joints}
    return {
        name: JointLimits(joints[name].lower, joints[name].upper, joints[name].max_speed)
        for name in JOINTS
    }


def group(name: str, known: Iterable[str]) -> list[str]:
    """Return the joints of a group (head, larm, rarm, lleg, rleg, body), or what is no group."""
    if name == "body":
        return list(known)
    if name not in GROUPS:
        return [name]
    return [joint for joint in known if joint.startswith(GROUPS[name])]
