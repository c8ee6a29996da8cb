# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link to one robot's shared memory: a thread that reads it and reports what has changed.

Segments with subscribers (see Demand) are read shortly after the robot's processes have written
(see Heartbeat), the others every RESTING_PERIOD_S. It finds segments that appear, opens
anew the ones that are made anew (another inode), reports the ones that are not sound, and detects
a process that stands still. Its events are those of events.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from legacy_robots_core.link.base import Link, LinkObserver, LinkState
from luar_bridge.bridge.counts import Count, Counts
from luar_bridge.bridge.finder import SegmentFinder
from luar_bridge.bridge.heartbeat import Heartbeat
from luar_bridge.bridge.stamps import Stamps
from luar_bridge.protocol import events, naming
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.camera_frames import Frame, FrameGate, Refusal
from luar_bridge.protocol.layout_table import LayoutTable
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import SegmentBusyError, Snapshot, rest

REFRESH_PERIOD_S = 0.2
"""Between two searches for new, replaced and removed segments, and looks at what is demanded."""
RESTING_PERIOD_S = 1.0
"""Between two readings of a segment without subscribers."""
IDLE_PERIOD_S = 0.1
"""Between two looks at a count without subscribers; shorter where stale_after is short."""
CYCLE_DELAY_S = 0.003
"""After a frame's count the same process writes what it saw and believes; so long it is given."""
CYCLE_SLACK_S = 0.01
"""So long it may wait for another waking to be read in; a waking of its own costs more."""
RESTED_S = 0.0001
"""A segment whose time is so long ago has been written: its two readings need no rest between."""
_SCAN_DELAY = 1.3
"""Scan periods by which scans that follow a count may be late where the count stays away."""
_PR_SET_TIMERSLACK = 29


class _Cycle(NamedTuple):
    """A cycle of cognition, with times of the link's clock (s)."""

    counted_by: str
    """The segment whose count went up."""
    over_at: float
    """When all is written."""
    read_by: float
    """Until when it waits for another waking; over_at: it has one of its own."""


