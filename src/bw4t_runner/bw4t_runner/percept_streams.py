# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Percepts of one player for one consumer, cycle by cycle. ROS-free.

Streams are made by :meth:`bw4t_runner.world_runner.WorldRunner.open_percepts`.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass

from bw4t_runner.world_port import PerceptSource, WorldPort
from bw4t_world import PerceptUpdate
from bw4t_world.simulation.user_requests import EXTENDED_GUI_REQUESTS, GUI_REQUESTS

EVENTS = frozenset({"message", *GUI_REQUESTS, *EXTENDED_GUI_REQUESTS})
"""Percepts that are sent once because something has happened."""


@dataclass(frozen=True, slots=True)
class PerceptCycle:
    """What one poll of one player brought.

    ``number`` counts the cycles of the stream; 0 is the first poll, which has everything (also
    after a reset or a restart of the stream, when what was perceived before is void). ``tick``
    and ``seconds`` are the world's; ``stamp`` is the runner's time of that tick in nanoseconds,
    since the epoch or simulated. ``update`` must not be changed.
    """

    player: str
    number: int
    tick: int
    seconds: float
    stamp: int
    update: PerceptUpdate


class PerceptStream:
    """The percepts of one player for one consumer, until :meth:`close` or the player leaves.

    ``on_cycle`` gets every cycle on the runner's thread; what it raises is reported to
    ``on_problem`` and ends nothing. Changes of the world are in the cycles: a consumer that has
    missed one must :meth:`restart`.
    """

    def __init__(
        self,
        player: str,
        on_cycle: Callable[[PerceptCycle], None],
        run_on_runner: Callable[[Callable[[WorldPort], None]], object],
        on_problem: Callable[[str, str], None],
        *,
        as_player: bool,
    ) -> None:
        self.player = player
        self._on_cycle = on_cycle
        self._run_on_runner = run_on_runner
        self._on_problem = on_problem
        self.as_player = as_player
        self._consumer: PerceptSource | None = None
        self._number = 0
        self._closed = False

    # --- For the consumer, on any thread ---------------------------------------------------

    @property
    def is_closed(self) -> bool:
        """Whether nothing more comes: it was closed, or the player has left the world."""
        return self._closed or (self._consumer is not None and not self._consumer.is_connected)

    def restart(self, *, as_player: bool | None = None) -> None:
        """Begin anew with the next cycle, which has everything again, as number 0.

        In a world that stands still that cycle comes at once. ``as_player``: whether others
        perceive the robot as driven from now on; None: as before.
        """
        if as_player is not None:
            self.as_player = as_player
        self._run_on_runner(self._attach)

    def close(self) -> None:
        """Stop perceiving. Idempotent."""
        self._run_on_runner(lambda _: self._end())

    # --- For the runner, on its thread -------------------------------------------------------

    def begin(self, world: WorldPort) -> None:
        """Connect to the player; raises WorldError where there is none of this name."""
        self._consumer = world.connect(self.player, player=self.as_player)

    def begin_again(self) -> None:
        """Count from 0 after a reset of the world: the consumer begins anew by itself."""
        self._number = 0

    def deliver(self, tick: int, seconds: float, stamp: int) -> None:
        """Poll and hand over one cycle."""
        if self._consumer is None:
            return
        if not self._consumer.is_connected:
            self._end()
            return
        number, self._number = self._number, self._number + 1
        update = self._consumer.poll()
        try:
            self._on_cycle(PerceptCycle(self.player, number, tick, seconds, stamp, update))
        except Exception:
            text = f"the percepts of {self.player} failed:\n{traceback.format_exc()}"
            self._on_problem("exceptions", text)

    def _attach(self, world: WorldPort) -> None:
        if self._closed or self._consumer is None or not self._consumer.is_connected:
            return
        # The new consumer comes first, so that the player always counts as driven for the others;
        # and what waits in the old one and is sent only once is not lost.
        old, self._consumer = self._consumer, world.connect(self.player, player=self.as_player)
        self._number = 0
        for percept in old.poll().add:
            if percept.name in EVENTS:
                self._consumer.notify(percept)
        old.close()

    def _end(self) -> None:
        if not self._closed and self._consumer is not None:
            self._consumer.close()
        self._closed = True
