# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What MoveIt needs beside a URDF: SRDF, joint limits and controllers, computed from the model.

Pairs of links that need no check are found as by MoveIt's setup assistant: those that are joined,
that touch at the zero position, that always touch, and that never do.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from legacy_robots_geometry.collisions import Array, link_frames, shapes, touching
from legacy_robots_geometry.robot_model import Joint, RobotModel, RobotModelError

MANAGER = "moveit_simple_controller_manager"
SAMPLES = 10_000
ALWAYS = 0.95
"""Share of the samples in which a pair touches that "always" does."""


@dataclass(frozen=True)
class Layout:
    """Planning groups of a robot.

    ``chains`` has (first link, last link) by group; ``ends`` has (group, link that bears it, its
    own link) by end effector; ``unions`` has groups of groups.
    """

    chains: Mapping[str, tuple[str, str]]
    ends: Mapping[str, tuple[str, str, str]]
    unions: Mapping[str, tuple[str, ...]]


_NAO_SIDES = (("left", "l"), ("right", "r"))
_LEGS = (("left_front", "lf"), ("right_front", "rf"), ("left_back", "lb"), ("right_back", "rb"))
LAYOUTS = {
    "nao": Layout(
        {
            "head": ("torso", "head"),
            **{f"{side}_arm": ("torso", f"{s}_forearm") for side, s in _NAO_SIDES},
            **{f"{side}_leg": ("torso", f"{s}_foot") for side, s in _NAO_SIDES},
        },
        {
            **{f"{side}_hand": (f"{side}_arm", f"{s}_forearm", f"{s}_forearm_grey")
               for side, s in _NAO_SIDES},
            **{f"{side}_sole": (f"{side}_leg", f"{s}_foot", f"{s}_sole")
               for side, s in _NAO_SIDES},
        },
        {"arms": ("left_arm", "right_arm"), "legs": ("left_leg", "right_leg"),
         "body": ("head", "left_arm", "right_arm", "left_leg", "right_leg")},
    ),
    "ers7": Layout(
        {
            "head": ("base_link", "head"),
            "mouth": ("head", "jaw"),
            "tail": ("base_link", "tail"),
            **{f"{leg}_leg": ("base_link", f"{s}_lower_leg") for leg, s in _LEGS},
        },
        {
            "camera": ("head", "head", "camera"),
            **{f"{leg}_foot": (f"{leg}_leg", f"{s}_lower_leg", f"{s}_foot") for leg, s in _LEGS},
        },
        {"legs": tuple(f"{leg}_leg" for leg, _ in _LEGS),
         "body": ("head", "mouth", "tail", *(f"{leg}_leg" for leg, _ in _LEGS))},
    ),
}  # fmt: skip
"""By the name of the robot in its URDF."""


def samples(model: RobotModel, count: int, seed: int = 0) -> dict[str, Array]:
    """Return random positions within the limits (rad or m) by joint."""
    chance = np.random.default_rng(seed)
    return {j.name: chance.uniform(j.lower, j.upper, count) for j in model.joints if j.moves}


def disabled_pairs(
    model: RobotModel, count: int = SAMPLES, seed: int = 0
) -> dict[tuple[str, str], str]:
    """Return the pairs of links that need no check, with the reason as in an SRDF."""
    bodies = shapes(model)
    solid = sorted({shape.link for shape in bodies})
    adjacent = _adjacent(model, set(solid))
    zero, many = (
        link_frames(model, positions, number)
        for positions, number in (({}, 1), (samples(model, count, seed), count))
    )
    found = {}
    for pair in combinations(solid, 2):
        parts = [[b for b in bodies if b.link == link] for link in pair]
        touch = [
            np.any([touching(a, b, frames) for a in parts[0] for b in parts[1]], axis=0)
            for frames in (zero, many)
        ]
        if pair in adjacent:
            found[pair] = "Adjacent"
        elif touch[0][0]:
            found[pair] = "Default"
        elif touch[1].mean() >= ALWAYS:
            found[pair] = "Always"
        elif not touch[1].any():
            found[pair] = "Never"
    return found


def _adjacent(model: RobotModel, solid: set[str]) -> set[tuple[str, str]]:
    """Return the sorted pairs of links with bodies that are joined, also by links without one."""
    beside: dict[str, set[str]] = {}
    for joint in model.joints:
        beside.setdefault(joint.parent, set()).add(joint.child)
        beside.setdefault(joint.child, set()).add(joint.parent)
    found = set()
    for start in solid:
        seen, waiting = {start}, [start]
        while waiting:
            for link in beside.get(waiting.pop(), set()) - seen:
                seen.add(link)
                if link in solid:
                    found.add((min(start, link), max(start, link)))
                else:
                    waiting.append(link)
    return found


