# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Variables of a user's own manager as topics of standard types, by a table alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from geometry_msgs.msg import Point, PointStamped
from std_msgs.msg import Float64, String

from legacy_robots_common.frames.transform_listener import TransformListener
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.protocol.layout_table import TableError, parse
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node
STREAM = qos.stream(20)
TABLE = """
segments:
  tcmSegment1:
    number_a: {length: 1, writable_from: tcm/number, type: std_msgs/msg/Float64, field: data}
    time: {length: 1}
    vector_b: {length: 3, topic: tcm/target, type: geometry_msgs/msg/PointStamped, field: point,
               frame: map, stamp: time}
    vector_d: {length: 3, topic: tcm/near, type: geometry_msgs/msg/PointStamped, field: point,
               frame: base_footprint}
    string_c: {kind: string, topic: tcm/text, type: std_msgs/msg/String, field: data}
"""


def test_the_document_s_test_manager_is_typed_by_its_table(
    make_world: Any, user: str, tmp_path: Path
) -> None:
    table = tmp_path / "tcm.yaml"
    table.write_text(TABLE)
    name = f"tcmSegment101{user}"
    with SegmentOwner() as owner:
        owner.create(name)
        owner.set(name, "number_a", 4.0)
        owner.set(name, "vector_b", [1.0, 2.0, 3.0])
        owner.set(name, "vector_d", [1.0, 2.0, 0.0])
        owner.set(name, "time", 1500.25)
        owner.set_text(name, "string_c", "hello")
        owner.sync()
        parameters = {"tables": ["document", str(table)], "writable": ["tcmSegment1.number_a"]}
        with make_world(frame_prefix="r/", **parameters) as w:
            w.wait_for_link(LinkState.CONNECTED)
            targets = w.peer.subscribe(PointStamped, "/luar/tcm/target", STREAM)
            target = targets.wait_for()
            assert target.point == Point(x=1.0, y=2.0, z=3.0)
            stamp = target.header.stamp
            assert (target.header.frame_id, stamp.sec, stamp.nanosec) == ("map", 1500, 250000000)
            near = w.peer.subscribe(PointStamped, "/luar/tcm/near", STREAM).wait_for()
            assert near.header.frame_id == "r/base_footprint"
            frames = TransformListener(w.peer.node)
            until(lambda: frames.pose(near.header.frame_id, "map"), "tf does not know its frame")
            texts = w.peer.subscribe(String, "/luar/tcm/text", STREAM)
            assert texts.wait_for().data == "hello"
            owner.set(name, "vector_b", [7.0, 2.0, 3.0])
            owner.sync()
            targets.wait_for(lambda m: m.point.x == 7.0)
            publisher = w.peer.node.create_publisher(Float64, "/luar/tcm/number", STREAM)

            def written() -> bool:
                publisher.publish(Float64(data=-2.5))
                with Segment(DIRECTORY / name) as segment:
                    return segment.snapshot.number("number_a") == -2.5

            until(written)


@pytest.mark.parametrize(
    "entry, words",
    [
        ("topic: a, type: std_msgs/msg/Nothing, field: data", "no message"),
        ("topic: a, type: std_msgs/msg/Float64, field: date", "Float64.date"),
        ("writable_from: a, type: std_msgs/msg/Float64, field: data", "in 'writable'"),
    ],
)
def test_a_topic_that_cannot_be_is_named(entry: str, words: str, tmp_path: Path) -> None:
    table = tmp_path / "t.yaml"
    table.write_text(f"segments: {{xcmA: {{a: {{length: 1, {entry}}}}}}}")
    with pytest.raises(ParameterError, match=words):
        RunningNode(LuarBridge, {"tables": ["document", str(table)]})


@pytest.mark.parametrize(
    "entry", ["topic: a", "type: b/msg/C, field: d", "topic: /a, type: b, field: c"]
)
def test_an_entry_that_is_none_is_named(entry: str) -> None:
    with pytest.raises(TableError, match=r"xcmA\.a"):
        parse(f"segments: {{xcmA: {{a: {{length: 1, {entry}}}}}}}", "here")
