# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Readings of the robot to ROS messages: pure functions; frames, axes and covariances change here.

What the robot sees in images is in vision_messages.

What is published often is a form that is serialised once (see SerializedForm), and a function for
the values that fill it; the rest are messages.

The robot's frames agree with REP 103 (x forward, y left); its world is REP 105's ``map`` with the
origin in the centre of the field and x towards the yellow goal, for both teams
(docs/originals/luar.md, 3).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

from geometry_msgs.msg import (
    Point,
    PoseWithCovarianceStamped,
    TransformStamped,
)
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from soccer_model_msgs.msg import Ball as BallMessage
from soccer_model_msgs.msg import Robot as RobotMessage
from soccer_model_msgs.msg import RobotArray
from soccer_vision_attribute_msgs.msg import Robot as RobotAttributes
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from legacy_robots_common.frames.transforms import quaternion_message
from legacy_robots_msgs.msg import LuarGameState, LuarTeam, LuarWalk
from luar_bridge.bridge.serialized import SerializedForm
from luar_bridge.model import field
from luar_bridge.model.beliefs import BallModel, Game, Mate, Obstacle, RobotPose, Team
from luar_bridge.model.motion import (
    SONAR_RANGE,
    Battery,
    Inertia,
    Walk,
    nearest_echo,
)
from luar_bridge.model.pose import Pose, pose_relative

IMU_FRAME = "ImuTorsoAccelerometer_frame"
SONAR_FRAMES = {"left": "LSonar_frame", "right": "RSonar_frame"}
SONAR_FIELD_OF_VIEW = math.radians(60.0)
UNKNOWN_YAW_VARIANCE = math.pi**2
"""rad²: the IMU knows roll and pitch, but nothing of the heading."""


def planar_covariance(rows: Iterable[float]) -> list[float]:
    """Return the 6 x 6 covariance of a pose from the 3 x 3 one of (x, y, a)."""
    values = list(rows)
    result = [0.0] * 36
    for i, row in enumerate((0, 1, 5)):
        for j, column in enumerate((0, 1, 5)):
            result[6 * row + column] = values[3 * i + j]
    return result


# --- motion --------------------------------------------------------------------------------


def joint_state(names: tuple[str, ...]) -> SerializedForm:
    """Return the form of joints by the names of the Nao's URDF, with their angles (rad) to fill.

    Effort is not reported (current is).
    """
    message = JointState(name=names, position=array("d", bytes(8 * len(names))))
    return SerializedForm(message, "position")


def imu(frame: str, deviation: float, known: tuple[bool, bool]) -> SerializedForm:
    """Return the form of the IMU, which ``imu_values`` fill.

    Parameters
    ----------
    frame
        Of the readings.
    deviation
        Standard deviation of roll and pitch (rad); the heading is unknown.
    known
        Whether acceleration and rotation are reported and calibrated. What is not has covariance
        -1, as sensor_msgs/Imu asks; the others have zeros, which mean an unknown covariance.

    """
    message = Imu(header=Header(frame_id=frame))
    message.orientation_covariance[[0, 4, 8]] = deviation**2, deviation**2, UNKNOWN_YAW_VARIANCE
    if not known[0]:
        message.linear_acceleration_covariance[0] = -1.0
    if not known[1]:
        message.angular_velocity_covariance[0] = -1.0
    return SerializedForm(
        message,
        *(f"orientation.{axis}" for axis in "xyzw"),
        *("angular_velocity.x", "angular_velocity.y"),
        *(f"linear_acceleration.{axis}" for axis in "xyz"),
    )


def imu_values(
    inertia: Inertia, acceleration_scale: float, rotation_scale: float
) -> tuple[tuple[float, ...], tuple[bool, bool]]:
    """Return what fills the form of the IMU, and which of it is known.

    The scales turn raw readings into m/s² and rad/s; 0 means not calibrated.
    """
    # Rotation about x, then y, written out: rotations.quaternion_of takes ten times as long.
    half_roll, half_pitch = inertia.roll / 2, inertia.pitch / 2
    sr, cr = math.sin(half_roll), math.cos(half_roll)
    sp, cp = math.sin(half_pitch), math.cos(half_pitch)
    acceleration = inertia.acceleration if acceleration_scale else None
    # The third reading is the gyrometers' reference, no rotation about z.
    rotation = inertia.rotation if rotation_scale else None
    values = (
        *(sr * cp, cr * sp, -sr * sp, cr * cp),
        *(rotation_scale * raw for raw in (rotation or (0.0, 0.0))[:2]),
        *(acceleration_scale * raw for raw in acceleration or (0.0, 0.0, 0.0)),
    )
    return values, (acceleration is not None, rotation is not None)


def battery_state(battery: Battery, head: Header) -> BatteryState:
    """Return the battery; nan for what a Nao does not report."""
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


def walk(frame: str) -> SerializedForm:
    """Return the form of the feet, which ``walk_values`` fill."""
    poses = ("left_foot", "right_foot", "body_offset")
    fields = (f"{pose}.{axis}" for pose in poses for axis in ("x", "y", "theta"))
    return SerializedForm(LuarWalk(header=Header(frame_id=frame)), *fields, "still_time")


