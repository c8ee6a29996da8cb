# SPDX-License-Identifier: Apache-2.0
"""Many robots of one kind, all bridges in one process: faults hit the first, goals go to all."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from legacy_robots_common import system as registry
from legacy_robots_common.testing.machine import free_port, free_port_range, ros2
from legacy_robots_common.testing.polling import until
from legacy_robots_common.testing.process import Process
from measure.faults.errands import End
from measure.faults.system import CLIENT, KILL, System
from measure.faults.trial import END_SECONDS, START_SECONDS, BringUp, Launched, Trial

KINDS = ("nao", "roboskate", "aibo")
"""Those whose copies differ in nothing but ports and names."""
_LABEL = re.compile(r"\[(\w+-\d+)\]")


def fleet_of(kind: type[System]) -> type[System]:
    """Return a system of the campaign as one robot of a fleet.

    Its bridge has no process of its own that could be killed alone.
    """

    class OneOfFleet(kind):  # type: ignore[valid-type, misc]
        faults = {  # noqa: RUF012
            fault: where
            for fault, where in kind.faults.items()
            if fault in (CLIENT, f"{KILL}{kind.simulator}") or " " not in fault
        }
        number = 1

        @property
        def namespace(self) -> str:
            return f"/{self.name}_{self.number}"

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

    def __init__(self, launch: Process, simulator: str, label: str) -> None:
        self._launch, self._simulator, self._label = launch, simulator, label
        self.lines = _Lines(launch, self._is_ours)

    def _is_ours(self, line: str) -> bool:
        labels = [m for m in _LABEL.findall(line) if m.startswith(f"{self._simulator}-")]
        return not labels or labels[0] == self._label

    @property
    def has_ended(self) -> bool:
        """Whether the launch has ended."""
        return self._launch.has_ended

    def started(self) -> list[tuple[str, int]]:
        """Return name and process id of what was started for this robot, in order."""
        pids = {pid for name, pid in self._launch.started() if name == self._simulator}
        ours = "\n".join(line for line in self.lines.items if "process started" in line)
        return [
            (name, pid)
            for name, pid in self._launch.started()
            if pid not in pids or f"[{pid}]" in ours
        ]

    def __enter__(self) -> _Share:
        return self

    def __exit__(self, *exception: object) -> None:
        pass


def _first(share: _Share, command: Sequence[str]) -> Any:
    """Return the share of a launch that runs already, whatever the command."""
    return share


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
        command = ros2(
            "launch", "legacy_robots_bringup", "fleet.launch.py", f"kind:={kind}",
            f"robots:={self._robots}", f"first_port:={self._first_port()}", "respawn:=true",
            f"fault:={','.join(self.faults)}",
        )  # fmt: skip
        with ExitStack() as stack:
            launch = self._launch = stack.enter_context(Process(command))
            for number, label in enumerate(self._labels(launch), start=1):
                robot = type(self.system)(free_port, Path(), self._chance)
                robot.number = number  # type: ignore[attr-defined]
                robot.arguments()
                share = _Share(launch, robot.simulator or "", label)
                bring_up = BringUp(robot, self.faults, self._chance, partial(_first, share))
                self._bring_ups.append(stack.enter_context(bring_up))
            self._stack = stack.pop_all()
        return self

    def trial(self, fault: str) -> Trial:
        """Have a fault happen to the first robot, while all the others have goals.

        Those have to end once and truthfully. That they succeed can be asked of them where the
        machine has time for all robots; it is not asked here.
        """
        over = threading.Event()
        first, *others = self._bring_ups
        ends: list[End] = []
        threads = [
            threading.Thread(target=self._keep_busy, args=(other, over, ends)) for other in others
        ]
        for thread in threads:
            thread.start()
        try:
            trial = first.trial(fault)
        finally:
            over.set()
            for thread in threads:
                thread.join()
        trial.problems += [f"another robot: {e.reason}" for e in ends if e.lost or e.false]
        trial.ends += ends
        return trial

    @staticmethod
    def _keep_busy(bring_up: BringUp, over: threading.Event, ends: list[End]) -> None:
        while not over.is_set():
            try:
                ends.append(bring_up.system.proof().end(END_SECONDS))
            except Exception as error:
                ends.append(End(lost=True, reason=f"{bring_up.system.namespace}: {error!r}"))
                return

    def _labels(self, launch: Process) -> list[str]:
        """Return what launch calls the simulators, in the order of the robots."""
        named = re.compile(rf"\[({self.system.simulator}-\d+)\]: process started")

        def found() -> set[str]:
            self._check_runs()
            return {m[1] for line in launch.lines.items if (m := named.search(line))}

        until(lambda: len(found()) == self._robots, "a simulator is missing", START_SECONDS)
        return sorted(found(), key=lambda label: int(label.rsplit("-", 1)[1]))

    def _first_port(self) -> int:
        """Return a port that is free with those that follow, as many as the fleet needs."""
        return free_port_range(self._robots * len(registry.system(self.system.name).ports))
