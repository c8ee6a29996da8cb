# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What first viewpoints of the rviz files show, by geometry: all of it, and labels apart."""

import math
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from bw4t_bridge.bridge.markers import map_markers
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario
from legacy_robots_common.system import systems
from luar_bridge.bridge.markers import field_markers
from nao_goal_bridge.bridge.markers import room_map_markers
from nao_goal_bridge.model.room_map import load_room_map
from roboskate_bridge.bridge.course_topics import checkpoint_markers

pytestmark = pytest.mark.lint

VIEWS = Path(__file__).parents[1] / "rviz"
PLACES = {system.name: system.place for system in systems()}
PANES = {
    "bw4t": (720, 908),
    "demo": (895, 858),
    "luar": (1020, 810),
    "luar_match": (720, 908),
    "nao": (920, 808),
    "roboskate": (1022, 808),
}
"""Size of the 3D pane (pixels), as in docs/images."""
VIEW_ANGLE = math.radians(45.0)
"""Of rviz's cameras, from top to bottom."""
LETTER = 0.6
"""Width of a letter in heights of capitals; rviz's are narrower on average."""


def manager(view):
    return yaml.safe_load((VIEWS / f"{view}.rviz").read_text())["Visualization Manager"]


def projection(view):
    """Return a function from a point (m, target frame) to pixels from the pane's middle.

    It returns the pixels of a metre there as well.
    """
    current = manager(view)["Views"]["Current"]
    if current["Class"].endswith("/TopDownOrtho"):
        scale = current["Scale"]
        return lambda x, y, z: (scale * (x - current["X"]), scale * (y - current["Y"]), scale)
    middle = [current.get("Focal Point", {}).get(axis, 0.0) for axis in "XYZ"]
    yaw, pitch = current["Yaw"], current["Pitch"]
    back = (math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), math.sin(pitch))
    right = (-math.sin(yaw), math.cos(yaw), 0.0)
    up = (-math.cos(yaw) * math.sin(pitch), -math.sin(yaw) * math.sin(pitch), math.cos(pitch))
    focal = PANES[view][1] / 2 / math.tan(VIEW_ANGLE / 2)

    def project(*point):
        seen = [p - m for p, m in zip(point, middle, strict=True)]
        along, across, above = (
            sum(a * b for a, b in zip(seen, axis, strict=True)) for axis in (back, right, up)
        )
        metre = focal / (current["Distance"] - along)
        return metre * across, metre * above, metre

    return project


def points(markers):
    """Yield the points (m) of flat shapes, and the places of all else."""
    for marker in markers:
        at = marker.pose.position
        yield from ((at.x + p.x, at.y + p.y, at.z + p.z) for p in marker.points)
        if not marker.points:
            yield at.x, at.y, at.z


def placed(name, where):
    """Return points of a system's root frame in the frame of the demonstration."""
    place = PLACES[name]
    c, s = math.cos(place.yaw), math.sin(place.yaw)
    return [(place.x + c * x - s * y, place.y + s * x + c * y, z) for x, y, z in where]


def world():
    return World(load_map("nine_rooms"), Scenario(bots=(BotSpec(),)), seed=1).snapshot()


DRAWN = {
    "bw4t": lambda: map_markers(world(), Header()),
    "luar": lambda: field_markers(Header()).markers,
    "nao": lambda: room_map_markers(load_room_map(), Header()).markers,
    "roboskate": lambda: checkpoint_markers(0, Header()).markers,  # the ground goes on and on
}


@pytest.mark.parametrize(
    "view, drawn",
    [*(("demo", name) for name in DRAWN), *((n, n) for n in DRAWN if n != "roboskate"),
     ("luar_match", "luar")],
)  # fmt: skip
def test_a_first_view_is_whole(view, drawn):
    width, height = PANES[view]
    project = projection(view)
    all_of_it = list(points(DRAWN[drawn]()))
    for point in placed(drawn, all_of_it) if view == "demo" else all_of_it:
        x, y, metre = project(*point)
        assert metre > 0, point
        assert abs(x) <= width / 2, point
        assert abs(y) <= height / 2, point


def labels(markers, hidden=()):
    """Return text, place (m) and height of capitals (m) of the labels that a display shows."""
    return [
        (m.text, (m.pose.position.x, m.pose.position.y, m.pose.position.z), m.scale.z)
        for m in markers
        if m.type == Marker.TEXT_VIEW_FACING and m.ns not in hidden
    ]


def overlapping(view, texts):
    """Yield the pairs of labels whose boxes overlap in a view."""
    project, (width, height) = projection(view), PANES[view]
    boxes = []
    for text, place, size in texts:
        x, y, metre = project(*place)
        if metre > 0 and abs(x) < width / 2 and abs(y) < height / 2:
            boxes.append((text, x, y, LETTER * len(text) * size * metre, 1.2 * size * metre))
    assert boxes
    for (one, x, y, w, h), (two, u, v, a, b) in combinations(boxes, 2):
        if abs(x - u) < (w + a) / 2 and abs(y - v) < (h + b) / 2:
            yield one, two


@pytest.mark.parametrize("view", ["bw4t", "nao"])
def test_labels_of_a_first_view_are_apart(view):
    assert not list(overlapping(view, labels(DRAWN[view]())))


@pytest.mark.parametrize("at", [0.0, 10.0, 25.0, 33.0, 50.0])
def test_the_skater_sees_numbers_apart_on_the_straight_way(at):
    """The view follows the board."""
    ahead = [m for m in checkpoint_markers(0, Header()).markers if m.pose.position.x < 90.0
             and abs(m.pose.position.y) < 8.0]  # fmt: skip
    texts = [(text, (x - at, y, z), size) for text, (x, y, z), size in labels(ahead)]
    assert {"0", "1", "2", "3"} <= {text for text, _, _ in texts}
    assert not list(overlapping("roboskate", texts))


def test_far_worlds_show_their_labels_on_request():
    """In the demonstration they would be some pixels high, over each other."""
    groups = {d["Name"]: d.get("Displays", []) for d in manager("demo")["Displays"]}
    for group, names in (("Blocks World", ("Blocks world", "Names")),
                         ("RoboSkate", ("Checkpoints", "Numbers"))):  # fmt: skip
        shown, on_request = (next(d for d in groups[group] if d["Name"] == n) for n in names)
        assert shown["Enabled"] is True
        assert on_request["Enabled"] is False
        assert shown["Topic"] == on_request["Topic"]
        assert not set(shown["Namespaces"]) & set(on_request["Namespaces"])
        assert not any([*shown["Namespaces"].values(), *on_request["Namespaces"].values()])


def test_what_players_attack_is_not_some_pixels_high():
    groups = {d["Name"]: d.get("Displays", []) for d in manager("demo")["Displays"]}
    (knows,) = [d for d in groups["Luar"] if d["Name"] == "What Luar knows"]
    assert knows["Namespaces"] == {"attack": False}


def test_the_dog_s_room_is_beside_the_maze():
    from aibo_gti_bridge.model.room import Room

    left = min(x for x, _, _ in placed("nao", points(DRAWN["nao"]())))
    assert PLACES["aibo"].x + Room().width / 2 <= left
