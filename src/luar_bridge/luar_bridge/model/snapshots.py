# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The latest snapshots of a robot's segments, read by the names of variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeVar

from luar_bridge.model.pose import Pose
from luar_bridge.protocol.layout_table import LayoutTable
from luar_bridge.protocol.segment import Snapshot

_T = TypeVar("_T")


class Memory:
    """Values as far as they are data.

    Every method gives None (or nothing) for a variable that is missing, empty, of another length
    than asked for or not finite: robots do all of that (docs/originals/luar.md, "Observed
    behaviour", 3). The same goes for variables that no part of the original ever writes.

    Parameters
    ----------
    table
        What is known of the variables.
    snapshots
        By segment; may go on changing.

    """

    def __init__(self, table: LayoutTable, snapshots: Mapping[str, Snapshot]) -> None:
        self._snapshots = snapshots
        self._unwritten = {
            segment: frozenset(name for name, info in variables.items() if not info.written)
            for segment, variables in table.segments.items()
        }
        self._read: dict[Callable[..., Any], tuple[Snapshot | None, Any]] = {}

    def once(self, segment: str, read: Callable[[Memory], _T]) -> _T:
        """Return what ``read`` makes of a segment; for each reading of that it is called once."""
        snapshot = self._snapshots.get(segment)
        known = self._read.get(read)
        if known is None or known[0] is not snapshot:
            known = self._read[read] = snapshot, read(self)
        value: _T = known[1]
        return value

    def number(self, segment: str, variable: str) -> float | None:
        """Return a finite number, or None."""
        snapshot = self._snapshots.get(segment)
        if snapshot is None or variable in self._unwritten.get(segment, ()):
            return None
        value = snapshot.number(variable)
        return value if value is not None and isfinite(value) else None

    def numbers(self, segment: str, variable: str, length: int) -> tuple[float, ...] | None:
        """Return exactly ``length`` finite numbers, or None."""
        values = self.all_numbers(segment, variable)
        return values if len(values) == length else None

    def all_numbers(self, segment: str, variable: str) -> tuple[float, ...]:
        """Return a variable of any length; empty when it is missing, no data or not finite."""
        snapshot = self._snapshots.get(segment)
        if snapshot is None or variable in self._unwritten.get(segment, ()):
            return ()
        values = snapshot.all_numbers(variable)
        return values if all(map(isfinite, values)) else ()

    def length(self, segment: str, variable: str) -> int:
        """Return how many doubles a variable has, such as a c array; 0 for none."""
        snapshot = self._snapshots.get(segment)
        return snapshot.length(variable) if snapshot is not None else 0

    def pose(self, segment: str, variable: str) -> Pose | None:
        """Return a pose (x, y, a), or None."""
        values = self.numbers(segment, variable, 3)
        return (values[0], values[1], values[2]) if values else None

    def whole(self, segment: str, variable: str) -> int | None:
        """Return a whole number, or None."""
        value = self.number(segment, variable)
        return int(value) if value is not None and value.is_integer() else None
