# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link beside a process that owns segments by Boost: what it reports."""

from __future__ import annotations

import itertools
import os
import random
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from legacy_robots_core.link.base import LinkObserver, LinkState, LinkStatus
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.stopwatch import Stopwatch
from luar_bridge.bridge.finder import MAXIMUM_BYTES
from luar_bridge.bridge.link import MemoryLink
from luar_bridge.protocol import layout_table, naming
from luar_bridge.protocol.boost_layout import MAXIMUM_SEGMENT_BYTES
from luar_bridge.protocol.camera_frames import Frame
from luar_bridge.protocol.events import (
    CognitionRuns,
    CycleCompleted,
    Demand,
    Event,
    ImageReceived,
    SegmentChanged,
    SegmentGone,
)
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.simulator.segment_owner import SegmentOwner

TABLE = layout_table.load_all(["document", "example_tcm"])


class Observer(LinkObserver):
    """Records what a link reports."""

    def __init__(self) -> None:
        self.changes: Recorder[SegmentChanged] = Recorder("changes")
        self.gone: Recorder[str] = Recorder("gone")
        self.runs: Recorder[bool] = Recorder("cognition runs")
        self.images: Recorder[ImageReceived] = Recorder("images")
        self.cycles: Recorder[float] = Recorder("cycles")
        self.problems: Recorder[tuple[str, str]] = Recorder("problems")
        self.status: Recorder[LinkStatus] = Recorder("status")

    def on_status(self, status: LinkStatus) -> None:
        self.status.add(status)

    def on_event(self, event: Event) -> None:
        if isinstance(event, SegmentChanged):
            self.changed_at = time.monotonic()
            self.changes.add(event)
        elif isinstance(event, SegmentGone):
            self.gone.add(event.segment)
        elif isinstance(event, CognitionRuns):
            self.runs.add(event.runs)
        elif isinstance(event, ImageReceived):
            self.images.add(event)
        elif isinstance(event, CycleCompleted):
            self.cycles.add(event.stamp)

    def on_problem(self, counter: str, text: str) -> None:
        self.problems.add((counter, text))

    def demand(self) -> Demand:
        everything = frozenset(TABLE.segments) | {"xcmThing"}
        return Demand(everything, each_cycle=everything)

    def wait_for_state(self, state: LinkState, detail: str = "") -> LinkStatus:
        return self.status.wait_for(lambda s: s.state is state and detail in s.detail)

    def wait_for_value(self, segment: str, variable: str, values: list[float]) -> float:
        """Return the stamp with which a variable came to have values."""
        change = self.changes.wait_for(
            lambda c: c.segment == segment and c.snapshot.vector(variable).tolist() == values
        )
        return change.stamp


@pytest.fixture
def observer(user: str) -> Iterator[Observer]:
    observer = Observer()
    identity = RobotIdentity(1, 2, user)
    # Without dcmSensor: other robots on this machine would have the same one.
    segments = {s: v for s, v in TABLE.segments.items() if not s.startswith("dcm")}
    table = layout_table.LayoutTable(
        "test", "", segments, {"cognition": (("vcmImage", "count"),)}, TABLE.images
    )
    link = MemoryLink(identity, table, observer, stale_after=1.0)
    link.start()
    yield observer
    link.close()


@pytest.fixture
def beating(owner: SegmentOwner, user: str) -> Iterator[Callable[[], None]]:
    """Count in vcmImage, 50 times a second, until the fixture's value is called."""
    name = f"vcmImage12{user}"
    owner.create(name)
    owner.set(name, "count", 1.0)
    owner.sync()
    stop = threading.Event()
    lock = threading.Lock()

    def beat() -> None:
        count = 1
        while not stop.wait(0.02):
            count += 1
            with lock:
                owner.set(name, "count", float(count))
                owner.flush()

    thread = threading.Thread(target=beat)
    thread.start()

    def end() -> None:
        stop.set()
        thread.join()

    yield end
    end()


