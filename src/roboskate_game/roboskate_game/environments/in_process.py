# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Simulated games in this process, behind the interface of a backend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.environments.backend import Images, Worlds, lower_crane
from roboskate_game.environments.randomness import Randomness
from roboskate_game.model.rules import Scorer, Wire
from roboskate_game.physics.batch import Fleet, varied
from roboskate_game.physics.mechanics import STEP
from roboskate_game.physics.world import Scene
from roboskate_game.protocol.dialect import FORCE_RANGE
from roboskate_game.protocol.messages import ImageSize

Doubles = NDArray[np.float64]


class SimulatedGames:
    """N simulated games; their states are rounded as on the wire.

    Parameters
    ----------
    count, engine, sub_steps
        See Fleet.
    size
        Of the images, in pixels.
    force, step_seconds
        As of the environment; ValueError for a time that is no number of simulation steps.
    jpeg
        Whether images have been a JPEG, as those of the real game.
    randomness
        Of the start, the masses, the friction and the look.
    variation
        Physics drawn anew for each episode: names of Physics to two factors.

    """

    def __init__(
        self,
        count: int,
        *,
        size: ImageSize,
        force: float,
        step_seconds: float,
        randomness: Randomness,
        engine: str = "auto",
        sub_steps: int = 1,
        jpeg: bool = False,
        variation: dict[str, tuple[float, float]] | None = None,
    ) -> None:
        self._steps = round(step_seconds / STEP)
        if self._steps < 1 or not math.isclose(self._steps * STEP, step_seconds):
            # Half steps would be carried over: not with many worlds at once.
            raise ValueError(f"step_seconds must be a multiple of {STEP}, not {step_seconds}")
        self.count = count
        self.fleet = Fleet(count, engine=engine, sub_steps=sub_steps)
        self._size = size
        self._force = force
        self._randomness = randomness
        self._variation = {**randomness.variation, **(variation or {})}
        varied(np.random.default_rng(0), self._variation)  # refuse what cannot be at once
        self._lowered: dict[int, Doubles] = {}
        self._jpeg = jpeg
        self._look_seeds = [0] * count
        self._views: dict[int, Any] = {}

    def begin(self, worlds: Worlds, levels: Worlds, rngs: Sequence[np.random.Generator]) -> None:
        """Load levels, and lower the crane as reset does."""
        drawn = self._randomness
        if drawn.look:
            for world, rng in zip(worlds.tolist(), rngs, strict=True):
                self._look_seeds[world] = int(rng.integers(2**31))
                self._views.pop(world, None)
        if self._variation or drawn.start_shift or drawn.start_turn or drawn.start_crane:
            for world, level, rng in zip(worlds.tolist(), levels.tolist(), rngs, strict=True):
                physics = varied(rng, self._variation) if self._variation else None
                shift, turn = (
                    float(rng.uniform(-most, most)) if most else 0.0
                    for most in (drawn.start_shift, drawn.start_turn)
                )  # fmt: skip
                self.fleet.place(world, level, physics, shift, turn)
            lower_crane(self, worlds, self._force, drawn.crane_offsets(rngs))
            return
        for world, level in zip(worlds.tolist(), levels.tolist(), strict=True):
            if level not in self._lowered:
                self.fleet.place(world, level)
                lower_crane(self, np.array([world]), self._force)
                self._lowered[level] = self.fleet.rows[world].copy()
            self.fleet.rows[world] = self._lowered[level]

    def run(self, worlds: Worlds, forces: Doubles) -> None:
        """Let one step pass in some games while forces act."""
        self.fleet.run(_sent(forces), self._steps, worlds)

    def play(self, worlds: Worlds, forces: Doubles, scorer: Scorer) -> None:
        """Let one step pass, and count it."""
        self.fleet.play(_sent(forces), self._steps, worlds, scorer)

    def begin_episodes(self, worlds: Worlds, first: Worlds, scorer: Scorer) -> None:
        """Have the scorer begin episodes."""
        self.fleet.begin(worlds, first, scorer)

    def state(self) -> Wire:
        """Return the states of all games."""
        return self.fleet.report()

    def images(self) -> Images:
        """Return what all cameras see."""
        drawn = [
            self._view(i).draw(Scene(self.fleet.board(i), self._size)) for i in range(self.count)
        ]
        if self._jpeg:
            from roboskate_game.protocol.image import EncodedPicture, decode, encode_jpeg

            drawn = [
                decode(EncodedPicture(self._size, encode_jpeg(each), "jpeg")) for each in drawn
            ]
        return np.stack(drawn)

    def _view(self, world: int) -> Any:
        # Imported when it is first needed: OpenCV, and half a second for the ground's picture.
        from roboskate_game.drawing.camera import CameraView
        from roboskate_game.drawing.look import episode_look

        strength = self._randomness.look
        key = world if strength else 0
        if key not in self._views:
            look = episode_look(self._look_seeds[world], strength) if strength else None
            self._views[key] = CameraView(look)
        return self._views[key]

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


def _sent(forces: Doubles) -> Doubles:
    """Return forces as a game gets them: float32, in parts of a key's force."""
    return forces.astype(np.float32).astype(float) / FORCE_RANGE * FORCE_RANGE
