# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One bring-up under observation, and one fault in it from beginning to end."""

from __future__ import annotations

import os
import random
import re
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

from legacy_robots_testing.machine import ros2
from legacy_robots_testing.process import Process
from measure.faults.errands import End, Errand
from measure.faults.observer import Observer, Seen
from measure.faults.system import CLIENT, FREEZE, FREEZE_SECONDS, KILL, STOP, System

PAUSE_S = 0.1
"""Between goals that fail at once, of which hundreds would follow until one succeeds."""
START_SECONDS = 60.0
DETECT_SECONDS = 40.0
RECOVER_SECONDS = 60.0
END_SECONDS = 30.0
"""How long a goal may take that a fault has left alone."""
QUIET_MARGIN = (50_000_000, 700_000_000)
"""Data may be stamped so long after the loss, and so long before the link is up, in ns."""
LATE = 5.0
"""Seconds after which a loss of the link counts as seen when only diagnostics report it."""
DISCOVERY = 1.0
"""Seconds in which the services and actions of a new bridge are surely found. The names of the
one that was killed are still on the graph, and what is sent to them is lost."""
SILENCE = 1.5
"""Seconds without data that count as a stall, which lasts 2 s: the last data may come late."""
NOT_WRITTEN = "its result was asked for, but not written"
"""What a bridge logs 5 s after the end of such a goal."""

_ENDED = re.compile(r"process has (?:died|finished cleanly) \[pid (\d+)")
"""Its id may be another process's by now."""


@dataclass
class Trial:
    """What came of one fault."""

    fault: str
    reason: str = ""
    """How it was seen from outside; empty if it was not."""
    recovered_after: float | None = None
    """Seconds from the fault until data flow again and stay; None if that did not happen."""
    ends: list[End] = field(default_factory=list)
    stale: int = 0
    """Messages that went back in time, or came while no sender was connected."""
    problems: list[str] = field(default_factory=list)

    @property
    def lost(self) -> int:
        """Errands that did not end, or ended twice."""
        return sum(end.lost for end in self.ends)

    @property
    def false(self) -> int:
        """Errands that were said to have succeeded and had not."""
        return sum(end.false for end in self.ends)

    @property
    def well(self) -> bool:
        """Whether everything was as it has to be."""
        detected_and_over = bool(self.reason) and self.recovered_after is not None
        return detected_and_over and not (self.lost or self.false or self.stale or self.problems)


class LaunchEndedError(Exception):
    """Raised when a launch has ended by itself; the message has the last lines it printed."""


class Launched:
    """A launch with a system of the campaign in it. A context; ``faults`` are the simulator's."""

    def __init__(self, system: System, faults: Sequence[str], chance: random.Random) -> None:
        self.system = system
        self.faults = faults
        self._chance = chance
        self._stack = ExitStack()
        self._launch: Process | None = None

    def __exit__(self, *exception: object) -> None:
        """End everything."""
        self._stack.close()

    @property
    def log(self) -> list[str]:
        """What the launch has printed."""
        return [] if self._launch is None else self._launch.lines.items

    def end_with_stacks(self) -> list[str]:
        """End everything; return what was printed meanwhile: the stacks of each Python process.

        Programs print them at SIGABRT where PYTHONFAULTHANDLER is set.
        """
        before = len(self.log)
        if self._launch is not None:
            ended = {int(match[1]) for match in map(_ENDED.search, self.log) if match}
            for pid in {pid for _, pid in self._launch.started()} - ended:
                with suppress(ProcessLookupError):  # it has just ended
                    os.kill(pid, signal.SIGABRT)
        self._stack.close()
        return self.log[before:]

    def _check_runs(self) -> None:
        """Raise LaunchEndedError when the launch has ended."""
        if self._launch is not None and self._launch.has_ended:
            last = "\n".join(self.log[-20:])
            raise LaunchEndedError(f"{self.system.name}: the launch has ended with\n{last}")