def walk_values(walk: Walk) -> tuple[float, ...]:
    """Return what fills the form of the feet; nan where nothing is reported."""
    offset = walk.body_offset or (math.nan,) * 3
    still = math.nan if walk.still_time is None else walk.still_time
    return (*walk.left_foot, *walk.right_foot, *offset, still)


def odometry(frame: str, child: str) -> SerializedForm:
    """Return the form of the odometry, which ``odometry_values`` fill."""
    message = Odometry(header=Header(frame_id=frame), child_frame_id=child)
    twist = ("linear.x", "linear.y", "angular.z")
    return SerializedForm(
        message, *_in_plane("pose.pose"), *(f"twist.twist.{axis}" for axis in twist)
    )


def odometry_values(
    pose: Pose, before: tuple[float, Pose] | None, stamp: float
) -> tuple[float, ...]:
    """Return what fills the form of the odometry of ``stamp`` (Unix seconds).

    Its twist is the mean one since ``before``, an earlier stamp and pose.
    """
    twist = (0.0, 0.0, 0.0)
    if before is not None and 0.0 < (dt := stamp - before[0]) < 1.0:
        dx, dy, da = pose_relative(pose, before[1])
        twist = dx / dt, dy / dt, da / dt
    return *plane_values(pose), *twist


def transform(parent: str, child: str) -> SerializedForm:
    """Return the form of a message of /tf, which ``plane_values`` fill."""
    one = TransformStamped(header=Header(frame_id=parent), child_frame_id=child)
    fields = _in_plane("transforms.0.transform", "translation", "rotation")
    return SerializedForm(TFMessage(transforms=[one]), *fields, stamped=["transforms.0.header"])


def plane_values(pose: Pose) -> tuple[float, float, float, float]:
    """Return x, y, and z and w of the quaternion of a pose in the plane."""
    return pose[0], pose[1], math.sin(pose[2] / 2), math.cos(pose[2] / 2)


def _in_plane(pose: str, place: str = "position", turn: str = "orientation") -> tuple[str, ...]:
    """Return the fields that ``plane_values`` fill."""
    return f"{pose}.{place}.x", f"{pose}.{place}.y", f"{pose}.{turn}.z", f"{pose}.{turn}.w"


# --- world ---------------------------------------------------------------------------------


def pose_message(frame: str) -> SerializedForm:
    """Return the form of the pose in the map, which ``pose_values`` fill."""
    message = PoseWithCovarianceStamped(header=Header(frame_id=frame))
    return SerializedForm(message, *_in_plane("pose.pose"), "pose.covariance")


def pose_values(robot: RobotPose, deviations: tuple[float, float]) -> tuple[float, ...]:
    """Return what fills the form of the pose.

    ``deviations`` (m, rad) replace a covariance that is not reported.
    """
    place, heading = deviations
    rows = robot.covariance or (place**2, 0.0, 0.0, 0.0, place**2, 0.0, 0.0, 0.0, heading**2)
    return *plane_values(robot.pose), *planar_covariance(rows)


def ball_message(frame: str) -> SerializedForm:
    """Return the form of the filtered ball, which ``ball_values`` fill."""
    message = BallMessage(header=Header(frame_id=frame))
    message.point.point.z = field.BALL_RADIUS
    return SerializedForm(
        message,
        *("point.point.x", "point.point.y", "point.covariance"),
        *("twist.twist.linear.x", "twist.twist.linear.y"),
    )


def ball_values(ball: BallModel, deviations: tuple[float, float] | None) -> tuple[float, ...]:
    """Return what fills the form of the filtered ball.

    ``deviations`` are those of the last reading of range and bearing (m, rad); None leaves a
    covariance of zeros, which mean unknown.
    """
    covariance = (0.0,) * 9
    if deviations is not None:
        distance, bearing = math.hypot(ball.x, ball.y), math.atan2(ball.y, ball.x)
        along, across = deviations[0] ** 2, (distance * deviations[1]) ** 2
        c, s = math.cos(bearing), math.sin(bearing)
        xx, yy = c * c * along + s * s * across, s * s * along + c * c * across
        xy = c * s * (along - across)
        covariance = (xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, 0.0)
    return ball.x, ball.y, *covariance, *(ball.velocity or (0.0, 0.0))


def robot_array(obstacles: tuple[Obstacle, ...], head: Header) -> RobotArray:
    """Return other robots, in this one's frame; their heading is not reported."""
    message = RobotArray(header=head)
    for obstacle in obstacles:
        robot = RobotMessage()
        robot.pose.pose.position = Point(x=obstacle.x, y=obstacle.y)
        robot.attributes.team = (
            RobotAttributes.TEAM_OPPONENT if obstacle.opponent else RobotAttributes.TEAM_OWN
        )
        message.robots.append(robot)
    return message


def mate_array(mates: tuple[Mate, ...], head: Header) -> RobotArray:
    """Return the robots of the own team in the map."""
    message = RobotArray(header=head)
    for mate in mates:
        robot = RobotMessage()
        x, y, a = mate.pose
        robot.pose.pose.position = Point(x=x, y=y)
        robot.pose.pose.orientation = quaternion_message(0.0, 0.0, a)
        robot.attributes.player_number = mate.player
        robot.attributes.team = RobotAttributes.TEAM_OWN
        if mate.fallen:
            robot.attributes.state = RobotAttributes.STATE_FALLEN
        elif mate.penalised:
            robot.attributes.state = RobotAttributes.STATE_INACTIVE
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
