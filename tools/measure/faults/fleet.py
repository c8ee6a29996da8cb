# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Many robots of one kind, all bridges in one process.

A fault of a simulator or of a client is the first robot's, and goals go to all others meanwhile;
the end of the process with all bridges is every robot's.
"""

from __future__ import annotations

import math
import random
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any

from legacy_robots_common import system as registry
from legacy_robots_testing.machine import free_port_range, ros2
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from measure.faults.errands import End
from measure.faults.system import CLIENT, KILL, STOP, System
from measure.faults.trial import END_SECONDS, START_SECONDS, BringUp, Launched, Trial

KINDS = ("nao", "roboskate", "luar", "aibo", "bw4t")
"""Those of which fleet.launch.py starts many."""
PROCESS = "fleet"
"""What launch calls the process with all bridges."""
_LABEL = re.compile(r"\[(\w+-\d+)\]")


def fleet_of(kind: type[System]) -> type[System]:
    """Return a system of the campaign as one robot of a fleet.

    Its bridge, and its agents, have no process of their own that could be ended alone.
    """
    own = {fault: where for fault, where in kind.faults.items() if " " not in fault}
    kept = (CLIENT, f"{KILL}{kind.simulator}")
    ends = {f"{how}{PROCESS}": kind.faults[f"{how}{kind.node}"] for how in (KILL, STOP)}

    class OneOfFleet(kind):  # type: ignore[valid-type, misc]
        faults = {  # noqa: RUF012
            **own,
            **{fault: where for fault, where in kind.faults.items() if fault in kept},
            **ends,
        }
        process = PROCESS

        @property
        def namespace(self) -> str:
            return f"/{self.name}_{self.number_in_fleet}"

    return OneOfFleet


class _Lines:
    """The lines of a launch without those of other robots' simulators; grows as those do."""

    def __init__(self, launch: Process, is_ours: Callable[[str], bool]) -> None:
        self._launch, self._is_ours = launch, is_ours
        self._lock = threading.Lock()
        self._looked_at = 0
        self._ours: list[str] = []

    @property
    def items(self) -> list[str]:
        """The lines so far."""
        with self._lock:
            new = self._launch.lines.items[self._looked_at :]
            self._looked_at += len(new)
            self._ours += filter(self._is_ours, new)
            return list(self._ours)


class _Share:
    """What one robot of a fleet has of its launch, which the fleet ends."""

    def __init__(self, launch: Process, labels: Sequence[str], number: int) -> None:
        self._launch, self._labels = launch, labels
        self._label = labels[number] if labels else ""
        self.lines = _Lines(launch, self._is_ours)

    def _is_ours(self, line: str) -> bool:
        labels = [label for label in _LABEL.findall(line) if label in self._labels]
        return not labels or labels[0] == self._label

    @property
    def has_ended(self) -> bool:
        """Whether the launch has ended."""
        return self._launch.has_ended

    def started(self) -> list[tuple[str, int]]:
        """Return name and process id of what was started for this robot, in order."""
        ours = "\n".join(line for line in self.lines.items if "process started" in line)
        return [(name, pid) for name, pid in self._launch.started() if f"[{pid}]" in ours]

    def __enter__(self) -> _Share:
        return self

    def __exit__(self, *exception: object) -> None:
        pass


def _first(share: _Share, command: Sequence[str]) -> Any:
    """Return the share of a launch that runs already, whatever the command."""
    return share


def _recovered_after(trial: Trial) -> float:
    return math.inf if trial.recovered_after is None else trial.recovered_after


