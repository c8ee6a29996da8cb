# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Many boards at once, each in a world of its own."""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.course import COURSE
from roboskate_game.model.rules import WIRE_NUMBERS, Scorer, Wire
from roboskate_game.physics.arithmetic import ScalarOps
from roboskate_game.physics.dynamics import EQUATIONS, SkatingBoard, board_of, make_report
from roboskate_game.physics.ground import Ground, ScalarLookup, usual_ground
from roboskate_game.physics.mechanics import STEP, Physics, State

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

ENGINES = ("auto", "numba", "python")
"""Both give the same bits; "auto" is numba where that is installed."""
SHARED = 256
"""Worlds from which on numba's are shared by all cores of the process."""
_report = make_report(ScalarOps)


class Fleet:
    """Boards that know nothing of each other.

    ``rows`` has one row of State for each, ``physics`` one of Physics.

    Parameters
    ----------
    count
        Number of worlds.
    engine
        One of ENGINES; ImportError for "numba" where that is not installed.
    sub_steps
        In how many parts each step of STEP seconds is computed.

    """

    def __init__(
        self,
        count: int,
        ground: Ground | None = None,
        engine: str = "auto",
        sub_steps: int = 1,
    ) -> None:
        if engine not in ENGINES:
            raise ValueError(f"engine must be one of {', '.join(ENGINES)}, not {engine!r}")
        ground = ground or usual_ground()
        self._sub_steps = sub_steps
        self.dt = STEP / sub_steps
        self._scalar = ScalarLookup(ground)
        self.physics: Floats = np.tile(np.array(Physics().values(), float), (count, 1))
        self.rows: Floats = np.zeros((count, len(State._fields)))
        self._starts: dict[int, Floats] = {}
        if engine == "auto":
            engine = "numba" if importlib.util.find_spec("numba") is not None else "python"
        self._engine = (_Numba if engine == "numba" else _Python)(ground)
        self._all = np.arange(count)
        for i in range(count):
            self.place(i, 0)

    def place(
        self,
        world: int,
        level: int,
        physics: Physics | None = None,
        shift: float = 0.0,
        turn: float = 0.0,
    ) -> None:
        """Put a board at the start of a level, at rest, the crane upright.

        ``shift`` and ``turn``: to the left of the start (m), and of its heading (rad).
        """
        if physics is not None:
            self.physics[world] = physics.values()
        elif shift == turn == 0.0 and level in self._starts:
            self.rows[world] = self._starts[level]
            return
        start = COURSE.levels[level]
        (x, y), heading = start.start, start.heading
        x, y = x - shift * math.sin(heading), y + shift * math.cos(heading)
        board = SkatingBoard(self._scalar, x, y, heading + turn, physics)
        self.rows[world] = board.mechanics
        if physics is None and shift == turn == 0.0:
            self._starts[level] = self.rows[world].copy()

    def run(self, forces: Floats, steps: int, worlds: Indices | None = None) -> None:
        """Let ``steps`` steps of STEP seconds pass while forces (n, 3) act on the joints.

        ``worlds``: only in these; ``forces`` has a row for each of them.
        """
        forces = np.ascontiguousarray(forces, float)
        worlds = self._all if worlds is None else worlds
        self._engine.advance(self, worlds, forces, steps * self._sub_steps)

    def play(self, forces: Floats, steps: int, worlds: Indices, scorer: Scorer) -> None:
        """Let time pass as ``run`` does, and count it as one step of the scorer's episodes."""
        self._engine.play(self, worlds, forces, steps * self._sub_steps, scorer)

    def begin(self, worlds: Indices, first: Indices, scorer: Scorer) -> None:
        """Begin episodes of the scorer in some worlds, with these first checkpoints."""
        self._engine.begin(self, worlds, first, scorer)

    def report(self) -> Wire:
        """Return what all games report."""
        return self._engine.report(self)

    def complete(self) -> None:
        """Have all fields of ``rows`` follow from the first 22, after a change of those."""
        self._engine.orient(self)

    def columns(self) -> State:
        """Return the state with an array of one number per world for each field."""
        return State(*self.rows.T)

    def board(self, world: int) -> BoardInRos:
        """Return one board as the bridge's clients see it."""
        return board_of(State(*self.rows[world].tolist()))


