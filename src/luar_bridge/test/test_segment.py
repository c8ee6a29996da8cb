# SPDX-License-Identifier: Apache-2.0
"""Segments made by Boost itself, read while they are created, changed, cut and replaced."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from luar_bridge.naming import DIRECTORY
from luar_bridge.protocol import NotReadyError, ProtocolError
from luar_bridge.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.stand_in import SegmentOwner, StandInError


def test_a_new_segment_is_empty(owner: SegmentOwner, user: str) -> None:
    owner.create(f"gcmGame12{user}")
    owner.sync()
    with Segment(DIRECTORY / f"gcmGame12{user}") as segment:
        assert list(segment.read()) == []
        assert segment.size == 65536


def test_values_lengths_and_abi(owner: SegmentOwner, user: str) -> None:
    name = f"tcmSegment112{user}"
    owner.create(name)
    owner.set(name, "number_a", 4.0)
    owner.set(name, "vector_b", [1.0, -2.5, 3e300])
    owner.set_text(name, "string_c", "hello")
    owner.set_bytes(name, "bytes_d", bytes(range(1, 12)))
    owner.set(name, "empty_e", [])
    owner.sync()
    with Segment(DIRECTORY / name) as segment:
        seen = segment.read()
        assert seen.directory.abi is owner.abi
        assert seen.number("number_a") == 4.0
        assert seen.vector("vector_b").tolist() == [1.0, -2.5, 3e300]
        assert seen.text("string_c") == "hello"
        assert seen.raw("bytes_d") == bytes(range(1, 12)) + bytes(5)
        assert "empty_e" in seen
        assert seen.length("empty_e") == 0
        assert seen.number("empty_e") is None
        assert "absent" not in seen
        assert seen.numbers("vector_b", 2) is None


def test_the_same_object_while_nothing_changes(owner: SegmentOwner, user: str) -> None:
    name = f"wcmBall12{user}"
    owner.create(name)
    owner.set(name, "xy", [1.0, 2.0])
    owner.sync()
    with Segment(DIRECTORY / name) as segment:
        first = segment.read()
        assert segment.read() is first
        owner.set(name, "xy", [1.0, 3.0])
        owner.sync()
        second = segment.read()
        assert second is not first
        assert second.vector("xy").tolist() == [1.0, 3.0]
        assert first.vector("xy").tolist() == [1.0, 2.0]


def test_variables_that_come_grow_and_shrink_are_followed(owner: SegmentOwner, user: str) -> None:
    name = f"vcmLine12{user}"
    owner.create(name)
    owner.set(name, "vendpoint", [1.0, 2.0, 3.0, 4.0])
    owner.sync()
    with Segment(DIRECTORY / name) as segment:
        for length in (2, 4, 0, 9, 4):
            owner.set(name, "vendpoint", [float(length)] * length)
            owner.set(name, f"new{length}", [1.0] * length)
            owner.sync()
            seen = segment.read()
            assert seen.vector("vendpoint").tolist() == [float(length)] * length
            assert seen.length(f"new{length}") == length


def test_many_variables(owner: SegmentOwner, user: str) -> None:
    name = f"tcmMany12{user}"
    owner.create(name, 1 << 20)
    wanted = {f"variable_{i * 7919 % 1000}": float(i) for i in range(1000)}
    for variable, value in wanted.items():
        owner.set(name, variable, value)
    owner.sync()
    with Segment(DIRECTORY / name) as segment:
        seen = segment.read()
        assert {variable: seen.number(variable) for variable in seen} == wanted


def test_readable_while_a_dead_process_holds_the_lock(owner: SegmentOwner, user: str) -> None:
    name = f"gcmTeam12{user}"
    owner.create(name)
    owner.set(name, "number", 7.0)
    owner.die_with_lock(name)
    assert owner.wait() < 0
    with Segment(DIRECTORY / name) as segment:
        assert segment.read().number("number") == 7.0


def test_removed_recreated_and_truncated_are_noticed(owner: SegmentOwner, user: str) -> None:
    name = f"wcmGoal12{user}"
    owner.create(name)
    owner.set(name, "t", 1.0)
    owner.sync()
    with Segment(DIRECTORY / name) as segment:
        assert not segment.replaced()
        owner.remove(name)
        owner.sync()
        assert segment.replaced()
        assert segment.read().number("t") == 1.0  # the dead inode stays as it was
        owner.create(name)
        owner.sync()
        assert segment.replaced()
    with Segment(DIRECTORY / name) as segment:
        owner.truncate(name, 100)
        owner.sync()
        assert segment.replaced()
        assert segment.peek("t") is None
        with pytest.raises(ProtocolError, match="truncated"):
            segment.read()
        with pytest.raises(ProtocolError, match="truncated"):
            segment.check()


def test_no_file_no_permission_no_regular_file(tmp_path: Path) -> None:
    with pytest.raises(SegmentUnavailableError, match="no segment vcmBall"):
        Segment(tmp_path / "vcmBall")
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(SegmentUnavailableError, match="another kind of file"):
        Segment(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(SegmentUnavailableError, match="cannot be opened"):
        Segment(tmp_path / "link")
    with pytest.raises(SegmentUnavailableError):
        Segment(tmp_path)


@pytest.mark.parametrize("size", [0, 4096, 65536])
def test_files_that_make_boost_hang_are_reported(tmp_path: Path, size: int) -> None:
    (tmp_path / "vcmBall").write_bytes(bytes(size))
    with pytest.raises(NotReadyError):
        Segment(tmp_path / "vcmBall")


def test_a_vector_written_at_full_speed_is_never_torn(owner: SegmentOwner, user: str) -> None:
    name = f"wcmRobot12{user}"
    owner.create(name)
    owner.set(name, "pose", [0.0] * 3)
    owner.sync()
    stop = threading.Event()

    def write() -> None:
        for i in range(20000):
            owner.set(name, "pose", [float(i)] * 3)
            if i % 100 == 0:
                owner.flush()
                if stop.is_set():
                    return

    writer = threading.Thread(target=write)
    with Segment(DIRECTORY / name) as segment:
        writer.start()
        try:
            readings = 0
            while readings < 5000:
                try:
                    pose = segment.read().vector("pose")
                except SegmentBusyError:
                    continue  # it never stood still, which is said and not passed off as a value
                assert np.all(pose == pose[0])
                readings += 1
        finally:
            stop.set()
            writer.join()


def test_the_helper_reports_what_it_cannot_do(owner: SegmentOwner) -> None:
    owner.set("never_created", "x", 1.0)
    with pytest.raises(StandInError, match="has not been created"):
        owner.sync()
