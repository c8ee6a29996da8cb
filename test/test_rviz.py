# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The rviz files: displays and topics exist, and what a parser can see of a picture.

The pictures themselves are made and checked by tools/rviz_views, which needs an rviz2.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml
from rclpy.qos import (
    DurabilityPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.drawing.markers import LAYER_M
from legacy_robots_common.node import qos
from legacy_robots_common.system import systems
from legacy_robots_core.palette import PALETTE
from legacy_robots_launch.views import adapted_view
from legacy_robots_testing.menus import MenuClient
from legacy_robots_testing.ros_peer import RosPeer
from measure.pictures import judge as views

pytestmark = pytest.mark.lint

WITH_MENUS = {"nao", "bw4t"}
SEEN_OBLIQUELY = {"roboskate"}
"""Systems whose ground is no plane."""

ROOT = Path(__file__).parents[1]

# rviz_default_plugins of Jazzy, its plugins_description.xml.
PLUGINS = """
    AccelStamped Axes Camera CameraInfo DepthCloud Effort FPS FluidPressure FocusCamera Grid
    GridCells Illuminance Image Interact InteractiveMarkers LaserScan Map Marker MarkerArray
    Measure MoveCamera Odometry Orbit Path PointCloud PointCloud2 PointStamped Polygon Pose
    PoseArray PoseWithCovariance PublishPoint Range RelativeHumidity RobotModel Select SetGoal
    SetInitialPose TF Temperature ThirdPersonFollower TopDownOrtho TwistStamped Wrench XYOrbit
"""


VIEWS = pytest.mark.parametrize(
    "path", sorted((ROOT / "rviz").glob("*.rviz")), ids=lambda p: p.stem
)


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@VIEWS
def test_every_class_exists(path, displays):
    manager = load(path)["Visualization Manager"]
    tools, views = manager["Tools"], [manager["Views"]["Current"], *manager["Views"]["Saved"]]
    classes = {d["Class"] for d in [*displays(path.stem), *tools, *views]}
    assert classes <= {f"rviz_default_plugins/{name}" for name in PLUGINS.split()}
    assert manager["Global Options"]["Fixed Frame"]


@VIEWS
def test_the_window_is_laid_out_and_every_dock_has_its_place(path, displays):
    view = load(path)
    window = view["Window Geometry"]
    state = bytes.fromhex(window["QMainWindow State"])
    assert state.startswith(bytes.fromhex("000000ff")), "no QMainWindow.saveState"
    docks = [panel["Name"] for panel in view["Panels"]]
    docks += [d["Name"] for d in displays(path.stem) if d["Class"].endswith("/Image")]
    assert len(docks) == len(set(docks)), "two docks of one name"
    for dock in ("Tools", *docks):
        assert dock.encode("utf-16-be") in state, f"{dock} has no place"
    assert len(view["Visualization Manager"]["Views"]["Saved"]) >= 2


@VIEWS
def test_the_background_is_that_of_the_pages(path):
    text = load(path)["Visualization Manager"]["Global Options"]["Background Color"]
    assert "#" + "".join(f"{int(part):02x}" for part in text.split(";")) == PALETTE["stage"]


def test_the_demonstration_has_a_group_and_a_viewpoint_for_each_system():
    manager = load(ROOT / "rviz" / "demo.rviz")["Visualization Manager"]
    titles = {system.title for system in systems()}
    assert titles <= {d["Name"] for d in manager["Displays"]}
    assert titles <= {view["Name"] for view in manager["Views"]["Saved"]}


def frames_in(value):
    """Yield the values of all keys that name a frame, or the prefix of one."""
    if isinstance(value, list):
        for entry in value:
            yield from frames_in(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            if key in ("Fixed Frame", "Target Frame", "Reference Frame", "TF Prefix"):
                yield key, entry
            else:
                yield from frames_in(entry)


@VIEWS
def test_a_prefix_reaches_all_places_that_name_a_frame(path):
    before = list(frames_in(load(path)))
    after = list(frames_in(yaml.safe_load(adapted_view(path, frame_prefix="b/"))))
    for (key, old), (_, new) in zip(before, after, strict=True):
        if key == "TF Prefix":
            assert new == "b"
        elif not old.startswith("<"):
            assert new == f"b/{old}"
    assert load(path) == yaml.safe_load(adapted_view(path)), "and without one nothing changes"


ALL_FILES = sorted(
    {file for top in ("rviz", "examples", "tools") for file in (ROOT / top).rglob("*.rviz")}
)


@pytest.mark.parametrize("path", ALL_FILES, ids=lambda path: path.stem)
def test_no_prefix_of_a_robot_ends_with_a_slash(path):
    """rviz puts one between prefix and link: the model is in error with two."""
    for key, name in frames_in(load(path)):
        assert key != "TF Prefix" or not name.endswith("/"), name


@pytest.mark.parametrize("path", ALL_FILES, ids=lambda path: path.stem)
def test_the_docks_are_shown(path):
    """Without these rviz reads a variable that it has not set."""
    window = load(path)["Window Geometry"]
    assert window["Hide Left Dock"] is window["Hide Right Dock"] is False


def test_each_robot_of_the_match_has_its_own_frames(displays):
    models = [d for d in displays("luar_match") if d["Class"].endswith("/RobotModel")]
    assert [d["Name"] for d in models] == [f"{t} {n}" for t in ("Blue", "Red") for n in (1, 2, 3)]
    for model in models:
        assert model["Description Topic"]["Value"] == f"{model['TF Prefix']}/robot_description"


def test_a_frame_of_another_name_and_displays_that_are_left_out():
    path = ROOT / "rviz" / "luar.rviz"
    text = adapted_view(path, frame_prefix="b/", frames={"map": "field"}, without=["Camera"])
    manager = yaml.safe_load(text)["Visualization Manager"]
    assert manager["Global Options"]["Fixed Frame"] == "field"
    names = {display["Name"] for display in manager["Displays"]}
    assert "Labels" in names
    assert "Camera" not in names


# --- of what is published -------------------------------------------------------------------


@pytest.mark.system
def test_every_topic_is_on_the_graph_with_a_compatible_qos(system, launched, displays):
    topics = [d["Topic"] for d in displays(system.name) if "Topic" in d]
    assert topics
    with RosPeer(namespace=system.name) as peer:
        peer.wait_for_publishers(*(topic["Value"] for topic in topics))
        for topic in topics:
            name = topic["Value"]
            assert not name.startswith("/") or name in ("/tf", "/tf_static"), "names are relative"
            wanted = QoSProfile(
                depth=int(topic.get("Depth", 5)),
                reliability=ReliabilityPolicy[
                    topic["Reliability Policy"].upper().replace(" ", "_")
                ],
                durability=DurabilityPolicy[topic["Durability Policy"].upper().replace(" ", "_")],
            )
            offers = peer.node.get_publishers_info_by_topic(name)
            for offer in offers:
                compatibility, reason = qos_check_compatible(offer.qos_profile, wanted)
                assert compatibility is not QoSCompatibility.ERROR, f"{name}: {reason}"


@pytest.mark.system
def test_menus_are_served_below_the_names_of_the_displays(system, launched, displays):
    menus = [d for d in displays(system.name) if d["Class"].endswith("/InteractiveMarkers")]
    assert len(menus) == (system.name in WITH_MENUS)
    with RosPeer(namespace=system.name) as peer:
        for display in menus:
            client = MenuClient(peer, display["Interactive Markers Namespace"])
            client.wait_for(lambda markers: markers)
            for marker in client.markers.values():
                # rviz shows a standing error for one that follows a frame that comes after it.
                assert stamp_of(marker) != (0, 0)


def drawings(system, displays, peer):
    """Return the markers of each drawing of a system by the latched topic or stream."""
    found = {}
    for display in displays(system.name):
        if display["Class"].endswith("/MarkerArray"):
            topic = display["Topic"]
            latched = topic["Durability Policy"] == "Transient Local"
            profile = qos.LATCHED if latched else qos.stream()
            messages = peer.subscribe(MarkerArray, topic["Value"], profile)
            markers = messages.wait_for(lambda m: m.markers).markers
            found[topic["Value"], latched] = [m for m in markers if m.action == Marker.ADD]
    return found


@pytest.mark.system
def test_latched_markers_wait_for_their_transform_and_colours_are_true(system, launched, displays):
    with RosPeer(namespace=system.name) as peer:
        for (topic, _), markers in drawings(system, displays, peer).items():
            for marker in markers:
                where = f"{topic}: {marker.ns} {marker.id}"
                # rviz drops others whose transform comes after them, or is older than they are.
                assert marker.frame_locked, where
                # rviz draws the tops of cube lists at half brightness.
                assert marker.type != Marker.CUBE_LIST, where
                if marker.type == Marker.TRIANGLE_LIST:
                    assert marker.points, where  # an error in rviz
                    # Lists without colours of their own are lit from one side.
                    assert len(marker.colors) == len(marker.points), where


@pytest.mark.system
def test_flat_shapes_lie_a_layer_apart(system, launched, displays):
    with RosPeer(namespace=system.name) as peer:
        shapes = [
            marker
            for markers in drawings(system, displays, peer).values()
            for marker in markers
            if marker.type in (Marker.TRIANGLE_LIST, Marker.LINE_LIST, Marker.LINE_STRIP)
        ]
    if system.name in SEEN_OBLIQUELY:
        return
    assert all(shape.type == Marker.TRIANGLE_LIST for shape in shapes), "lines dip under a floor"
    heights = sorted({round(point.z, 4) for shape in shapes for point in shape.points})
    assert all(b - a >= LAYER_M - 1e-4 for a, b in pairwise(heights))
    assert heights or system.name == "aibo"


@pytest.mark.system
def test_drawings_are_never_newer_than_the_transforms_of_their_frames(system, launched, displays):
    """What a listener has of /tf when a drawing was sent is enough to place it."""
    if system.name != "luar":
        return  # the others draw in the root frame only
    sent, drawn = [], []
    with RosPeer(namespace=system.name) as peer:
        peer.node.create_subscription(
            TFMessage, "/tf", lambda m, info: sent.append((info["source_timestamp"], m)), 1000
        )
        markers = peer.subscribe(MarkerArray, "markers", qos.stream(100))
        peer.node.create_subscription(
            MarkerArray, "markers",
            lambda m, info: drawn.append((info["source_timestamp"], m)), qos.stream(100),
        )  # fmt: skip
        markers.wait_for(lambda _: len(drawn) >= 45)
    checked = 0
    taken = max(when for when, _ in sent)  # a transform on its way may belong to a later drawing
    for when, array in drawn[5:]:
        if when > taken:
            continue
        newest = {}
        for sent_at, message in sent:
            if sent_at <= when:
                for transform in message.transforms:
                    newest[transform.child_frame_id] = stamp_of(transform)
        for marker in array.markers:
            frame = marker.header.frame_id
            if frame in newest:
                checked += 1
                assert stamp_of(marker) <= newest[frame], f"{marker.ns} is ahead of {frame}"
    assert checked > 20


def stamp_of(message):
    return message.header.stamp.sec, message.header.stamp.nanosec


# --- the judge of tools/rviz_views ----------------------------------------------------------


def painted(*names, status=None):
    """Return a picture in which each colour of the palette fills a square."""
    picture = np.full((400, 900, 3), views.BACKGROUND[::-1], np.uint8)
    for number, name in enumerate(names):
        picture[100:140, 50 * number : 50 * number + 40] = views.rgb_of(name)[::-1]
    if status is not None:
        picture[0:5, 0:5] = views.STATUS_COLOURS[status][::-1]
    return picture


def test_a_picture_is_good_with_all_its_colours_and_no_status():
    assert views.judge("luar", painted("carpet", "field-line")).problems == []
    assert views.judge("luar", painted("carpet")).problems == ["field-line is not seen"]
    assert views.judge("roboskate", painted("brick")).problems == []


@pytest.mark.parametrize("status", ["warning", "error"])
def test_a_display_in_warning_or_error_is_seen(status):
    picture = painted("carpet", "field-line", status=status)
    assert views.judge("luar", picture).problems == [f"a display in {status}"]
