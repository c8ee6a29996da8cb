# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a person sees and hears of others, beyond or below what the robot perceives."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from bw4t_web.view.scene import WholeView
from bw4t_world import Percept, PerceptUpdate
from bw4t_world.simulation.snapshots import Snapshot
from legacy_robots_web import State

SEES = ("percepts", "robots", "everything")
"""What a person can see of others: as the robot perceives; also where robots are; or all."""


@dataclass(frozen=True)
class PersonView:
    """What a person sees of others, and says to them.

    ``sees`` is one of :data:`SEES`; ``free_text`` lets the person write any text, and
    ``exact_spots`` go to points beside places and blocks. Without ``messages`` those of others are
    hidden; they are shown ``message_delay`` simulated seconds late. Raises ValueError for other
    values of ``sees``.
    """

    sees: str = SEES[0]
    free_text: bool = False
    messages: bool = True
    message_delay: float = 0.0
    exact_spots: bool = True

    def __post_init__(self) -> None:
        """Check what is seen."""
        if self.sees not in SEES:
            raise ValueError(f"what a person sees is one of {', '.join(SEES)}, not {self.sees}")


class Mailbox:
    """Keeps back the messages of others that a person is to get late, or never."""

    def __init__(self, view: PersonView) -> None:
        self._view = view
        self._waiting: deque[tuple[float, Percept]] = deque()

    def filtered(self, update: PerceptUpdate, seconds: float) -> PerceptUpdate:
        """Return what a person gets of a poll at a simulated time in s."""
        view = self._view
        if view.messages and not view.message_delay:
            return update
        kept = [percept for percept in update.add if percept.name != "message"]
        if view.messages:
            due = seconds + view.message_delay
            self._waiting += ((due, p) for p in update.add if p.name == "message")
            while self._waiting and self._waiting[0][0] <= seconds:
                kept.append(self._waiting.popleft()[1])
        return PerceptUpdate(kept, update.delete)


def others(view: PersonView, snapshot: Snapshot, own: str, known: State) -> State:
    """Return what a person sees beside what is ``known`` by percepts; ``own`` is the robot."""
    if view.sees == SEES[0]:
        return {}
    whole = WholeView().state(snapshot)
    kinds = ("robot:",) if view.sees == "robots" else ("robot:", "epartner:", "block:", "room:")
    state: State = {
        name: fields
        for name, fields in whole.items()
        if name.startswith(kinds) and name not in known and name != f"robot:{own}"
    }
    blocks = {name: {**f, "faded": True} for name, f in state.items() if name.startswith("block:")}
    return state | blocks  # which are out of the robot's sight
