# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Segments made by Boost itself, read while they are created, changed, cut and replaced."""

from __future__ import annotations

import os
import struct
import threading
from pathlib import Path

import pytest

from luar_bridge.protocol.boost_layout import NotReadyError, ProtocolError
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import (
    ATTEMPTS,
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
)
from luar_bridge.simulator.segment_owner import SegmentOwner, StandInError


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


def test_a_number_that_is_new(owner: SegmentOwner, user: str) -> None:
    name = f"wcmBall12{user}"
    owner.create(name)
    owner.set(name, "t", 1.0)
    owner.set(name, "xy", [1.0, 2.0])
    owner.sync()
    with Segment(DIRECTORY / name) as segment:
        segment.read()
        owner.set(name, "xy", [3.0, 2.0])
        owner.sync()
        assert segment.changed()
        assert segment.new_number("t") is None
        owner.set(name, "t", 2.0)
        owner.sync()
        assert segment.changed()
        assert segment.new_number("t") == 2.0
        assert segment.new_number("xy") is None
        assert segment.new_number("absent") is None


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


# --- while a writer is at work -----------------------------------------------------------------


class Steps:
    """A writer of a vector, one double at a time, that goes on whenever the reader rests.

    It stands still between two rests, as a process does whose core the reader has taken, and makes
    as many steps in each as ``plan`` says.
    """

    def __init__(self, path: Path, offset: int, begun: int, plan: tuple[int, ...]) -> None:
        self._file = path.open("r+b", buffering=0)
        self._offset = offset
        self.made = 0
        self._plan = list(plan)
        self.go_on(begun)

    def go_on(self, steps: int) -> None:
        for _ in range(steps):
            vector, index = divmod(self.made, 3)
            os.pwrite(self._file.fileno(), struct.pack("<d", vector + 1), self._offset + 8 * index)
            self.made += 1

    def rest(self) -> None:
        self.go_on(self._plan.pop(0) if self._plan else 0)

    def close(self) -> None:
        self._file.close()


@pytest.fixture
def vector(owner: SegmentOwner, user: str) -> tuple[Path, int]:
    """Return a segment with three zeros in ``pose``, and the place of these in its file."""
    name = f"wcmRobot12{user}"
    owner.create(name)
    owner.set(name, "pose", [0.0] * 3)
    owner.sync()
    with Segment(DIRECTORY / name) as segment:
        (pose,) = segment.snapshot.directory.variables
    return DIRECTORY / name, pose.offset


def test_a_vector_is_never_torn_by_a_writer_that_the_reader_interrupted(
    vector: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every way in which a writer and two or three readings can come one after the other."""
    path, offset = vector
    for begun in range(7):
        to_end = -begun % 3
        # It comes to the end of the vector, or beyond it, in the first rest or in two.
        for plan in [(to_end,), (to_end + 3,), (1, to_end + 2), (2, to_end + 1, 0)]:
            os.pwrite(fd := os.open(path, os.O_RDWR), bytes(24), offset)
            os.close(fd)
            with Segment(path) as segment:
                writer = Steps(path, offset, begun, plan)
                monkeypatch.setattr("luar_bridge.protocol.segment.rest", writer.rest)
                pose = segment.read().vector("pose")
                monkeypatch.undo()
                writer.close()
            assert pose[0] == pose[1] == pose[2], (begun, plan)


def test_a_vector_that_never_stands_still_is_said_to_be_busy(
    vector: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, offset = vector
    with Segment(path) as segment:
        writer = Steps(path, offset, 1, (1,) * 2 * ATTEMPTS)
        monkeypatch.setattr("luar_bridge.protocol.segment.rest", writer.rest)
        with pytest.raises(SegmentBusyError, match="changes faster than it can be read"):
            segment.read()
        # What was read before is kept, and the next reading is tried anew.
        assert segment.snapshot.vector("pose").tolist() == [0.0] * 3
        monkeypatch.undo()
        writer.go_on(-writer.made % 3)
        pose = segment.read().vector("pose")
        assert pose[0] == pose[1] == pose[2] == writer.made / 3
        writer.close()


def test_readings_beside_a_writer_at_full_speed_are_values_that_were_written(
    owner: SegmentOwner, user: str
) -> None:
    """Two processes without a common lock: nothing is invented, and the last value is read.

    That three numbers belong together cannot be claimed here: where a third program takes the
    writer's core in the middle of them, no reader can tell (see the module segment).
    """
    name = f"wcmRobot12{user}"
    owner.create(name)
    owner.set(name, "pose", [0.0] * 3)
    owner.sync()
    last = 20000

    def write() -> None:
        for i in range(1, last + 1):
            owner.set(name, "pose", [float(i)] * 3)
            if i % 100 == 0:
                owner.flush()
        owner.sync()

    writer = threading.Thread(target=write)
    before = 0.0
    with Segment(DIRECTORY / name) as segment:
        writer.start()
        try:
            while writer.is_alive():
                try:
                    pose = segment.read().vector("pose")
                except SegmentBusyError:
                    continue  # it never stood still, which is said and not passed off as a value
                assert before <= pose.min() <= pose.max() <= pose.min() + 1
                before = pose.max()
        finally:
            writer.join()
        assert segment.read().vector("pose").tolist() == [float(last)] * 3


def test_the_helper_reports_what_it_cannot_do(owner: SegmentOwner) -> None:
    owner.set("never_created", "x", 1.0)
    with pytest.raises(StandInError, match="has not been created"):
        owner.sync()
