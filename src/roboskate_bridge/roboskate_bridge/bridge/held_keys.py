# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The keys that are to be held down, and the watchdog that releases them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from roboskate_game.protocol.messages import NO_KEYS, Keys


class HeldKeys:
    """The last command for as long as it counts. Thread-safe.

    A command counts for ``timeout`` seconds; 0: until the next one. ``now`` returns the seconds
    that this is measured in: steady time, or simulated time where time moves only on request.
    A command with an end in simulated time counts until then, and ``patience`` steady seconds
    more while the game waits for the next one.
    """

    def __init__(
        self,
        timeout: float,
        now: Callable[[], float] = time.monotonic,
        patience: float = 0.0,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lock = threading.Lock()
        self._timeout = timeout
        self._now = now
        self._keys = NO_KEYS
        self._since = 0.0
        self._patience, self._steady = patience, steady
        self._until = 0
        self._waiting_since: float | None = None
        self.timeouts = 0

    def configure(self, timeout: float, now: Callable[[], float]) -> None:
        """Change both parameters; the keys are released."""
        with self._lock:
            self._timeout, self._now = timeout, now
            self._hold(NO_KEYS)

    def hold(self, keys: Keys, until: int = 0) -> None:
        """Hold ``keys`` from now on. Raises ProtocolError for what is no number.

        ``until``: simulated time (ns) at which they end; 0: none.
        """
        clamped = keys.clamped()
        with self._lock:
            self._hold(clamped, until if self._patience > 0.0 else 0)

    def release(self) -> None:
        """Release all keys, and wait for none."""
        with self._lock:
            self._hold(NO_KEYS)

    def _hold(self, keys: Keys, until: int = 0) -> None:
        self._keys, self._since = keys, self._now()
        self._until, self._waiting_since = until, None

    def wait(self, simulated: int) -> float:
        """Return how many more seconds the game shall wait for the next command; 0: not at all.

        ``simulated``: the present simulated time (ns). When patience ends, the keys are released.
        """
        with self._lock:
            if not self._until or simulated < self._until:
                return 0.0
            now = self._steady()
            if self._waiting_since is None:
                self._waiting_since = now
            left = self._waiting_since + self._patience - now
            if left <= 0.0:
                self._hold(NO_KEYS)
                self.timeouts += 1
            return max(0.0, left)

    def current(self) -> Keys:
        """Return what is to be held down now."""
        with self._lock:
            if (
                self._timeout > 0.0
                and not self._until
                and self._keys != NO_KEYS
                and self._now() - self._since >= self._timeout
            ):
                self._keys = NO_KEYS
                self.timeouts += 1
            return self._keys
