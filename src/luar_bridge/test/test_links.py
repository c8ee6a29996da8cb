# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Nao's URDF, where its links are by a second way to compute them, and what is drawn."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from legacy_robots_core.palette import rgb
from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_geometry.rotations import Pose
from luar_bridge.bridge import conversions, markers
from luar_bridge.bridge.vision_messages import CAMERA_FRAMES
from luar_bridge.model import field
from luar_bridge.model.beliefs import GoalModel, Mate, RobotPose, Team
from luar_bridge.model.link_poses import STANCE, LinkPoses
from luar_bridge.model.motion import JOINTS
from luar_bridge.model.robot_description import SOLES, urdf

HIP_Z, THIGH, TIBIA, FOOT_HEIGHT = 0.085, 0.100, 0.1029, 0.04519
"""Lengths in m, of the documentation of the Nao H25."""
MODEL = RobotModel(urdf())
POSES = LinkPoses(MODEL)
ANGLES = st.lists(st.floats(-1.5, 1.5), min_size=len(JOINTS), max_size=len(JOINTS))


def place_of(link: str, values: list[float]) -> Pose:
    """Return the pose of a link on the ground, by going from joint to joint."""
    turns = {name: values[7 + 4 * i : 11 + 4 * i] for i, name in enumerate(JOINTS)}
    here = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    above = {joint.child: joint for joint in MODEL.joints}
    while link != "base_link":
        joint = above[link]
        x, y, z, w = turns.get(joint.name, joint.origin.rotation)
        here = Pose(joint.origin.translation, (x, y, z, w)).transform(here)
        link = joint.parent
    x, y, z, qx, qy, qz, qw = values[:7]
    return Pose((x, y, z), (qx, qy, qz, qw)).transform(here)


def test_it_has_the_joints_of_joint_states_and_the_frames_of_the_sensors() -> None:
    assert {joint.name for joint in MODEL.joints if joint.moves} == set(JOINTS)
    links = [e.attrib["name"] for e in ElementTree.fromstring(urdf()).iterfind("link")]
    children = [joint.child for joint in MODEL.joints]
    assert len(children) == len(set(children)), "a link hangs on two joints"
    assert sorted(links) == sorted(["base_link", *children])
    assert {joint.parent for joint in MODEL.joints} <= set(links)
    sensors = {*CAMERA_FRAMES, conversions.IMU_FRAME, *conversions.SONAR_FRAMES.values()}
    assert sensors <= set(links)


def test_masses_and_colours() -> None:
    robot = ElementTree.fromstring(urdf("team-red"))
    masses = [float(e.attrib["value"]) for e in robot.iterfind("link/inertial/mass")]
    assert sum(masses) == pytest.approx(5.2, abs=0.3)
    colours = {e.attrib["name"]: e[0].attrib["rgba"] for e in robot.iterfind("material")}
    assert {e.attrib["name"] for e in robot.iterfind("link/visual/material")} <= set(colours)
    assert colours["team"] == " ".join(f"{part:.9g}" for part in (*rgb("team-red"), 1.0))
    changed = zip(urdf("team-red").splitlines(), urdf("team-blue").splitlines(), strict=True)
    assert sum(red != blue for red, blue in changed) == 1


def test_it_stands_on_straight_legs_as_high_as_they_are_long() -> None:
    values = POSES.values([0.0] * len(JOINTS), 0.0, 0.0)
    assert values[:3] == pytest.approx([0.0, 0.0, HIP_Z + THIGH + TIBIA + FOOT_HEIGHT])
    head = place_of("head", values).translation
    assert head == pytest.approx((0.0, 0.0, values[2] + 0.1265))
    bent = POSES.values(STANCE, 0.0, 0.0)
    assert bent[2] < values[2] - 0.01
    assert place_of("l_forearm", bent).translation[2] < bent[2] + 0.05, "the arms hang"


def test_positive_angles_turn_as_those_of_a_nao() -> None:
    def moved(joint: str, link: str) -> tuple[float, ...]:
        zero = [0.0] * len(JOINTS)
        turned = [0.3 if name == joint else 0.0 for name in JOINTS]
        (before, after) = (place_of(link, POSES.values(v, 0.0, 0.0)) for v in (zero, turned))
        return tuple(b - a for a, b in zip(before.translation, after.translation, strict=True))

    assert moved("HeadYaw", "CameraTop_frame")[1] > 0.01, "left"
    assert moved("HeadPitch", "CameraTop_frame")[2] < -0.01, "down"
    assert moved("LShoulderPitch", "l_forearm")[2] < -0.02, "down"
    assert moved("LShoulderRoll", "l_forearm")[1] > 0.02, "to the side"


