# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals as Nav2's clients send them, for tests."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import Point, Pose, PoseStamped
from nav2_msgs.action import NavigateThroughPoses, NavigateToPose
from std_msgs.msg import Header

from legacy_robots_common.frames.transforms import quaternion_message
from legacy_robots_testing.ros_peer import Goal, RosPeer


def pose(x: float, y: float, frame: str = "map", yaw: float = 0.0) -> PoseStamped:
    """Return a pose on the ground: m and rad."""
    return PoseStamped(
        header=Header(frame_id=frame),
        pose=Pose(
            position=Point(x=float(x), y=float(y)),
            orientation=quaternion_message(0.0, 0.0, yaw),
        ),
    )


def send_to(peer: RosPeer, robot: str, target: PoseStamped, behavior_tree: str = "") -> Goal:
    """Send a goal to ``navigate_to_pose`` in the namespace of a robot."""
    goal = NavigateToPose.Goal(pose=target, behavior_tree=behavior_tree)
    return peer.send_goal(NavigateToPose, f"{robot}/navigate_to_pose", goal)


def send_through(peer: RosPeer, robot: str, *targets: PoseStamped) -> Goal:
    """Send a goal to ``navigate_through_poses`` in the namespace of a robot."""
    goal = NavigateThroughPoses.Goal()
    if hasattr(goal.poses, "goals"):  # a nav_msgs/Goals since Kilted
        goal.poses.goals = list(targets)
    else:
        goal.poses = list(targets)
    return peer.send_goal(NavigateThroughPoses, f"{robot}/navigate_through_poses", goal)


def ended(goal: Goal, status: int, error_code: int = 0) -> Any:
    """Wait for the end of a goal; assert what it is, and return its sentence."""
    end = goal.end()
    assert (end.status, end.result.error_code) == (status, error_code), end.result.error_msg
    return end.result.error_msg
