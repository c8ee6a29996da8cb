# SPDX-License-Identifier: Apache-2.0
"""Readings of the robot to ROS messages: pure functions; frames, axes and covariances change here.

The robot's frames agree with REP 103 (x forward, y left); its world is REP 105's ``map`` with the
origin in the centre of the field and x towards the yellow goal, for both teams
(docs/originals/luar.md, 3).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

from builtin_interfaces.msg import Time
from geometry_msgs.msg import (
    Point,
    Pose2D,
    PoseWithCovarianceStamped,
    Transform,
    TransformStamped,
    Vector3,
)
from legacy_robots_msgs.msg import LuarGameState, LuarTeam, LuarWalk
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, CameraInfo, Imu, JointState, Range
from soccer_model_msgs.msg import Ball as BallMessage
from soccer_model_msgs.msg import Robot as RobotMessage
from soccer_model_msgs.msg import RobotArray
from soccer_vision_3d_msgs.msg import Ball as SeenBallMessage
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray, MarkingSegment
from soccer_vision_3d_msgs.msg import Goalpost as GoalpostMessage
from soccer_vision_attribute_msgs.msg import Confidence
from soccer_vision_attribute_msgs.msg import Goalpost as GoalpostAttributes
from soccer_vision_attribute_msgs.msg import Robot as RobotAttributes
from std_msgs.msg import Header

from legacy_robots_common.transforms import quaternion_message
from luar_bridge import field
from luar_bridge.beliefs import BallModel, Game, Obstacle, RobotPose, Team
from luar_bridge.motion import (
    JOINTS,
    SONAR_RANGE,
    Battery,
    Inertia,
    Walk,
    nearest_echo,
)
from luar_bridge.pose import Pose, pose_relative
from luar_bridge.vision import SeenBall, SeenGoal, SeenLine

IMU_FRAME = "ImuTorsoAccelerometer_frame"
SONAR_FRAMES = {"left": "LSonar_frame", "right": "RSonar_frame"}
CAMERA_FRAMES = ("CameraTop_optical_frame", "CameraBottom_optical_frame")
SONAR_FIELD_OF_VIEW = math.radians(60.0)
UNKNOWN_YAW_VARIANCE = math.pi**2
"""rad²: the IMU knows roll and pitch, but nothing of the heading."""


def time_message(seconds: float) -> Time:
    """Return Unix seconds as a stamp; 0 for unknown."""
    whole = math.floor(seconds)
    return Time(sec=whole, nanosec=int((seconds - whole) * 1e9))


def header(seconds: float, frame: str) -> Header:
    """Return a header of Unix seconds."""
    return Header(stamp=time_message(seconds), frame_id=frame)


def planar_covariance(rows: Iterable[float]) -> list[float]:
    """Return the 6 x 6 covariance of a pose from the 3 x 3 one of (x, y, a)."""
    values = list(rows)
    result = [0.0] * 36
    for i, row in enumerate((0, 1, 5)):
        for j, column in enumerate((0, 1, 5)):
            result[6 * row + column] = values[3 * i + j]
    return result


# --- motion --------------------------------------------------------------------------------


def joint_state(positions: tuple[float, ...], head: Header) -> JointState:
    """Return the 22 joints by the names of the Nao's URDF; effort is not told (current is)."""
    return JointState(header=head, name=JOINTS, position=array("d", positions))


def imu(inertia: Inertia, head: Header, acceleration_scale: float, rotation_scale: float) -> Imu:
    """Return the IMU. The scales turn raw readings into m/s² and rad/s; 0 means not calibrated.

    What is not told or not calibrated has covariance -1, as sensor_msgs/Imu asks.
    """
    message = Imu(header=head, orientation=quaternion_message(inertia.roll, inertia.pitch, 0.0))
    message.orientation_covariance[8] = UNKNOWN_YAW_VARIANCE
    if inertia.acceleration is not None and acceleration_scale:
        x, y, z = (acceleration_scale * raw for raw in inertia.acceleration)
        message.linear_acceleration = Vector3(x=x, y=y, z=z)
    else:
        message.linear_acceleration_covariance[0] = -1.0
    if inertia.rotation is not None and rotation_scale:
        # The third reading is the gyrometers' reference, no rotation about z.
        x, y = (rotation_scale * raw for raw in inertia.rotation[:2])
        message.angular_velocity = Vector3(x=x, y=y)
    else:
        message.angular_velocity_covariance[0] = -1.0
    return message