class BringUp(Launched):
    """A shipped launch file, started as a user would, and a node that watches. A context.

    ``run`` starts the launch.
    """

    def __init__(
        self,
        system: System,
        faults: Sequence[str],
        chance: random.Random,
        run: Callable[[Sequence[str]], Process] = Process,
    ) -> None:
        super().__init__(system, faults, chance)
        self._run = run

    def __enter__(self) -> BringUp:
        """Launch, and wait until all is well."""
        system = self.system
        arguments = [*system.arguments(), "respawn:=true"]
        if self.faults:
            arguments.append(f"fault:={','.join(self.faults)}")
        file = system.launch or f"legacy_robots_bringup/{system.name}.launch.py"
        command = ros2("launch", *file.split("/"), *arguments)
        with ExitStack() as stack:
            stack.callback(system.close)
            launch = self._launch = stack.enter_context(self._run(command))
            peer = stack.enter_context(
                system.peer(f"campaign{system.namespace.replace('/', '_')}")
            )
            self._observer = Observer(peer, system.namespace, system.node)
            self.streams = system.watch(peer, self._observer, launch)
            try:
                self._wait_until_well(0.0, START_SECONDS)
            except TimeoutError as error:
                last = "\n".join(self.log[-20:])
                raise TimeoutError(f"{error}; the launch ends with\n{last}") from None
            self._stack = stack.pop_all()
        return self

    def trial(self, fault: str, is_ours: Callable[[], bool] = lambda: True) -> Trial:
        """Have one fault happen while something is under way, and see what comes of it.

        ``is_ours`` is asked just before it; where it returns False, another trial of the same
        launch has it happen.
        """
        system, observer, trial = self.system, self._observer, Trial(fault)
        system.killing_the_bridge = fault == KILL + system.process
        system.stopping_the_bridge = fault == STOP + system.process
        self._wait_until_well(time.monotonic(), START_SECONDS)
        before = len(self.log)
        system.prepare()
        system.before_fault()
        errands = [] if fault == CLIENT else system.under_way()
        time.sleep(self._chance.uniform(0.1, 0.6))  # not always in the same phase
        with system.during() as more:
            begun = time.monotonic()
            if fault == CLIENT:
                errands.append(system.kill_client())
            elif is_ours():
                self._inject(fault, begun)
            observer.wait_until(lambda: bool(self._seen(fault, begun)), DETECT_SECONDS)
            trial.reason = self._seen(fault, begun)
            errands += system.while_away()
            time.sleep(max(0.0, begun + system.lasting(fault) - time.monotonic()))
            self._recover(trial, begun, errands)
        system.settled()
        killed = system.killing_the_bridge
        # A bridge that was ended answers nothing any more; the new one may be asked.
        deadline = time.monotonic() + (1.0 if system.bridge_is_away else END_SECONDS)
        for errand in [*errands, *more]:
            end = errand.end(max(0.1, deadline - time.monotonic()))
            # One that was stopped has sent all its clients the ends of their goals.
            trial.ends.append(replace(end, lost=True) if end.unknown and not killed else end)
        trial.problems += sorted({end.reason for end in trial.ends if end.lost or end.false})
        trial.problems += [line for line in self.log[before:] if NOT_WRITTEN in line]
        if not trial.reason:
            trial.problems.append(f"not seen: {system.faults[fault]}")
        trial.stale = self._stale(trial, begun)
        return trial

    # --- one after the other -----------------------------------------------------------------

    def _inject(self, fault: str, begun: float) -> None:
        """Have the fault happen. Raises RuntimeError when it does not happen."""
        before = len(self.log)
        if self.system.inject(fault):
            return
        if fault.startswith(KILL):
            pid = self._pid(fault[len(KILL) :])
            os.kill(pid, signal.SIGKILL)
            happened = rf"process has died \[pid {pid}, exit code -9"
        elif fault.startswith(STOP):
            pid = self._pid(fault[len(STOP) :])
            os.kill(pid, signal.SIGTERM)
            happened = rf"process has finished cleanly \[pid {pid}\]"
        elif fault.startswith(FREEZE):
            pid = self._pid(fault[len(FREEZE) :])
            os.kill(pid, signal.SIGSTOP)
            threading.Timer(FREEZE_SECONDS, os.kill, [pid, signal.SIGCONT]).start()
            return
        else:
            assert self.system.simulator is not None
            os.kill(self._pid(self.system.simulator), signal.SIGUSR1)
            happened = rf"fault: {fault}$"
        deadline = begun + DETECT_SECONDS
        while not any(re.search(happened, line) for line in self.log[before:]):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.system.name}: {fault} does not happen")
            time.sleep(0.005)

    def _pid(self, process: str) -> int:
        """Return the process id of the newest process of a name."""
        assert self._launch is not None
        return [pid for name, pid in self._launch.started() if name == process][-1]

    def _seen(self, fault: str, begun: float) -> str:
        """Return how the fault was seen, if it was."""
        observer, where = self._observer, self.system.faults[fault]
        new = self.system.bridge_is_away  # its link state begins anew too
        links = [s for s in observer.links(begun) if new or s.bad or "again" in s.text]
        diagnostics = [seen for seen in observer.diagnostics(begun) if seen.bad]
        # What is left of a flood may still be handled when a stall begins: the link is lost first.
        if links and (where == "link" or (where == "silence" and "silent" in _reason(links))):
            return f"link {_reason(links)}"
        late = time.monotonic() > begun + self.system.lasting(fault) + LATE
        if diagnostics and (where == "diagnostics" or (where == "link" and late)):
            return f"diagnostics: {_reason(diagnostics)}"
        if where == "silence":
            silence, _ = self.streams[0].longest_silence(begun, time.monotonic())
            return f"no data for {silence:.1f} s" if silence >= SILENCE else ""
        if where == "anew" and self.system.began_anew() is not None:
            return "the stream of percepts began anew"
        return "nothing to be seen: it is followed" if where == "nothing" else ""

    def _recover(self, trial: Trial, begun: float, errands: list[Errand]) -> None:
        """Wait until data flow and a goal succeeds."""
        deadline = begun + RECOVER_SECONDS
        while time.monotonic() < deadline:
            try:
                self._wait_until_well(begun, deadline - time.monotonic())
                if self.system.bridge_is_away:
                    time.sleep(DISCOVERY)
                self.system.prepare()
                proof = self.system.proof().end(END_SECONDS)
            except TimeoutError as error:
                trial.problems.append(str(error))
                return
            trial.ends.append(proof)
            if not proof.succeeded:
                time.sleep(PAUSE_S)
            if proof.succeeded and not proof.false and self._observer.is_up():
                well_again = self._well_again(trial.fault, begun)
                if well_again is None:
                    trial.problems.append("no data came again")
                else:
                    trial.recovered_after = well_again - begun
                return
        last = trial.ends[-1].reason if trial.ends else "nothing was tried"
        trial.problems.append(f"no goal succeeds: {last}")

    def _well_again(self, fault: str, begun: float) -> float | None:
        """Return when data came after the link was up to stay, or what was wrong was over."""
        where = self.system.faults[fault]
        data, interrupted = self.streams[0], begun
        if where == "anew":
            return self.system.began_anew()
        if ups := [seen.at for seen in self._observer.links(begun) if not seen.bad]:
            interrupted = max(ups)
        elif where == "silence":
            _, ended = data.longest_silence(begun, time.monotonic())
            interrupted = ended - 1e-6
        elif where == "diagnostics":
            self._observer.wait_until(lambda: bool(self._good_again(begun)), DETECT_SECONDS)
            return next(iter(self._good_again(begun)), None)
        data.wait_for(interrupted, 1, DETECT_SECONDS)
        return next(iter(data.after(interrupted)), None)

    def _good_again(self, begun: float) -> list[float]:
        """Return when diagnostics were good after they had been bad."""
        reported = self._observer.diagnostics(begun)
        return [new.at for old, new in pairwise(reported) if old.bad and not new.bad]

    def _wait_until_well(self, after: float, timeout: float) -> None:
        """Wait until the link is up and data flow. Raises TimeoutError or LaunchEndedError."""

        def is_up() -> bool:
            self._check_runs()
            return self._observer.is_up()

        deadline = time.monotonic() + timeout
        if not self._observer.wait_until(is_up, timeout):
            raise TimeoutError(f"{self.system.name}: the link does not come up")
        for stream in self.streams:
            if not stream.wait_for(after, 2, deadline - time.monotonic()):
                raise TimeoutError(f"{stream.topic}: no data")

    def _stale(self, trial: Trial, begun: float) -> int:
        """Count messages without a possible sender, or that went back in time."""
        stale = sum(stream.take_backwards() for stream in self.streams)
        if self.system.bridge_is_away:
            stale = 0  # a new bridge may begin its time anew
        if stale:
            trial.problems.append(f"{stale} messages went back in time")
        if trial.fault in self.system.busy_when_down:
            return stale
        links = self._observer.links(begun)
        for number, seen in enumerate(links):
            if not seen.bad or (number and links[number - 1].bad):
                continue
            up = next((other.stamp for other in links[number:] if not other.bad), None)
            if up is not None:
                late = int(self.system.reads_late * 1e9)
                first, last = seen.stamp + QUIET_MARGIN[0] + late, up - QUIET_MARGIN[1]
                if invented := self.streams[0].stamped(first, last):
                    seconds = (last - first) / 1e9
                    trial.problems.append(f"{invented} messages in {seconds:.1f} s without a link")
                stale += invented
        return stale


def _reason(seen: Sequence[Seen]) -> str:
    """Return the most specific of several: a fault says more than an attempt to connect."""
    faults = [s.text for s in seen if s.text.startswith("fault")]
    return (faults or [s.text for s in seen])[0]
