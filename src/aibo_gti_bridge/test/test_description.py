# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The URDF against the joint table and the kinematics, which the simulator uses."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from hypothesis import given, settings
from hypothesis import strategies as st

from aibo_gti_bridge.model import kinematics as k
from aibo_gti_bridge.model.joints import BY_NAME, NAMES
from aibo_gti_bridge.model.poses import STANDING
from aibo_gti_bridge.protocol.sensors import DISTANCE_SENSORS
from legacy_robots_common.frames.link_transforms import LinkTransforms
from legacy_robots_description import urdf
from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_geometry.rotations import matrix_about

URDF = urdf("ers7")
MODEL = RobotModel(URDF)
JOINTS = {joint.name: joint for joint in MODEL.joints}
# Positive directions (docs/originals/aibo.md, 7): how a point on the moved part moves.
DIRECTIONS = {
    "neck_tilt": ((0.0, 0.0, 1.0), (-1, 0, 0)),  # looks up: the top of the neck goes back
    "neck_pan": ((1.0, 0.0, 0.0), (0, 1, 0)),  # looks left
    "neck_nod": ((1.0, 0.0, 0.0), (0, 0, 1)),  # looks up
    "tail_tilt": ((0.0, 0.0, 1.0), (1, 0, 0)),  # leans the tail, which stands up, forward
    "tail_pan": ((0.0, 0.0, 1.0), (0, -1, 0)),  # its tip goes to the right
    "mouth": ((1.0, 0.0, 0.0), (0, 0, 1)),  # closes: the jaw rises
    **{f"{leg}_elevator": ((0.0, 0.0, -1.0), (0, side, 0))  # away from the body
       for leg, side in (("lf", 1), ("lb", 1), ("rf", -1), ("rb", -1))},
    **{f"{leg}_rotor": ((0.0, 0.0, -1.0), (1 if leg[1] == "f" else -1, 0, 0)) for leg in k.LEGS},
    **{f"{leg}_knee": ((0.0, 0.0, -1.0), (1 if leg[1] == "f" else -1, 0, 0)) for leg in k.LEGS},
}  # fmt: skip


def test_it_has_the_joints_of_an_ers_7_with_their_limits_and_speeds() -> None:
    assert {name for name, joint in JOINTS.items() if joint.moves} == set(NAMES)
    for name in NAMES:
        joint, table = JOINTS[name], BY_NAME[name]
        assert joint.lower == pytest.approx(table.lower, abs=1e-6)
        assert joint.upper == pytest.approx(table.upper, abs=1e-6)
        assert joint.max_speed == pytest.approx(table.max_speed)


def test_every_link_is_reached_from_base_link_exactly_once() -> None:
    links = {e.attrib["name"] for e in ElementTree.fromstring(URDF).iterfind("link")}
    children = [joint.child for joint in JOINTS.values()]
    assert len(children) == len(set(children))
    assert links == {"base_link", *children}
    assert {joint.parent for joint in JOINTS.values()} <= links
    assert {"camera", "camera_optical_frame", "imu", *(s.part for s in DISTANCE_SENSORS)} <= links


@pytest.mark.parametrize("name", NAMES)
def test_positive_directions(name: str) -> None:
    axis = JOINTS[name].axis
    part, expected = DIRECTIONS[name]
    moved = matrix_about(axis, 0.1) @ np.array(part) - np.array(part)
    assert np.argmax(np.abs(moved)) == np.argmax(np.abs(expected))
    assert np.sign(moved[np.argmax(np.abs(moved))]) == sum(expected)