@given(ANGLES, st.floats(-0.4, 0.4), st.floats(-0.4, 0.4))
def test_the_lower_foot_is_on_the_ground_between_which_the_robot_is(
    angles: list[float], roll: float, pitch: float
) -> None:
    values = POSES.values(angles, roll, pitch)
    left, right = (place_of(sole, values).translation for sole in SOLES)
    assert left[0] + right[0] == pytest.approx(0.0, abs=1e-9)
    assert left[1] + right[1] == pytest.approx(0.0, abs=1e-9)
    assert min(left[2], right[2]) >= -1e-9
    _, _, _, w = place_of("l_foot", values).rotation
    assert math.isfinite(w)


def test_a_robot_that_has_fallen_lies_on_the_ground() -> None:
    lying = POSES.values(STANCE, 0.0, math.pi / 2)
    assert 0.0 < lying[2] < 0.15
    assert 0.0 < place_of("head", lying).translation[2] < 0.2


# --- what is drawn beside it --------------------------------------------------------------------

HEAD = Header(frame_id="map")


def test_the_robot_s_number_and_its_team_mates_are_drawn() -> None:
    own = markers.robot_markers(RobotPose((1.0, 0.5, 0.0), None), Team(0, 3, 1, 1), HEAD)
    assert [m.text for m in own if m.type == Marker.TEXT_VIEW_FACING] == ["3"]
    assert own[0].color == markers.TEAMS[1]
    assert markers.robot_markers(None, None, HEAD) == []

    reported = (
        Mate((-2.9, 0.0, 0.0), 1),
        Mate((1.0, 1.0, 0.5), 2, fallen=True),
        Mate((0, 1, 0), 0),
    )
    drawn = markers.mate_markers(reported, 0, HEAD)
    bodies = [m for m in drawn if m.type == Marker.CYLINDER]
    assert [(m.pose.position.x, m.pose.position.y) for m in bodies] == [(-2.9, 0), (1, 1), (0, 1)]
    assert bodies[1].scale.z < bodies[0].scale.z, "one has fallen"
    assert [m.text for m in drawn if m.type == Marker.TEXT_VIEW_FACING] == ["1", "2"]
    assert all(m.color == markers.TEAMS[0] for m in bodies)
    (grey,) = (m for m in markers.mate_markers((Mate((0, 0, 0), 0, penalised=True),), 0, HEAD)
               if m.type == Marker.CYLINDER)  # fmt: skip
    assert grey.color == markers.GREY
    assert len({(m.ns, m.id) for m in drawn}) == len(drawn)
    assert markers.mate_markers(None, 0, HEAD) == []


def test_who_attacks_is_told_apart_on_the_carpet_from_above_and_from_the_side() -> None:
    texts = []
    for color, goal in ((0, 3.0), (1, -3.0), (0, -3.0), (1, 3.0)):
        for player in range(1, 6):
            goals = GoalModel((goal, 0.0, 0.0), (-goal, 0.0, 0.0))
            (text,) = markers.attack_marker(goals, Team(0, player, color, 1), HEAD)
            assert text.text.split() == [("blue", "red")[color], str(player), "attacks"]
            assert " " not in text.text, "rviz makes it as wide as for letters 1 m high"
            at, size = text.pose.position, text.scale.z
            assert at.x * goal > 0
            texts.append((at, 0.6 * size * len(text.text), 1.2 * size))
    for at, width, height in texts:
        assert abs(at.x) + width / 2 < field.HALF_LENGTH + field.BORDER
        assert abs(at.y) - height / 2 > field.HALF_WIDTH
        assert abs(at.y) + height / 2 < field.HALF_WIDTH + field.BORDER
    for pitch in (math.pi / 2, 0.6, 0.38):
        rows = [at.y * math.sin(pitch) + at.z * math.cos(pitch) for at, _, _ in texts]
        for (a, one), (b, two) in combinations(zip(texts, rows, strict=True), 2):
            beside = abs(a[0].x - b[0].x) >= (a[1] + b[1]) / 2 - 1e-9
            assert beside or abs(one - two) >= a[2] - 1e-9
    (unnamed,) = markers.attack_marker(GoalModel((3, 0, 0), (-3, 0, 0)), None, HEAD)
    assert unnamed.text == "attacks"
