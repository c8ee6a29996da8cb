# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's state machines: the topic ``behaviour``, the service ``order_state``."""

from __future__ import annotations

from collections import deque
from typing import Any

from std_msgs.msg import Header

from legacy_robots_common.node import qos
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.times import time_message
from legacy_robots_msgs.msg import LuarBehaviour, LuarMachineState, LuarTransition
from legacy_robots_msgs.srv import LuarOrderState
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.model.behaviour import Behaviour
from luar_bridge.parts.behaviour_graph import BehaviourGraph
from luar_bridge.parts.lua_orders import ORDER_ERRORS, LuaOrders
from luar_bridge.protocol import fsm_states
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.fsm_states import DONE, MACHINES, SEGMENT, WRITTEN_BY_ROS, Transition
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)
from luar_bridge.protocol.writer import WriteRefusedError

_ERRORS = (SegmentUnavailableError, SegmentBusyError, ProtocolError)
LATER = "gcmFsm"
"""The segment of later branches, which count no transitions."""
LONGEST_HISTORY = 64
"""Transitions of a message: who missed one finds in the next what it said."""
ORDER_TIMEOUT_S = 1.0
"""For the robot to take an order; its machines are updated at least ten times a second."""


class BehaviourPart(NodePart):
    """Reads rcmFsm, or gcmFsm of later branches, at ``behaviour_rate``; on the executor."""

    def __init__(self, context: PartContext) -> None:
        self._node, self._writable = context.node, context.writable
        self._paths = {name: context.path(name) for name in (SEGMENT, LATER)}
        self._behaviour = Behaviour()
        self._open: Segment | None = None
        self._name = ""
        self._published: Snapshot | None = None
        self._history: deque[Transition] = deque(maxlen=LONGEST_HISTORY)
        self._publisher = qos.publisher(self._node, LuarBehaviour, "behaviour", qos.LATCHED)
        if all(self._writable.allows(SEGMENT, name) for name in WRITTEN_BY_ROS):
            self._orders = LuaOrders(self._node, self._paths[SEGMENT], ORDER_TIMEOUT_S)
            self._node.create_service(LuarOrderState, "order_state", self._order)
        self._graph = BehaviourGraph(self._node, context.settings.state_machines)
        self._node.timer(1.0 / context.settings.behaviour_rate, self._look)

    def close(self) -> None:
        """Release the memory. Idempotent."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def _look(self) -> None:
        self._take()
        self._graph.publish(self._behaviour.machines)

    def _take(self) -> None:
        snapshot = self._read()
        if snapshot is None:
            if self._behaviour.machines:
                self._behaviour.forget()
                self._history.clear()
                self._publish([])
            return
        if snapshot is self._published:
            return
        before = dict(self._behaviour.machines)
        if self._name == SEGMENT:
            found = self._behaviour.read_counting(snapshot)
        else:
            found = self._behaviour.read_states(snapshot, self._now())
        self._published = snapshot
        if found or before != self._behaviour.machines:
            self._publish(found)

    def _read(self) -> Snapshot | None:
        """Return what is in the first of both segments that is there."""
        try:
            if self._open is not None and not self._open.replaced():
                return self._open.read()
        except SegmentBusyError:
            return self._published
        except ProtocolError:
            pass
        self.close()
        self._published = None
        for name, path in self._paths.items():
            try:
                self._open = Segment(path)
            except _ERRORS:
                continue
            self._name = name
            return self._open.snapshot
        return None

    def _now(self) -> float:
        return float(self._node.get_clock().now().nanoseconds) * 1e-9

    def _publish(self, transitions: list[Transition]) -> None:
        self._graph.take(self._behaviour.machines, transitions)
        self._history.extend(transitions)
        machines = [
            LuarMachineState(
                machine=name,
                state=machine.state,
                since=time_message(machine.since),
                last_event=machine.event,
                previous_state=machine.previous,
                missed=machine.missed,
            )
            for name in MACHINES
            if (machine := self._behaviour.machines.get(name)) is not None
        ]
        self._publisher.publish(
            LuarBehaviour(
                header=Header(stamp=self._node.stamp()),
                machines=machines,
                transitions=[
                    LuarTransition(
                        stamp=time_message(t.time),
                        machine=t.machine,
                        event=t.event,
                        source=t.source,
                        target=t.target,
                        count=t.number,
                    )
                    for t in self._history
                ],
            )
        )

    async def _order(self, request: Any, response: Any) -> Any:
        try:
            if request.machine not in MACHINES:
                raise WriteRefusedError(
                    f"{request.machine!r} is none of the machines {', '.join(MACHINES)}"
                )
            if not request.state.isidentifier() or not request.state.isascii():
                raise WriteRefusedError(f"{request.state!r} is no name of a state")
            codes = fsm_states.codes_of(f"{request.machine} {request.state}")
            taken = await self._orders.carry_out({"order": codes})
            if taken is None:
                raise WriteRefusedError(
                    f"the robot has no machine {request.machine!r}, or stands still: the order "
                    "was not taken"
                )
            if taken.number("order_result") != DONE:
                raise WriteRefusedError(f"{request.machine} has no state {request.state!r}")
        except ORDER_ERRORS as error:
            response.message = str(error)
            return response
        response.success = True
        return response
