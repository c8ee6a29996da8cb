# SPDX-License-Identifier: Apache-2.0
"""Whether anybody subscribes to what a publisher publishes."""

from __future__ import annotations

import time

from rclpy.publisher import Publisher

LOOK_SECONDS = 0.1
"""How old an answer may be: counting takes as long as making a small message."""


class Audience:
    """The subscribers of one publisher. May be asked on any thread."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._looked_at = -LOOK_SECONDS
        self._present = False

    @property
    def present(self) -> bool:
        """True while there is at least one subscriber; up to ``LOOK_SECONDS`` old."""
        now = time.monotonic()
        if now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            self._present = bool(self._publisher.get_subscription_count())
        return self._present
