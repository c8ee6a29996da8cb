# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The states of the simulated robot's machines, by the names of the document's time. No ROS."""

from __future__ import annotations

from collections.abc import Callable

from luar_bridge.protocol import fsm_states
from luar_bridge.protocol.fsm_states import LENGTHS, MACHINES, SET_STATE, WIDTH
from luar_bridge.simulator.segment_owner import SegmentOwner
from luar_bridge.simulator.world import Body, SoccerScene

_EVENTS = {
    ("bodySearch", "bodyApproach"): "ball",
    ("bodyApproach", "bodySearch"): "ballLost",
    ("bodyApproach", "bodyKick"): "kick",
    ("bodyKick", "bodyApproach"): "done",
    ("headScan", "headTrack"): "ball",
    ("headTrack", "headScan"): "lost",
    ("walk", "kick"): "kick",
    ("walk", "falling"): "fall",
    ("kick", "walk"): "done",
    ("falling", "standup"): "done",
    ("standup", "stance"): "done",
    ("stance", "walk"): "done",
}
"""What leads from a state to another in the original's tables; elsewhere it is ordered."""


def states(scene: SoccerScene, motion: str) -> dict[str, str]:
    """Return the state of each machine."""
    game = "penalized" if scene.penalised else scene.state.name.lower()
    follows = scene.body in (Body.APPROACH, Body.KICK)
    return {
        "game": f"game{game.capitalize()}",
        "body": scene.body.value,
        "head": "headTrack" if follows else "headScan",
        "motion": motion,
    }


class StateReports:
    """Writes rcmFsm as lua/ros_states.lua does; ``file`` is the segment's, ``now`` in Unix s."""

    def __init__(self, owner: SegmentOwner, file: str, now: Callable[[], float]) -> None:
        self._owner, self._file, self._now = owner, file, now
        self._lines: dict[str, list[float]] = {}
        self._states: dict[str, str] = {}
        self._count = 0

    def create(self) -> None:
        """Create the segment."""
        self._owner.create(self._file)
        self.begin_again()

    def begin_again(self) -> None:
        """Count anew, as a robot that has begun again."""
        self._lines = {name: [0.0] * LENGTHS[name] for name in ("text", "time", "number")}
        self._states = dict.fromkeys(MACHINES, "")
        self._count = 0
        for name, length in LENGTHS.items():
            self._owner.set(self._file, name, [0.0] * length)
        self._owner.set(self._file, "started", self._now())

    def report(self, scene: SoccerScene, motion: str) -> None:
        """Write what has changed."""
        for machine, state in states(scene, motion).items():
            before = self._states[machine]
            if state == before:
                continue
            event = _EVENTS.get((before, state), SET_STATE) if before else ""
            if machine == "game" and before:
                event = state.removeprefix("game").lower()
            self._states[machine] = state
            self._write(machine, event, before, state)

    def _write(self, machine: str, event: str, source: str, target: str) -> None:
        self._count += 1
        codes = fsm_states.text_of(machine, event, source, target)
        for line in (MACHINES.index(machine), fsm_states.line_of(self._count)):
            self._lines["text"][line * WIDTH : (line + 1) * WIDTH] = codes
            self._lines["time"][line] = self._now()
            self._lines["number"][line] = float(self._count)
        for name, values in self._lines.items():
            self._owner.set(self._file, name, values)
        self._owner.set(self._file, "count", float(self._count))
