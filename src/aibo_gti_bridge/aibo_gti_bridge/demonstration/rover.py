# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated robot that is no AIBO, in ROS 2: what gti_host is tried on.

``kind`` chooses a wheeled robot with a pan-tilt head (the map ``pan_tilt``) or a quadruped with a
fixed head and the names of go2_ros2_sdk (the map ``quadruped``). Both stand in the room of the
simulated dog. Simplified: no slipping, no wheels, a detector that knows every ball.
"""

from __future__ import annotations

import enum
import math
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import Quaternion, Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, CameraInfo, Imu, JointState, LaserScan, Range
from std_msgs.msg import Bool, Header
from std_srvs.srv import Trigger

from aibo_gti_bridge.model.kinematics import Matrix, Vector
from aibo_gti_bridge.model.room import Ball, Room
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters, parameter
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_common.node.times import seconds
from legacy_robots_common.node.velocity_input import VelocityInput
from legacy_robots_geometry.rotations import matrix_about

PERIOD_S = 0.04
RADIUS_M = 0.15
ACCELERATION = (1.0, 1.0, 4.0)
"""m/s², m/s², rad/s²"""
HEAD_SPEED_RAD_S = 3.0
EYE = (0.08, 0.0, 0.20)
"""Where the head turns, and the camera is, in the base's frame, m."""
IMAGE = (640, 480)
FOCAL = 320.0 / math.tan(math.radians(35.0))
"""Pixels: a camera with 70 degrees, wider than the dog's."""
PRESS_S = 0.5
HEAD_LIMITS = {"head_pan": (-1.6, 1.6), "head_tilt": (-0.8, 1.1)}


@dataclass(frozen=True)
class Kind:
    """What differs between the robots."""

    limits: tuple[float, float, float]
    head: tuple[str, ...]
    still_joints: Mapping[str, float]
    detections: str
    camera_info: str
    class_id: str
    """With COLOUR in the place of a ball's colour."""


