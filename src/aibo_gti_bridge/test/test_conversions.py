# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Units and frames, with values worked out by hand."""

from __future__ import annotations

import math

import pytest
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.model.motions import Keyframe, Motion
from aibo_gti_bridge.model.poses import STANDING
from aibo_gti_bridge.protocol import commands as c
from aibo_gti_bridge.protocol import sensors
from aibo_gti_bridge.protocol import wire_table as w
from legacy_robots_common.node.times import seconds

LE = w.load()
NAN = math.nan
JOINTS = [index / 100 for index in range(18)]
SENSORS = [300.0, 800.0, 250.0, 0.5, -0.25, -9.8, 0.8, 35.0, 2200.0, 7.9, -450.0]
BUTTONS = [1.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.05, NAN, 0.0, 1.0]
HEADER = Header(frame_id="here")


def reading(
    joints: list[float] = JOINTS,
    measured: list[float] = SENSORS,
    buttons: list[float] = BUTTONS,
) -> sensors.Reading:
    return sensors.Reading(0.0, (*joints, *measured, *buttons))


def test_the_joints_in_radians() -> None:
    message = conversions.joint_state(reading(), HEADER)
    assert message.name[13] == "neck_pan"
    assert message.position[13] == 0.13
    assert message.header.frame_id == "here"


def test_a_joint_without_a_value_is_left_out() -> None:
    message = conversions.joint_state(reading([NAN, *JOINTS[1:]]), HEADER)
    assert len(message.name) == len(message.position) == 17
    assert message.name[0] == "lf_elevator"
    assert message.position[0] == 0.01


def test_the_acceleration() -> None:
    message = conversions.imu(reading(), HEADER, [-1.0, 1.0, -1.0])
    acceleration = message.linear_acceleration
    assert (acceleration.x, acceleration.y, acceleration.z) == (-0.5, -0.25, 9.8)


@pytest.mark.parametrize(
    "millimetres,metres",
    [(300.0, 0.3), (500.0, math.inf), (499.0, 0.499), (50.0, 0.05), (49.0, -math.inf)],
)
def test_distances_in_metres(millimetres: float, metres: float) -> None:
    near = sensors.BY_NAME["NearIRDist"]
    message = conversions.distance(millimetres, near, 0.1, HEADER)
    assert message.range == pytest.approx(metres)
    assert message.min_range == pytest.approx(0.05)
    assert message.max_range == pytest.approx(0.5)
    assert message.field_of_view == pytest.approx(0.1)


def test_a_distance_that_is_not_there() -> None:
    message = conversions.distance(NAN, sensors.BY_NAME["NearIRDist"], 0.1, HEADER)
    assert math.isnan(message.range)


def test_the_battery() -> None:
    message = conversions.battery(reading(), HEADER)
    assert message.percentage == pytest.approx(0.8)
    assert message.temperature == pytest.approx(35.0)
    assert message.capacity == pytest.approx(2.2)
    assert message.charge == pytest.approx(1.76)
    assert message.voltage == pytest.approx(7.9)
    assert message.current == pytest.approx(-0.45)
    assert math.isnan(message.design_capacity)
    assert message.power_supply_status == BatteryState.POWER_SUPPLY_STATUS_DISCHARGING


def test_the_buttons() -> None:
    message = conversions.buttons(reading(), HEADER)
    pressed = [button.field for button in sensors.BUTTONS if getattr(message, button.field)]
    assert pressed == ["lf_paw", "lb_paw", "head", "wireless_switch"]
    assert message.head_pressure == 0.5
    assert message.front_back_pressure == pytest.approx(0.05)
    assert math.isnan(message.middle_back_pressure)
    assert message.valid


def seen(reply: c.Ball) -> sensors.BallSeen:
    return sensors.BallSeen(0.0, "pink", sensors.BallView.of(reply))