def battery_state(battery: Battery, head: Header) -> BatteryState:
    """Return the battery; what a Nao does not tell is nan."""
    nan = math.nan
    current = nan if battery.current is None else battery.current
    status = BatteryState.POWER_SUPPLY_STATUS_UNKNOWN
    if battery.current is not None and battery.current != 0.0:
        charging = battery.current > 0.0
        status = (
            BatteryState.POWER_SUPPLY_STATUS_CHARGING
            if charging
            else BatteryState.POWER_SUPPLY_STATUS_DISCHARGING
        )
    return BatteryState(
        header=head,
        voltage=nan, temperature=nan, current=current, charge=nan, capacity=nan,
        design_capacity=nan, percentage=battery.charge, present=True,
        power_supply_status=status,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_LION,
    )  # fmt: skip


def sonar_range(echoes: tuple[float, ...], head: Header) -> Range:
    """Return the nearest echo; inf when there is none in range (REP 117)."""
    low, high = SONAR_RANGE
    return Range(
        header=head,
        radiation_type=Range.ULTRASOUND,
        field_of_view=SONAR_FIELD_OF_VIEW,
        min_range=low,
        max_range=high,
        range=nearest_echo(echoes),
    )


def _pose_2d(pose: Pose | None) -> Pose2D:
    if pose is None:
        return Pose2D(x=math.nan, y=math.nan, theta=math.nan)
    return Pose2D(x=pose[0], y=pose[1], theta=pose[2])


def walk_message(walk: Walk, head: Header) -> LuarWalk:
    """Return the feet; nan where nothing is told."""
    return LuarWalk(
        header=head,
        left_foot=_pose_2d(walk.left_foot),
        right_foot=_pose_2d(walk.right_foot),
        body_offset=_pose_2d(walk.body_offset),
        still_time=math.nan if walk.still_time is None else walk.still_time,
    )


def odometry(pose: Pose, before: tuple[float, Pose] | None, head: Header, child: str) -> Odometry:
    """Return the odometry; its twist is the mean one since ``before`` (Unix seconds and pose)."""
    message = Odometry(header=head, child_frame_id=child)
    message.pose.pose.position = Point(x=pose[0], y=pose[1])
    message.pose.pose.orientation = quaternion_message(0.0, 0.0, pose[2])
    now = head.stamp.sec + 1e-9 * head.stamp.nanosec
    if before is not None and 0.0 < (dt := now - before[0]) < 1.0:
        dx, dy, da = pose_relative(pose, before[1])
        message.twist.twist.linear = Vector3(x=dx / dt, y=dy / dt)
        message.twist.twist.angular = Vector3(z=da / dt)
    return message


def transform(parent: Header, child: str, pose: Pose) -> TransformStamped:
    """Return the transform of a frame in the plane."""
    return TransformStamped(
        header=parent,
        child_frame_id=child,
        transform=Transform(
            translation=Vector3(x=pose[0], y=pose[1]),
            rotation=quaternion_message(0.0, 0.0, pose[2]),
        ),
    )


# --- vision --------------------------------------------------------------------------------