def test_waits_finds_and_tells(observer: Observer, owner: SegmentOwner, user: str) -> None:
    observer.wait_for_state(LinkState.CONNECTING, "no segments of team 1, player 2")
    name = f"tcmSegment112{user}"
    owner.create(name)
    owner.set(name, "number_a", 4.0)
    owner.sync()
    # The age of these contents is unknown.
    assert observer.wait_for_value("tcmSegment1", "number_a", [4.0]) == 0.0
    observer.wait_for_state(LinkState.CONNECTING, "none of them counts")
    before = time.time()
    owner.set(name, "number_a", 5.0)
    owner.sync()
    stamp = observer.wait_for_value("tcmSegment1", "number_a", [5.0])
    assert before <= stamp <= time.time()
    observer.wait_for_state(LinkState.CONNECTED, "1 segments")


def test_unknown_segments_of_the_robot_are_found(
    observer: Observer, owner: SegmentOwner, user: str
) -> None:
    owner.create(f"xcmThing12{user}")
    owner.create(f"xcmThing13{user}")  # another player's
    owner.set(f"xcmThing12{user}", "a", 1.0)
    owner.sync()
    observer.wait_for_value("xcmThing", "a", [1.0])
    assert {change.segment for change in observer.changes.items} == {"xcmThing"}


def test_a_robot_that_stops_is_stale_and_comes_back(
    observer: Observer, beating: Callable[[], None], owner: SegmentOwner, user: str
) -> None:
    observer.wait_for_state(LinkState.CONNECTED)
    observer.runs.wait_for()
    beating()
    status = observer.wait_for_state(LinkState.FAULT, "stale: vcmImage.count has stood still")
    assert status.connections == 1
    observer.status.clear()
    owner.set(f"vcmImage12{user}", "count", 1.0)  # started again
    owner.sync()
    assert observer.wait_for_state(LinkState.CONNECTED).connections == 2


def test_old_values_are_not_taken_for_a_living_robot(
    observer: Observer, owner: SegmentOwner, user: str
) -> None:
    owner.create(f"vcmImage12{user}")
    owner.set(f"vcmImage12{user}", "count", 1459.0)
    owner.sync()
    observer.wait_for_state(LinkState.CONNECTING, "nothing counts in them yet")
    assert not observer.runs.items


