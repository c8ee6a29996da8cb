# SPDX-License-Identifier: Apache-2.0
"""The link to one robot's shared memory: a thread that looks, and tells what has changed.

What somebody waits for (see Interest) it reads shortly after the robot's processes have written
(see Pulse), everything else now and then; it reports whole snapshots. It finds segments that
appear, opens anew the ones that are made anew (another inode), reports the ones that are not
sound, and says when a process stands still.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from legacy_robots_common.link import Link, LinkState, LinkStatus
from luar_bridge import naming
from luar_bridge.frames import Frame, FrameGate, Refusal
from luar_bridge.layout_table import LayoutTable
from luar_bridge.listener import Interest, Listener
from luar_bridge.naming import RobotIdentity
from luar_bridge.protocol import ProtocolError
from luar_bridge.pulse import Pulse
from luar_bridge.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
    rest,
)
from luar_bridge.stamps import Stamps

LOOK_AROUND_SECONDS = 0.2
"""How often everything is read, and looked at for new, replaced and removed segments."""
IDLE_SECONDS = 0.1
"""How often a count is looked at for which nobody waits; sooner where stale_after is short."""
CYCLE_SECONDS = 0.003
"""After a frame's count the same process writes what it saw and believes; so long it is given."""
_WAIT_FOR_BEAT = 1.3
"""Where scans follow beats, one that stays away may be so many times the usual time late."""
_PR_SET_TIMERSLACK = 29


