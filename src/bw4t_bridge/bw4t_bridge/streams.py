# SPDX-License-Identifier: Apache-2.0
"""Percepts of one player for one consumer, cycle by cycle. ROS-free.

Streams are made by :meth:`bw4t_bridge.host.WorldHost.open_percepts`.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bw4t_world import Consumer, PerceptUpdate, World
from bw4t_world.world import EXTENDED_GUI_REQUESTS, GUI_REQUESTS

LOG = logging.getLogger("bw4t_bridge.host")

DEFAULT_CAPACITY = 500
"""Cycles that wait for a consumer: 10 s at 50 cycles a second."""

EVENTS = frozenset({"message", *GUI_REQUESTS, *EXTENDED_GUI_REQUESTS})
"""Percepts that are sent once because something has happened."""


@dataclass(frozen=True, slots=True)
class PerceptCycle:
    """What one poll of one player brought.

    ``number`` counts the cycles of the stream; 0 is the first poll, which has everything (also
    after a reset or a restart of the stream, when what was perceived before is void). ``tick``
    and ``seconds`` are the world's; ``stamp`` is the host's time of that tick in nanoseconds,
    since the epoch or simulated. ``update`` must not be changed.
    """

    player: str
    number: int
    tick: int
    seconds: float
    stamp: int
    update: PerceptUpdate


class PerceptStream:
    """The percepts of one player for one consumer.

    With ``on_cycle`` every cycle is handed over on the host's thread, at once. Without it cycles
    wait in a queue of ``capacity`` until :meth:`take`; ``on_ready`` is then called on the host's
    thread whenever the empty queue got a cycle. When the queue is full the oldest cycle is lost
    and counted in :attr:`dropped`: a consumer that sees it grow must :meth:`restart`, because
    changes of the world are in the cycles that it has missed.
    """

    def __init__(
        self,
        player: str,
        *,
        on_cycle: Callable[[PerceptCycle], None] | None,
        on_ready: Callable[[], None] | None,
        on_closed: Callable[[], None] | None,
        capacity: int,
        as_player: bool,
        run_on_host: Callable[[Callable[[World], None]], object],
    ) -> None:
        if capacity < 1:
            raise ValueError(f"the capacity must be at least 1, not {capacity}")
        self.player = player
        self._on_cycle = on_cycle
        self._on_ready = on_ready
        self._on_closed = on_closed
        self._capacity = capacity
        self._as_player = as_player
        self._run_on_host = run_on_host
        self._consumer: Consumer | None = None
        self._number = 0
        self._queue: deque[PerceptCycle] = deque()
        self._changed = threading.Condition()
        self._dropped = 0
        self._closed = False

    # --- For the consumer, on any thread ---------------------------------------------------

    @property
    def dropped(self) -> int:
        """How many cycles were lost because the queue was full."""
        return self._dropped

    @property
    def is_closed(self) -> bool:
        """Whether nothing more comes: it was closed, or the player has left the world."""
        return self._closed

    def take(self, timeout: float | None = 0.0) -> list[PerceptCycle]:
        """Return and forget all cycles that wait.

        If there are none, wait up to ``timeout`` seconds for one (``None``: for ever). Returns
        an empty list then, and at once when the stream is closed and empty.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closed, timeout)
            cycles = list(self._queue)
            self._queue.clear()
        return cycles

    def restart(self) -> None:
        """Begin anew with the next cycle, which has everything again, as number 0.

        In a world that stands still that cycle comes at once.
        """
        self._run_on_host(self._attach)

    def close(self) -> None:
        """Stop perceiving. Idempotent."""
        self._run_on_host(lambda _: self._end())

    # --- For the host, on its thread -------------------------------------------------------

    def begin(self, world: World) -> None:
        """Connect to the player; raises WorldError where there is none of this name."""
        self._consumer = world.connect(self.player, player=self._as_player)

    def begin_again(self) -> None:
        """Take note that the world was reset: the consumer begins anew by itself."""
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
        cycle = PerceptCycle(self.player, number, tick, seconds, stamp, update)
        if self._on_cycle is not None:
            try:
                self._on_cycle(cycle)
            except Exception:
                LOG.exception("a consumer of the percepts of %s has failed", self.player)
            return
        with self._changed:
            was_empty = not self._queue
            if len(self._queue) >= self._capacity:
                self._queue.popleft()
                self._dropped += 1
            self._queue.append(cycle)
            self._changed.notify_all()
        if was_empty:
            self._call(self._on_ready)

    def _attach(self, world: World) -> None:
        if self._closed or self._consumer is None or not self._consumer.is_connected:
            return
        # The new consumer comes first, so that the player is never nobody's for the others; and
        # what waits in the old one and is sent only once is not lost.
        old, self._consumer = self._consumer, world.connect(self.player, player=self._as_player)
        for percept in old.poll().add:
            if percept.name in EVENTS:
                self._consumer.notify(percept)
        old.close()
        self._number = 0

    def _end(self) -> None:
        if self._closed:
            return
        if self._consumer is not None:
            self._consumer.close()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._call(self._on_closed)

    def _call(self, callback: Callable[[], None] | None) -> None:
        if callback is None:
            return
        try:
            callback()
        except Exception:
            LOG.exception("a consumer of the percepts of %s has failed", self.player)
