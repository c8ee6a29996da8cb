# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire's values to messages and goals to commands, as pure functions; units change here only.

Wire: mm, degrees or radians, mA, per cent as 0 to 1 (docs/originals/aibo.md, 4, 5 and 8). ROS: SI
and radians.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from geometry_msgs.msg import Point, TransformStamped, Twist, Vector3
from nav_msgs.msg import Odometry as OdometryMessage
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from std_msgs.msg import Header
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from aibo_gti_bridge.bridge.odometry import Odometry
from aibo_gti_bridge.model import kinematics
from aibo_gti_bridge.model.joints import BY_NAME, HEAD, NAMES
from aibo_gti_bridge.model.motions import Motion
from aibo_gti_bridge.protocol.commands import JointTarget, MoveJoints, Walk, WalkSteps
from aibo_gti_bridge.protocol.sensors import BUTTONS, PRESSED, BallSeen, Reading, Sensor
from aibo_gti_bridge.protocol.wire_table import WireTable
from legacy_robots_common.frames.transforms import quaternion_message
from legacy_robots_common.goals.goal_server import Ending
from legacy_robots_common.node.times import duration
from legacy_robots_msgs.msg import AiboBall, AiboButtons, AiboOutcome

_NAMES = list(NAMES)
_PLANAR = [0, 1, 5]
"""Rows of x, y and yaw in the covariance of a pose."""
NEGLIGIBLE_VARIANCE = 1e-6
"""m² and rad²: filters refuse a covariance that is singular."""


def joint_state(reading: Reading, header: Header) -> JointState:
    """Return the joints' positions (rad); a joint without a value is left out."""
    positions = reading.joints
    for position in positions:
        if position != position:  # nan
            known = reading.positions
            return JointState(header=header, name=list(known), position=list(known.values()))
    return JointState(header=header, name=_NAMES, position=positions)


def imu(reading: Reading, header: Header, signs: Sequence[float]) -> Imu:
    """Return the acceleration (m/s², x forward, y left, z up), which includes gravity's reaction.

    ``signs`` turn BAccel, LAccel and DAccel into x, y and z. The robot has no gyroscope.
    """
    back, left, down = map(reading.sensor, ("BAccel", "LAccel", "DAccel"))
    message = Imu(header=header)
    message.linear_acceleration = Vector3(x=signs[0] * back, y=signs[1] * left, z=signs[2] * down)
    message.orientation_covariance[0] = -1.0
    message.angular_velocity_covariance[0] = -1.0
    return message


def distance(millimetres: float, sensor: Sensor, field_of_view: float, header: Header) -> Range:
    """Return a distance (m); beyond the sensor's range it is ±inf (REP-117), unknown it is NaN."""
    metres = millimetres / 1000.0
    if millimetres >= sensor.maximum:
        metres = math.inf
    elif millimetres < sensor.minimum:
        metres = -math.inf
    return Range(
        header=header,
        radiation_type=Range.INFRARED,
        field_of_view=field_of_view,
        min_range=sensor.minimum / 1000.0,
        max_range=sensor.maximum / 1000.0,
        range=metres,
    )


def battery(reading: Reading, header: Header) -> BatteryState:
    """Return the battery's state (V, A, Ah, °C); the current is negative while discharging."""
    remain, temperature, capacity, voltage, current = (
        reading.sensor(f"Power{name}")
        for name in ("Remain", "Thermo", "Capacity", "Voltage", "Current")
    )
    status = BatteryState.POWER_SUPPLY_STATUS_UNKNOWN
    if current < 0:
        status = BatteryState.POWER_SUPPLY_STATUS_DISCHARGING
    elif current > 0:
        status = BatteryState.POWER_SUPPLY_STATUS_CHARGING
    return BatteryState(
        header=header,
        voltage=voltage,
        temperature=temperature,
        current=current / 1000.0,
        charge=remain * capacity / 1000.0,
        capacity=capacity / 1000.0,
        design_capacity=math.nan,
        percentage=remain,
        power_supply_status=status,
        power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_UNKNOWN,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_LION,
        present=True,
    )


def buttons(reading: Reading, header: Header) -> AiboButtons:
    """Return which buttons are pressed; an unknown one is not."""
    message = AiboButtons(header=header, valid=True)
    for button, value in zip(BUTTONS, reading.buttons, strict=True):
        setattr(message, button.field, value >= PRESSED)
        if button.capacitive:
            setattr(message, f"{button.field}_pressure", value)
    return message


