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
    """

    def __init__(self, timeout: float, now: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._timeout = timeout
        self._now = now
        self._keys = NO_KEYS
        self._since = 0.0
        self.timeouts = 0

    def configure(self, timeout: float, now: Callable[[], float]) -> None:
        """Change both parameters; the keys are released."""
        with self._lock:
            self._timeout, self._now, self._keys = timeout, now, NO_KEYS

    def hold(self, keys: Keys) -> None:
        """Hold ``keys`` from now on. Raises ProtocolError for what is no number."""
        clamped = keys.clamped()
        with self._lock:
            self._keys, self._since = clamped, self._now()

    def release(self) -> None:
        """Release all keys."""
        with self._lock:
            self._keys = NO_KEYS

    def current(self) -> Keys:
        """Return what is to be held down now."""
        with self._lock:
            if (
                self._timeout > 0.0
                and self._keys != NO_KEYS
                and self._now() - self._since >= self._timeout
            ):
                self._keys = NO_KEYS
                self.timeouts += 1
            return self._keys
