# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Orders that our Lua in the robot takes from a segment, and answers there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.threadsafe_future import pause
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)
from luar_bridge.protocol.writer import WriteRefusedError

ORDER_ERRORS = (
    WriteRefusedError, SegmentUnavailableError, SegmentBusyError, ProtocolError, ValueError
)  # fmt: skip
LOOK_PERIOD_S = 0.02


class LuaOrders:
    """The segment at ``path`` with order_count, order_done and order_result; of the executor."""

    def __init__(self, node: BridgeNode, path: Path, timeout: float) -> None:
        self._node, self._path, self._timeout = node, path, timeout
        self._is_busy = False

    async def carry_out(self, order: Mapping[str, Sequence[float]]) -> Snapshot | None:
        """Write ``order``; return the segment once Lua has done it, None if it does not in time.

        Raises ORDER_ERRORS, also while another order is carried out.
        """
        if self._is_busy:
            raise WriteRefusedError("another order is being carried out")
        self._is_busy = True
        try:
            count = (self._read().number("order_count") or 0.0) + 1.0
            writer.write_all(self._path, {**order, "order_count": (count,)})
            for _ in range(round(self._timeout / LOOK_PERIOD_S)):
                if ((snapshot := self._read()).number("order_done") or 0.0) >= count:
                    return snapshot
                await pause(self._node, LOOK_PERIOD_S)
            return None
        finally:
            self._is_busy = False

    def _read(self) -> Snapshot:
        with Segment(self._path) as segment:
            return segment.snapshot