def ball(seen: BallSeen, positions: Mapping[str, float], header: Header) -> AiboBall:
    """Return what is seen of a ball; ``positions`` (rad, by name) of the head give its bearing."""
    view = seen.view
    message = AiboBall(header=header, colour=seen.colour, visible=view.visible)
    if not view.visible:
        return message
    message.x, message.y, message.area = view.x, view.y, view.area
    direction = kinematics.image_to_direction(view.x, view.y)
    message.direction = Vector3(
        x=float(direction[0]), y=float(direction[1]), z=float(direction[2])
    )
    message.azimuth = message.elevation = math.nan
    if all(name in positions for name in HEAD):
        _, rotation = kinematics.pose_of("camera", positions)
        forward, left, up = rotation @ kinematics.OPTICAL_TO_FORWARD @ direction
        message.azimuth = math.atan2(left, forward)
        message.elevation = math.atan2(up, float(np.hypot(forward, left)))
    return message


def odometry(state: Odometry, header: Header, child_frame: str) -> OdometryMessage:
    """Return pose and velocity; what a robot on a floor cannot have (z, roll, pitch) is 0."""
    message = OdometryMessage(header=header, child_frame_id=child_frame)
    message.pose.pose.position = Point(x=state.x, y=state.y)
    message.pose.pose.orientation = quaternion_message(0.0, 0.0, state.yaw)
    covariance = np.diag([NEGLIGIBLE_VARIANCE] * 6)
    covariance[np.ix_(_PLANAR, _PLANAR)] += state.covariance
    message.pose.covariance = covariance.ravel()
    forward, left, turn = state.velocity
    message.twist.twist = Twist(linear=Vector3(x=forward, y=left), angular=Vector3(z=turn))
    variance = np.full(6, NEGLIGIBLE_VARIANCE)
    variance[_PLANAR] += state.velocity_variance
    message.twist.covariance = np.diag(variance).ravel()
    return message


def transform(
    header: Header,
    child_frame: str,
    place: tuple[float, float, float],
    *,
    roll: float = 0.0,
    pitch: float = 0.0,
    yaw: float = 0.0,
) -> TransformStamped:
    """Return the transform to a frame at ``place`` (m), turned by the angles (rad)."""
    message = TransformStamped(header=header, child_frame_id=child_frame)
    x, y, z = place
    message.transform.translation = Vector3(x=x, y=y, z=z)
    message.transform.rotation = quaternion_message(roll, pitch, yaw)
    return message


def walk(forward: float, left: float, turn: float) -> Walk:
    """Return the command for a velocity (m/s, m/s, rad/s)."""
    return Walk(forward * 1000.0, left * 1000.0, turn)


def walk_steps(forward: float, left: float, turn: float, steps: int) -> WalkSteps:
    """Return the command for a displacement (m, m, rad)."""
    return WalkSteps(forward * 1000.0, left * 1000.0, turn, steps)


def move_joints(targets: Mapping[str, float], duration: float, wire: WireTable) -> MoveJoints:
    """Return the command that moves joints to ``targets`` (rad, by name) in ``duration`` (s)."""
    milliseconds = max(0, round(duration * 1000.0))
    return MoveJoints(
        tuple(
            JointTarget(
                wire.joints[BY_NAME[name].tekkotsu],
                math.degrees(angle),
                milliseconds,
            )
            for name, angle in targets.items()
        )
    )


def motion_trajectory(
    motion: Motion, start: Mapping[str, float], header: Header
) -> JointTrajectory:
    """Return what a motion does from ``start`` (rad, by name): a point at each keyframe."""
    trajectory = JointTrajectory(header=header, joint_names=list(motion.joints))
    for time in [0.0, *motion.times()]:
        pose = motion.pose(time, start)
        trajectory.points.append(
            JointTrajectoryPoint(
                positions=[pose[name] for name in motion.joints], time_from_start=duration(time)
            )
        )
    return trajectory


def outcome(ending: Ending) -> AiboOutcome:
    """Return how a goal ended as a message."""
    return AiboOutcome(code=int(ending.outcome), message=ending.message)
