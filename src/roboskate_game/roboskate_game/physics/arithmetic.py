# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What differs in the equations of motion between Python and compiled code.

Both give the same bits. Sine and cosine are polynomials, as those of C differ between machines;
their error is below 2e-9.
"""

from __future__ import annotations

from collections.abc import Callable

from roboskate_game.model.rules import Arithmetic
from roboskate_game.physics.ground import ScalarLookup


def sine_and_cosine(angle: float) -> tuple[float, float]:
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


class ScalarOps(Arithmetic):
    """Python's floats; ``look`` is a ScalarLookup."""

    plane_at = staticmethod(ScalarLookup.plane)
    wall_at = staticmethod(ScalarLookup.wall)
    sine_and_cosine: Callable[[float], tuple[float, float]] = staticmethod(sine_and_cosine)

    @staticmethod
    def maximum(a: float, b: float) -> float:
        """Return the larger one."""
        return a if a > b else b

    @staticmethod
    def minimum(a: float, b: float) -> float:
        """Return the smaller one."""
        return a if a < b else b
