# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What differs in the equations of motion between one world, many, and compiled code.

All give the same bits. Sine and cosine are polynomials, as those of C and numpy differ between
machines; their error is below 2e-9.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from roboskate_game.physics.ground import ArrayLookup, ScalarLookup

Floats = NDArray[np.float64]
Sines = tuple[Any, Any, Any, Any, Any, Any]
F = TypeVar("F", bound=Callable[..., Any])


def sine_and_cosine(angle: Any) -> tuple[Any, Any]:
    """Return sine and cosine of an angle within -4 to 4 rad."""
    x = 0.25 * angle
    y = x * x
    s = x * (
        1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0))))
    )
    c = 1.0 - y / 2.0 * (
        1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0 * (1.0 - y / 90.0 * (1.0 - y / 132.0))))
    )
    s, c = 2.0 * s * c, 1.0 - 2.0 * s * s
    return 2.0 * s * c, 1.0 - 2.0 * s * s


class ScalarOps:
    """Floats; ``look`` is a ScalarLookup."""

    sqrt: Callable[[float], float] = staticmethod(math.sqrt)
    anywhere: Callable[[Any], bool] = staticmethod(bool)
    plane_at = staticmethod(ScalarLookup.plane)
    wall_at = staticmethod(ScalarLookup.wall)

    @staticmethod
    def compiled(function: F) -> F:
        """Return the function as it is."""
        return function

    @staticmethod
    def maximum(a: float, b: float) -> float:
        """Return the larger one."""
        return a if a > b else b

    @staticmethod
    def minimum(a: float, b: float) -> float:
        """Return the smaller one."""
        return a if a < b else b

    @staticmethod
    def sines(a: float, b: float, c: float) -> Sines:
        """Return sine and cosine of three angles in turn."""
        return (*sine_and_cosine(a), *sine_and_cosine(b), *sine_and_cosine(c))


class ArrayOps:
    """Arrays of one float per world; ``look`` is an ArrayLookup."""

    sqrt = staticmethod(np.sqrt)
    maximum = staticmethod(np.maximum)
    minimum = staticmethod(np.minimum)
    plane_at = staticmethod(ArrayLookup.plane)
    wall_at = staticmethod(ArrayLookup.wall)
    compiled = ScalarOps.compiled

    @staticmethod
    def anywhere(condition: NDArray[np.bool_]) -> bool:
        """Return whether the condition holds in any world."""
        return bool(condition.any())

    @staticmethod
    def sines(a: Floats, b: Floats, c: Floats) -> Sines:
        """Return sine and cosine of three angles in turn."""
        sines, cosines = sine_and_cosine(np.stack((a, b, c)))
        return (sines[0], cosines[0], sines[1], cosines[1], sines[2], cosines[2])
