# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Segments and variables that are made, and lengths that change: by Python and by service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import LuarSet
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge import creation
from luar_bridge.accessors import Robot
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.creation import create_value
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment, Snapshot
from luar_bridge.protocol.writer import WriteRefusedError
from luar_bridge.simulator.segment_owner import SegmentOwner


@pytest.fixture
def path(user: str) -> Path:
    return DIRECTORY / f"tcmSegment112{user}"


def held(path: Path) -> Snapshot:
    with Segment(path) as segment:
        return segment.snapshot


def test_a_segment_is_made_and_variables_change_their_length(path: Path) -> None:
    create_value(path, "number_a", 4.0, size=8192)
    assert path.stat().st_size == 8192
    create_value(path, "vector_b", [1, 2, 3])
    create_value(path, "string_c", "hello")
    create_value(path, "bytes_d", bytes(range(13)))
    create_value(path, "string_c", "good bye")
    seen = held(path)
    assert sorted(seen) == ["bytes_d", "number_a", "string_c", "vector_b"]
    assert (seen.number("number_a"), seen.text("string_c")) == (4.0, "good bye")
    assert seen.vector("vector_b").tolist() == [1.0, 2.0, 3.0]
    assert seen.raw("bytes_d") == bytes(range(13)) + bytes(3)


def test_a_segment_keeps_the_memory_layout_of_its_owner(owner: SegmentOwner, path: Path) -> None:
    owner.create(path.name)
    owner.set_text(path.name, "string_c", "hello")
    owner.sync()
    before = held(path).directory.abi
    create_value(path, "string_c", "hello, world")
    owner.set(path.name, "number_a", 1.0)  # its owner goes on
    owner.sync()
    seen = held(path)
    assert (seen.text("string_c"), seen.number("number_a")) == ("hello, world", 1.0)
    assert seen.directory.abi is before is owner.abi


def test_what_is_refused_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    for place, variable, value, reason in (
        (path, "string_c", "x", "one character"),
        (path, "number_a", float("nan"), "not a finite number"),
        (path, "", 1.0, "needs a name"),
        (tmp_path / path.name, "number_a", 1.0, "segments are created in /dev/shm"),
        (DIRECTORY / f"dcmActuator{path.name}", "command", 1.0, "keeps pointers"),
    ):
        with pytest.raises(WriteRefusedError, match=reason):
            create_value(place, variable, value)
        assert not place.exists()
    path.write_bytes(bytes(4096))  # Boost would wait for ever
    with pytest.raises(ProtocolError):
        create_value(path, "number_a", 1.0)


def test_a_value_that_does_not_fit_is_refused_and_the_segment_lives(path: Path) -> None:
    create_value(path, "number_a", 4.0, size=4096)
    with pytest.raises(WriteRefusedError, match="the helper has died"):
        create_value(path, "vector_b", [0.0] * 1000)
    create_value(path, "number_a", 5.0)
    assert held(path).number("number_a") == 5.0


def test_a_lock_that_is_held_is_not_waited_for_without_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SegmentOwner() as owner:
        owner.create(path.name)
        owner.set(path.name, "number_a", 1.0)
        owner.sync()
        owner.die_with_lock(path.name)
        owner.wait()
    monkeypatch.setattr(creation, "LOCK_TIMEOUT_S", 0.5)
    with pytest.raises(WriteRefusedError, match=r"lock|owner dead"):
        create_value(path, "number_a", [1.0, 2.0])


def test_python_makes_what_is_creatable_alone(path: Path, user: str) -> None:
    table = layout_table.load_all(["document", "example_tcm"])
    with Robot(1, 2, user, creatable=["tcmSegment1.string_c"], table=table) as robot:
        robot.tcm.set_segment1_string_c("hello")
        robot.tcm.set_segment1_string_c("bye")
        assert robot.tcm.get_segment1_string_c() == "bye"
        with pytest.raises(WriteRefusedError, match="allow-list does not name it"):
            robot.tcm.set_segment1_number_a(1.0)


@pytest.mark.node
def test_a_service_makes_variables_and_the_bridge_sees_them(path: Path, user: str) -> None:
    parameters = {
        "user": user, "team": 1, "player": 2, "joints": False, "creatable": ["tcmSegment1.*"],
    }  # fmt: skip
    with RosPeer() as peer, RunningNode(LuarBridge, parameters):
        link = peer.subscribe(LinkState, "/luar/link_state")
        link.wait_for()

        def create(segment: str, **value: Any) -> Any:
            request = LuarSet.Request(segment=segment, variable="string_c", **value)
            return peer.call(LuarSet, "/luar/create_variable", request)

        assert create("tcmSegment1", kind=LuarSet.Request.STRING, text="hello").success
        assert create("tcmSegment1", kind=LuarSet.Request.STRING, text="good bye").success
        link.wait_for(lambda m: m.detail.startswith("1 segments"))
        assert held(path).text("string_c") == "good bye"
        assert "does not name it" in create("vcmBall", values=[1.0]).message
        assert "kind 9 is none of" in create("tcmSegment1", kind=9).message


@pytest.mark.node
def test_nothing_is_made_unless_that_is_allowed(user: str) -> None:
    with RosPeer() as peer, RunningNode(LuarBridge, {"user": user, "joints": False}):
        peer.subscribe(LinkState, "/luar/link_state").wait_for()
        names = dict(peer.node.get_service_names_and_types())
        assert "/luar/set_variable" in names
        assert "/luar/create_variable" not in names
