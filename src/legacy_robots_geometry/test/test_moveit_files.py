# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""MoveIt's files: collisions by geometry that is known, and what the files say of the robots."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import yaml

import legacy_robots_description
from legacy_robots_geometry import moveit_files
from legacy_robots_geometry.collisions import Shape, link_frames, shapes, touching
from legacy_robots_geometry.robot_model import RobotModel

COUNT = 2000
EYE = np.eye(3)


def turned(chance, count):
    """Return random rotations (N, 3, 3)."""
    q = chance.normal(size=(count, 4))
    x, y, z, w = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def body(link, kind, *half):
    return Shape(link, kind, np.array(half), np.zeros(3), EYE)


@pytest.mark.parametrize("kind,half", [("box", (0.3, 0.1, 0.2)), ("cylinder", (0.2, 0.2, 0.3)),
                                       ("sphere", (0.25, 0.25, 0.25))])  # fmt: skip
def test_a_sphere_touches_where_its_middle_is_that_near(kind, half):
    chance = np.random.default_rng(1)
    turn, place = turned(chance, COUNT), chance.uniform(-0.6, 0.6, (COUNT, 3))
    frames = {"a": (turn, place), "b": (np.tile(EYE, (COUNT, 1, 1)), np.zeros((COUNT, 3)))}
    found = touching(body("a", kind, *half), body("b", "sphere", 0.1, 0.1, 0.1), frames)
    middle = np.einsum("nji,nj->ni", turn, -place)  # in the frame of the other
    if kind == "box":
        distance = np.linalg.norm(np.maximum(np.abs(middle) - half, 0.0), axis=1)
    elif kind == "sphere":
        distance = np.maximum(np.linalg.norm(middle, axis=1) - half[0], 0.0)
    else:
        beyond = np.stack([np.hypot(*middle[:, :2].T) - half[0], np.abs(middle[:, 2]) - half[2]])
        distance = np.linalg.norm(np.maximum(beyond, 0.0), axis=0)
    assert found[distance < 0.1].all()
    assert not found[distance > 0.12].any()
    assert 0.05 < found.mean() < 0.95


def test_turned_boxes_touch_where_a_corner_is_inside():
    chance = np.random.default_rng(2)
    turn, place = turned(chance, COUNT), chance.uniform(-0.5, 0.5, (COUNT, 3))
    frames = {"a": (turn, place), "b": (np.tile(EYE, (COUNT, 1, 1)), np.zeros((COUNT, 3)))}
    one, other = np.array([0.3, 0.1, 0.2]), np.array([0.2, 0.2, 0.2])
    found = touching(body("a", "box", *one), body("b", "box", *other), frames)
    inside = np.zeros(COUNT, bool)
    for signs in np.ndindex(2, 2, 2):
        corner = place + turn @ (one * (2 * np.array(signs) - 1))
        inside |= (np.abs(corner) < other).all(axis=1)
    assert found[inside].all()
    assert not found[
        np.linalg.norm(place, axis=1) > np.linalg.norm(one) + np.linalg.norm(other)
    ].any()


@pytest.fixture(scope="module", params=sorted(moveit_files.LAYOUTS))
def model(request):
    return RobotModel(legacy_robots_description.urdf(request.param))


@pytest.fixture(scope="module")
def pairs(model):
    return moveit_files.disabled_pairs(model, 2000)


def test_pairs_that_are_not_checked_never_or_always_touch(model, pairs):
    """By 10,000 configurations that the pairs were not found by."""
    bodies = {shape.link: shape for shape in shapes(model)}
    frames = link_frames(model, moveit_files.samples(model, 10_000, seed=7), 10_000)
    for pair, reason in pairs.items():
        if reason in ("Never", "Always"):
            share = touching(*(bodies[link] for link in pair), frames).mean()
            assert share >= 0.9 if reason == "Always" else share <= 0.003, (pair, share)
    checked = len(bodies) * (len(bodies) - 1) // 2 - len(pairs)
    assert 0 < checked < len(pairs)


def test_the_srdf_names_what_there_is(model, pairs):
    root = ElementTree.fromstring(moveit_files.srdf(model.name, model, pairs))
    links = {name for joint in model.joints for name in (joint.parent, joint.child)}
    groups = {group.get("name") for group in root.findall("group")}
    assert root.get("name") == model.name
    for chain in root.iter("chain"):
        assert {chain.get("base_link"), chain.get("tip_link")} <= links
    for group in root.findall("group/group"):
        assert group.get("name") in groups
    for end in root.findall("end_effector"):
        assert {end.get("group"), end.get("parent_group")} <= groups
        assert end.get("parent_link") in links
    (world,) = root.findall("virtual_joint")
    assert (world.get("child_link"), world.get("type")) == ("base_link", "floating")
    moving = {joint.name: joint for joint in model.joints if joint.moves}
    zero = {j.get("name"): float(j.get("value")) for j in root.findall("group_state/joint")}
    assert zero.keys() == moving.keys(), "the group body has all"
    assert all(moving[name].lower <= value <= moving[name].upper for name, value in zero.items())
    for pair in root.findall("disable_collisions"):
        assert {pair.get("link1"), pair.get("link2")} <= links
        assert pair.get("reason") in ("Adjacent", "Default", "Always", "Never")


def test_the_command_writes_limits_and_controllers_too(model, tmp_path, capsys):
    urdf = tmp_path / "robot.urdf"
    urdf.write_text(model.urdf)
    arguments = [str(urdf), "--output", str(tmp_path / "config"), "--namespace", "/dog/"]
    assert moveit_files.main([*arguments, "--samples", "50"]) == 0
    limits = yaml.safe_load((tmp_path / "config/joint_limits.yaml").read_text())["joint_limits"]
    moving = {joint.name: joint.max_speed for joint in model.joints if joint.moves}
    assert {name: limit["max_velocity"] for name, limit in limits.items()} == moving
    manager = yaml.safe_load((tmp_path / "config/moveit_controllers.yaml").read_text())
    controller = manager["moveit_simple_controller_manager"]["dog"]
    assert controller["joints"] == list(moving)
    assert (tmp_path / "config" / f"{model.name}.srdf").exists()
    for text, reason in (
        (model.urdf.replace(f'name="{model.name}"', 'name="other"', 1), "there are: nao, ers7"),
        ("<robot", "the URDF is no XML"),
    ):
        urdf.write_text(text)
        with pytest.raises(SystemExit) as end:
            moveit_files.main([*arguments, "--samples", "50"])
        assert end.value.code == 2
        assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    "words,reason",
    [
        (["--samples", "0"], "--samples must be at least 1"),
        (["--namespace", "/"], "--namespace must not be empty"),
        (["--output", "{urdf}"], "File exists"),
    ],
)
def test_wrong_arguments_are_sentences(words, reason, tmp_path, capsys):
    urdf = tmp_path / "robot.urdf"
    urdf.write_text(legacy_robots_description.urdf("nao"))
    given = ["--namespace", "luar", "--samples", "1", *(w.format(urdf=urdf) for w in words)]
    with pytest.raises(SystemExit) as end:
        moveit_files.main([str(urdf), "--output", str(tmp_path / "config"), *given])
    assert end.value.code == 2
    assert reason in capsys.readouterr().err
