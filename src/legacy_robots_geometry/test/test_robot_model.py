# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Frames from a URDF, against poses computed by hand."""

import math

import pytest

from legacy_robots_geometry.robot_model import RobotModel, RobotModelError

URDF = """
<robot name="arm">
  <link name="base"/><link name="camera"/><link name="upper"/><link name="slide"/>
  <joint name="mount" type="fixed">
    <parent link="base"/><child link="camera"/><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
  </joint>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.5"/><axis xyz="0 0 -2"/>
  </joint>
  <joint name="push" type="prismatic">
    <parent link="upper"/><child link="slide"/><origin rpy="0 0 1.5707963267948966"/>
  </joint>
</robot>
"""
HALF = math.sqrt(0.5)


def joint(name):
    return next(joint for joint in RobotModel(URDF).joints if joint.name == name)


def test_fixed_joints_are_where_their_origin_says():
    mount = joint("mount")
    assert (mount.parent, mount.child, mount.moves) == ("base", "camera", False)
    assert mount.origin.translation == (1.0, 2.0, 3.0)
    assert mount.origin.rotation == pytest.approx((0.0, 0.0, HALF, HALF))


def test_a_revolute_joint_turns_about_its_axis():
    turn = joint("turn")
    assert (turn.parent, turn.child, turn.moves) == ("base", "upper", True)
    pose = turn.pose(math.pi / 2)
    assert pose.translation == (0.0, 0.0, 0.5)
    # About an axis that points down: clockwise as seen from above.
    assert pose.rotation == pytest.approx((0.0, 0.0, -HALF, HALF))


def test_a_prismatic_joint_moves_along_its_axis_as_its_origin_turns_it():
    pose = joint("push").pose(2.0)
    assert pose.translation == pytest.approx((0.0, 2.0, 0.0))
    assert pose.rotation == pytest.approx((0.0, 0.0, HALF, HALF))


@pytest.mark.parametrize(
    "urdf, words",
    [
        ("<robot", "no XML"),
        ("<sdf/>", "<sdf>"),
        ('<robot><joint name="j" type="planar"/></robot>', "'planar'"),
        ('<robot><joint name="j" type="fixed"/></robot>', "parent and child"),
        (URDF.replace('"1 2 3"', '"1 2"'), "three numbers"),
        (URDF.replace('"0 0 -2"', '"0 0 0"'), "without a direction"),
    ],
)
def test_what_is_wrong_is_named(urdf, words):
    with pytest.raises(RobotModelError, match=words):
        RobotModel(urdf)