def test_a_robot_runs_from_its_first_count_on(
    observer: Observer, owner: SegmentOwner, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"vcmImage12{user}"

    def count_at_once(status: LinkStatus) -> None:
        """Count before the link can look at the count again: it waits for this call."""
        observer.status.add(status)
        if status.state is LinkState.CONNECTING and "nothing counts in them yet" in status.detail:
            owner.set(name, "count", 2.0)
            owner.sync()

    monkeypatch.setattr(observer, "on_status", count_at_once)
    owner.create(name)
    owner.set(name, "count", 1.0)
    owner.sync()
    observer.wait_for_value("vcmImage", "count", [2.0])
    # Reported before what was written with the count: none of it is taken for old. What follows is
    # that it counts no more, after a second.
    assert observer.runs.items[:1] == [True]
    assert LinkState.CONNECTED in [status.state for status in observer.status.items]


def test_a_robot_that_creates_its_variables_late_is_noticed(
    observer: Observer, owner: SegmentOwner, user: str
) -> None:
    name = f"vcmImage12{user}"
    owner.create(name)
    owner.sync()
    observer.changes.wait_for(lambda c: c.segment == "vcmImage")
    for count in range(1, 4):
        owner.set(name, "count", float(count))
        owner.sync()
        observer.wait_for_value("vcmImage", "count", [float(count)])
    observer.wait_for_state(LinkState.CONNECTED)
    observer.runs.wait_for(lambda runs: runs)
    observer.runs.wait_for(lambda runs: not runs)  # it counts no more


def test_a_segment_made_anew_is_opened_anew(
    observer: Observer, beating: Callable[[], None], owner: SegmentOwner, user: str
) -> None:
    name = f"wcmBall12{user}"
    with SegmentOwner(owner.abi) as second:
        second.create(name)
        second.set(name, "xy", [1.0, 2.0])
        second.sync()
        observer.wait_for_value("wcmBall", "xy", [1.0, 2.0])
        second.remove(name)
        second.sync()
        observer.gone.wait_for(lambda segment: segment == "wcmBall")
    with SegmentOwner(owner.abi) as third:
        third.create(name)
        third.set(name, "xy", [3.0, 4.0])
        third.sync()
        observer.wait_for_value("wcmBall", "xy", [3.0, 4.0])


@pytest.mark.parametrize("size", [0, 100, 2048])
def test_a_segment_cut_while_it_is_open_is_reported(
    observer: Observer, beating: Callable[[], None], owner: SegmentOwner, user: str, size: int
) -> None:
    name = f"wcmGoal12{user}"
    with SegmentOwner(owner.abi) as second:
        second.create(name)
        second.set(name, "t", 1.0)
        second.sync()
        observer.wait_for_value("wcmGoal", "t", [1.0])
        second.truncate(name, size)
        second.sync()
        problem = observer.problems.wait_for(lambda p: p[1].startswith("wcmGoal: "))
        assert "truncated" in problem[1] or "empty" in problem[1]
        observer.gone.wait_for(lambda segment: segment == "wcmGoal")
    observer.wait_for_state(LinkState.CONNECTED, "unreadable: wcmGoal")


def test_hostile_files_are_reported_and_do_not_disturb(
    observer: Observer, beating: Callable[[], None], user: str, tmp_path: object
) -> None:
    files = {
        "gcmGame": b"", "gcmTeam": bytes(4096), "wcmBall": b"\x02\0\0\0",
        "wcmGoal": bytes(range(256)) * 64, "vcmBall": b"\x01" + bytes(70000),
    }  # fmt: skip
    for segment, content in files.items():
        (naming.DIRECTORY / f"{segment}12{user}").write_bytes(content)
    for segment in files:
        observer.problems.wait_for(lambda p, segment=segment: p[1].startswith(f"{segment}: "))
    observer.wait_for_state(LinkState.CONNECTED, "unreadable: gcmGame, gcmTeam, vcmBall")


def test_a_process_that_begins_has_told_nothing_yet(
    observer: Observer, owner: SegmentOwner, user: str
) -> None:
    name = f"vcmImage12{user}"
    owner.create(name)

    def count_up(first: int) -> float:
        """Count until it is seen as a cycle; return its stamp."""
        count = float(first)
        seen = len(observer.cycles.items)
        while len(observer.cycles.items) == seen:
            owner.set(name, "time", time.time())
            owner.set(name, "count", count)
            owner.sync()
            observer.wait_for_value("vcmImage", "count", [count])
            count += 1.0
        return observer.cycles.last

    count_up(1000)
    observer.wait_for_state(LinkState.CONNECTED)
    # The segment is filled anew: the count falls, and the time has not been written.
    owner.set(name, "time", 0.0)
    owner.set(name, "count", 0.0)
    owner.sync()
    assert observer.wait_for_value("vcmImage", "count", [0.0]) == 0.0
    cycles = len(observer.cycles.items)
    owner.set(name, "width", 160.0)
    owner.sync()
    observer.wait_for_value("vcmImage", "width", [160.0])
    assert len(observer.cycles.items) == cycles
    before = time.time()
    assert count_up(1) >= before


@pytest.mark.parametrize(
    "where",
    [
        "on_event",
        "demand",
        "on_problem",
        "luar_bridge.bridge.finder.naming.among_files",
        "luar_bridge.protocol.segment.Segment.changed",
    ],
)
def test_an_unforeseen_exception_is_a_fault_and_the_link_comes_back(
    observer: Observer,
    beating: Callable[[], None],
    owner: SegmentOwner,
    user: str,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
) -> None:
    observer.wait_for_state(LinkState.CONNECTED)
    observer.runs.wait_for()
    observer.status.clear()
    observer.runs.clear()

    def fail(*_: object) -> None:
        patch.undo()
        raise KeyError("thrown by the test")

    with monkeypatch.context() as patch:
        if where.startswith("luar_bridge"):
            patch.setattr(where, fail)
        else:
            patch.setattr(observer, where, fail)
        if where in ("on_problem", "luar_bridge.bridge.finder.naming.among_files"):
            (naming.DIRECTORY / f"wcmGoal12{user}").touch()  # is not ready: a problem
        fault = observer.wait_for_state(LinkState.FAULT)
    assert fault.detail == "unexpected KeyError: 'thrown by the test'"
    observer.wait_for_state(LinkState.CONNECTED)
    # What the robot reported before is old until it is found to run again.
    assert observer.runs.wait_for_count(2)[:2] == [False, True]
    if where != "on_problem":
        problem = observer.problems.wait_for(lambda p: p[0] == "exceptions")
        assert "thrown by the test" in problem[1]
        assert "Traceback" in problem[1]


def test_a_bad_variable_costs_itself_alone_and_one_report(
    observer: Observer, beating: Callable[[], None], owner: SegmentOwner, user: str
) -> None:
    name = f"wcmBall12{user}"
    with SegmentOwner(owner.abi) as second:
        second.create(name)
        second.set(name, "xy", [1.0, 2.0])
        for bad in ("x" * 300, "a\nb"):
            second.set(name, bad, 1.0)
        second.sync()
        observer.wait_for_value("wcmBall", "xy", [1.0, 2.0])
        for value in range(20):
            second.set(name, "xy", [float(value), 0.0])
            second.sync()
            observer.wait_for_value("wcmBall", "xy", [float(value), 0.0])
    problems = [text for counter, text in observer.problems.items if "variables" in counter]
    assert len(problems) == 2
    assert "wcmBall: a variable has a name of 300 bytes" in "".join(problems)
    assert r"wcmBall: the name of a variable is not text: 'a\nb'" in "".join(problems)


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _seconds_without_processor(*pids: int) -> float:
    """Return for how long threads of these processes were ready to run and did not."""
    tasks = (task for pid in pids for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(task.read_text(encoding="ascii").split()[1]) for task in tasks) * 1e-9


def test_a_thousand_bad_files_do_not_delay_the_good_segments(
    observer: Observer, owner: SegmentOwner, user: str
) -> None:
    name = f"vcmImage12{user}"
    owner.create(name)
    owner.set(name, "count", 0.0)
    owner.sync()
    header = (naming.DIRECTORY / name).read_bytes()[: 1 << 12]
    delays: list[float] = []
    """From a count to its event, less the time for which who writes or reads had no processor."""
    pids = (os.getpid(), owner.pid)
    counts = itertools.count(1)

    def write(rounds: int) -> None:
        for _ in range(rounds):
            counted = float(next(counts))
            owner.set(name, "time", time.time())
            owner.set(name, "count", counted)
            owner.flush()
            written, waited = time.monotonic(), _seconds_without_processor(*pids)
            observer.wait_for_value("vcmImage", "count", [counted])
            waited = _seconds_without_processor(*pids) - waited
            delays.append(observer.changed_at - written - waited)
            observer.changes.clear()

    chance, readable = random.Random(1), 0
    memory_before = _resident_bytes()
    for number in range(50):  # bytes that no name of a segment has: not the robot's
        odd = bytes(chance.choice(b"\x01 \xff\xc3.-$") for _ in range(chance.randint(1, 100)))
        (naming.DIRECTORY / os.fsdecode(odd + f"{number}12{user}".encode())).touch()
    with Stopwatch() as watch:
        write(50)
        delays.clear()
        for number in range(1000):
            end = f"{number}cm12{user}"
            length = chance.choice((1, 10, 100, 254 - len(end)))
            letters = "".join(chance.choices("abcXYZ_0", k=length))
            path = naming.DIRECTORY / f"x{letters}{end}"
            size = chance.choice((0, 1, 100, 184, 4096, 65536, 1 << 20, 1 << 30))
            size = size if number % 25 else 1 << 23
            with path.open("wb") as file:
                if number % 2:  # one whose header is sound
                    struct.pack_into("<Q", sound := bytearray(header), 0x68, max(0, size - 16))
                    file.write(sound[:size])
                    readable += 4096 <= size <= 1 << 23
                file.truncate(size)  # sparse
            if number % 10 == 0:
                write(1)
        all_tried = f"{992 - readable} more"  # of the problems eight are shown
        while all_tried not in observer.status.last.detail:
            write(1)
            assert watch.wall < 120.0
    assert max(delays) < 0.1 or sys.gettrace() is not None  # coverage traces each line
    # What is kept of readable ones is bounded by finder.MAXIMUM_BYTES; one is read twice.
    grown = _resident_bytes() - memory_before
    assert grown < MAXIMUM_BYTES + 4 * MAXIMUM_SEGMENT_BYTES, grown
    assert len(observer.status.last.detail) < 4000
    unreadable = [text for counter, text in observer.problems.items if "segments" in counter]
    assert len(unreadable) == len(set(unreadable))
    assert len({text.partition(":")[0] for text in unreadable}) == 1000 - readable


# --- images --------------------------------------------------------------------------------


def _is_whole(frame: Frame) -> bool:
    """Return whether all parts of a frame of the busy writer tell the same number."""
    pixels = np.frombuffer(frame.yuyv.tobytes(), "<u4")
    label = frame.count % 31 + 1
    return (
        bool(np.all(pixels == frame.count))
        and frame.label_a is not None
        and frame.label_b is not None
        and bool(np.all(frame.label_a == label))
        and bool(np.all(frame.label_b == label))
    )


@pytest.mark.parametrize("rate", [30, 300])
def test_images_of_a_busy_writer_are_whole(
    observer: Observer, owner: SegmentOwner, user: str, rate: int
) -> None:
    owner.create(f"vcmImage12{user}", 200000)
    owner.write_images_busily(f"vcmImage12{user}", rate)
    owner.flush()
    observer.images.wait_for_count(40)
    frames = [image.frame for image in observer.images.items]
    assert all(map(_is_whole, frames))
    counts = [frame.count for frame in frames]
    assert counts == sorted(set(counts))
    for image in observer.images.items:
        assert image.frame.time == pytest.approx(image.stamp, abs=0.1)


@pytest.fixture
def images(observer: Observer, owner: SegmentOwner, user: str) -> str:
    """A segment of which some images have been read."""
    name = f"vcmImage12{user}"
    owner.create(name, 200000)
    owner.write_images_busily(name, 50)
    owner.flush()
    observer.images.wait_for_count(5)
    return name


def test_the_image_of_a_writer_that_died_in_the_middle_is_left_out(
    observer: Observer, owner: SegmentOwner, images: str
) -> None:
    owner.die_in_mid_write(images, "yuyv", bytes(38400))
    owner.wait()
    observer.wait_for_state(LinkState.FAULT, "stale")
    assert all(_is_whole(image.frame) for image in observer.images.items)


def test_images_of_a_writer_that_stands_still_in_the_middle_are_whole(
    observer: Observer, owner: SegmentOwner, images: str
) -> None:
    for _ in range(5):
        owner.set_bytes_slowly(images, "yuyv", bytes(38400), 0.05)
        owner.sync()
        owner.write_images_busily(images, 50)
        owner.flush()
        before = len(observer.images.items)
        observer.images.wait_for_count(before + 3)
    assert all(_is_whole(image.frame) for image in observer.images.items)
