# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a robot in ROS is, whether it moves, and which markers it sees."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.frames.transform_listener import TransformListener
from legacy_robots_common.node import qos
from legacy_robots_geometry.rotations import Pose
from nao_goal_bridge.host.parameters import Parameters
from nao_goal_bridge.model.room_map import RoomMap
from nao_goal_bridge.model.walks import in_sight

MARK_ON_WALL = 0.5
"""Rooms from the centre of a room to the mark on its wall (docs/originals/nao.md)."""
DETECTION_LIFETIME_S = 3.0
"""How long a detected marker counts as in sight."""
MOST_ROOMS = 1000
"""What is farther away, or not a number, is no marker."""
_MARKER = re.compile(r"\d{1,9}")
MOTION_WINDOW_S = 1.0
"""Over which a speed is measured."""
RADIUS_OF_ROOM = 0.4
"""Of the room size: where ``room_radius`` is not given."""


class Senses:
    """Reads /tf, and the detections if there are any. Used on the node's executor."""

    def __init__(self, node: BridgeNode, parameters: Parameters, room_map: RoomMap) -> None:
        self._node = node
        self._map = room_map
        self._transforms = TransformListener(node)
        self._map_frame = parameters.frame_prefix + parameters.map_frame
        self._base_frame = parameters.frame_prefix + parameters.base_frame
        self._timeout = parameters.pose_timeout
        self._radius = parameters.room_radius or RADIUS_OF_ROOM * room_map.room_size
        self._reach = parameters.sight_range
        self._moving_speed = parameters.moving_speed
        self._motion: list[tuple[float, tuple[float, float]]] = []
        self._detected: dict[int, tuple[int, float]] = {}  # rooms, and when
        self._by_detections = bool(parameters.detections)
        self.room: int | None = None
        """Marker id of the room that it entered last; None while its pose is not known."""
        self.expected_room: int | None = None
        """Room of the last walk's end: the robot is in it where no other one is nearer.

        How near to its goal a navigation stops is not known here.
        """
        if self._by_detections:
            from vision_msgs.msg import Detection3DArray

            profile = qos.stream()
            qos.subscription(
                node, Detection3DArray, parameters.detections, self._on_detections, profile
            )

    def look(self) -> None:
        """Determine the room again."""
        pose = self._pose()
        if pose is None:
            self.room = None
            self._motion.clear()
            return
        x, y, _ = pose.translation
        self._note_motion(x, y)
        room = min(self._map.rooms.values(), key=lambda r: math.hypot(r.x - x, r.y - y))
        within = math.hypot(room.x - x, room.y - y) <= self._radius
        if within or self.room is None or room.marker_id == self.expected_room:
            self.room = room.marker_id

    def forget_motion(self) -> None:
        """Measure the speed from now on."""
        self._motion.clear()

    @property
    def moves(self) -> bool:
        """Whether the robot has moved over the last MOTION_WINDOW_S seconds."""
        if not self._motion:
            return False
        (begun, start), (ended, end) = self._motion[0], self._motion[-1]
        passed = ended - begun
        return (
            passed >= MOTION_WINDOW_S / 2 and math.dist(start, end) > self._moving_speed * passed
        )

    @property
    def in_sight(self) -> Mapping[int, int]:
        """The markers in sight and how many rooms they are away, rounded down."""
        if self._by_detections:
            self._forget_detections()
            return {marker: rooms for marker, (rooms, _) in self._detected.items()}
        if self.room is None:
            return {}
        markers = in_sight(self._map, self.room).items()
        return {m: rooms for m, rooms in markers if rooms + MARK_ON_WALL <= self._reach}

    def why_no_room(self) -> str:
        """Return a sentence for a command that needs the robot's place."""
        frames = f"from {self._map_frame} to {self._base_frame}"
        return f"the robot's place is not known: /tf has no transform {frames} of late"

    @property
    def pose_age(self) -> float:
        """Seconds since the last new pose on /tf; 0 while there was none."""
        return self._transforms.age(self._base_frame, self._map_frame)

    def _pose(self) -> Pose | None:
        if self.pose_age > self._timeout:
            return None
        return self._transforms.pose(self._base_frame, self._map_frame)

    def _note_motion(self, x: float, y: float) -> None:
        now = time.monotonic()
        self._motion.append((now, (x, y)))
        while now - self._motion[0][0] > MOTION_WINDOW_S:
            self._motion.pop(0)

    def _forget_detections(self) -> None:
        """Forget those that count no longer."""
        oldest = time.monotonic() - DETECTION_LIFETIME_S
        self._detected = {
            m: (r, seen) for m, (r, seen) in self._detected.items() if seen >= oldest
        }

    def _on_detections(self, message: Any) -> None:
        now = time.monotonic()
        self._forget_detections()
        for detection in message.detections:
            frame = detection.header.frame_id or message.header.frame_id
            camera = self._transforms.pose(frame, self._base_frame)
            best = max(detection.results, key=lambda r: r.hypothesis.score, default=None)
            if best is None:
                continue
            if camera is None:
                text = f"/tf does not connect the frame {frame!r} with {self._base_frame}"
                self._node.on_problem("unusable detections", text)
                continue
            text, at = best.hypothesis.class_id, best.pose.pose.position
            x, y, _ = camera.transform(Pose((at.x, at.y, at.z), camera.rotation)).translation
            rooms = math.hypot(x, y) / self._map.room_size
            if _MARKER.fullmatch(text) is None or not rooms < MOST_ROOMS:
                problem = f"a detection of class id {text!r}, {rooms:g} rooms away, is no marker"
                self._node.on_problem("unusable detections", problem)
                continue
            self._detected[int(text)] = (int(rooms), now)