def test_a_ball_in_the_middle_and_at_the_edge() -> None:
    straight = {"neck_tilt": 0.0, "neck_pan": 0.3, "neck_nod": -0.1}
    message = conversions.ball(seen(c.Ball(True, 0.0, 0.0, 0.1, 0)), straight, HEADER)
    assert (message.direction.x, message.direction.y, message.direction.z) == (0.0, 0.0, 1.0)
    assert message.azimuth == pytest.approx(0.3)
    assert message.elevation == pytest.approx(-0.1)
    level = {"neck_tilt": 0.0, "neck_pan": 0.0, "neck_nod": 0.0}
    right = conversions.ball(seen(c.Ball(True, 1.0, 0.0, 0.1, 0)), level, HEADER)
    assert right.azimuth == pytest.approx(-math.radians(56.9 / 2))
    assert right.direction.x == pytest.approx(math.sin(math.radians(56.9 / 2)))
    top = conversions.ball(seen(c.Ball(True, 0.0, -160 / 208, 0.1, 0)), level, HEADER)
    assert top.elevation == pytest.approx(math.radians(45.2 / 2), abs=0.002)


def test_a_ball_without_the_heads_angles() -> None:
    message = conversions.ball(seen(c.Ball(True, 0.5, -0.5, 0.1, 0)), {}, HEADER)
    assert message.x == pytest.approx(0.5)
    assert message.y == pytest.approx(-0.5)
    assert message.area == pytest.approx(0.1)
    assert math.isnan(message.azimuth)
    assert math.isnan(message.elevation)


def test_a_ball_that_is_not_seen() -> None:
    message = conversions.ball(seen(c.Ball(False, 0.5, 0.5, 0.5, 0)), {}, HEADER)
    assert (message.visible, message.x, message.area) == (False, 0.0, 0.0)


@pytest.mark.parametrize("place", [(1.6, 0.0, 0.1), (0.0, -1.3, 0.1), (0.0, 0.0, 9.0)])
def test_balls_that_no_camera_can_see(place: tuple[float, float, float]) -> None:
    assert sensors.BallView(True, *place).implausible() == (
        f"a ball cannot be at ({place[0]:g}, {place[1]:g}), area {place[2]:g}"
    )
    assert sensors.BallView(True, 1.0, -0.77, 0.1).implausible() is None


def test_commands_in_the_units_of_the_wire() -> None:
    assert conversions.walk(0.1, -0.05, 0.5) == c.Walk(100.0, -50.0, 0.5)
    assert conversions.walk_steps(0.2, 0.0, 0.1, 3) == c.WalkSteps(200.0, 0.0, 0.1, 3)
    moved = conversions.move_joints({"neck_pan": math.pi / 6}, 0.5004, LE)
    assert moved.targets[0].joint == 13
    assert moved.targets[0].target == pytest.approx(30.0)
    assert moved.targets[0].duration_ms == 500
    moved = conversions.move_joints({"mouth": -math.pi / 6}, -1.0, LE)
    assert moved.targets == (c.JointTarget(17, pytest.approx(-30.0), 0),)


def test_a_motion_as_a_trajectory() -> None:
    motion = Motion(
        "m",
        {
            "neck_pan": (Keyframe(1.0, 0.4), Keyframe(2.0, 0.0)),
            "mouth": (Keyframe(1.5, -0.5),),
        },
    )
    message = conversions.motion_trajectory(motion, STANDING, HEADER)
    assert message.joint_names == ["neck_pan", "mouth"]
    times = [seconds(point.time_from_start) for point in message.points]
    assert times == [0.0, 1.0, 1.5, 2.0]
    assert list(message.points[2].positions) == pytest.approx([0.2, -0.5])


@pytest.mark.parametrize("bad", [1e9, -1e9, math.inf, 7.0])
def test_readings_that_no_robot_can_give(bad: float) -> None:
    assert sensors.implausible(reading().values) is None
    assert sensors.implausible(reading([NAN] * 18).values) is None
    error = sensors.implausible(reading([*JOINTS[:5], bad, *JOINTS[6:]]).values)
    assert error == f"RFr:knee cannot be {bad:g}"