class MemoryLink(Link):
    """Follows the segments of one robot.

    Parameters
    ----------
    identity, table, directory
        Whose segments, what is known of them, and where they are.
    observer
        Gets the events; its ``demand`` is a Demand, asked for every REFRESH_PERIOD_S.
    scan_rate
        How often a segment with subscribers is read at least, in Hz.
    stale_after
        Seconds after which a process whose count stands still is reported.

    """

    def __init__(
        self,
        identity: RobotIdentity,
        table: LayoutTable,
        observer: LinkObserver,
        *,
        directory: Path = naming.DIRECTORY,
        scan_rate: float = 100.0,
        stale_after: float = 1.0,
    ) -> None:
        super().__init__(str(identity), observer, name="luar memory")
        self._identity = identity
        self._directory = directory
        self._finder = SegmentFinder(identity, table.segments, directory, observer)
        self._segments = self._finder.segments
        self._table = table
        self._scan_period = 1.0 / scan_rate
        self._counts = Counts(table, self._scan_period, min(IDLE_PERIOD_S, stale_after / 4))
        self._stale_after = stale_after
        self._since: dict[str, float] = {}
        """Unix time of the last change of each segment; 0 for none since it was opened."""
        self._gates: dict[str, FrameGate] = {}
        self._cameras = {segment: prefix for prefix, segment in table.images.items()}
        self._motion = {segment for segment, _ in table.heartbeats.get("motion", ())}
        self._cognition = {segment for segment, _ in table.heartbeats.get("cognition", ())}
        self._demand = events.Demand()
        self._turn = 0
        """Which of the resting segments are read at the next refresh."""
        self._stamps = Stamps()
        self._scanned: list[str] = []
        """Segments with subscribers that do not count."""
        self._next_scan = 0.0
        """When they are read again."""
        self._next_refresh = 0.0
        self._passed = threading.Event()
        self._cycle: _Cycle | None = None
        self._cognition_runs = False
        self._changed_at: float | None = None
        self.running = False
        """Whether a process of the robot counts; without counts, whether anything changed."""

    def follow(self, now: Callable[[], float]) -> None:
        """Read when the time of ``now`` has passed; stamps are of it, in seconds."""
        super().follow(now)
        self._stamps.follow(now)
        self._counts.now = now

    def interrupt(self) -> None:
        """Wake the link's thread."""
        self._passed.set()

    def details(self) -> dict[str, str]:
        """Return the state of every heartbeat and segment, for people. Thread-safe."""
        now, unix_now, details = self.now(), self._stamps.now(), {}
        for count in self._counts:
            heartbeat = count.heartbeat
            rate = f", {1.0 / heartbeat.period:.0f} Hz" if heartbeat.period else ""
            at = heartbeat.counted_at
            seen = "never counted" if at is None else f"counted {now - at:.1f} s ago"
            name = f"{count.segment_name}.{count.variable}"
            details[f"heartbeat {name}"] = f"{heartbeat.value}{rate}, {seen}"
        for name, segment in list(self._segments.items()):
            since, directory = self._since.get(name, 0.0), segment.snapshot.directory
            age = f"changed {unix_now - since:.1f} s ago" if since else "not seen to change"
            details[f"segment {name}"] = (
                f"{age}, {len(directory.variables)} variables, inode {segment.inode}, "
                f"ABI {int(directory.abi) if directory.abi else 'unknown'}"
            )
        return details | {f"segment {n}": text for n, text in self._finder.problems.items()}

    # --- the thread ------------------------------------------------------------------------

    def serve(self) -> None:
        """Serve one connection."""
        self._start_anew()
        _sleep_precisely()
        self._next_scan = self._next_refresh = 0.0
        monotonic = self.now
        while not self.closing.is_set():
            now = monotonic()
            if now >= self._next_refresh:
                self._refresh()
                self._next_refresh = now + REFRESH_PERIOD_S
            self._serve_counts(now)
            wake_at = min(self._next_refresh, self._counts.next_at)
            if self._scanned:
                wake_at = min(wake_at, self._next_scan)
            if self._cycle is not None and wake_at > self._cycle.read_by:
                wake_at = self._cycle.over_at
            if (pause := wake_at - monotonic()) > 0:
                self._nap(pause)

    def _nap(self, seconds: float) -> None:
        """Sleep, or wait for time to pass where it does so in steps."""
        if not self._follows:
            time.sleep(seconds)
        elif self._segments:
            self._passed.wait()
            self._passed.clear()
            self._next_refresh = 0.0  # what has subscribers is known at each step
        else:
            self._passed.wait(REFRESH_PERIOD_S)  # they are looked for in real time
            self._next_refresh = 0.0

    def _serve_counts(self, now: float) -> None:
        """Look at the counts that are due, and read what is to be read with them."""
        counted = [self._on_counted(count) for count in self._counts.look(now)]
        due = [name for name in counted if name in self._demand.at_once]
        # Segments that do not count are read in the same burst: each waking costs more.
        if self._scanned and now >= self._next_scan - (self._scan_period / 4 if counted else 0.0):
            due += self._scanned
            often = self._counts.is_any_faster_than(1.1 * self._scan_period)
            delay = _SCAN_DELAY if often else 1.0  # where one counts as often scans follow it
            self._next_scan = now + delay * self._scan_period
        if due:
            self._read(due)
        if self._cycle is not None and self.now() >= self._cycle.over_at:
            self._complete_cycle(self._cycle.counted_by)

    def _start_anew(self) -> None:
        """Give up what an unforeseen exception has left."""
        self._cycle = self._changed_at = None
        self._set_cognition(runs=False)
        for name in list(self._segments):
            self._finder.close(name)
            self._on_closed(name)

    def release(self) -> None:
        """Release what outlives a connection."""
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()

    # --- every REFRESH_PERIOD_S ------------------------------------------------------------

    def _refresh(self) -> None:
        """Find and read everything, report how it is, and ask what has subscribers."""
        for name, segment in self._finder.refresh():
            if not name:
                self._serve_counts(self.now())
            elif segment is None:
                self._on_closed(name)
            else:
                self._since[name] = 0.0
                self._on_new_variables(name, segment.snapshot, ())
                event = events.SegmentChanged(name, segment.inode, segment.snapshot, 0.0)
                self.observer.on_event(event)
        names = list(self._segments)
        turns = round(RESTING_PERIOD_S / REFRESH_PERIOD_S)
        self._turn = (self._turn + 1) % turns
        self._read({*names[self._turn :: turns], *self._demand.often})
        self._update_status()
        self.observer.on_event(events.Refreshed())
        self._follow(self.observer.demand() or events.Demand())

    def _follow(self, demand: events.Demand) -> None:
        """Follow the counts of what has subscribers from now on, and no others."""
        self._demand = demand
        counting = {count.segment_name for count in self._counts}
        self._scanned = [n for n in self._segments if n in demand.at_once and n not in counting]
        followed = set(demand.at_once)
        if demand.each_cycle:
            followed |= self._cognition
        if self._scanned:
            followed |= self._motion  # which writes them in the same moment
        self._counts.follow(followed)
        for name in self._cameras:
            if name not in demand.at_once:
                self._gates.pop(name, None)
            elif name in self._segments:
                self._gates.setdefault(name, FrameGate())

    def _on_new_variables(self, name: str, snapshot: Snapshot, known: tuple[str, ...]) -> None:
        """Follow the counting variables that exist by now; report new unusable ones."""
        self._counts.add_new(name, self._segments[name], snapshot)
        for text in snapshot.directory.unusable:
            if text not in known:
                self.observer.on_problem("unusable variables", f"{name}: {text}; left out")

    def _on_closed(self, name: str) -> None:
        self._gates.pop(name, None)
        self._stamps.forget(name)
        self._counts.forget(name)
        self.observer.on_event(events.SegmentGone(name))

    # --- what is in them -------------------------------------------------------------------

    def _on_counted(self, count: Count) -> str:
        """Note that a variable has counted; return its segment."""
        heartbeat, name = count.heartbeat, count.segment_name
        if not self.running:  # what it wrote with this very count is new
            self._update_status()
        if heartbeat.forward and name in self._cognition and self._demand.each_cycle:
            assert heartbeat.counted_at is not None
            over_at = heartbeat.counted_at + CYCLE_DELAY_S
            # Read in the first half of its period, well before the next one is written.
            may_wait = (heartbeat.period or 0.0) > 2 * (CYCLE_DELAY_S + CYCLE_SLACK_S)
            self._cycle = _Cycle(name, over_at, over_at + CYCLE_SLACK_S if may_wait else over_at)
        return name

    def _read(self, names: Iterable[str]) -> None:
        """Read segments as far as they are open, and report those that have changed."""
        segments = self._segments
        changed = [n for n in names if (segment := segments.get(n)) and segment.changed()]
        if not changed:
            return
        if not all(self._has_rested(name) for name in changed):
            rest()
        for name in changed:
            segment = segments[name]
            before = segment.snapshot
            try:
                snapshot = segment.settled()
            except SegmentBusyError:
                continue
            except ProtocolError as error:
                self._finder.close(name, str(error))
                self._on_closed(name)
                continue
            if snapshot.places is not before.places:  # variables were created or resized
                self._on_new_variables(name, snapshot, before.directory.unusable)
            stamp = self._stamps.of(name, snapshot.number("time"))
            self._since[name] = stamp
            if stamp and (gate := self._gates.get(name)) is not None:
                self._check_image(name, gate, snapshot, self.now(), stamp)
            self._changed_at = self.now()
            self.observer.on_event(events.SegmentChanged(name, segment.inode, snapshot, stamp))

    def _has_rested(self, name: str) -> bool:
        """Return whether a segment that has changed was written long enough ago."""
        reported = self._segments[name].new_number("time")
        return self._stamps.is_past(name, reported, RESTED_S)

    def _check_image(
        self, name: str, gate: FrameGate, snapshot: Snapshot, now: float, stamp: float
    ) -> None:
        heartbeat = self._counts.heartbeat(name, "count")
        older_at, usual = 0.0, None
        if heartbeat is not None:
            older_at = heartbeat.last_look_before(snapshot.number("count"))
            usual = heartbeat.usual_interval
        result = gate.look(snapshot, older_at, now, usual, self._always_copied())
        if isinstance(result, Frame):
            self.observer.on_event(events.ImageReceived(self._cameras[name], result, stamp))
        elif isinstance(result, Refusal):
            text = f"{name}: an image was left out: {result.value}"
            self.observer.on_problem(f"images left out: {result.value}", text)

    def _always_copied(self) -> bool | None:
        """Return whether the robot copies every image; None where it does not say."""
        debug = self._segments.get("vcmDebug")
        if debug is None:
            return None
        flags = [debug.snapshot.number(n) for n in ("enable_shm_copy", "store_all_images")]
        return None if None in flags else all(flag == 1.0 for flag in flags)

    def _complete_cycle(self, counting: str) -> None:
        """Read what cognition wrote in the cycle that ``counting`` counted, and report it."""
        self._cycle = None
        self._read(self._demand.each_cycle)
        segment = self._segments.get(counting)
        if stamp := self._stamps.of(counting, segment.peek("time") if segment else None):
            self.observer.on_event(events.CycleCompleted(stamp))

    # --- how it is -------------------------------------------------------------------------

    def _update_status(self) -> None:
        """Set the link's status, and report whether cognition runs."""
        counts = [(count, self._is_counting(count.heartbeat)) for count in self._counts]
        still = [f"{c.segment_name}.{c.variable}" for c, moves in counts if moves is False]
        if not counts:
            self.running = self._changed_at is not None
        else:
            self.running = any(moves for _, moves in counts)
        thinking = [moves for c, moves in counts if c.segment_name in self._cognition]
        if self._segments and still:
            names = ", ".join(still)
            state = LinkState.FAULT
            detail = f"stale: {names} has stood still for more than {self._stale_after:g} s"
        elif self._segments:
            state = LinkState.CONNECTED if self.running else LinkState.CONNECTING
            detail = self._summary()
        elif problems := self._finder.problems:
            name, text = next(iter(problems.items()))
            state, detail = LinkState.FAULT, f"{name}: {text}" if name else text
        else:
            state = LinkState.CONNECTING
            detail = f"no segments of {self._identity} in {self._directory}"
        if state is LinkState.CONNECTED and self.status.state is not state:
            self._connections += 1
        self._set_status(state, detail)
        self._set_cognition(
            runs=bool(self._segments) and (any(thinking) if thinking else self.running)
        )

    def _set_cognition(self, *, runs: bool) -> None:
        if runs != self._cognition_runs:
            self._cognition_runs = runs
            self.observer.on_event(events.CognitionRuns(runs))

    def _is_counting(self, heartbeat: Heartbeat) -> bool | None:
        """Return whether a variable counts; None when it has never been seen to."""
        if heartbeat.counted_at is None:
            return None
        return self.now() - heartbeat.counted_at <= self._stale_after

    def _summary(self) -> str:
        text = f"{len(self._segments)} segments"
        if not self.running:
            text += ", but nothing counts in them yet" if self._counts else ", none of them counts"
        if names := self._finder.unreadable_names():
            text += f"; unreadable: {names}"
        return text


def _sleep_precisely() -> None:
    """Have this thread's sleeps end when they should, not up to 50 µs later."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1000, 0, 0, 0)
