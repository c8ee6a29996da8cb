# SPDX-License-Identifier: Apache-2.0
"""A node that skates by itself: a demonstration, and an example of how to use the bridge.

It knows the bridge by its topics only: odometry and joints in, keys out, and ``reset`` when the
board has fallen off, is stuck or has reached the end.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

from legacy_robots_msgs.msg import RoboSkateKeys
from legacy_robots_msgs.srv import RoboSkateInitialize
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from legacy_robots_common import qos
from legacy_robots_common.main import run
from legacy_robots_common.parameters import declare_parameters, parameter
from legacy_robots_common.program_node import ProgramNode
from roboskate_bridge import conversions
from roboskate_bridge.controller import Skater
from roboskate_bridge.levels import PLAYABLE, CourseProgress
from roboskate_bridge.protocol import FORCE_RANGE, NO_KEYS, Keys

JUMP = 3.0
"""Metres between two messages that no board can go: a level has begun."""
FALLEN_BELOW = -7.0
"""Metres; the learning environment of the original gives up there too.

Source: docs/originals/roboskate.md.
"""


@dataclass(frozen=True)
class Parameters:
    """The autopilot's parameters."""

    level: int = parameter(
        0, "the level that is begun again and again", minimum=0, maximum=PLAYABLE - 1
    )
    whole_map: bool = parameter(True, "go on with the next levels' checkpoints after the last")
    force_scale: float = parameter(
        FORCE_RANGE, "the bridge's, in profile game: it is made for the force of a key",
        minimum=0.1, maximum=100000.0,
    )  # fmt: skip
    stuck_after: float = parameter(
        20.0, "s of simulated time without a metre of progress, after which it begins again",
        minimum=1.0, maximum=3600.0,
    )  # fmt: skip


class Autopilot(ProgramNode):
    """Drives along the checkpoints."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("autopilot", namespace="roboskate", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        self._keys = self.create_publisher(RoboSkateKeys, "command", 10)
        self._initialize = self.create_client(RoboSkateInitialize, "initialize")
        self._joints: JointState | None = None
        self._asking = False
        self._place: tuple[float, float, float] | None = None
        self._begin()
        self.create_subscription(JointState, "joint_states", self._on_joints, qos.stream(1))
        self.create_subscription(Odometry, "odom", self._on_odometry, qos.stream(1))

    def stop(self) -> None:
        """Release the keys."""
        self._keys.publish(conversions.keys_message(NO_KEYS))

    def _begin(self) -> None:
        level = self._settings.level
        self._skater = Skater(CourseProgress(level, whole_map=self._settings.whole_map))
        self._progress: tuple[float, tuple[float, float]] | None = None

    def _on_joints(self, message: JointState) -> None:
        self._joints = message

    def _on_odometry(self, message: Odometry) -> None:
        joints = self._joints
        if joints is None or self._asking:
            return
        board = conversions.board_of(message, joints)
        if self._place is not None and math.dist(self._place, board.position) > JUMP:
            self._begin()  # another client has begun a level
        self._place = board.position
        before = self._skater.course.reached
        scale = FORCE_RANGE / self._settings.force_scale
        keys = Keys(*(scale * value for value in self._skater.keys(board).values()))
        self._keys.publish(conversions.keys_message(keys))
        course = self._skater.course
        if course.reached != before:
            self.get_logger().info(f"checkpoint {course.reached} reached")
        if course.target is None:
            self._start_over("all checkpoints reached")
        elif board.position[2] < FALLEN_BELOW:
            self._start_over("the board has fallen off")
        elif self._is_stuck(message):
            self._start_over("the board is stuck")

    def _is_stuck(self, message: Odometry) -> bool:
        """Tell whether the board has been within a metre for too long, in simulated time."""
        now = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
        at = message.pose.pose.position
        if (
            self._progress is None
            or now < self._progress[0]
            or math.dist(self._progress[1], (at.x, at.y)) > 1.0
        ):
            self._progress = (now, (at.x, at.y))
        stuck: bool = now - self._progress[0] > self._settings.stuck_after
        return stuck

    def _start_over(self, reason: str) -> None:
        if not self._initialize.service_is_ready():
            return
        self.get_logger().info(f"{reason}: beginning level {self._settings.level} again")
        self._asking = True
        request = RoboSkateInitialize.Request(level=self._settings.level)
        self._initialize.call_async(request).add_done_callback(self._started_over)

    def _started_over(self, future: Any) -> None:
        self._asking = False
        self._begin()
        response = future.result()
        if not response.success:
            self.get_logger().error(f"the level cannot be begun again: {response.message}")


def main() -> None:
    """Run the autopilot until SIGINT or SIGTERM."""
    sys.exit(run(Autopilot, Parameters))
