# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The state machines of a robot, from one reading of its memory to the next. No ROS."""

from __future__ import annotations

from dataclasses import dataclass, replace

from luar_bridge.protocol import fsm_states
from luar_bridge.protocol.fsm_states import MACHINES, SLOTS, Transition
from luar_bridge.protocol.segment import Snapshot

UNKNOWN = -1
"""Missed transitions of a robot that does not count them."""


@dataclass(frozen=True)
class Machine:
    """Where a machine is."""

    state: str
    since: float
    """Unix s; of a robot that does not count, when it was first seen."""
    event: str = ""
    previous: str = ""
    missed: int = 0
    """Transitions of all machines that were not seen, or UNKNOWN."""


class Behaviour:
    """What is known of the machines; a reading adds to it. Times in Unix seconds."""

    def __init__(self) -> None:
        self.machines: dict[str, Machine] = {}
        self._started: float | None = None
        self._number = 0
        self._missed = 0

    def forget(self) -> None:
        """Forget everything: the robot is gone."""
        self.machines.clear()
        self._started = None

    def read_counting(self, snapshot: Snapshot) -> list[Transition]:
        """Take a reading of rcmFsm; return the transitions that are new, the oldest first."""
        count, started = snapshot.number("count"), snapshot.number("started")
        if count is None or started is None or not 0 <= count < 2**53:
            return []
        first = self._started != started
        if first or count < self._number:
            self.machines.clear()
            self._started, self._number, self._missed = started, 0, 0
        known, newest = self._number, int(count)
        found = []
        for number in range(max(known, newest - SLOTS) + 1, newest + 1):
            transition = fsm_states.transition(snapshot, fsm_states.line_of(number))
            if transition is not None and transition.number == number:
                found.append(transition)
        if not first:  # what was before the first look is not missed
            self._missed += newest - known - len(found)
        self._number = newest
        for line in range(len(MACHINES)):
            last = fsm_states.transition(snapshot, line)
            if last is not None:
                self._enter(last)
        self.machines = {n: replace(m, missed=self._missed) for n, m in self.machines.items()}
        return found

    def read_states(self, snapshot: Snapshot, now: float) -> list[Transition]:
        """Take a reading of gcmFsm of later branches, which has the present states alone."""
        found = []
        for name in MACHINES:
            state = snapshot.text(f"{name}_state") or ""
            before = self.machines.get(name)
            if not state or (before is not None and before.state == state):
                continue
            source = before.state if before else ""
            transition = Transition(0, now, name, "", source, state)
            self._enter(transition)
            self.machines[name] = replace(self.machines[name], missed=UNKNOWN)
            if before is not None:
                found.append(transition)
        return found

    def _enter(self, t: Transition) -> None:
        self.machines[t.machine] = Machine(t.target, t.time, t.event, t.source)
