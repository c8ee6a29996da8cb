# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The poses to which a robot in ROS is sent for a way through the rooms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from geometry_msgs.msg import PoseStamped
from std_msgs.msg import Header

from nao_goal_bridge.model.room_map import Room, RoomMap
from nao_goal_bridge.model.walks import corners


def legs(room_map: RoomMap, frame: str, here: int, way: Sequence[int]) -> list[PoseStamped]:
    """Return the ends of the straight legs of a way from the room ``here``."""
    stops = [room_map.rooms[number] for number in (here, *corners(room_map, here, way))]
    return [_pose(frame, *leg) for leg in pairwise(stops)]


def _pose(frame: str, start: Room, end: Room) -> PoseStamped:
    """Return the pose in the middle of the room ``end``, in the direction of the way there."""
    yaw = math.atan2(end.y - start.y, end.x - start.x)
    pose = PoseStamped(header=Header(frame_id=frame))
    pose.pose.position.x, pose.pose.position.y = end.x, end.y
    pose.pose.orientation.z, pose.pose.orientation.w = math.sin(yaw / 2), math.cos(yaw / 2)
    return pose