def srdf(name: str, model: RobotModel, pairs: Mapping[tuple[str, str], str]) -> str:
    """Return the SRDF of a robot of LAYOUTS. Raises KeyError for another."""
    return "\n".join(['<?xml version="1.0"?>', *_srdf(name, LAYOUTS[name], model, pairs), ""])


def _srdf(
    name: str, layout: Layout, model: RobotModel, pairs: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    q = quoteattr
    children = {joint.child for joint in model.joints}
    root = next(joint.parent for joint in model.joints if joint.parent not in children)
    yield f"<robot name={q(name)}>"
    for group, (first, last) in layout.chains.items():
        chain = f"<chain base_link={q(first)} tip_link={q(last)}/>"
        yield f"  <group name={q(group)}>{chain}</group>"
    for end, (_, _, link) in layout.ends.items():
        yield f"  <group name={q(end)}><link name={q(link)}/></group>"
    for group, parts in layout.unions.items():
        yield f"  <group name={q(group)}>"
        yield from (f"    <group name={q(part)}/>" for part in parts)
        yield "  </group>"
    yield '  <group_state name="zero" group="body">'
    for joint in group_joints(model, layout, "body"):
        value = min(max(0.0, joint.lower), joint.upper)
        yield f'    <joint name={q(joint.name)} value="{value:g}"/>'
    yield "  </group_state>"
    for end, (group, bearer, _) in layout.ends.items():
        names = f"name={q(end)} parent_link={q(bearer)} group={q(end)} parent_group={q(group)}"
        yield f"  <end_effector {names}/>"
    world = f'type="floating" parent_frame="world" child_link={q(root)}'
    yield f'  <virtual_joint name="world_joint" {world}/>'
    for (one, other), reason in sorted(pairs.items()):
        yield f"  <disable_collisions link1={q(one)} link2={q(other)} reason={q(reason)}/>"
    yield "</robot>"


def group_joints(model: RobotModel, layout: Layout, group: str) -> list[Joint]:
    """Return the joints of a group that move, in the order of its chains."""
    if group in layout.unions:
        parts = (group_joints(model, layout, part) for part in layout.unions[group])
        return [joint for part in parts for joint in part]
    first, link = layout.chains[group]
    above = {joint.child: joint for joint in model.joints}
    way: list[Joint] = []
    while link != first:
        way.insert(0, above[link])
        link = above[link].parent
    return [joint for joint in way if joint.moves]


def joint_limits(model: RobotModel) -> str:
    """Return joint_limits.yaml: speeds (rad/s or m/s) of the URDF; it has no accelerations."""
    lines = ["# Speeds of the URDF. It knows no accelerations: set your own.", "joint_limits:"]
    for joint in model.joints:
        if joint.moves:
            lines += [
                f"  {joint.name}:",
                "    has_velocity_limits: true",
                f"    max_velocity: {float(joint.max_speed)!r}",
                "    has_acceleration_limits: false",
                "    max_acceleration: 0.0",
            ]
    return "\n".join([*lines, ""])


def controllers(model: RobotModel, namespace: str) -> str:
    """Return moveit_controllers.yaml for the bridge's action ``follow_joint_trajectory``."""
    names = "".join(f"\n      - {joint.name}" for joint in model.joints if joint.moves)
    return f"""moveit_controller_manager: {MANAGER}/MoveItSimpleControllerManager
{MANAGER}:
  controller_names: [{namespace}]
  {namespace}:
    type: FollowJointTrajectory
    action_ns: follow_joint_trajectory
    default: true
    joints:{names}
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write MoveIt's files for the URDF of a Nao or an ERS-7."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("urdf", type=Path)
    parser.add_argument("--output", type=Path, default=Path(), help="directory, made if missing")
    parser.add_argument("--namespace", required=True, help="that of the bridge, such as aibo")
    parser.add_argument("--samples", type=int, default=SAMPLES)
    given = parser.parse_args(arguments)
    namespace = given.namespace.strip("/")
    if given.samples < 1:
        parser.error("--samples must be at least 1")
    if not namespace:
        parser.error("--namespace must not be empty")
    try:
        model = RobotModel(given.urdf.read_text(encoding="utf-8"))
        name = model.name
        text = srdf(name, model, disabled_pairs(model, given.samples))
    except KeyError:  # of LAYOUTS
        parser.error(f"no planning groups for {name!r}; there are: {', '.join(LAYOUTS)}")
    except (OSError, UnicodeDecodeError, RobotModelError) as error:
        parser.error(f"{given.urdf}: {error}")
    try:
        given.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--output: {error}")
    for file, content in (
        (f"{name}.srdf", text),
        ("joint_limits.yaml", joint_limits(model)),
        ("moveit_controllers.yaml", controllers(model, namespace)),
    ):
        (given.output / file).write_text(content, encoding="utf-8")
        sys.stdout.write(f"{given.output / file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