class FleetBringUp(Launched):
    """The launch of a fleet, with what BringUp has. A context.

    ``robots`` is the number of them; the other arguments are those of BringUp.
    """

    def __init__(
        self, system: System, faults: Sequence[str], chance: random.Random, *, robots: int
    ) -> None:
        super().__init__(system, faults, chance)
        self._robots = robots
        self._bring_ups: list[BringUp] = []

    def __enter__(self) -> FleetBringUp:
        """Launch, and wait until all robots are well."""
        kind = self.system.name
        systems = [self.system.of_fleet(number) for number in range(1, self._robots + 1)]
        of_robots = [system.arguments() for system in systems]
        given = [argument for argument in of_robots[0] if argument.startswith("params_file:=")]
        command = ros2(
            "launch", "legacy_robots_bringup", "fleet.launch.py", f"kind:={kind}",
            f"robots:={self._robots}", f"first_port:={self._first_port()}", "respawn:=true",
            f"fault:={','.join(self.faults)}", *given,
        )  # fmt: skip
        with ExitStack() as stack:
            launch = self._launch = stack.enter_context(Process(command))
            labels = self._labels(launch)
            for number, system in enumerate(systems):
                start = partial(_first, _Share(launch, labels, number))
                bring_up = BringUp(system, self.faults, self._chance, start)
                self._bring_ups.append(stack.enter_context(bring_up))
            self._stack = stack.pop_all()
        return self

    def trial(self, fault: str) -> Trial:
        """Have a fault happen to the first robot while all others have goals, or to all at once.

        Goals have to end once and truthfully. That those of the others succeed can be asked of
        them where the machine has time for all robots; it is not asked here.
        """
        if fault in (f"{KILL}{PROCESS}", f"{STOP}{PROCESS}"):
            return self._trial_of_all(fault)
        over = threading.Event()
        first, *others = self._bring_ups
        with ThreadPoolExecutor(max(1, len(others))) as pool:
            busy = [pool.submit(self._keep_busy, other, over) for other in others]
            try:
                trial = first.trial(fault)
            finally:
                over.set()
        ends = [end for each in busy for end in each.result()]
        trial.problems += [f"another robot: {e.reason}" for e in ends if e.lost or e.false]
        trial.ends += ends
        return trial

    def _trial_of_all(self, fault: str) -> Trial:
        """End the process of all bridges; each robot is judged, and the slowest counts."""
        ready = threading.Barrier(self._robots)

        def one(number: int) -> Trial:
            bring_up = self._bring_ups[number]
            try:
                return bring_up.trial(fault, lambda: ready.wait(END_SECONDS) == 0)
            except Exception:
                ready.abort()  # the others need not wait
                raise

        with ThreadPoolExecutor(self._robots) as pool:
            each = list(pool.map(one, range(self._robots)))
        trial = max(each, key=_recovered_after)
        others = [other for other in each if other is not trial]
        trial.reason = trial.reason if all(other.reason for other in others) else ""
        trial.ends += [end for other in others for end in other.ends]
        trial.stale += sum(other.stale for other in others)
        trial.problems += [problem for other in others for problem in other.problems]
        return trial

    @staticmethod
    def _keep_busy(bring_up: BringUp, over: threading.Event) -> list[End]:
        ends: list[End] = []
        try:
            bring_up.system.prepare()
            while not over.is_set():
                ends.append(bring_up.system.proof().end(END_SECONDS))
        except Exception as error:
            ends.append(End(lost=True, reason=f"{bring_up.system.namespace}: {error!r}"))
        return ends

    def _labels(self, launch: Process) -> list[str]:
        """Return what launch calls the simulators, in the order of the robots."""
        if self.system.simulator is None:
            return []
        named = re.compile(r"\[(simulator\w*-\d+)\]: process started")

        def found() -> set[str]:
            self._check_runs()
            return {m[1] for line in launch.lines.items if (m := named.search(line))}

        until(lambda: len(found()) == self._robots, "a simulator is missing", START_SECONDS)
        return sorted(found(), key=lambda label: int(label.rsplit("-", 1)[1]))

    def _first_port(self) -> int:
        """Return a port that is free with those that follow, as many as the fleet needs."""
        return free_port_range(self._robots * len(registry.system(self.system.name).ports))
