# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The level that is played: it is loaded, steps pass in it, and what comes of them is reported.

Its events are those of events.py. It is used on the link's thread, but for what is read.
"""

from __future__ import annotations

from collections.abc import Callable

from legacy_robots_core.link.base import LinkObserver
from roboskate_bridge.bridge.camera_feed import CameraFeed
from roboskate_bridge.bridge.events import LevelLoaded, Step, TimePassed
from roboskate_bridge.bridge.game_clock import SimulationClock
from roboskate_bridge.bridge.held_keys import HeldKeys
from roboskate_bridge.bridge.link_settings import LinkSettings
from roboskate_bridge.bridge.requests import CommandError
from roboskate_game.client.client import GameClient
from roboskate_game.protocol.messages import NO_KEYS, BoardState, CallFailedError, ImageSize, Keys

RUN_PART_S = 1.0
"""Longer runs are divided into parts of this length, between which they can be ended."""


class Play:
    """One level, over any number of connections; the game of the present one is an argument."""

    def __init__(
        self,
        settings: LinkSettings,
        observer: LinkObserver,
        clock: SimulationClock,
        keys: HeldKeys,
        camera: CameraFeed,
    ) -> None:
        self._settings, self._observer = settings, observer
        self._clock, self._keys, self._camera = clock, keys, camera
        self.sent: Keys | None = None
        self.wanted_level = settings.level
        self.size: ImageSize | None = None
        self.loaded = False
        self.unseen = 0.0
        """Seconds since the last state that was reported."""
        self.resting = False
        """Whether steps are put off to be made at once."""
        self._total = 0.0

    def step(self, client: GameClient, seconds: float, keys: Keys | None = None) -> Step:
        """Let time pass and report the state after it."""
        self._run_game(client, seconds, keys)
        board = client.get_info()
        self.unseen = 0.0
        return self._report_step(board, self._clock.advance(seconds, self._total))

    def pass_time(self, client: GameClient, seconds: float) -> None:
        """Let time pass and report the time alone, which spares half of the calls."""
        self._run_game(client, seconds)
        self.unseen += seconds
        stamp = self._clock.advance(seconds, self._total)
        self._observer.on_event(TimePassed(stamp))
        self._camera.step_done(stamp)

    def run_parts(
        self, client: GameClient, seconds: float, ended_by: Callable[[], str | None]
    ) -> Step:
        """Let time pass in parts with the keys of the beginning; report the state after it.

        ``ended_by`` says why it shall end after the present part; CommandError is raised then.
        """
        passed, keys = 0.0, self._keys.current()
        while seconds - passed > RUN_PART_S:
            reason = ended_by()
            if reason is not None:
                raise CommandError(f"{reason} after {passed:g} s of {seconds:g} s")
            self._run_game(client, RUN_PART_S, keys)
            passed += RUN_PART_S
            self._observer.on_event(TimePassed(self._clock.advance(RUN_PART_S, self._total)))
        return self.step(client, seconds - passed, keys)

    def _run_game(self, client: GameClient, seconds: float, keys: Keys | None = None) -> None:
        if keys is None:
            # What is held since steps were put off comes after them.
            keys = NO_KEYS if self.resting else self._keys.current()
        if keys != self.sent:
            client.set_info(keys)
            self.sent = keys
        self._total = client.run_game(seconds)

    def _report_step(self, board: BoardState, stamp: int) -> Step:
        step = Step(stamp, self._total, board)
        self._observer.on_event(step)
        self._camera.step_done(stamp)
        return step

    def initialize(self, client: GameClient, level: int, *, rewind: bool) -> ImageSize:
        """Load a level, report its start, return the size of the images."""
        self._camera.begin_images(None)
        self._camera.wait_until_idle(self._settings.timeouts.camera)
        try:
            size = client.initialize(level, self._settings.wished_size)
        except CallFailedError:
            # What was there before is still there.
            self._camera.begin_images(self.size if self.loaded else None)
            raise
        self.wanted_level, self.size, self.loaded = level, size, True
        self._total = 0.0
        self._keys.release()
        client.set_info(NO_KEYS)
        self.sent = NO_KEYS
        board = client.get_info()
        self._camera.begin_images(size)
        self._observer.on_event(LevelLoaded(level, size))
        self._report_step(board, self._clock.restart(rewind=rewind))
        return size