def place_of(link: str, positions: dict[str, float]) -> np.ndarray:
    """Return the 4 x 4 transform of a link in base_link, from the messages that are broadcast."""
    transforms = LinkTransforms(MODEL)
    by_child = {
        t.child_frame_id: t
        for t in [*transforms.fixed(Time()), *transforms.moving(positions, Time())]
    }
    matrix = np.eye(4)
    while link != "base_link":
        t = by_child[link]
        step = np.eye(4)
        q = t.transform.rotation
        angle = 2.0 * np.arctan2(np.linalg.norm([q.x, q.y, q.z]), q.w)
        if angle:
            axis = np.array([q.x, q.y, q.z]) / np.sin(angle / 2.0)
            step[:3, :3] = matrix_about(tuple(axis), angle)
        v = t.transform.translation
        step[:3, 3] = [v.x, v.y, v.z]
        matrix = step @ matrix
        link = t.header.frame_id
    return matrix


poses = st.fixed_dictionaries(
    {name: st.floats(BY_NAME[name].lower, BY_NAME[name].upper) for name in NAMES}
)


@settings(max_examples=50, deadline=None)
@given(poses)
def test_transforms_agree_with_the_kinematics(pose: dict[str, float]) -> None:
    for leg in k.LEGS:
        assert place_of(f"{leg}_foot", pose)[:3, 3] == pytest.approx(k.foot(leg, pose), abs=1e-8)
    for part in ("camera", "jaw", *(sensor.part for sensor in DISTANCE_SENSORS)):
        place, rotation = k.pose_of(part, pose)
        found = place_of(part, pose)
        assert found[:3, 3] == pytest.approx(place, abs=1e-8)
        assert found[:3, :3] == pytest.approx(rotation, abs=1e-8)
    rotation = k.pose_of("camera", pose)[1]
    optical = place_of("camera_optical_frame", pose)
    assert optical[:3, :3] == pytest.approx(rotation @ k.OPTICAL_TO_FORWARD, abs=1e-6)


def test_a_prefix_and_unknown_positions() -> None:
    transforms = LinkTransforms(MODEL, "aibo_2/")
    [pan] = transforms.moving({"neck_pan": STANDING["neck_pan"]}, Time())
    assert pan.header.frame_id == "aibo_2/neck"
    assert pan.child_frame_id == "aibo_2/head_pan"


def test_masses_and_inertias_are_possible_and_whole() -> None:
    masses = []
    for link in ElementTree.fromstring(URDF).iterfind("link"):
        inertial = link.find("inertial")
        # What collides has a mass; frames and what is only painted have neither.
        assert (inertial is None) == (link.find("collision") is None)
        if inertial is None:
            continue
        masses.append(float(inertial.find("mass").attrib["value"]))
        moments = inertial.find("inertia").attrib
        x, y, z = sorted(float(moments[name]) for name in ("ixx", "iyy", "izz"))
        assert 0.0 < x <= y <= z <= x + y
    assert sum(masses) == pytest.approx(1.65, abs=0.05)


def test_it_has_nothing_of_ros_1() -> None:
    assert ElementTree.fromstring(URDF).find("transmission") is None


def test_ros2_control_has_every_joint_within_its_limits() -> None:
    control = ElementTree.fromstring(URDF).find("ros2_control")
    assert [joint.attrib["name"] for joint in control.iterfind("joint")] == list(NAMES)
    for joint in control.iterfind("joint"):
        command = joint.find("command_interface")
        limits = {p.attrib["name"]: float(p.text) for p in command.iterfind("param")}
        table = BY_NAME[joint.attrib["name"]]
        assert (limits["min"], limits["max"]) == pytest.approx(
            (table.lower, table.upper), abs=1e-5
        )
        assert {s.attrib["name"] for s in joint.iterfind("state_interface")} == {
            "position", "velocity",
        }  # fmt: skip


@pytest.mark.node
@pytest.mark.skipif(
    shutil.which("check_urdf") is None, reason="needs: apt-get install liburdfdom-tools"
)
def test_check_urdf_finds_nothing_wrong(tmp_path: Path) -> None:
    file = tmp_path / "ers7.urdf"
    file.write_text(URDF, encoding="utf-8")
    done = subprocess.run(["check_urdf", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "root Link: base_link" in done.stdout