class MemoryLink(Link):
    """Follows the segments of one robot.

    Parameters
    ----------
    identity, table, directory
        Whose segments, what is known of them, and where they are.
    listener
        Is told everything; ``on_status`` of the base is the listener's too.
    scan_rate
        How often a segment that is waited for is read at least, in Hz.
    stale_after
        Seconds after which a process whose count stands still is reported.

    """

    def __init__(
        self,
        identity: RobotIdentity,
        table: LayoutTable,
        listener: Listener,
        on_status: Callable[[LinkStatus], None],
        *,
        directory: Path = naming.DIRECTORY,
        scan_rate: float = 100.0,
        stale_after: float = 1.0,
    ) -> None:
        super().__init__(str(identity), on_status, name="luar memory")
        self._identity = identity
        self._table = table
        self._listener = listener
        self._directory = directory
        self._scan_period = 1.0 / scan_rate
        self._idle_rest = min(IDLE_SECONDS, stale_after / 4)
        self._stale_after = stale_after
        self._segments: dict[str, Segment] = {}
        self._listing: frozenset[str] = frozenset()
        self._files: dict[str, Path] = {}
        self._problems: dict[str, str] = {}
        self._since: dict[str, float] = {}
        """Unix time of the last change of each segment; 0 for none since it was opened."""
        self._pulses: dict[tuple[str, str], Pulse] = {}
        self._gates: dict[str, FrameGate] = {}
        self._cameras = {segment: prefix for prefix, segment in table.images.items()}
        self._motion = {segment for segment, _ in table.heartbeats.get("motion", ())}
        self._cognition = {segment for segment, _ in table.heartbeats.get("cognition", ())}
        self._counting: dict[str, list[str]] = {}
        for pairs in table.heartbeats.values():
            for segment, variable in pairs:
                self._counting.setdefault(segment, []).append(variable)
        self._interest = Interest()
        self._stamps = Stamps()
        self._scanned: list[str] = []
        """Segments that are waited for and do not count."""
        self._cycle_due: tuple[float, str] | None = None
        """When a cycle of cognition is over, and which segment counted it."""
        self._alive = False
        self._changed_at: float | None = None
        self.running = False
        """Whether a process of the robot counts; without counts, whether anything changed."""

    @property
    def segments(self) -> Mapping[str, Segment]:
        """The open segments, by name; to be read from the link's thread, or for names only."""
        return self._segments

    @property
    def problems(self) -> Mapping[str, str]:
        """Segments that cannot be read, and why."""
        return dict(self._problems)

    def changed_at(self, segment: str) -> float:
        """Return when a segment was last seen to change, Unix seconds; 0 for never."""
        return self._since.get(segment, 0.0)

    def beats(self) -> dict[str, tuple[float | None, float | None, float | None]]:
        """Return for each counting variable its value, period (s) and age (s), where known."""
        now = time.monotonic()
        return {
            f"{segment}.{variable}": (
                pulse.value,
                pulse.period,
                None if pulse.beat_at is None else now - pulse.beat_at,
            )
            for (segment, variable), pulse in list(self._pulses.items())
        }

    # --- the thread ------------------------------------------------------------------------

    def _serve(self) -> None:
        _sleep_precisely()
        next_look_around = 0.0
        next_scan = 0.0
        while not self._closing.is_set():
            now = time.monotonic()
            if now >= next_look_around:
                self._look_around()
                next_look_around = now + LOOK_AROUND_SECONDS
            beaten = self._peek(now)
            if beaten:
                self._read(name for name in beaten if name in self._interest.at_once)
            # What is due soon is done now: each waking costs more than the look itself.
            soon = self._scan_period / 4 if beaten else 0.0
            if self._scanned and now >= next_scan - soon:
                self._read(self._scanned)
                wait = _WAIT_FOR_BEAT if self._beats_often() else 1.0
                next_scan = now + wait * self._scan_period
            if self._cycle_due is not None and time.monotonic() >= self._cycle_due[0]:
                self._finish_cycle(self._cycle_due[1])
            wake = next_look_around
            for pulse in self._pulses.values():
                if pulse.next_at < wake:
                    wake = pulse.next_at
            if self._scanned and next_scan < wake:
                wake = next_scan
            if self._cycle_due is not None and self._cycle_due[0] < wake:
                wake = self._cycle_due[0]
            if (pause := wake - time.monotonic()) > 0:
                time.sleep(pause)

    def _release(self) -> None:
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()

    # --- now and then ----------------------------------------------------------------------

    def _look_around(self) -> None:
        """See what there is, read everything, tell how it is, and learn what is waited for."""
        self._find_segments()
        self._read(list(self._segments))
        self._tell_status()
        self._listener.on_look_around()
        self._follow(self._listener.interest())

    def _follow(self, interest: Interest) -> None:
        """Look closely at what is waited for from now on, and at nothing else."""
        self._interest = interest
        counting = {name for name, _ in self._pulses}
        self._scanned = [n for n in self._segments if n in interest.at_once and n not in counting]
        followed = set(interest.at_once)
        if interest.each_cycle:
            followed |= self._cognition
        if self._scanned:
            followed |= self._motion  # which writes them in the same moment
        for (name, _), pulse in self._pulses.items():
            pulse.follow(closely=name in followed)
        for name in self._cameras:
            if name not in interest.at_once:
                self._gates.pop(name, None)
            elif name in self._segments:
                self._gates.setdefault(name, FrameGate())

    def _find_segments(self) -> None:
        """Open what appeared, let go what was removed or made anew, and check what is open."""
        try:
            found = self._found()
        except OSError as error:
            found = {}
            self._problem("", f"{self._directory} cannot be read: {error.strerror}")
        for name, segment in list(self._segments.items()):
            if name not in found or segment.replaced():
                self._let_go(name)
                continue
            try:
                segment.check()
            except ProtocolError as error:
                self._let_go(name)
                self._problem(name, str(error))
        for name in [n for n in self._problems if n not in found]:
            del self._problems[name]
        for name, path in found.items():
            if name not in self._segments:
                self._open(name, path)

    def _found(self) -> dict[str, Path]:
        """Return the robot's files; looked through only when there are others than before."""
        listing = frozenset(os.listdir(self._directory))
        if listing != self._listing:
            self._listing = listing
            found = naming.among_files(self._identity, self._table.segments, listing)
            self._files = {name: self._directory / file for name, file in found.items()}
        return self._files

    def _open(self, name: str, path: Path) -> None:
        try:
            segment = Segment(path)
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
            self._problem(name, str(error))
        else:
            self._problems.pop(name, None)
            self._segments[name] = segment
            self._since[name] = 0.0
            self._find_pulses(name, segment.snapshot)
            self._listener.on_change(name, segment.snapshot, 0.0)

    def _find_pulses(self, name: str, snapshot: Snapshot) -> None:
        """Watch the counting variables of a segment that exist by now."""
        for variable in self._counting.get(name, ()):
            if (name, variable) not in self._pulses and snapshot.length(variable) == 1:
                self._pulses[name, variable] = Pulse(self._scan_period, self._idle_rest)

    def _let_go(self, name: str) -> None:
        self._segments.pop(name).close()
        self._gates.pop(name, None)
        self._stamps.forget(name)
        for key in [k for k in self._pulses if k[0] == name]:
            del self._pulses[key]
        self._listener.on_gone(name)

    def _problem(self, name: str, text: str) -> None:
        if self._problems.get(name) != text:
            self._problems[name] = text
            self._listener.on_problem(name, text)

    # --- what is in them -------------------------------------------------------------------

    def _peek(self, now: float) -> list[str]:
        """Look at the counting variables that are due; return the segments that have counted."""
        beaten = []
        for (name, variable), pulse in self._pulses.items():
            if now >= pulse.next_at:
                began = time.monotonic()
                value = self._segments[name].peek(variable)
                seen = time.monotonic()
                previous = pulse.value
                if pulse.look(value, began, seen):
                    beaten.append(name)
                    # A count that falls belongs to a process that begins, not to a cycle.
                    forward = previous is not None and value is not None and value > previous
                    if forward and name in self._cognition and self._interest.each_cycle:
                        self._cycle_due = (seen + CYCLE_SECONDS, name)
        return beaten

    def _beats_often(self) -> bool:
        """Tell whether a process counts about as often as we scan: scans then follow its beats."""
        longest = 1.1 * self._scan_period
        return any(p.closely and p.period and p.period < longest for p in self._pulses.values())

    def _read(self, names: Iterable[str]) -> None:
        """Read segments as far as they are open, and tell of those that have changed."""
        opened = [(name, self._segments[name]) for name in names if name in self._segments]
        changed = [(name, segment) for name, segment in opened if segment.changed()]
        if changed:
            rest()
        for name, segment in changed:
            self._take(name, segment)

    def _take(self, name: str, segment: Segment) -> None:
        """Tell of a segment that has changed."""
        before = segment.snapshot
        try:
            snapshot = segment.settled()
        except SegmentBusyError:
            return
        except ProtocolError as error:
            self._let_go(name)
            self._problem(name, str(error))
            return
        if snapshot.places is not before.places:  # variables were created or resized
            self._find_pulses(name, snapshot)
        stamp = self._stamps.of(name, snapshot.number("time"))
        self._since[name] = stamp
        self._changed_at = time.monotonic()
        if stamp and (gate := self._gates.get(name)) is not None:
            self._look_at_image(name, gate, snapshot, self._changed_at, stamp)
        self._listener.on_change(name, snapshot, stamp)

    def _look_at_image(
        self, name: str, gate: FrameGate, snapshot: Snapshot, now: float, stamp: float
    ) -> None:
        pulse = self._pulses.get((name, "count"))
        old_at = pulse.old_look(snapshot.number("count")) if pulse is not None else 0.0
        usual = pulse.period if pulse is not None else None
        result = gate.look(snapshot, old_at, now, usual, self._always_copied())
        if isinstance(result, Frame):
            self._listener.on_frame(self._cameras[name], result, stamp)
        elif isinstance(result, Refusal):
            self._listener.on_refusal(self._cameras[name], result)

    def _always_copied(self) -> bool:
        debug = self._segments.get("vcmDebug")
        if debug is None:
            return False
        flags = (debug.snapshot.number(n) for n in ("enable_shm_copy", "store_all_images"))
        return all(flag == 1.0 for flag in flags)

    def _finish_cycle(self, counting: str) -> None:
        """Read what cognition wrote in the cycle that ``counting`` counted, and tell of it."""
        self._cycle_due = None
        self._read(self._interest.each_cycle)
        segment = self._segments.get(counting)
        if stamp := self._stamps.of(counting, segment.peek("time") if segment else None):
            self._listener.on_cycle(stamp)

    # --- how it is -------------------------------------------------------------------------

    def _tell_status(self) -> None:
        """Set the link's status, and tell of cognition's life and death."""
        beating = {key: self._beats(pulse) for key, pulse in self._pulses.items()}
        still = [f"{s}.{v}" for (s, v), beats in beating.items() if beats is False]
        if not self._pulses:
            self.running = self._changed_at is not None
        else:
            self.running = any(beating.values())
        thinking = [beats for (s, _), beats in beating.items() if s in self._cognition]
        alive = bool(self._segments) and (any(thinking) if thinking else self.running)
        if self._segments and still:
            names = ", ".join(still)
            state = LinkState.FAULT
            detail = f"stale: {names} has stood still for more than {self._stale_after:g} s"
        elif self._segments:
            state = LinkState.CONNECTED if self.running else LinkState.CONNECTING
            detail = self._described()
        elif self._problems:
            name, text = next(iter(self._problems.items()))
            state, detail = LinkState.FAULT, f"{name}: {text}" if name else text
        else:
            state = LinkState.CONNECTING
            detail = f"no segments of {self._identity} in {self._directory}"
        if state is LinkState.CONNECTED and self.status.state is not state:
            self._connections += 1
        self._set_status(state, detail)
        if alive != self._alive:
            self._alive = alive
            (self._listener.on_alive if alive else self._listener.on_stale)()

    def _beats(self, pulse: Pulse) -> bool | None:
        """Tell whether a variable counts; None when it has never been seen to."""
        if pulse.beat_at is None:
            return None
        return time.monotonic() - pulse.beat_at <= self._stale_after

    def _described(self) -> str:
        text = f"{len(self._segments)} segments"
        if not self.running:
            text += ", but nothing counts in them yet" if self._pulses else ", none of them counts"
        if self._problems:
            text += "; unreadable: " + ", ".join(sorted(self._problems))
        return text


def _sleep_precisely() -> None:
    """Have this thread's sleeps end when they should, not up to 50 µs later."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1000, 0, 0, 0)
    except (OSError, AttributeError):
        pass
