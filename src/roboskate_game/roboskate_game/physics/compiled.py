# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Physics and episodes compiled by numba, where that is installed: the same bits, faster."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from roboskate_game.model.rules import F, make_formulas
from roboskate_game.physics.arithmetic import ScalarOps, sine_and_cosine
from roboskate_game.physics.dynamics import make_report, origin
from roboskate_game.physics.equations import make_equations
from roboskate_game.physics.fingerprint import fingerprint_of
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
    atan2 = staticmethod(math.atan2)
    hypot = staticmethod(math.hypot)
    maximum = staticmethod(_compiled(ScalarOps.maximum))
    minimum = staticmethod(_compiled(ScalarOps.minimum))
    sine_and_cosine = staticmethod(_compiled(sine_and_cosine))

    @staticmethod
    @_compiled
    def single(value: float) -> Any:
        return np.float64(np.float32(value))  # float() of a float32 stays one here

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


_advance, _orient = make_equations(_CompiledOps)
_report = make_report(_CompiledOps, _compiled(origin))
_begin, _score = make_formulas(_CompiledOps)


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


@_compiled
def _put(row: Any, values: Any) -> None:
    for k, value in enumerate(values):
        row[k] = value


@_compiled
def _move(row: Any, force: Any, physics: Any, look: Any, steps: int, dt: float) -> State:
    state = _state(row)
    parameters = to_fixed_tuple(physics, _PARAMETERS)
    forces = (force[0], force[1], force[2])
    for _ in range(steps):
        state = _advance(state, forces, parameters, look, dt)
    _put(row, state)
    return state


# numba looks at this file only for what its cache on disk is worth, and at the variables of a
# closure: with the fingerprint there, a change of what is compiled in is not missed.
def _make_functions(fingerprint: int) -> tuple[Callable[..., None], ...]:
    def advance(
        rows: Any, worlds: Any, forces: Any, physics: Any, look: Any, steps: int, dt: float
    ) -> None:
        for k in range(len(worlds)) if fingerprint >= 0 else range(0):
            i = worlds[k]
            _move(rows[i], forces[k], physics[i], look, steps, dt)

    def play(
        rows: Any, worlds: Any, forces: Any, physics: Any, look: Any, steps: int, dt: float,
        before: Any, after: Any, discs: Any, rules: Any,
    ) -> None:  # fmt: skip
        for k in range(len(worlds)) if fingerprint >= 0 else range(0):
            i = worlds[k]
            state = _move(rows[i], forces[k], physics[i], look, steps, dt)
            _put(after[i], _score(_report(state), before[i], discs, rules))

    def begin(rows: Any, worlds: Any, first: Any, after: Any, discs: Any) -> None:
        for k in range(len(worlds)) if fingerprint >= 0 else range(0):
            i = worlds[k]
            _put(after[i], _begin(_report(_state(rows[i])), first[k], discs))

    def orient(rows: Any, physics: Any) -> None:
        for i in range(len(rows)) if fingerprint >= 0 else range(0):
            s = _state(rows[i])
            parameters = to_fixed_tuple(physics[i], _PARAMETERS)
            _put(rows[i], _orient(s[:22], s[22:31], 0.0, s.load, parameters))

    def report(rows: Any, wire: Any) -> None:
        for i in range(len(rows)) if fingerprint >= 0 else range(0):
            _put(wire[i], _report(_state(rows[i])))

    compiled = numba.njit(nogil=True, cache=True)
    return tuple(map(compiled, (advance, play, begin, orient, report)))


advance, play, begin, orient, report = _make_functions(fingerprint_of(__name__))
"""Each changes arrays of all worlds in place, in the worlds whose indices are given.

``rows`` are those of State, ``physics`` of Physics, ``look`` is what look_of returns; ``forces``
(k, 3) and ``first`` (k) have one entry for each index; ``before`` and ``after`` are numbers of a
Scorer, ``wire`` is a Wire. ``orient`` has all fields follow from the first 22.
"""
