# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with the Nao: its launch, its faults, its errands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

import yaml

from legacy_robots_msgs.action import (
    NaoGoTo,
)
from legacy_robots_msgs.msg import NaoLocation, NaoSighting
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, ON_A_LINK, System, becomes_true


class Nao(System):
    """Walks along the lowest row of the maze, in which it sees every marker."""

    name = "nao"
    main_stream = ((NaoSighting, "sightings"), (NaoLocation, "location"))
    faults: ClassVar[Mapping[str, str]] = {
        **ON_A_LINK,
        "stall": "silence",
        "flood": "diagnostics",
        "error": "link",
        "redial": "link",
        CLIENT: "nothing",
    }
    instant = frozenset({"cut", "flood", "garbage", "error", "redial"})
    busy_when_down = frozenset({"flood"})
    ROW = (64, 80, 114, 85, 146)
    _goals: Sequence[ActionErrand] = ()

    def arguments(self) -> list[str]:
        """Return launch arguments.

        On a loaded machine a bridge reads a flood so slowly that it need not drop any of it by
        the usual limit.
        """
        file = self._scratch / "nao.yaml"
        parameters = {"flood_limit": 200.0}
        file.write_text(yaml.safe_dump({"/**/bridge": {"ros__parameters": parameters}}))
        return [f"port:={self._ports()}", f"params_file:={file}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too, and where it is."""
        streams = super().watch(peer, observer, launch)
        observer.watch_action(f"{self.namespace}/go_to")
        self._location = peer.subscribe(NaoLocation, f"{self.namespace}/location")
        return streams

    def before_fault(self) -> None:
        """Forget the goals of the fault before, which may be those of another launch."""
        self._goals = ()

    def under_way(self) -> list[Errand]:
        """Walk two rooms away; a second goal waits behind the first."""
        place = self._place()
        away = place + 2 if place < 2 else place - 2
        self._goals = [self._go_to(self.ROW[away]), self._go_to(self.ROW[place])]
        return list(self._goals)

    def client_goal(self) -> tuple[str, str, str]:
        """Walk to one end of the row."""
        marker = self.ROW[-1 if self._place() < 2 else 0]
        return "go_to", "legacy_robots_msgs/action/NaoGoTo", f"{{marker_id: {marker}}}"

    def settled(self) -> None:
        """End the goals that the fault has left alone."""
        for goal in self._goals:
            goal.cancel()

    def proof(self) -> Errand:
        """Walk to the next room."""
        place = self._place()
        return self._go_to(self.ROW[place + 1 if place < 2 else place - 1])

    def _place(self) -> int:
        self._location.wait_for()
        return self.ROW.index(self._location.last.marker_id)

    def _go_to(self, marker: int) -> ActionErrand:
        mark = self._mark()

        def truth() -> bool:
            return becomes_true(lambda: self._has_been_in(marker, mark))

        return self._action(NaoGoTo, "go_to", NaoGoTo.Goal(marker_id=marker), truth)

    def _has_been_in(self, marker: int, mark: int) -> bool:
        """Return whether the Nao, after a mark, was sent to a room, succeeded, and was there."""
        place, reported, succeeded = "", False, False
        for number, line in enumerate(self._launch.lines.items):
            if found := re.search(r"-> Location\(marker_id=(\d+)\)", line):
                place = found[1]
            if "<- " in line:
                if succeeded:
                    break
                reported = number >= mark and f"<- GoTo(marker_id={marker}," in line
            succeeded = succeeded or (reported and "-> Success(code=1)" in line)
        return succeeded and place == str(marker)


SYSTEM = Nao
