# SPDX-License-Identifier: Apache-2.0
"""Joint trajectories in straight lines between their points. No ROS."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def interpolated(
    times: Sequence[float],
    points: Sequence[Sequence[float]],
    time: float,
    start: Sequence[float],
) -> tuple[float, ...]:
    """Return the positions (rad) at ``time`` (s after the start).

    Parameters
    ----------
    times
        When each point is reached, growing; the last point stays.
    points
        Positions of the joints at each of these times.
    time
        Before the start, negative, the joints are at ``start``.
    start
        Positions at time 0.

    """
    after = bisect_right(times, time)
    if after == len(times):
        return tuple(points[-1])
    if time < 0.0:
        return tuple(start)
    begun, before = (times[after - 1], points[after - 1]) if after else (0.0, start)
    part = (time - begun) / (times[after] - begun)
    return tuple(a + part * (b - a) for a, b in zip(before, points[after], strict=True))
