# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with an original server: faults of it and of our Java program before it.

It is there where BW4T_CLIENT_3_8_1 and BW4T_SERVER_3_8_1 name a directory with the client jar and
a program that runs a server (docs/originals/bw4t.md, 12).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import Bw4tRoster, Bw4tState, Bw4tWorldState
from legacy_robots_testing.machine import children
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import KILL, STOP, System, becomes_true

CLIENT_JARS, SERVER = "BW4T_CLIENT_3_8_1", "BW4T_SERVER_3_8_1"
MAP = "SuperRandom"
"""It has ten places for robots: those of a client that was killed are taken for a while."""
STALL_S = 15.0
"""Longer than the node waits for an answer."""
NEAR, FAR = "LeftHallD", "RightHallA"


class Bw4tOriginal(System):
    """One robot on its way between corridors."""

    name = "bw4t_original"
    launch = "legacy_robots_bringup/bw4t.launch.py"
    node = "server"
    simulator = None
    main_stream = ((Bw4tWorldState, "world_state"),)
    faults: ClassVar[Mapping[str, str]] = {
        f"{KILL}java program": "link",
        f"{STOP}java program for a while": "link",
        f"{KILL}original server": "link",
        f"{STOP}original server for a while": "link",
        f"{KILL}server": "link",
    }

    @property
    def namespace(self) -> str:
        """The namespace of its bridge, one of its own."""
        return "/bw4t_original"

    def arguments(self) -> list[str]:
        """Start an original server, and return launch arguments."""
        self._port = self._ports()
        self._original: Process | None = None
        self._start_original()
        return [
            f"namespace:={self.namespace[1:]}", "world:=original", "robots:=1", "team:=none",
            f"server:=127.0.0.1:{self._port}", f"jars:={os.environ[CLIENT_JARS]}",
        ]  # fmt: skip

    def _start_original(self) -> None:
        self._original = Process([os.environ[SERVER], str(self._port), MAP])
        self._original.__enter__()

    def close(self) -> None:
        """End the original server."""
        original, self._original = self._original, None
        if original is not None:
            original.signal(signal.SIGKILL)
            original.__exit__(None, None, None)

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch who the robot is, too: a new connection may bring another."""
        streams = super().watch(peer, observer, launch)
        self._roster = peer.subscribe(Bw4tRoster, f"{self.namespace}/roster")
        self._states: dict[str, Recorder[Any]] = {}
        return streams

    def inject(self, fault: str) -> bool:
        """Kill or stop what the launch does not know."""
        assert self._original is not None
        if "java program" in fault:
            server = [pid for name, pid in self._launch.started() if name == self.node][-1]
            (java,) = children(server)
            # Where it is stopped the node gives it up, and ends it.
            os.kill(java, signal.SIGKILL if fault.startswith(KILL) else signal.SIGSTOP)
        elif fault == f"{KILL}original server":
            self.close()
            self._start_original()
        elif "original server" in fault:
            self._original.signal(signal.SIGSTOP)
            threading.Timer(STALL_S, self._original.signal, [signal.SIGCONT]).start()
        else:
            return False
        return True

    def under_way(self) -> list[Errand]:
        """Send it to the other end of the map."""
        return [self._go_to(FAR)]

    def while_away(self) -> list[Errand]:
        """Ask for nothing: there may be no robot."""
        return []

    def proof(self) -> Errand:
        """Send it to a near place."""
        return self._go_to(NEAR)

    def _go_to(self, place: str) -> ActionErrand:
        robot = self._roster.wait_for(lambda roster: roster.players).players[0].ros_name
        robot = self._roster.last.players[0].ros_name if self._roster.last.players else robot
        if robot not in self._states:
            self._states[robot] = self._peer.subscribe(
                Bw4tState, f"{self.namespace}/{robot}/state"
            )
        states = self._states[robot]
        mark = len(states.items)

        def has_been_there() -> bool:
            return any(
                state.place == place and state.state == Bw4tState.ARRIVED
                for state in states.items[max(0, mark - 1) :]
            )

        truth = partial(becomes_true, has_been_there)
        return self._action(Bw4tGoTo, f"{robot}/go_to", Bw4tGoTo.Goal(place=place), truth)


def is_possible() -> bool:
    """Whether the user's programs are there."""
    return CLIENT_JARS in os.environ and SERVER in os.environ


SYSTEM = Bw4tOriginal
