# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The segment rcmBody of one robot: what ROS writes there, and what the robot says of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from legacy_robots_common.goals.velocity import Velocity
from legacy_robots_core.link.base import NotConnectedError
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.ros_body import SEGMENT, Motion, Order
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)
from luar_bridge.protocol.writer import WriteRefusedError

_ERRORS = (SegmentUnavailableError, SegmentBusyError, ProtocolError, WriteRefusedError)


class BodyMemory:
    """Opens the segment at each call. Not thread-safe; ``now`` is in seconds of any clock.

    Each method raises NotConnectedError where there is no such segment.
    """

    def __init__(self, path: Path, stale_after: float) -> None:
        self._path = path
        self._stale_after = stale_after
        self._count: int | None = None
        self._counted_at = 0.0
        self.motion = Motion.UNKNOWN
        self.done_count = 0
        self.result = 0

    def look(self, now: float) -> None:
        """Read what the robot says; NotConnectedError too where its count stands still."""
        snapshot = self._read()
        count = _whole(snapshot, "count")
        if count != self._count:
            self._count, self._counted_at = count, now
        if now - self._counted_at > self._stale_after:
            text = f"{SEGMENT}.count has stood still for more than {self._stale_after:g} s"
            raise NotConnectedError(text)
        state = _whole(snapshot, "motion")
        self.motion = Motion(state) if state in Motion.__members__.values() else Motion.UNKNOWN
        self.done_count = _whole(snapshot, "done_count")
        self.result = _whole(snapshot, "result")

    def send_velocity(self, velocity: Velocity) -> None:
        """Have the robot walk, or stand."""
        count = _whole(self._read(), "velocity_count") + 1
        self._write("velocity", *velocity)
        self._write("velocity_count", count)

    def send_parameters(self, values: Sequence[float]) -> None:
        """Have the robot walk with ``values``, as WALK_PARAMETERS has them."""
        if self._read().numbers("parameters", len(values)) != tuple(values):
            self._write("parameters", *values)

    def send_order(self, order: Order) -> int:
        """Have the robot do something once; return its number (see ``done_count``)."""
        count = _whole(self._read(), "order_count") + 1
        self._write("order", order)
        self._write("order_count", count)
        return count

    def _read(self) -> Snapshot:
        try:
            with Segment(self._path) as segment:
                return segment.snapshot
        except _ERRORS as error:
            self._count = None
            raise NotConnectedError(
                f"the robot does not run the body of ROS orders: {error}"
            ) from error

    def _write(self, variable: str, *values: float) -> None:
        try:
            writer.write_numbers(self._path, variable, values)
        except _ERRORS as error:
            raise NotConnectedError(str(error)) from error


def _whole(snapshot: Snapshot, variable: str) -> int:
    """Return a number as a whole one; 0 where it is none, as nothing in the memory is trusted."""
    value = snapshot.number(variable)
    return int(value) if value is not None and abs(value) < 2**53 else 0
