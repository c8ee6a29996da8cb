# SPDX-License-Identifier: Apache-2.0
"""Fetches images on a thread and a connection of its own, so that they never hold up the state."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from roboskate_bridge.client import GameClient
from roboskate_bridge.picture import Picture
from roboskate_bridge.protocol import ImageSize, ProtocolError
from roboskate_bridge.transport import TransportError

_PAUSE_AFTER_ERROR = 0.1
MOST_BEHIND = 0.25
"""Seconds of real time that are caught up with; when further behind, they are given up."""


class CameraFeed:
    """Fetches an image after a step of the game, at most ``rate`` a second, while it is wanted.

    Parameters
    ----------
    connect
        Makes a connection; called on the feed's thread, again after each error.
    wanted
        Whether anybody looks.
    on_picture
        Called with each image and the simulated time, in nanoseconds, of the step that it was
        asked for after. Raises ProtocolError for an image that turns out to be none.
    on_change
        Called when ``error`` has changed.

    """

    def __init__(
        self,
        connect: Callable[[], GameClient],
        wanted: Callable[[], bool],
        on_picture: Callable[[Picture, int], None],
        on_change: Callable[[], None],
    ) -> None:
        self._connect = connect
        self._wanted = wanted
        self._on_picture = on_picture
        self._on_change = on_change
        self._condition = threading.Condition()
        self._client: GameClient | None = None
        self._generation = 0
        self._size: ImageSize | None = None
        self._rate = 0.0
        self._every_step = False
        self._offered: int | None = None
        self._fetching = False
        self._closing = False
        self._due = 0.0
        self.error: str | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def configure(self, rate: float, *, every_step: bool) -> None:
        """Fetch ``rate`` images a second of steady time, or one for ``every_step``."""
        with self._condition:
            self._rate, self._every_step = rate, every_step
            self._due = 0.0

    def begin(self, size: ImageSize | None) -> None:
        """Images are of ``size`` from now on; None: there are none."""
        with self._condition:
            self._size = size
            self._offered = None

    def step_done(self, stamp: int) -> None:
        """Take note that the game has made a step and stands still for a moment."""
        with self._condition:
            self._offered = stamp
            self._condition.notify_all()

    def wait_until_idle(self, timeout: float) -> None:
        """Wait, up to ``timeout`` seconds, until no image is under way or about to be."""
        with self._condition:
            self._condition.wait_for(
                lambda: not self._fetching and not (self._offered is not None and self._ready()),
                timeout,
            )

    def abandon(self) -> None:
        """Give up the connection, with what is under way on it."""
        with self._condition:
            self._offered = None
            self._size = None
            self._generation += 1
            self.error = None
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def close(self) -> None:
        """End the thread. Idempotent."""
        with self._condition:
            self._closing = True
            self._condition.notify_all()
        self.abandon()
        self._thread.join()

    def _ready(self) -> bool:
        return self._size is not None and self._wanted()

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._offered is not None or self._closing)
                if self._closing:
                    break
                stamp, self._offered = self._offered, None
                size = self._size
                now = time.monotonic()
                due = self._every_step or now >= self._due
                if stamp is None or size is None or not due:
                    continue
                wanted = self._wanted()
                self._fetching = wanted
                if not self._every_step and self._rate > 0.0:
                    # Short delays are caught up with, so that the rate is kept; long ones are not.
                    self._due = max(self._due + 1.0 / self._rate, now - MOST_BEHIND)
            if wanted:
                self._fetch(size, stamp)
            elif self.error is not None:
                self._report(None)
        if self._client is not None:
            self._client.close()

    def _fetch(self, size: ImageSize, stamp: int) -> None:
        error: str | None = None
        with self._condition:
            client, generation = self._client, self._generation
        try:
            if client is None:
                client = self._connect()
                with self._condition:
                    self._client = client
            self._on_picture(client.get_camera(size), stamp)
        except (ProtocolError, TransportError) as problem:
            error = str(problem)
        with self._condition:
            abandoned = generation != self._generation
            if (error is not None or abandoned) and self._client is client:
                self._client = None
        if client is not None and (error is not None or abandoned):
            client.close()
        if not abandoned:  # otherwise the link has gone: that is reported as such
            self._report(error)
        with self._condition:
            self._fetching = False
            self._condition.notify_all()
            if error is not None:
                self._condition.wait_for(lambda: self._closing, _PAUSE_AFTER_ERROR)

    def _report(self, error: str | None) -> None:
        if error != self.error:
            self.error = error
            self._on_change()
