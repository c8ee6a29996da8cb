# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The layouts for Foxglove show topics that there are, with panels that can show them."""

import json
import re
from pathlib import Path

import pytest

from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_common.system import systems

pytestmark = pytest.mark.lint

LAYOUTS = sorted((Path(__file__).parents[1] / "src/legacy_robots_bringup/foxglove").glob("*.json"))
IMAGES = {"sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage"}
SCENE = {
    "geometry_msgs/msg/PoseWithCovarianceStamped",
    "nav_msgs/msg/OccupancyGrid",
    "nav_msgs/msg/Odometry",
    "nav_msgs/msg/Path",
    "sensor_msgs/msg/Range",
    "visualization_msgs/msg/MarkerArray",
}
"""Of what the panel 3D can draw, that which our layouts use."""


@pytest.fixture(scope="module")
def topics(system_named):
    """Return the type of every topic that the pages of the systems have, by absolute name."""
    found = {}
    for system in systems():
        tested = system_named(system.name)
        for name, (kind, type_name) in tested.interface().items():
            if "topic" in kind:
                found[tested.absolute(name)] = type_name
    return found


def shown(layout):
    """Yield (topic, what types it may be of, None: any) for all that a layout shows."""
    for name, panel in layout["configById"].items():
        kind = name.partition("!")[0]
        if kind == "3D":
            yield from ((topic, SCENE) for topic in panel["topics"])
            urdfs = [layer["topic"] for layer in panel["layers"].values() if "topic" in layer]
            yield from ((topic, {"std_msgs/msg/String"}) for topic in urdfs)
        elif kind == "Image":
            yield panel["imageMode"]["imageTopic"], IMAGES
        elif kind == "Plot":
            yield from ((path["value"].split(".")[0], None) for path in panel["paths"])
        elif kind == "RawMessages":
            yield panel["topicPath"], None
        else:
            assert kind == "DiagnosticSummary", kind
            yield panel["topicToRender"], {"diagnostic_msgs/msg/DiagnosticArray"}


def panels(layout):
    """Yield the panels that a layout places."""
    if isinstance(layout, str):
        yield layout
    else:
        yield from panels(layout["first"])
        yield from panels(layout["second"])


def test_there_is_one_for_each_system_and_the_demonstration():
    assert {path.stem for path in LAYOUTS} == {"demo", *(system.name for system in systems())}


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_every_topic_of_a_layout_is_there_with_a_type_that_its_panel_shows(path, topics):
    layout = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(panels(layout["layout"])) == sorted(layout["configById"])
    parts = list(shown(layout))
    assert parts
    for topic, types in parts:
        assert topic in topics, f"{path.name}: {topic} is not published"
        assert types is None or topics[topic] in types, f"{topic} is a {topics[topic]}"


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_what_is_plotted_is_a_field_of_its_message(path, topics):
    layout = json.loads(path.read_text(encoding="utf-8"))
    plots = [p for name, p in layout["configById"].items() if name.startswith("Plot")]
    for value in (entry["value"] for plot in plots for entry in plot["paths"]):
        topic, *fields = value.split(".")
        message = interface_class(topics[topic])()
        for field in fields:
            assert re.fullmatch(r"\w+", field)
            message = getattr(message, field)
        assert isinstance(message, float), value
