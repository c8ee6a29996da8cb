# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads segments when they are needed, on the executor, beside the link that follows them."""

from __future__ import annotations

from pathlib import Path

from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol import naming
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.layout_table import LayoutTable
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)


class FreshMemory:
    """The robot's segments by name, as they are at each call."""

    def __init__(self, identity: RobotIdentity, directory: Path, table: LayoutTable) -> None:
        self._identity = identity
        self._directory = directory
        self._table = table

    def read(self, *segments: str) -> Memory:
        """Return what is in ``segments``; one that cannot be read is as one without variables.

        The segments of joints and IMU are read only where the table has them: otherwise they are
        another robot's.
        """
        found: dict[str, Snapshot] = {}
        for name in segments:
            if name in naming.UNSUFFIXED and name not in self._table.segments:
                continue
            try:
                with Segment(self._directory / self._identity.file_name(name)) as segment:
                    found[name] = segment.snapshot
            except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
                continue
        return Memory(self._table, found)