class _Python:
    """Worlds one after the other, in Python."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._look: Any = ScalarLookup(ground)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._ground,)

    def advance(self, fleet: Fleet, worlds: Indices, forces: Floats, steps: int) -> None:
        """Let steps pass in some worlds, whose forces (k, 3) these are."""
        for world, force in zip(worlds.tolist(), forces.tolist(), strict=True):
            state, physics = State(*fleet.rows[world].tolist()), fleet.physics[world].tolist()
            for _ in range(steps):
                state = EQUATIONS.advance(state, force, physics, self._look, fleet.dt)
            fleet.rows[world] = state

    def play(
        self, fleet: Fleet, worlds: Indices, forces: Floats, steps: int, scorer: Scorer
    ) -> None:
        """Let steps pass, and count them as one of an episode."""
        self.advance(fleet, worlds, forces, steps)
        scorer.score(self.report(fleet), worlds)

    def begin(self, fleet: Fleet, worlds: Indices, first: Indices, scorer: Scorer) -> None:
        """Begin episodes in some worlds, with these first checkpoints."""
        scorer.begin(self.report(fleet), worlds, first)

    def orient(self, fleet: Fleet) -> None:
        """Have all fields follow from the first 22."""
        for i, (row, physics) in enumerate(
            zip(fleet.rows.tolist(), fleet.physics.tolist(), strict=True)
        ):
            s = State(*row)
            fleet.rows[i] = EQUATIONS.orient(s[:22], s[22:31], 0.0, s.load, physics)

    def report(self, fleet: Fleet) -> Wire:
        """Return what all games report."""
        return np.array([_report(State(*row)) for row in fleet.rows.tolist()])


class _Numba(_Python):
    """The same, compiled; from SHARED worlds on by all cores."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground)
        from roboskate_game.physics import compiled

        self._look = compiled.look_of(ground)
        self._code = compiled
        self._pool: ThreadPoolExecutor | None = None

    def advance(self, fleet: Fleet, worlds: Indices, forces: Floats, steps: int) -> None:
        self._shared(
            lambda part, force: self._code.advance(
                fleet.rows, part, force, fleet.physics, self._look, steps, fleet.dt
            ),
            worlds,
            forces,
        )

    def play(
        self, fleet: Fleet, worlds: Indices, forces: Floats, steps: int, scorer: Scorer
    ) -> None:
        before, after = scorer.next_numbers()
        self._shared(
            lambda part, force: self._code.play(
                fleet.rows, part, force, fleet.physics, self._look, steps, fleet.dt,
                before, after, scorer.discs, scorer.rules,
            ),
            worlds,
            forces,
        )  # fmt: skip

    def begin(self, fleet: Fleet, worlds: Indices, first: Indices, scorer: Scorer) -> None:
        _, after = scorer.next_numbers()
        self._code.begin(fleet.rows, worlds, first, after, scorer.discs)

    def orient(self, fleet: Fleet) -> None:
        self._code.orient(fleet.rows, fleet.physics)

    def report(self, fleet: Fleet) -> Wire:
        wire = np.empty((len(fleet.rows), WIRE_NUMBERS))
        self._code.report(fleet.rows, wire)
        return wire

    def _shared(
        self, run: Callable[[Indices, Floats], None], worlds: Indices, forces: Floats
    ) -> None:
        """Have all cores share the worlds: compiled code runs without Python's lock."""
        cores = len(os.sched_getaffinity(0)) if len(worlds) >= SHARED else 1
        if cores == 1:
            run(worlds, forces)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(cores, "worlds")
        parts = zip(np.array_split(worlds, cores), np.array_split(forces, cores), strict=True)
        for each in [self._pool.submit(run, *part) for part in parts]:
            each.result()


def varied(rng: np.random.Generator, ranges: dict[str, tuple[float, float]]) -> Physics:
    """Return physics whose parameters are drawn evenly between two factors of their values.

    Raises ValueError for a parameter that Physics has not.
    """
    usual = Physics()
    changes: dict[str, Any] = {}
    for name, factors in sorted(ranges.items()):
        if name not in vars(usual):
            raise ValueError(f"physics has no parameter {name!r}")
        try:
            low, high = map(float, factors)
        except (TypeError, ValueError):
            raise ValueError(f"{name}: there must be two factors, not {factors!r}") from None
        if not (math.isfinite(low) and math.isfinite(high) and 0.0 < low <= high):
            raise ValueError(f"{name}: the factors must be 0 < low <= high, not {low}, {high}")
        changes[name] = getattr(usual, name) * rng.uniform(low, high)
    return replace(usual, **changes)


__all__: Sequence[str] = ("ENGINES", "Fleet", "varied")
