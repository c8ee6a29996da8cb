# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A wheeled toy robot: it serves NavigateToPose and broadcasts where it is, and nothing else.

It stands in for a robot with Nav2 where the host is tried out. It drives straight through walls.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import TransformStamped
from nav2_msgs.action import NavigateToPose
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle

from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture

STEP_S = 0.05
TURNING = 3.0
"""rad/s."""


@dataclass(frozen=True)
class Parameters:
    """The toy robot's parameters."""

    toy_speed: float = parameter(0.5, "speed, m/s", minimum=0.01, maximum=100.0)
    toy_start: list[float] = parameter(
        [0.0, 0.0], "x and y in the map frame at the start, m", items=2
    )
    map_frame: str = parameter("map", "frame in which it drives")
    base_frame: str = parameter("base_link", "its own frame")
    frame_prefix: str = parameter("", "put before both frames")


class ToyRobot(ProgramNode):
    """Turns towards its goal, drives there, and turns to the goal's heading."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("toy_robot", **{"namespace": "nao_host", **node_arguments})
        p = self._settings = declare_parameters(self, Parameters)
        self._x, self._y = p.toy_start
        self._yaw = 0.0
        self._handle: ServerGoalHandle | None = None
        self._end: ThreadsafeFuture[bool] | None = None
        self._transforms = TransformBroadcaster(self)
        self._server = ActionServer(
            self, NavigateToPose, "navigate_to_pose", self._drive,
            cancel_callback=lambda handle: CancelResponse.ACCEPT,
        )  # fmt: skip
        self.steady_timer(STEP_S, self._step)

    async def _drive(self, handle: ServerGoalHandle) -> NavigateToPose.Result:
        self.stop()  # a new goal takes the place of the one before
        self._handle, self._end = handle, ThreadsafeFuture(self.executor)
        arrived = await self._end
        if arrived:
            handle.succeed()
        elif handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        return NavigateToPose.Result()

    def stop(self) -> None:
        """End the goal that it drives to."""
        if self._end is not None:
            self._end.set_result(False)
            self._handle = self._end = None

    def destroy_node(self) -> None:
        """Destroy the action server, too."""
        self._server.destroy()
        super().destroy_node()

    def _step(self) -> None:
        if self._handle is not None and self._end is not None:
            if self._handle.is_cancel_requested:
                self.stop()
            elif self._is_there(self._handle.request.pose.pose):
                self._end.set_result(True)
                self._handle = self._end = None
        self._broadcast()

    def _is_there(self, pose: Any) -> bool:
        """Move a step towards a pose; return whether it is reached."""
        ahead_x, ahead_y = pose.position.x - self._x, pose.position.y - self._y
        left, step = math.hypot(ahead_x, ahead_y), self._settings.toy_speed * STEP_S
        if left > 1e-6 and self._has_turned(math.atan2(ahead_y, ahead_x)):
            self._x += ahead_x * min(1.0, step / left)
            self._y += ahead_y * min(1.0, step / left)
        turn = pose.orientation
        return left <= 1e-6 and self._has_turned(2.0 * math.atan2(turn.z, turn.w))

    def _has_turned(self, yaw: float) -> bool:
        left = math.remainder(yaw - self._yaw, math.tau)
        self._yaw += math.copysign(min(abs(left), TURNING * STEP_S), left)
        return abs(left) <= TURNING * STEP_S

    def _broadcast(self) -> None:
        p, transform = self._settings, TransformStamped()
        transform.header.stamp = self.stamp()
        transform.header.frame_id = p.frame_prefix + p.map_frame
        transform.child_frame_id = p.frame_prefix + p.base_frame
        where = transform.transform
        where.translation.x, where.translation.y = self._x, self._y
        where.rotation.z, where.rotation.w = math.sin(self._yaw / 2), math.cos(self._yaw / 2)
        self._transforms.send([transform])


def main() -> None:
    """Run the toy robot until SIGINT or SIGTERM."""
    sys.exit(run(ToyRobot, Parameters))
