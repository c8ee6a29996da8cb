# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the campaign has to know of a system: launch, faults, errands, and the truth about them."""

from __future__ import annotations

import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from legacy_robots_simulation.program import FAULTS
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, Errand, KilledClientErrand
from measure.faults.observer import Observer, Stream

FAULT_SECONDS = 2.0
"""How long the simulators' lasting faults take (their --fault-seconds)."""
KILL = "kill -9 "
"""Names of faults that kill a process begin so; the rest is the process's name in the launch."""
STOP = "stop "
"""The same for faults that end a process by SIGTERM, as an operator or a supervisor does."""
FREEZE = "freeze "
"""The same for a process that is stopped by SIGSTOP, and goes on after FREEZE_SECONDS."""
FREEZE_SECONDS = 4.0
"""Longer than the time-outs by which a frozen program is noticed."""
CLIENT = KILL + "client"
"""The fault that kills the client of a goal under way, not a part of the system."""
ON_A_LINK: Mapping[str, str] = dict.fromkeys(
    (*FAULTS, f"{KILL}simulator", f"{KILL}bridge", f"{STOP}bridge"), "link"
)
"""Faults of every bridge with a simulator of its own, and where they have to be seen."""
LOG_SECONDS = 10.0
"""A line of the simulator's log, or what a program that was started again publishes, may come so
much later than the result over ROS."""


def becomes_true(condition: Callable[[], bool]) -> bool:
    """Wait up to LOG_SECONDS for a condition; return whether it holds."""
    deadline = time.monotonic() + LOG_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class System(ABC):
    """One bring-up, and what can be asked of it.

    Parameters
    ----------
    ports
        Gives TCP ports that are free.
    scratch
        An empty directory.
    chance
        Decides what is asked.

    """

    name: str
    launch = ""
    """PACKAGE/FILE of the launch file; empty: that of legacy_robots_bringup called like it."""
    node = "bridge"
    process = ""
    """The bridge's process, as the launch calls it; empty: like the node."""
    simulator: str | None = "simulator"
    """The process that has the faults, as the launch calls it."""
    main_stream: tuple[tuple[type[Any], str], ...]
    """Types and names of topics on which something comes as long as all is well."""
    faults: ClassVar[Mapping[str, str]]
    """Each fault, and where it has to be seen: link, diagnostics, silence, anew or nothing."""
    instant: frozenset[str] = frozenset()
    """Faults that are over at once; the others last FAULT_SECONDS."""
    of_peer: frozenset[str] = frozenset()
    """Faults of the campaign's own end of the wire: ``inject`` has them happen."""
    reads_late: float = 0.0
    """Seconds by which the campaign, where it is itself the peer, may read the stream late."""
    busy_when_down: frozenset[str] = frozenset()
    """Faults during which the main stream rightly goes on though the link is not well."""

    peer: type[RosPeer] = RosPeer
    """What watches, sends goals and calls."""

    def __init__(self, ports: Callable[[], int], scratch: Path, chance: random.Random) -> None:
        self._ports = ports
        self._scratch = scratch
        self._chance = chance
        self.number_in_fleet = 0
        """1 for the first of a fleet; 0: it is none of a fleet."""
        self.process = self.process or self.node
        self.killing_the_bridge = False
        self.stopping_the_bridge = False

    def of_fleet(self, number: int) -> System:
        """Return another that is robot ``number`` of a fleet, from 1."""
        other = type(self)(self._ports, self._scratch, self._chance)
        other.number_in_fleet = number
        return other

    @property
    def bridge_is_away(self) -> bool:
        """Whether the present fault ends the bridge's process."""
        return self.killing_the_bridge or self.stopping_the_bridge

    @property
    def namespace(self) -> str:
        """The namespace of its bridge."""
        return f"/{self.name}"

    def lasting(self, fault: str) -> float:
        """Return for how many seconds a fault goes on."""
        if fault.startswith(FREEZE):
            return FREEZE_SECONDS
        over = fault in self.instant or fault.startswith((KILL, STOP))
        return 0.0 if over else FAULT_SECONDS

    @property
    def signalled(self) -> list[str]:
        """The faults that the simulator has at SIGUSR1, in the order of the list."""
        return [fault for fault in self.faults if fault not in self.injected]

    @property
    def injected(self) -> list[str]:
        """The faults that the campaign itself has happen, to processes or by ``inject``."""
        return [
            fault
            for fault in self.faults
            if fault in self.of_peer or fault.startswith((KILL, STOP, FREEZE))
        ]

    @abstractmethod
    def arguments(self) -> list[str]:
        """Return launch arguments that keep it apart from others on this machine."""

    def close(self) -> None:  # noqa: B027 - optional
        """End what ``arguments`` has started."""

    def inject(self, fault: str) -> bool:
        """Have a fault of the campaign's own happen; return whether ``fault`` is one."""
        return False

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Begin to watch; return the streams, the main one first."""
        self._peer, self._observer, self._launch = peer, observer, launch
        return [Stream(peer, *((k, f"{self.namespace}/{topic}") for k, topic in self.main_stream))]

    def prepare(self) -> None:  # noqa: B027 - optional
        """Do what is needed before errands after each start of the bridge."""

    def before_fault(self) -> None:  # noqa: B027 - optional
        """Record the state before the fault."""

    def began_anew(self) -> float | None:
        """Return when the main stream has begun anew since ``before_fault``, if it has."""
        return None

    @abstractmethod
    def under_way(self) -> list[Errand]:
        """Ask for something that takes time, and return what is under way."""

    def client_goal(self) -> tuple[str, str, str]:
        """Return action, type and goal (YAML) of a client in a terminal, for the fault CLIENT."""
        raise NotImplementedError(f"{self.name} has no actions")

    def kill_client(self) -> Errand:
        """Have a client in a terminal send a goal, and kill it; return the goal."""
        action, kind, goal = self.client_goal()
        return KilledClientErrand(self._observer, f"{self.namespace}/{action}", kind, goal)

    @abstractmethod
    def proof(self) -> Errand:
        """Ask for something that has to succeed when all is well."""

    def while_away(self) -> list[Errand]:
        """Ask for something while the robot may be away; it has to end all the same."""
        return [] if self.bridge_is_away else [self.proof()]

    @contextmanager
    def during(self) -> Iterator[list[Errand]]:
        """Go on asking while something goes wrong; the errands are complete at the end."""
        yield []

    def settled(self) -> None:  # noqa: B027 - optional
        """Bring to an end what still goes on after a fault, such as a goal without a client."""

    # --- the log of the simulator --------------------------------------------------------------

    def _mark(self) -> int:
        return len(self._launch.lines.items)

    def _logged(self, mark: int, *patterns: str) -> bool:
        """Return whether text with these expressions comes, in this order, after a mark."""

        def all_there() -> bool:
            text, at = "\n".join(self._launch.lines.items[mark:]), 0
            for pattern in patterns:
                found = re.compile(pattern).search(text, at)
                if found is None:
                    return False
                at = found.end()
            return True

        return becomes_true(all_there)

    def _action(
        self, kind: type[Any], name: str, goal: Any, truth: Callable[[], bool], **more: Any
    ) -> ActionErrand:
        full = f"{self.namespace}/{name}"
        return ActionErrand(
            self._observer, self._peer.send_goal(kind, full, goal), full, truth, **more
        )
