# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Moments of recorded games, for the experimenter's page."""

from __future__ import annotations

import threading
from pathlib import Path

from bw4t_study.record import read_game
from bw4t_study.replay import Replay
from bw4t_world.simulation.snapshots import Snapshot


class Playback:
    """Keeps the game that was looked at last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._path: Path | None = None
        self._replay: Replay | None = None

    def moment(self, path: Path, seconds: float) -> tuple[Snapshot, float]:
        """Return a game at a simulated time in s, at the latest at its end, and its length in s.

        Raises RecordError, ReplayError and OSError.
        """
        with self._lock:
            if self._replay is None or self._path != path:
                self._path, self._replay = path, Replay(read_game(path))
            replay = self._replay
            tick_s = replay.world.profile.tick_seconds
            last = replay.game.last_tick
            replay.seek(min(last, round(seconds / tick_s)))
            return replay.world.snapshot(), last * tick_s
