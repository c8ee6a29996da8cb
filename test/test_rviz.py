# SPDX-License-Identifier: Apache-2.0
"""The rviz files: every display exists, every topic is there and can be received."""

from pathlib import Path

import pytest
import yaml
from rclpy.qos import (
    DurabilityPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)

from legacy_robots_common.testing.ros_peer import RosPeer

ROOT = Path(__file__).parents[1]
# rviz_default_plugins of Jazzy, its plugins_description.xml.
PLUGINS = """
    AccelStamped Axes Camera CameraInfo DepthCloud Effort FPS FluidPressure FocusCamera Grid
    GridCells Illuminance Image Interact InteractiveMarkers LaserScan Map Marker MarkerArray
    Measure MoveCamera Odometry Orbit Path PointCloud PointCloud2 PointStamped Polygon Pose
    PoseArray PoseWithCovariance PublishPoint Range RelativeHumidity RobotModel Select SetGoal
    SetInitialPose TF Temperature ThirdPersonFollower TopDownOrtho TwistStamped Wrench XYOrbit
"""


@pytest.mark.parametrize("path", sorted((ROOT / "rviz").glob("*.rviz")), ids=lambda p: p.stem)
def test_every_class_exists(path, displays):
    manager = yaml.safe_load(path.read_text(encoding="utf-8"))["Visualization Manager"]
    tools, view = manager["Tools"], manager["Views"]["Current"]
    classes = {d["Class"] for d in [*displays(path.stem), *tools, view]}
    assert classes <= {f"rviz_default_plugins/{name}" for name in PLUGINS.split()}
    assert manager["Global Options"]["Fixed Frame"]


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
