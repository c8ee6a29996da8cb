# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Writing: what is allowed, at the same length, in place; everything else is refused and said."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from luar_bridge.accessors import Robot, ShmWrapper, robots
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentUnavailableError
from luar_bridge.protocol.writer import AllowList, WriteRefusedError, write_bytes, write_numbers
from luar_bridge.simulator.segment_owner import SegmentOwner


@pytest.fixture
def tcm(owner: SegmentOwner, user: str) -> Path:
    """Return the file of the document's tcmSegment1."""
    name = f"tcmSegment112{user}"
    owner.create(name)
    owner.set(name, "number_a", 4.0)
    owner.set(name, "vector_b", [1.0, 2.0, 3.0])
    owner.set_text(name, "string_c", "hello")
    owner.set_bytes(name, "bytes_d", bytes(13))
    owner.sync()
    return DIRECTORY / name


def test_values_are_written_in_place(tcm: Path) -> None:
    before = tcm.read_bytes()
    write_numbers(tcm, "number_a", [-1.5])
    write_numbers(tcm, "vector_b", [7.0, 8.0, 9.0])
    write_bytes(tcm, "bytes_d", bytes(range(13)))
    with Segment(tcm) as segment:
        seen = segment.read()
        assert seen.number("number_a") == -1.5
        assert seen.vector("vector_b").tolist() == [7.0, 8.0, 9.0]
        assert seen.raw("bytes_d") == bytes(range(13)) + bytes(3)
        assert seen.text("string_c") == "hello"
    after = tcm.read_bytes()
    changed = np.flatnonzero(np.frombuffer(before, "u1") != np.frombuffer(after, "u1"))
    values = [
        range(v.offset, v.offset + v.size)
        for v in seen.directory.variables
        if v.name != "string_c"
    ]
    assert all(any(at in value for value in values) for at in changed)


@pytest.mark.parametrize(
    "variable,values,reason",
    [
        ("vector_b", [1.0, 2.0], "holds 3 numbers, 2 were given"),
        ("number_a", [], "holds 1 numbers, 0 were given"),
        ("number_a", [math.nan], "not a finite number"),
        ("vector_b", [1.0, math.inf, 0.0], "not a finite number"),
        ("absent", [1.0], "has no variable absent"),
    ],
)
def test_what_does_not_fit_is_refused(
    tcm: Path, variable: str, values: list[float], reason: str
) -> None:
    before = tcm.read_bytes()
    with pytest.raises(WriteRefusedError, match=reason):
        write_numbers(tcm, variable, values)
    assert tcm.read_bytes() == before


def test_nothing_is_created(tmp_path: Path) -> None:
    with pytest.raises(SegmentUnavailableError):
        write_numbers(tmp_path / "vcmCamera12ada", "command", [1.0])
    assert list(tmp_path.iterdir()) == []


def test_the_allow_list() -> None:
    allowed = AllowList(["vcmCamera.command", "tcmSegment1.*"])
    allowed.check("vcmCamera", "command")
    allowed.check("tcmSegment1", "vector_b")
    for segment, variable in [("vcmCamera", "select"), ("vcmCamera2", "command"), ("tcm", "x")]:
        with pytest.raises(WriteRefusedError, match=r"allow-list"):
            allowed.check(segment, variable)
    with pytest.raises(WriteRefusedError):
        AllowList().check("vcmCamera", "command")
    for wrong in ("vcmCamera", "vcmCamera.", ".command", "a.b.c", ""):
        with pytest.raises(ValueError, match=r"segment\.variable"):
            AllowList([wrong])


def test_shm_wrapper_as_the_document_has_it(tcm: Path) -> None:
    wrapper = ShmWrapper(tcm.name, writable=["number_a"])
    assert {"get_number_a", "set_number_a", "get_vector_b", "get_string_c"} <= set(dir(wrapper))
    assert wrapper.get_number_a() == 4.0
    assert np.array_equal(wrapper.get_vector_b(), [1.0, 2.0, 3.0])  # type: ignore[arg-type]
    wrapper.set_number_a(5)
    assert wrapper.get_number_a() == 5.0
    with pytest.raises(WriteRefusedError):
        wrapper.set_vector_b([1, 2, 3])
    with pytest.raises(AttributeError, match="no variable absent"):
        wrapper.get_absent()
    with pytest.raises(AttributeError):
        wrapper.bogus  # noqa: B018
    with pytest.raises(SegmentUnavailableError):
        ShmWrapper("../etc/passwd")


def test_a_robot_by_the_names_of_its_lua_accessors(
    tcm: Path, owner: SegmentOwner, user: str
) -> None:
    table = layout_table.load_all(["document", "example_tcm"])
    robot = Robot(1, 2, user, writable=["tcmSegment1.*"], table=table)
    # Joints belong to whichever robot of this machine has them, perhaps in another test.
    assert [s for s in robot.segments() if not s.startswith("dcm")] == ["tcmSegment1"]
    assert robot.tcm.get_segment1_number_a() == 4.0
    assert robot.tcm.get_segment1_string_c() == "hello"
    assert "set_segment1_vector_b" in dir(robot.tcm)
    robot.tcm.set_segment1_vector_b([1, 2, 4])
    robot.tcm.set_segment1_string_c("howdy")
    assert robot.get("tcmSegment1", "string_c") == "howdy"
    with pytest.raises(WriteRefusedError, match="5 numbers, 3 were given"):
        robot.tcm.set_segment1_string_c("bye")
    with pytest.raises(WriteRefusedError, match="one character"):
        robot.tcm.set_segment1_string_c("x")
    with pytest.raises(WriteRefusedError, match="one byte each"):
        robot.tcm.set_segment1_string_c("€uros")
    # A segment made anew is followed.
    owner.remove(tcm.name)
    owner.create(tcm.name)
    owner.set(tcm.name, "number_a", 9.0)
    owner.sync()
    assert robot.tcm.get_segment1_number_a() == 9.0


def test_robots_and_their_managers_are_listed_and_completed(tcm: Path, user: str) -> None:
    assert RobotIdentity(1, 2, user) not in robots(tcm.parent)
    ball = tcm.with_name(f"vcmBall12{user}")
    ball.write_bytes(b"")
    try:
        assert RobotIdentity(1, 2, user) in robots(tcm.parent)
        with Robot(1, 2, user) as robot:
            assert repr(robot) == f"Robot(team=1, player=2, user={user!r})"
            assert repr(robot.tcm) == f"{robot!r}.tcm"
            assert set(robot.managers()) - {"dcm"} == {"tcm", "vcm"}  # a machine may have a body
            assert {"tcm", "vcm", "get", "managers"} <= set(dir(robot))
            assert robot.tcm.get_segment1_number_a() == 4.0
            ball.unlink()
            assert "get_segment1_vector_b" in dir(robot.tcm)
    finally:
        ball.unlink(missing_ok=True)
    with ShmWrapper(tcm.name) as wrapper:
        assert repr(wrapper) == f"ShmWrapper({tcm.name!r})"
        assert wrapper.get_number_a() == 4.0
