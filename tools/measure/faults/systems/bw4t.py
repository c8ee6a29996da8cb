# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with the blocks world: its launch, its faults, its errands."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import yaml

from legacy_robots_common.goals.requests import ANSWER_TIMEOUT_S
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import Bw4tPercepts, Bw4tState
from legacy_robots_msgs.srv import Bw4tAddPlayer
from legacy_robots_testing import polling
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, KILL, STOP, System, becomes_true

FOUND_AFTER = 1.0
"""Seconds after which the actions of a robot that was added are surely found."""


class Bw4t(System):
    """A robot that an agent drives, and one of our own on its way between corridors."""

    name = "bw4t"
    node = "server"
    simulator = None
    main_stream = ((Bw4tPercepts, "Bot_1/percepts"),)
    faults: ClassVar[Mapping[str, str]] = {
        KILL + "server": "link",
        STOP + "server": "link",
        KILL + "agent": "anew",
        CLIENT: "nothing",
    }
    PLACES = ("LeftHallA", "RightHallB", "LeftHallC", "RightHallD", "FrontDropZone")

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        self._places = itertools.cycle(self.PLACES)
        file = self._scratch / "bw4t.yaml"
        parameters = {"robots": 1, "seed": self._chance.randrange(1000)}
        file.write_text(yaml.safe_dump({"/**/server": {"ros__parameters": parameters}}))
        return [f"params_file:={file}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too, and where our own robot is."""
        streams = super().watch(peer, observer, launch)
        observer.watch_action(f"{self.namespace}/Runner_1/go_to")
        self._state = peer.subscribe(Bw4tState, f"{self.namespace}/Runner_1/state")
        self._began: float | None = None
        self._there = False
        peer.subscribe_with(
            Bw4tPercepts, f"{self.namespace}/Bot_1/percepts", self._on_percepts, qos.stream(2000)
        )
        return streams

    def _on_percepts(self, message: Bw4tPercepts) -> None:
        if message.cycle == 0:
            self._began = time.monotonic()

    def before_fault(self) -> None:
        """Record the state before the fault."""
        self._began = None
        self._there = not self.bridge_is_away

    def began_anew(self) -> float | None:
        """Return when the stream of percepts began anew: it has a subscriber."""
        return self._began

    def prepare(self) -> None:
        """Add our own robot, unless it is there."""
        if self._there:
            return
        before = len(self._state.items)
        polling.until(partial(self._is_added, before))
        self._state.wait_for_count(before + 1)
        time.sleep(FOUND_AFTER)
        self._there = True

    def _is_added(self, before: int) -> bool:
        """Ask for our robot; return whether it is there. A killed server may have got the call."""
        request = Bw4tAddPlayer.Request(kind=Bw4tAddPlayer.Request.BOT, name="Runner")
        try:
            response = self._peer.call(
                Bw4tAddPlayer, f"{self.namespace}/add_player", request, timeout=ANSWER_TIMEOUT_S
            )
        except TimeoutError:
            return len(self._state.items) > before
        if not response.success or response.ros_name != "Runner_1":
            raise RuntimeError(f"{self.namespace}/add_player: {response}")
        return True

    def under_way(self) -> list[Errand]:
        """Send it to the other end of the map."""
        return [self._go_to("RightHallD" if self._chance.random() < 0.5 else "LeftHallA")]

    def client_goal(self) -> tuple[str, str, str]:
        """Go to the next place."""
        place = next(self._places)
        return "Runner_1/go_to", "legacy_robots_msgs/action/Bw4tGoTo", f"{{place: {place}}}"

    def while_away(self) -> list[Errand]:
        """Ask for nothing: the server itself is away."""
        return []

    def proof(self) -> Errand:
        """Send it to the next place."""
        return self._go_to(next(self._places))

    def _go_to(self, place: str) -> ActionErrand:
        mark = max(0, len(self._state.items) - 1)

        def has_been_there() -> bool:
            seen = [(state.place, state.state) for state in self._state.items[mark:]]
            return (place, Bw4tState.ARRIVED) in seen

        truth = partial(becomes_true, has_been_there)
        return self._action(Bw4tGoTo, "Runner_1/go_to", Bw4tGoTo.Goal(place=place), truth)


SYSTEM = Bw4t
