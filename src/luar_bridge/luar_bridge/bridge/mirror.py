# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every segment as a topic, known or not, and services to read and write variables by name."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rclpy.exceptions import InvalidTopicNameException
from rclpy.validate_full_topic_name import validate_full_topic_name

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.threadsafe_future import result_of
from legacy_robots_common.node.times import header
from legacy_robots_msgs.msg import LuarSegment
from legacy_robots_msgs.srv import LuarGet, LuarSet
from luar_bridge.accessors import write_value
from luar_bridge.creation import CREATION_ERRORS, create_value
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.events import SegmentChanged
from luar_bridge.protocol.layout_table import Kind, LayoutTable
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)
from luar_bridge.protocol.writer import AllowList, WriteRefusedError

_READING_ERRORS = (SegmentUnavailableError, SegmentBusyError, ProtocolError)
_KINDS = {
    Kind.NUMBER: LuarGet.Response.NUMBER,
    Kind.VECTOR: LuarGet.Response.VECTOR,
    Kind.STRING: LuarGet.Response.STRING,
    Kind.CARRAY: LuarGet.Response.CARRAY,
}


MAXIMUM_TOPICS = 512
"""Segments that have topics, those included that are gone."""


def segment_message(
    segment: str, file: str, inode: int, snapshot: Snapshot, heartbeat: str, longest: int
) -> LuarSegment:
    """Return a segment's variables; those of more than ``longest`` numbers without values."""
    names, lengths, given, values = [], array("I"), array("I"), []
    for variable in snapshot.directory.variables:
        length = snapshot.length(variable.name)
        names.append(variable.name)
        lengths.append(length)
        given.append(length if length <= longest else 0)
        if length <= longest:
            values.append(snapshot.vector(variable.name))
    message = LuarSegment(segment=segment, file=file, inode=inode, heartbeat=heartbeat)
    message.abi = int(snapshot.directory.abi or 0)
    message.names = names
    message.lengths = lengths
    message.given = given
    if values:
        message.values = array("d", np.concatenate(values).tobytes())
    return message


@dataclass
class _Mirrored:
    publisher: Any
    event: SegmentChanged | None = None
    gone_at: float = 0.0
    is_due: bool = True
    subscribers: int = 0
    published_at: float = 0.0


class SegmentMirror:
    """Publishes segments with subscribers under ``segments/`` when they change, at most at a rate.

    A name that ROS names cannot have is escaped, see legacy_robots_common.node.names. All methods
    are called on the link's thread.
    """

    def __init__(
        self,
        node: BridgeNode,
        identity: RobotIdentity,
        table: LayoutTable,
        rate: float,
        longest: int,
    ) -> None:
        self._node = node
        self._identity = identity
        self._heartbeats = {
            segment: variable for pairs in table.heartbeats.values() for segment, variable in pairs
        }
        self._longest = longest
        self._period = 1.0 / rate if rate > 0.0 else 0.0
        self._mirrored: dict[str, _Mirrored] = {}
        self._unpublishable: set[str] = set()

    def on_change(self, event: SegmentChanged) -> None:
        """Take the new contents of a segment."""
        segment = event.segment
        mirrored = self._mirrored.get(segment) or self._begin(segment)
        if mirrored is None:
            return
        mirrored.event, mirrored.is_due = event, True
        if mirrored.subscribers and self._node.now() - mirrored.published_at >= self._period:
            self._publish(segment, mirrored)

    def on_gone(self, segment: str, stamp: float) -> None:
        """Publish, without variables, that the segment is gone."""
        mirrored = self._mirrored.get(segment)
        if mirrored is not None:
            mirrored.event, mirrored.gone_at = None, stamp
            self._publish(segment, mirrored)

    def publish_due(self) -> None:
        """Publish what was held back, and to new subscribers."""
        now = self._node.now()
        for segment, mirrored in self._mirrored.items():
            subscribers = mirrored.publisher.get_subscription_count()
            rested = now - mirrored.published_at >= self._period
            if subscribers > mirrored.subscribers or (subscribers and mirrored.is_due and rested):
                self._publish(segment, mirrored)
            mirrored.subscribers = subscribers

    def subscribed(self) -> frozenset[str]:
        """Return the segments whose topics have subscribers."""
        return frozenset(s for s, mirrored in self._mirrored.items() if mirrored.subscribers)

    def _begin(self, segment: str) -> _Mirrored | None:
        """Create the topic of a segment; None where it cannot have one, which is reported once."""
        if not self._period or segment in self._unpublishable:
            return None
        topic = f"segments/{to_ros_name(segment)}"
        try:
            if len(self._mirrored) >= MAXIMUM_TOPICS:
                raise ParameterError(f"there are {MAXIMUM_TOPICS} others already")
            validate_full_topic_name(self._node.resolve_topic_name(topic))
            publisher = qos.publisher(self._node, LuarSegment, topic, qos.LATCHED)
        except (InvalidTopicNameException, ParameterError, RuntimeError) as error:
            self._unpublishable.add(segment)
            reason = str(error).partition("\n")[0]
            self._node.on_problem("unpublishable segments", f"{segment} has no topic: {reason}")
            return None
        mirrored = self._mirrored[segment] = _Mirrored(publisher)
        return mirrored

    def _publish(self, segment: str, mirrored: _Mirrored) -> None:
        file = self._identity.file_name(segment)
        event = mirrored.event
        if event is None:
            message = LuarSegment(segment=segment, file=file)
        else:
            heartbeat = self._heartbeats.get(segment, "")
            message = segment_message(
                segment, file, event.inode, event.snapshot, heartbeat, self._longest
            )
        message.header = header(mirrored.gone_at if event is None else event.stamp, "")
        mirrored.publisher.publish(message)
        mirrored.is_due = False
        mirrored.published_at = self._node.now()


