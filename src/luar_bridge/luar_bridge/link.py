# SPDX-License-Identifier: Apache-2.0
"""The link to one robot's shared memory: a thread that looks, and tells what has changed.

It wakes shortly after the robot's processes have written (see Pulse), reads every segment, and
reports whole snapshots. It finds segments that appear, opens anew the ones that are made anew
(another inode), reports the ones that are not sound, and says when a process stands still.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from legacy_robots_common.link import Link, LinkState, LinkStatus
from luar_bridge import naming
from luar_bridge.frames import Frame, FrameGate, Refusal
from luar_bridge.layout_table import LayoutTable
from luar_bridge.listener import Listener
from luar_bridge.naming import RobotIdentity
from luar_bridge.protocol import NotReadyError, ProtocolError
from luar_bridge.pulse import Pulse
from luar_bridge.segment import Segment, SegmentBusyError, SegmentUnavailableError, Snapshot

LOOK_AROUND_SECONDS = 0.2
"""How often the directory is looked at for new, replaced and removed segments."""
CYCLE_SECONDS = 0.003
"""After a frame's count the same process writes what it saw and believes; so long it is given."""
QUIET_DIVISOR = 4
"""A segment in which scans find nothing new is read after cycles, or in every fourth scan."""
_BUSY_SECONDS = 1.0
"""A scan that finds something new has the segment read in every scan for so long."""
_WAIT_FOR_BEAT = 1.3
"""Where scans follow beats, one that stays away may be so many times the usual time late."""
_QUIET_SECONDS = 0.00002
"""A motion segment counts first and is filled then; it is taken when it was quiet for so long."""
_QUIET_ATTEMPTS = 10
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
        How often everything is read at least, in Hz.
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
        self._rest = 1.0 / scan_rate
        self._stale_after = stale_after
        self._segments: dict[str, Segment] = {}
        self._problems: dict[str, str] = {}
        self._since: dict[str, float] = {}
        """Unix time of the last change of each segment; 0 for none since it was opened."""
        self._pulses: dict[tuple[str, str], Pulse] = {}
        self._gates: dict[str, FrameGate] = {}
        self._cameras = {segment: prefix for prefix, segment in table.images.items()}
        self._cognition = {segment for segment, _ in table.heartbeats.get("cognition", ())}
        self._motion = {segment for segment, _ in table.heartbeats.get("motion", ())}
        self._counting: dict[str, list[str]] = {}
        for pairs in table.heartbeats.values():
            for segment, variable in pairs:
                self._counting.setdefault(segment, []).append(variable)
        self._cycle_due: tuple[float, float] | None = None
        self._busy_until: dict[str, float] = {}
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
        scans = 0
        while not self._closing.is_set():
            now = time.monotonic()
            if now >= next_look_around:
                self._look_around()
                self._tell_status()
                self._listener.on_look_around()
                next_look_around = now + LOOK_AROUND_SECONDS
            beaten = self._peek(now)
            for name in beaten:
                if (segment := self._segments.get(name)) is not None:
                    self._read(name, segment)
            # What is due soon is done now: each waking costs more than the look itself.
            if now >= (next_scan - self._rest / 4 if beaten else next_scan):
                scans += 1
                if whole := scans >= QUIET_DIVISOR:
                    scans = 0
                self._scan(whole=whole)
                next_scan = now + self._rest * (_WAIT_FOR_BEAT if self._beats_often() else 1.0)
            if self._cycle_due is not None and time.monotonic() >= self._cycle_due[0]:
                self._finish_cycle()
                scans = 0
            wake = min(next_look_around, next_scan)
            for pulse in self._pulses.values():
                wake = min(wake, pulse.next_at)
            if self._cycle_due is not None:
                wake = min(wake, self._cycle_due[0])
            if (pause := wake - time.monotonic()) > 0:
                time.sleep(pause)

    def _release(self) -> None:
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()

    # --- which segments there are ----------------------------------------------------------

    def _look_around(self) -> None:
        """Open what appeared, let go what was removed or made anew, and check what is open."""
        try:
            found = naming.find_segments(self._identity, self._table.segments, self._directory)
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

    def _open(self, name: str, path: Path) -> None:
        try:
            segment = Segment(path)
        except NotReadyError as error:
            self._problem(name, str(error))
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
            self._problem(name, str(error))
        else:
            self._problems.pop(name, None)
            self._segments[name] = segment
            self._since[name] = 0.0
            self._find_pulses(name, segment.snapshot)
            if name in self._cameras:
                self._gates[name] = FrameGate()
            self._listener.on_change(name, segment.snapshot, 0.0)

    def _find_pulses(self, name: str, snapshot: Snapshot) -> None:
        """Watch the counting variables of a segment that exist by now."""
        for variable in self._counting.get(name, ()):
            if (name, variable) not in self._pulses and snapshot.length(variable) == 1:
                self._pulses[name, variable] = Pulse(self._rest)

    def _let_go(self, name: str) -> None:
        self._segments.pop(name).close()
        self._gates.pop(name, None)
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
                if pulse.look(value, began, seen):
                    beaten.append(name)
                    if name in self._cognition:
                        self._cycle_due = (seen + CYCLE_SECONDS, self._stamp_of(name))
        return beaten

    def _stamp_of(self, name: str) -> float:
        """Return the Unix time that a segment tells in ``time``, where it can be that of now."""
        now = time.time()
        told = self._segments[name].peek("time")
        return told if told is not None and now - 1.0 < told <= now + 0.01 else now

    def _beats_often(self) -> bool:
        """Tell whether a process counts about as often as we scan: scans then follow its beats."""
        return any(p.period and p.period < 1.1 * self._rest for p in self._pulses.values())

    def _scan(self, *, whole: bool) -> None:
        """Read the segments that change often, or all when it is ``whole``."""
        now = time.monotonic()
        for name, segment in list(self._segments.items()):
            if (whole or now < self._busy_until.get(name, 0.0)) and self._read(name, segment):
                self._busy_until[name] = now + _BUSY_SECONDS

    def _read(self, name: str, segment: Segment) -> bool:
        """Read a segment; tell whether it has changed."""
        before = segment.snapshot
        try:
            snapshot = segment.read()
            if snapshot is before:
                return False
            if name in self._motion:
                snapshot = self._quiet(segment, snapshot)
        except SegmentBusyError:
            return False
        except ProtocolError as error:
            self._let_go(name)
            self._problem(name, str(error))
            return False
        if snapshot.places is not before.places:  # variables were created or resized
            self._find_pulses(name, snapshot)
        now = time.monotonic()
        stamp = self._stamp_of(name)
        self._since[name] = stamp
        self._changed_at = now
        if (gate := self._gates.get(name)) is not None:
            self._look_at_image(name, gate, snapshot, now, stamp)
        self._listener.on_change(name, snapshot, stamp)
        return True

    def _quiet(self, segment: Segment, snapshot: Snapshot) -> Snapshot:
        for _ in range(_QUIET_ATTEMPTS):
            # Too short to sleep.
            until = time.perf_counter() + _QUIET_SECONDS
            while time.perf_counter() < until:
                pass
            again = segment.read()
            if again is snapshot:
                break
            snapshot = again
        return snapshot

    def _look_at_image(
        self, name: str, gate: FrameGate, snapshot: Snapshot, now: float, stamp: float
    ) -> None:
        pulse = self._pulses.get((name, "count"))
        old_at = pulse.old_look(snapshot.number("count")) if pulse is not None else 0.0
        result = gate.look(snapshot, old_at, now, self._always_copied())
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

    def _finish_cycle(self) -> None:
        assert self._cycle_due is not None
        stamp = self._cycle_due[1]
        self._cycle_due = None
        for name, segment in list(self._segments.items()):
            self._read(name, segment)
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
