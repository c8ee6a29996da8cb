# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Poses are transformed as tf2 does it, by hand-computed values."""

import math

import pytest
from geometry_msgs.msg import Quaternion, Transform, TransformStamped, Vector3
from std_msgs.msg import Header

from legacy_robots_common.frames.transform_tree import TransformTree
from legacy_robots_geometry.rotations import Pose, quaternion_of

HERE = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


def transform(parent, child, x=0.0, y=0.0, yaw=0.0):
    qx, qy, qz, qw = quaternion_of(0.0, 0.0, yaw)
    return TransformStamped(
        header=Header(frame_id=parent),
        child_frame_id=child,
        transform=Transform(
            translation=Vector3(x=x, y=y), rotation=Quaternion(x=qx, y=qy, z=qz, w=qw)
        ),
    )


@pytest.fixture
def tree():
    """A room in which a table stands at (2, 1), turned left by a quarter, and a dog at (4, 0)."""
    tree = TransformTree()
    tree.update([transform("room", "table", 2.0, 1.0, math.pi / 2), transform("room", "dog", 4.0)])
    tree.update([transform("table", "cup", 1.0)])
    return tree


@pytest.mark.parametrize(
    "source, target, expected",
    [
        ("table", "room", (2.0, 1.0, math.pi / 2)),
        ("cup", "room", (2.0, 2.0, math.pi / 2)),
        ("room", "table", (-1.0, 2.0, -math.pi / 2)),
        ("dog", "cup", (-2.0, -2.0, -math.pi / 2)),
        ("/dog", "room", (4.0, 0.0, 0.0)),
    ],
)
def test_the_origin_of_a_frame_in_another(tree, source, target, expected):
    found = tree.transform(HERE, source, target)
    assert (*found.translation[:2], found.yaw) == pytest.approx(expected)


def test_the_latest_transform_counts(tree):
    tree.update([transform("room", "dog", 5.0)])
    assert tree.transform(HERE, "dog", "room").translation == (5.0, 0.0, 0.0)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_what_is_no_transform_is_passed_over(tree, number):
    no_rotation = transform("room", "dog")
    no_rotation.transform.rotation.w = 0.0
    assert tree.update([transform("room", "dog", number), no_rotation]) == []
    assert tree.transform(HERE, "dog", "room").translation == (4.0, 0.0, 0.0)


def test_frames_that_are_not_connected(tree):
    assert tree.transform(HERE, "dog", "moon") is None
    tree.update([transform("hen", "egg"), transform("egg", "hen")])
    assert tree.transform(HERE, "hen", "room") is None
