# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated robot on a soccer field that Lua can drive: wheels, or a Nao's legs, and a camera.

It has nothing of Luar: velocities, odometry, joints and images, as any robot in ROS has.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import Image, Imu, JointState
from std_msgs.msg import Float64MultiArray, Header

from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_geometry.rotations import quaternion_of
from luar_bridge.demonstration.legs import Legs
from luar_bridge.model.motion import HEAD_JOINTS, JOINTS
from luar_bridge.model.pose import Pose, pose_global, pose_relative
from luar_bridge.protocol.labels import webots_yuyv_to_rgb
from luar_bridge.simulator.camera import Camera

STEP_S = 0.01
CYCLES_PER_IMAGE = 5
JOINT_SPEED = 6.0
"""rad/s."""
WATCHDOG_S = 0.2
"""Time without cmd_vel after which the wheels stand."""


@dataclass(frozen=True)
class Parameters:
    """The simulated robot's parameters."""

    legs: bool = parameter(False, "it walks on a Nao's legs, by joint commands, without wheels")
    enable_stamped_cmd_vel: bool = parameter(False, "cmd_vel is a TwistStamped instead of a Twist")
    start: list[float] = parameter(
        [-1.0, 0.0, 0.0], "x, y (m) and heading (rad) at the start", items=3
    )
    ball: list[float] = parameter([0.5, 0.3], "x and y of the ball, m; it lies there", items=2)
    odom_frame: str = parameter("odom", "frame of odom")
    base_frame: str = parameter("base_link", "the robot's own frame")
    camera_frame: str = parameter("camera_optical_frame", "frame of image")


class FieldRobot(ProgramNode):
    """Follows its commands at each step; raises ParameterError."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("field_robot", **{"namespace": "field_robot", **node_arguments})
        p = self._settings = declare_parameters(self, Parameters)
        self._begin: Pose = (p.start[0], p.start[1], p.start[2])
        self._ball = p.ball[0], p.ball[1]
        self._joints = JOINTS if p.legs else HEAD_JOINTS
        self._positions = [0.0] * len(self._joints)
        self._goal = list(self._positions)
        self._legs = Legs(self._begin) if p.legs else None
        self._pose = self._begin
        self._twist: Pose = (0.0, 0.0, 0.0)
        self._driven_at = -math.inf
        self._camera = Camera()
        self._cycle = 0
        stream = qos.stream(5)
        self._odometry = qos.publisher(self, Odometry, "odom", stream)
        self._states = qos.publisher(self, JointState, "joint_states", stream)
        self._imu = qos.publisher(self, Imu, "imu", stream)
        self._images = qos.publisher(self, Image, "image", stream)
        qos.subscription(
            self, Float64MultiArray, "joint_group_position_controller/commands",
            self._on_commands, stream,
        )  # fmt: skip
        if not p.legs and p.enable_stamped_cmd_vel:
            qos.subscription(
                self, TwistStamped, "cmd_vel", lambda m: self._on_twist(m.twist), stream
            )
        elif not p.legs:
            qos.subscription(self, Twist, "cmd_vel", self._on_twist, stream)
        self.timer(STEP_S, self._step)

    def _on_twist(self, message: Twist) -> None:
        self._twist = message.linear.x, message.linear.y, message.angular.z
        self._driven_at = self.now()

    def _on_commands(self, message: Float64MultiArray) -> None:
        if len(message.data) == len(self._goal) and all(map(math.isfinite, message.data)):
            self._goal = list(message.data)

    def _step(self) -> None:
        most = JOINT_SPEED * STEP_S
        self._positions = [
            at + min(max(goal - at, -most), most)
            for at, goal in zip(self._positions, self._goal, strict=True)
        ]
        if self._legs is not None:
            self._pose = self._legs.follow(self._positions)
        elif self.now() - self._driven_at < WATCHDOG_S:
            x, y, turn = (STEP_S * v for v in self._twist)
            self._pose = pose_global((x, y, turn), self._pose)
        self._cycle += 1
        self._report(self.stamp())

    def _report(self, stamp: Any) -> None:
        p = self._settings
        states = JointState(header=Header(stamp=stamp), name=list(self._joints))
        states.position = self._positions
        self._states.publish(states)
        imu = Imu(header=Header(stamp=stamp, frame_id=p.base_frame))
        self._imu.publish(imu)  # it stays upright
        x, y, yaw = pose_relative(self._pose, self._begin)
        odometry = Odometry(header=Header(stamp=stamp, frame_id=p.odom_frame))
        odometry.child_frame_id = p.base_frame
        at = odometry.pose.pose
        at.position.x, at.position.y = x, y
        q = at.orientation
        q.x, q.y, q.z, q.w = quaternion_of(0.0, 0.0, yaw)
        self._odometry.publish(odometry)
        if self._cycle % CYCLES_PER_IMAGE == 0:
            self._publish_image(stamp)

    def _publish_image(self, stamp: Any) -> None:
        yaw, pitch = self._positions[:2]
        rgb = webots_yuyv_to_rgb(self._camera.look(self._pose, yaw, pitch, self._ball).yuyv)
        height, width = rgb.shape[:2]
        header = Header(stamp=stamp, frame_id=self._settings.camera_frame)
        image = Image(header=header, height=height, width=width, encoding="rgb8", step=3 * width)
        image.data = rgb.tobytes()
        self._images.publish(image)


def main() -> None:
    """Run the simulated robot until SIGINT or SIGTERM."""
    sys.exit(run(FieldRobot, Parameters))


if __name__ == "__main__":
    main()