def camera_info(width: int, height: int, focal_widths: float, head: Header) -> CameraInfo:
    """Return an ideal camera whose focal length is ``focal_widths`` times its image's width."""
    focal = focal_widths * width
    cx, cy = (width - 1) / 2.0, (height - 1) / 2.0
    return CameraInfo(
        header=head,
        width=width,
        height=height,
        distortion_model="plumb_bob",
        d=[0.0] * 5,
        k=[focal, 0.0, cx, 0.0, focal, cy, 0.0, 0.0, 1.0],
        r=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p=[focal, 0.0, cx, 0.0, 0.0, focal, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
    )


def _unknown() -> Confidence:
    return Confidence(confidence=Confidence.CONFIDENCE_UNKNOWN)


def ball_detection(ball: SeenBall | None, head: Header) -> BallArray:
    """Return the ball of an image, or an empty array."""
    message = BallArray(header=head)
    if ball is not None:
        x, y, z = ball.position
        center = Point(x=x, y=y, z=z)
        message.balls.append(SeenBallMessage(center=center, confidence=_unknown()))
    return message


def goal_posts(goal: SeenGoal | None, own_color: int | None, head: Header) -> GoalpostArray:
    """Return the goal posts of an image, or an empty array.

    Only where they stand is told; they are given the size that the rules of 2011 prescribe. Blue
    (``own_color`` 0) defends the cyan goal, red (1) the yellow one.
    """
    message = GoalpostArray(header=head)
    if goal is None:
        return message
    team = GoalpostAttributes.TEAM_UNKNOWN
    if goal.yellow is not None and own_color in (0, 1):
        own = goal.yellow == (own_color == 1)
        team = GoalpostAttributes.TEAM_OWN if own else GoalpostAttributes.TEAM_OPPONENT
    for seen in goal.posts:
        post = GoalpostMessage(confidence=_unknown())
        post.attributes.side = seen.side
        post.attributes.team = team
        post.bb.center.position = Point(
            x=seen.position[0], y=seen.position[1], z=field.GOAL_HEIGHT / 2
        )
        width = 2.0 * field.POST_RADIUS
        post.bb.size = Vector3(x=width, y=width, z=field.GOAL_HEIGHT)
        message.posts.append(post)
    return message


def markings(lines: tuple[SeenLine, ...], head: Header) -> MarkingArray:
    """Return the lines of an image; empty when there are none."""
    message = MarkingArray(header=head)
    for line in lines:
        start, end = (Point(x=x, y=y, z=z) for x, y, z in (line.start, line.end))
        message.segments.append(MarkingSegment(start=start, end=end, confidence=_unknown()))
    return message


# --- world ---------------------------------------------------------------------------------


def pose_message(
    robot: RobotPose, head: Header, deviations: tuple[float, float]
) -> PoseWithCovarianceStamped:
    """Return the pose in the map; ``deviations`` (m, rad) stand in for a covariance not told."""
    message = PoseWithCovarianceStamped(header=head)
    x, y, a = robot.pose
    message.pose.pose.position = Point(x=x, y=y)
    message.pose.pose.orientation = quaternion_message(0.0, 0.0, a)
    place, heading = deviations
    rows = robot.covariance or (place**2, 0.0, 0.0, 0.0, place**2, 0.0, 0.0, 0.0, heading**2)
    message.pose.covariance = planar_covariance(rows)
    return message


def ball_message(ball: BallModel, head: Header) -> BallMessage:
    """Return the filtered ball; its covariance is not told, which zeros mean."""
    message = BallMessage(header=head)
    message.point.point = Point(x=ball.x, y=ball.y, z=field.BALL_RADIUS)
    if ball.velocity is not None:
        message.twist.twist.linear = Vector3(x=ball.velocity[0], y=ball.velocity[1])
    return message


def robot_array(obstacles: tuple[Obstacle, ...], head: Header) -> RobotArray:
    """Return other robots, in this one's frame; their heading is not told."""
    message = RobotArray(header=head)
    for obstacle in obstacles:
        robot = RobotMessage()
        robot.pose.pose.position = Point(x=obstacle.x, y=obstacle.y)
        robot.attributes.team = (
            RobotAttributes.TEAM_OPPONENT if obstacle.opponent else RobotAttributes.TEAM_OWN
        )
        message.robots.append(robot)
    return message


# --- game ----------------------------------------------------------------------------------


def _small(value: int | None, low: int = -128, high: int = 127) -> int:
    """Return a value that fits its field, else -1 for unknown."""
    return value if value is not None and low <= value <= high else -1


def game_state(game: Game | None, head: Header) -> LuarGameState:
    """Return the game; without one it is not valid."""
    if game is None:
        return LuarGameState(header=head, state=-1, half=-1, kickoff=-1, players=-1)
    return LuarGameState(
        header=head,
        valid=True,
        state=_small(game.state),
        half=_small(game.half),
        kickoff=_small(game.kickoff),
        penalties=[_small(p, -32768, 32767) for p in game.penalties],
        time_remaining=math.nan if game.time_remaining is None else game.time_remaining,
        players=_small(game.players),
    )


def team_message(team: Team | None, head: Header) -> LuarTeam:
    """Return who the robot is; without that it is not valid."""
    if team is None:
        return LuarTeam(header=head, number=-1, player=-1, color=-1, role=-1)
    return LuarTeam(
        header=head,
        valid=True,
        number=_small(team.number, -1, 32767),
        player=_small(team.player, -1, 32767),
        color=_small(team.color),
        role=_small(team.role),
    )
