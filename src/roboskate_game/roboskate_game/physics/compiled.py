# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The equations of motion compiled by numba, where that is installed: the same bits, faster."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from roboskate_game.physics.arithmetic import F, ScalarOps, sine_and_cosine
from roboskate_game.physics.equations import make_equations
from roboskate_game.physics.ground import Ground
from roboskate_game.physics.mechanics import Physics, State

_FIELDS = len(State._fields)
_PARAMETERS = len(Physics().values())


# Without fastmath LLVM neither reorders nor contracts: the bits are those of Python.
_compiled: Callable[[F], F] = numba.njit(nogil=True)


class _CompiledOps:
    """Floats in compiled code; ``look`` is what ``look_of`` returns."""

    compiled = staticmethod(_compiled)
    sqrt = staticmethod(math.sqrt)
    maximum = staticmethod(_compiled(ScalarOps.maximum))
    minimum = staticmethod(_compiled(ScalarOps.minimum))

    @staticmethod
    @_compiled
    def anywhere(condition: bool) -> bool:
        return condition

    @staticmethod
    @_compiled
    def sines(a: float, b: float, c: float) -> tuple[float, ...]:
        sa, ca = _sine_and_cosine(a)
        sb, cb = _sine_and_cosine(b)
        sc, cc = _sine_and_cosine(c)
        return sa, ca, sb, cb, sc, cc

    @staticmethod
    @_compiled
    def plane_at(look: Any, x: float, y: float) -> tuple[float, float]:
        grid, place, planes, _, _ = look
        i, j = int((y - place[1]) * place[2]), int((x - place[0]) * place[2])
        if 0 <= i < grid.shape[0] and 0 <= j < grid.shape[1]:
            k = grid[i, j]
            return planes[k, 0], planes[k, 1]
        return planes[0, 0], planes[0, 1]

    @staticmethod
    @_compiled
    def wall_at(look: Any, x: float, y: float) -> tuple[float, float, float, float]:
        _, place, _, grid, walls = look
        i, j = int((y - place[1]) * place[2]), int((x - place[0]) * place[2])
        k = 0
        if 0 <= i < grid.shape[0] and 0 <= j < grid.shape[1]:
            k = grid[i, j]
        return walls[k, 0], walls[k, 1], walls[k, 2], walls[k, 3]


_sine_and_cosine = _compiled(sine_and_cosine)
_advance = make_equations(_CompiledOps).advance


def look_of(ground: Ground) -> tuple[Any, ...]:
    """Return the ground as the arrays that compiled code reads."""
    return (
        ground.planes,
        np.array([ground.x0, ground.y0, 1.0 / ground.cell]),
        np.column_stack((ground.plane_z, ground.plane_slope)),
        ground.walls,
        np.column_stack((ground.wall_x, ground.wall_y, ground.wall_c, ground.wall_top)),
    )


@_compiled
def _state(row: Any) -> State:
    return State(*to_fixed_tuple(row, _FIELDS))


def _fingerprint() -> int:
    """Return a number that changes with the sources of the compiled code."""
    names = ("arithmetic", "compiled", "equations", "ground", "mechanics")
    digest = hashlib.sha256()
    for name in names:
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return int.from_bytes(digest.digest()[:6], "big")


def _make_advance_all(fingerprint: int) -> Callable[..., None]:
    # numba looks at this file only for what its cache on disk is worth, and at the variables of a
    # closure: with the fingerprint there, a change of the equations is not missed.
    def advance_all(
        rows: Any, forces: Any, physics: Any, look: Any, steps: int, dt: float
    ) -> None:
        if fingerprint < 0:
            return
        for i in range(rows.shape[0]):
            state = _state(rows[i])
            parameters = to_fixed_tuple(physics[i], _PARAMETERS)
            force = (forces[i, 0], forces[i, 1], forces[i, 2])
            for _ in range(steps):
                state = _advance(state, force, parameters, look, dt)
            for k, value in enumerate(state):
                rows[i, k] = value

    compiled: Callable[..., None] = numba.njit(nogil=True, cache=True)(advance_all)
    return compiled


advance_all = _make_advance_all(_fingerprint())
"""advance_all(rows, forces, physics, look, steps, dt): let steps of dt seconds pass, in place.

A world is a row of State, of forces and of Physics; ``look`` is what look_of returns.
"""