class VariableServices:
    """The services ``get_variable``, ``set_variable`` and, where allowed, ``create_variable``.

    Each opens its segment for itself.
    """

    def __init__(
        self,
        node: BridgeNode,
        identity: RobotIdentity,
        table: LayoutTable,
        directory: Path,
        writable: AllowList,
        creatable: AllowList,
    ) -> None:
        self._node, self._creatable = node, creatable
        self._counters = node.counters
        self._identity = identity
        self._table = table
        self._directory = directory
        self._writable = writable
        node.create_service(LuarGet, "get_variable", self._get)
        node.create_service(LuarSet, "set_variable", self._set)
        if creatable.patterns:
            self._helper = ThreadPoolExecutor(1, "create_variable")
            node.create_service(LuarSet, "create_variable", self._create)

    def _get(self, request: Any, response: Any) -> Any:
        try:
            path = self._directory / self._identity.file_name(request.segment)
            with Segment(path) as segment:
                snapshot = segment.snapshot
        except (*_READING_ERRORS, ValueError) as error:
            response.message = str(error)
            return response
        name = request.variable
        if name not in snapshot:
            response.message = f"{request.segment} has no variable {name}"
            return response
        info = self._table.info(request.segment, name)
        kind = info.kind if info else Kind.VECTOR
        if kind in (Kind.NUMBER, Kind.VECTOR):
            kind = Kind.NUMBER if snapshot.length(name) == 1 else Kind.VECTOR
        text = snapshot.text(name) if kind is Kind.STRING else None
        if kind is Kind.STRING and text is None:
            kind = Kind.VECTOR  # the table calls it a string, but it is not one now
        response.kind = _KINDS[kind]
        if text is not None:
            response.text = text
        elif kind is Kind.CARRAY:
            response.data = array("B", snapshot.raw(name))
        else:
            response.values = array("d", snapshot.raw(name))
        response.success = True
        return response

    def _set(self, request: Any, response: Any) -> Any:
        try:
            self._writable.check(request.segment, request.variable)
            path = self._directory / self._identity.file_name(request.segment)
            write_value(path, request.variable, _value(request))
        except (WriteRefusedError, *_READING_ERRORS, ValueError) as error:
            response.message = str(error)
            return response
        response.success = True
        self._counters.add("writes")
        return response

    async def _create(self, request: Any, response: Any) -> Any:
        try:
            self._creatable.check(request.segment, request.variable)
            path = self._directory / self._identity.file_name(request.segment)
            made = self._helper.submit(create_value, path, request.variable, _value(request))
            await result_of(self._node.executor, made)
        except (*CREATION_ERRORS, ValueError) as error:
            response.message = str(error)
            return response
        response.success = True
        self._counters.add("variables created")
        return response


def _value(request: Any) -> Sequence[float] | str | bytes:
    """Return what a LuarSet.Request gives. Raises WriteRefusedError."""
    if request.kind == LuarSet.Request.NUMBERS:
        return request.values  # type: ignore[no-any-return]
    if request.kind == LuarSet.Request.STRING:
        return str(request.text)
    if request.kind == LuarSet.Request.CARRAY:
        return bytes(request.data)
    raise WriteRefusedError(f"kind {request.kind} is none of NUMBERS, STRING, CARRAY")
