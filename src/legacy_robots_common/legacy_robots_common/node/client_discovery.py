# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Wait until a service has discovered its client: an answer that is sent earlier is lost."""

from __future__ import annotations

import time

from rclpy.node import Node

from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture, pause

LONGEST_WAIT_S = 4.0
"""Fast DDS repeats what was lost of a discovery every 3 s."""
LOOK_PERIOD_S = 0.02


class ClientDiscovery:
    """Knows of one service whether its clients can be answered. On the node's executor.

    A client writes requests and reads answers, and is discovered in two parts. A request that
    arrives between them cannot be answered: rmw_fastrtps waits for 0.1 s, and rclpy then warns
    that the client "will not receive response". Where the middleware names the topics of services
    in another way than Fast DDS and Cyclone DDS do, nothing is waited for.

    Parameters
    ----------
    node
        The node with the service.
    service
        Its full name, remapped.

    """

    def __init__(self, node: Node, service: str) -> None:
        self._node = node
        self._requests, self._answers = f"rq{service}Request", f"rr{service}Reply"
        self._known: frozenset[bytes] = frozenset()
        self._last: ThreadsafeFuture[None] | None = None
        self._hurried = 0

    async def wait(self) -> None:
        """Wait until all clients can be answered, LONGEST_WAIT_S at most.

        Those that wait go on in the order in which they came.
        """
        before, self._last = self._last, ThreadsafeFuture(self._node.executor)
        mine = self._last
        try:
            if before is not None and not before.done():
                await before
            deadline = time.monotonic() + LONGEST_WAIT_S
            while not (self._are_known() or self._hurried):
                if time.monotonic() >= deadline:
                    self._known = self._asking()  # they are not waited for again
                    break
                await pause(self._node, LOOK_PERIOD_S)
        finally:
            mine.set_result(None)

    async def finish(self) -> None:
        """Have all that wait go on at once, and return when they have."""
        if self._last is not None and not self._last.done():
            self._hurried += 1
            await self._last
            self._hurried -= 1

    def _asking(self) -> frozenset[bytes]:
        found = self._node.get_publishers_info_by_topic(self._requests, no_mangle=True)
        return frozenset(bytes(info.endpoint_gid) for info in found)

    def _are_known(self) -> bool:
        asking = self._asking()
        if asking <= self._known:
            return True
        reading = self._node.get_subscriptions_info_by_topic(self._answers, no_mangle=True)
        if len(reading) < len(asking):
            return False
        self._known = asking
        return True
