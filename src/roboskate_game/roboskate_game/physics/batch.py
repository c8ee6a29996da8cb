# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Many boards at once, each in a world of its own, on arrays."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.course import COURSE
from roboskate_game.physics.arithmetic import ArrayOps
from roboskate_game.physics.dynamics import EQUATIONS, SkatingBoard, board_of, origin
from roboskate_game.physics.equations import make_equations
from roboskate_game.physics.ground import ArrayLookup, Ground, ScalarLookup, usual_ground
from roboskate_game.physics.mechanics import STEP, Physics, State

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

ENGINES = ("auto", "numba", "numpy", "python")
"""All give the same bits; "auto" is numba where that is installed, else what is faster."""
_FEW = 20
"""Worlds up to which one after the other in Python is faster than numpy for all at once."""


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
        self._scalar = ScalarLookup(ground)
        self.physics: Floats = np.tile(np.array(Physics().values(), float), (count, 1))
        self.rows: Floats = np.zeros((count, len(State._fields)))
        self._starts: dict[int, Floats] = {}
        if engine == "auto":
            found = importlib.util.find_spec("numba") is not None
            engine = "numba" if found else "python" if count <= _FEW else "numpy"
        self._engine: _Engine = _ENGINE_CLASSES[engine](ground)
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
        steps, dt = steps * self._sub_steps, STEP / self._sub_steps
        if worlds is None:
            self.rows = self._engine.run(self.rows, forces, self.physics, steps, dt)
        elif len(worlds):
            self.rows[worlds] = self._engine.run(
                self.rows[worlds], forces, self.physics[worlds], steps, dt
            )

    def columns(self) -> State:
        """Return the state with an array of one number per world for each field."""
        return State(*self.rows.T)

    def poses(self) -> tuple[Floats, Floats]:
        """Return positions and velocities (n, 3), in odom, of the boards' origins."""
        position, velocity = origin(self.columns())
        return np.stack(position, axis=1), np.stack(velocity, axis=1)

    def board(self, world: int) -> BoardInRos:
        """Return one board as the bridge's clients see it."""
        return board_of(State(*self.rows[world].tolist()))


class _Engine:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._ground,)

    def run(self, rows: Floats, forces: Floats, physics: Floats, steps: int, dt: float) -> Floats:
        raise NotImplementedError


class _PythonEngine(_Engine):
    def __init__(self, ground: Ground) -> None:
        super().__init__(ground)
        self._look = ScalarLookup(ground)

    def run(self, rows: Floats, forces: Floats, physics: Floats, steps: int, dt: float) -> Floats:
        states = [State(*row) for row in rows.tolist()]
        for i, (force, parameters) in enumerate(
            zip(forces.tolist(), physics.tolist(), strict=True)
        ):
            for _ in range(steps):
                states[i] = EQUATIONS.advance(states[i], force, parameters, self._look, dt)
        return np.array(states)


class _NumpyEngine(_Engine):
    def __init__(self, ground: Ground) -> None:
        super().__init__(ground)
        self._look = ArrayLookup(ground)
        self._advance = make_equations(ArrayOps).advance

    def run(self, rows: Floats, forces: Floats, physics: Floats, steps: int, dt: float) -> Floats:
        state = State(*np.ascontiguousarray(rows.T))
        columns = (forces[:, 0], forces[:, 1], forces[:, 2])
        # A parameter that is the same everywhere is a number: that is faster than an array.
        parameters = tuple(
            float(p[0]) if (p == p[0]).all() else np.ascontiguousarray(p) for p in physics.T
        )
        for _ in range(steps):
            state = self._advance(state, columns, parameters, self._look, dt)
        return np.stack(state, axis=1)


class _NumbaEngine(_Engine):
    def __init__(self, ground: Ground) -> None:
        super().__init__(ground)
        from roboskate_game.physics import compiled

        self._look = compiled.look_of(ground)
        self._advance_all = compiled.advance_all

    def run(self, rows: Floats, forces: Floats, physics: Floats, steps: int, dt: float) -> Floats:
        rows = np.ascontiguousarray(rows)
        self._advance_all(rows, forces, physics, self._look, steps, dt)
        return rows


_ENGINE_CLASSES: dict[str, type[_Engine]] = {
    "python": _PythonEngine,
    "numpy": _NumpyEngine,
    "numba": _NumbaEngine,
}


def varied(rng: np.random.Generator, ranges: dict[str, tuple[float, float]]) -> Physics:
    """Return physics whose parameters are drawn evenly between two factors of their values.

    Raises ValueError for a parameter that Physics has not.
    """
    usual = Physics()
    changes: dict[str, Any] = {}
    for name, (low, high) in sorted(ranges.items()):
        if not hasattr(usual, name):
            raise ValueError(f"physics has no parameter {name!r}")
        if not (math.isfinite(low) and math.isfinite(high) and 0.0 < low <= high):
            raise ValueError(f"{name}: the factors must be 0 < low <= high, not {low}, {high}")
        changes[name] = getattr(usual, name) * rng.uniform(low, high)
    return replace(usual, **changes)


__all__: Sequence[str] = ("ENGINES", "Fleet", "varied")
