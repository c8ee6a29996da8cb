# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Fetches images on a thread and a connection of its own, so that they never hold up the state."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable

from legacy_robots_core.link.base import LinkObserver
from roboskate_bridge.bridge.events import Demand, PictureReceived
from roboskate_game.client.client import GameClient
from roboskate_game.client.transport import TransportError
from roboskate_game.protocol.messages import ImageSize, ProtocolError

PAUSE_AFTER_ERROR_S = 0.1
MOST_BEHIND = 0.25
"""Seconds of real time that are caught up with; when further behind, they are given up."""


class CameraFeed:
    """Fetches an image after a step of the game, at most ``rate`` a second, while it is wanted.

    ``connect`` makes a connection; it is called on the feed's thread, and again after each error.
    ``observer`` gets PictureReceived; its Demand says whether there are subscribers. ``on_change``
    is called when ``error`` has changed. ``now`` returns the time of the rate, in seconds.
    """

    def __init__(
        self,
        connect: Callable[[], GameClient],
        observer: LinkObserver,
        on_change: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connect = connect
        self._observer = observer
        self._on_change = on_change
        self._now = now
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
        """Why there are no images, though they are wanted; None: nothing is wrong."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def configure(self, rate: float, *, every_step: bool) -> None:
        """Fetch ``rate`` images a second, or one for ``every_step``."""
        with self._condition:
            self._rate, self._every_step = rate, every_step
            self._due = 0.0

    def begin_images(self, size: ImageSize | None) -> None:
        """Images are of ``size`` from now on; None: there are none."""
        with self._condition:
            self._size = size
            self._offered = None

    def step_done(self, stamp: int) -> None:
        """Request the image of a step, while the game stands still."""
        with self._condition:
            self._offered = stamp
            self._condition.notify_all()

    def wait_until_idle(self, timeout: float) -> None:
        """Wait, up to ``timeout`` seconds, until no image is under way or about to be."""
        with self._condition:
            self._condition.wait_for(
                lambda: (
                    not self._fetching
                    and not (self._offered is not None and self._size and self._wanted())
                ),
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
        if self._thread.is_alive():
            self._thread.join()

    def _wanted(self) -> bool:
        demand: Demand = self._observer.demand()
        return demand.pictures

    def _run(self) -> None:
        while not self._closing:
            try:
                self._fetch_next()
            except Exception as error:
                self._observer.on_problem("exceptions", traceback.format_exc())
                self._end_fetch(f"unexpected {type(error).__name__}: {error}")
        if self._client is not None:
            self._client.close()

    def _fetch_next(self) -> None:
        """Wait for the next step and fetch its image, if the rate and a subscriber ask for it."""
        with self._condition:
            self._condition.wait_for(lambda: self._offered is not None or self._closing)
            stamp, self._offered = self._offered, None
            size, generation = self._size, self._generation
            now = self._now()
            due = self._every_step or now >= self._due
            if self._closing or stamp is None or size is None or not due:
                return
            wanted = self._fetching = self._wanted()
            if not self._every_step and self._rate > 0.0:
                # Short delays are caught up with, so that the rate is kept; long ones are not.
                self._due = max(self._due + 1.0 / self._rate, now - MOST_BEHIND)
        if not wanted:
            self._report(None)
            return
        error: str | None = None
        try:
            self._fetch(size, stamp, generation)
        except (ProtocolError, TransportError) as problem:
            error = str(problem)
        self._end_fetch(error, generation)

    def _fetch(self, size: ImageSize, stamp: int, generation: int) -> None:
        client = self._client
        if client is None:
            client = self._connect()
            with self._condition:
                if generation != self._generation:
                    client.close()
                    return
                self._client = client
        picture = client.get_camera(size)
        with self._condition:
            if generation != self._generation:
                return  # its link has ended: it may be of another game
        self._observer.on_event(PictureReceived(picture, stamp))

    def _end_fetch(self, error: str | None, generation: int | None = None) -> None:
        """Report how a fetch has ended; after an error, begin a new connection after a pause."""
        client = None
        with self._condition:
            abandoned = generation is not None and generation != self._generation
            if error is not None and not abandoned:
                client, self._client = self._client, None
        if client is not None:
            client.close()
        if not abandoned:  # otherwise the link has gone: that is reported as such
            self._report(error)
        with self._condition:
            self._fetching = False
            self._condition.notify_all()
            if error is not None:
                self._condition.wait_for(lambda: self._closing, PAUSE_AFTER_ERROR_S)

    def _report(self, error: str | None) -> None:
        if error != self.error:
            self.error = error
            self._on_change()