_LEGS = {"hip": 0.0, "thigh": 0.8, "calf": -1.5}
KINDS = {
    "pan_tilt": Kind((0.3, 0.0, 1.5), ("head_pan", "head_tilt"), {}, "detections", "camera_info",
                     "COLOUR_ball"),
    "quadruped": Kind(
        (0.5, 0.3, 1.0), (),
        {f"{leg}_{part}_joint": angle for leg in ("FL", "FR", "RL", "RR")
         for part, angle in _LEGS.items()},
        "detected_objects", "camera/camera_info", "sports ball",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Parameters:
    """Read once at the start."""

    kind: str = parameter("pan_tilt", "which robot", choices=tuple(KINDS))
    x: float = parameter(-0.8, "where it stands at the start, m", minimum=-1.4, maximum=1.4)
    y: float = parameter(0.0, "the same, m", minimum=-1.1, maximum=1.1)
    yaw: float = parameter(0.0, "direction at the start, rad", minimum=-math.pi, maximum=math.pi)
    ball: list[float] = parameter([0.30, 0.40], "x and y of the pink ball, m; empty: no ball")
    enable_stamped_cmd_vel: bool = parameter(False, "cmd_vel is a TwistStamped instead of a Twist")
    cmd_vel_timeout: float = parameter(
        0.4, "seconds after the last cmd_vel until the robot stops", minimum=0.05, maximum=10.0
    )


class Outcome(enum.IntEnum):
    """How a head goal ends."""

    SUCCEEDED = 0
    CANCELED = 1
    INVALID = -1
    LINK_LOST = -2
    SHUTDOWN = -3
    INTERRUPTED = -4


class HeadAction(GoalServer[Goal]):
    """FollowJointTrajectory of the head, as ros2_control's controller: all joints, newest goal."""

    def __init__(self, node: Rover) -> None:
        name = "head_controller/follow_joint_trajectory"
        super().__init__(node, FollowJointTrajectory, name, Outcome, needs_link=False)
        self.rover = node

    def begin(self, goal: Goal) -> None:
        """Follow the points in straight lines."""
        trajectory = goal.request.trajectory
        if set(trajectory.joint_names) != set(HEAD_LIMITS):
            raise GoalRefusedError(f"a goal must have the joints {', '.join(HEAD_LIMITS)}")
        for other in self.goals:
            if other is not goal:
                other.end(Outcome.INTERRUPTED, "a newer goal")
        self.rover.follow(
            [
                (seconds(point.time_from_start),
                 dict(zip(trajectory.joint_names, point.positions, strict=True)))
                for point in trajectory.points
            ],
            lambda: goal.end(Outcome.SUCCEEDED, "the head is there"),
        )  # fmt: skip

    def cancel(self, goal: Goal) -> bool:
        """Hold the head."""
        self.rover.follow([], lambda: None)
        goal.end(Outcome.CANCELED, "the head stays")
        return True

    def result(self, goal: Goal, ending: Ending) -> FollowJointTrajectory.Result:
        """Return the result message."""
        code = 0 if ending.outcome is Outcome.SUCCEEDED else -1
        return FollowJointTrajectory.Result(error_code=code, error_string=ending.message)


class Rover(BridgeNode):
    """A simulated wheeled robot or quadruped with a camera and a detector of balls."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("rover", hardware_id="rover", namespace="rover", **node_arguments)
        self._settings = p = declare_parameters(self, Parameters)
        if len(p.ball) not in (0, 2):
            raise ParameterError("parameter 'ball' must have two numbers, x and y")
        try:
            from vision_msgs import msg as vision
        except ImportError as error:
            raise StartupError(f"vision_msgs is needed for the detections: {error}") from error
        self._vision = vision
        self._kind = KINDS[p.kind]
        self.room = Room(balls=[Ball("pink", p.ball[0], p.ball[1])] if len(p.ball) == 2 else [])
        self.pose = (p.x, p.y, p.yaw)
        self.velocity = (0.0, 0.0, 0.0)
        self._wanted = (0.0, 0.0, 0.0)
        self._wanted_at = -math.inf
        self.head = dict.fromkeys(self._kind.head, 0.0)
        self._points: list[tuple[float, dict[str, float]]] = []
        self._began, self._begin_head = 0.0, dict(self.head)
        self._on_arrival: Any = None
        self._release_at = math.inf
        self.waves = 0
        VelocityInput(
            self,
            stamped=p.enable_stamped_cmd_vel,
            max_age=p.cmd_vel_timeout,
            on_twist=self._on_twist,
            on_problem=lambda counter, text: self.get_logger().warning(text),
        )
        self._states = self._stream(JointState, "joint_states")
        self._odometry = self._stream(Odometry, "odom")
        self._imu = self._stream(Imu, "imu")
        self._range = self._stream(Range, "range")
        self._scan = self._stream(LaserScan, "scan")
        self._battery = self._stream(BatteryState, "battery_state")
        self._detections = self._stream(vision.Detection2DArray, self._kind.detections)
        self._camera_info = self._stream(CameraInfo, self._kind.camera_info)
        self._button = qos.publisher(self, Bool, "button", qos.LATCHED)
        self._button.publish(Bool(data=False))
        self.create_service(Trigger, "press", self._press)
        self.create_service(Trigger, "wave", self._wave)
        if self.head:
            self._action = HeadAction(self)
        self._now = time.monotonic()
        self._turns = 0
        self.steady_timer(PERIOD_S, self._step)

    def _stream(self, kind: type[Any], topic: str) -> Any:
        return qos.publisher(self, kind, topic, qos.stream(5))

    # --- commands --------------------------------------------------------------------------

    def _on_twist(self, twist: Twist) -> None:
        asked = (twist.linear.x, twist.linear.y, twist.angular.z)
        forward, left, turn = (
            min(max(value, -most), most)
            for value, most in zip(asked, self._kind.limits, strict=True)
        )
        self._wanted, self._wanted_at = (forward, left, turn), time.monotonic()

    def follow(self, points: list[tuple[float, dict[str, float]]], on_arrival: Any) -> None:
        """Turn the head along ``points`` (s, rad by name) from now on."""
        self._points, self._on_arrival = points, on_arrival
        self._began, self._begin_head = time.monotonic(), dict(self.head)

    def _press(self, request: Trigger.Request, response: Any) -> Any:
        self._button.publish(Bool(data=True))
        self._release_at = time.monotonic() + PRESS_S
        response.success = True
        return response

    def _wave(self, request: Trigger.Request, response: Any) -> Any:
        self.waves += 1
        self.get_logger().info("waves")
        if self.head:
            shake = [(0.4 * n, {"head_pan": a, "head_tilt": 0.0}) for n, a in
                     enumerate((0.4, -0.4, 0.4, 0.0), 1)]  # fmt: skip
            self.follow(shake, lambda: None)
        response.success, response.message = True, "it waves"
        return response

    # --- time ------------------------------------------------------------------------------

    def _step(self) -> None:
        now = time.monotonic()
        passed, self._now = min(now - self._now, 0.2), now
        if now - self._wanted_at > self._settings.cmd_vel_timeout:
            self._wanted = (0.0, 0.0, 0.0)
        v = [
            present + min(max(wanted - present, -most * passed), most * passed)
            for present, wanted, most in zip(
                self.velocity, self._wanted, ACCELERATION, strict=True
            )
        ]
        if self._wanted == (0.0, 0.0, 0.0):
            v = [0.0, 0.0, 0.0]  # it brakes at once
        self.velocity = (v[0], v[1], v[2])
        x, y, yaw = self.pose
        c, s = math.cos(yaw + v[2] * passed / 2.0), math.sin(yaw + v[2] * passed / 2.0)
        x, y = self.room.allowed(
            x + (v[0] * c - v[1] * s) * passed, y + (v[0] * s + v[1] * c) * passed, RADIUS_M
        )
        self.pose = (x, y, yaw + v[2] * passed)
        self.room.step(passed, x, y, RADIUS_M)
        self._turn_head(now, passed)
        if now > self._release_at:
            self._release_at = math.inf
            self._button.publish(Bool(data=False))
        self._turns += 1
        self._publish()

    def _turn_head(self, now: float, passed: float) -> None:
        at, before = now - self._began, (0.0, self._begin_head)
        if not self._points:
            return
        wanted = self._points[-1][1]
        for time_, target in self._points:
            if at < time_:
                share = (at - before[0]) / max(time_ - before[0], 1e-6)
                wanted = {n: before[1][n] + share * (target[n] - before[1][n]) for n in target}
                break
            before = (time_, target)
        reach = HEAD_SPEED_RAD_S * passed
        for name, angle in wanted.items():
            low, high = HEAD_LIMITS[name]
            goal, present = min(max(angle, low), high), self.head[name]
            self.head[name] = min(max(goal, present - reach), present + reach)
        if at >= self._points[-1][0] and all(
            abs(self.head[n] - min(max(a, HEAD_LIMITS[n][0]), HEAD_LIMITS[n][1])) < 1e-3
            for n, a in wanted.items()
        ):
            self._points = []
            self._on_arrival()

    # --- sensing ---------------------------------------------------------------------------

    def _publish(self) -> None:
        stamp = self.stamp()
        header = Header(stamp=stamp, frame_id="base_link")
        names = {**self.head, **self._kind.still_joints}
        self._states.publish(
            JointState(header=header, name=list(names), position=list(names.values()))
        )
        x, y, yaw = self.pose
        odometry = Odometry(child_frame_id="base_link")
        odometry.header = Header(stamp=stamp, frame_id="odom")
        odometry.pose.pose.position.x, odometry.pose.pose.position.y = x, y
        odometry.pose.pose.orientation = Quaternion(z=math.sin(yaw / 2), w=math.cos(yaw / 2))
        odometry.twist.twist.linear.x, odometry.twist.twist.linear.y = self.velocity[:2]
        odometry.twist.twist.angular.z = self.velocity[2]
        self._odometry.publish(odometry)
        imu = Imu(header=header)
        imu.linear_acceleration.z = 9.81
        self._imu.publish(imu)
        place, look = self._camera()
        ahead = self.room.distance(place, matrix_about((0.0, 0.0, 1.0), yaw)[:, 0])
        self._range.publish(
            Range(header=header, min_range=0.02, max_range=4.0, range=min(ahead, 4.0))
        )
        self._scan.publish(LaserScan(header=header, range_max=4.0, ranges=[min(ahead, 4.0)] * 10))
        if self._turns % 25 == 1:
            self._battery.publish(
                BatteryState(
                    header=header,
                    percentage=0.8,
                    voltage=12.1,
                    power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING,
                )
            )
        self._camera_info.publish(
            CameraInfo(
                header=header, width=IMAGE[0], height=IMAGE[1],
                k=[FOCAL, 0.0, 320.0, 0.0, FOCAL, 240.0, 0.0, 0.0, 1.0],
            )
        )  # fmt: skip
        self._detections.publish(self._detect(header, place, look))

    def _camera(self) -> tuple[Vector, Matrix]:
        """Return place (m) and rotation of the camera in the room, x looking forward."""
        x, y, yaw = self.pose
        body = matrix_about((0.0, 0.0, 1.0), yaw)
        head = matrix_about((0.0, 0.0, 1.0), self.head.get("head_pan", 0.0))
        head = head @ matrix_about((0.0, 1.0, 0.0), self.head.get("head_tilt", 0.0))
        return np.array([x, y, 0.0]) + body @ np.array(EYE), body @ head

    def _detect(self, header: Header, place: Vector, look: Matrix) -> Any:
        vision = self._vision
        found = vision.Detection2DArray(header=header)
        for ball in self.room.balls:
            towards = ball.centre - place
            distance = float(np.linalg.norm(towards))
            seen = look.T @ towards
            hidden = self.room.distance(place, towards / distance, balls=False) < distance - 0.1
            if seen[0] < 0.05 or hidden:
                continue
            u, v = 320.0 - FOCAL * seen[1] / seen[0], 240.0 - FOCAL * seen[2] / seen[0]
            if not (0.0 <= u <= IMAGE[0] and 0.0 <= v <= IMAGE[1]):
                continue
            detection = vision.Detection2D(header=header)
            result = vision.ObjectHypothesisWithPose()
            result.hypothesis.class_id = self._kind.class_id.replace("COLOUR", ball.colour)
            result.hypothesis.score = 0.9
            detection.results = [result]
            detection.bbox.center.position.x, detection.bbox.center.position.y = float(u), float(v)
            size = 2.0 * FOCAL * ball.radius / float(seen[0])
            detection.bbox.size_x = detection.bbox.size_y = size
            found.detections.append(detection)
        return found


def main() -> None:
    """Run the robot until SIGINT or SIGTERM."""
    sys.exit(run(Rover, Parameters))
