# SPDX-License-Identifier: Apache-2.0
"""Every segment as a topic, known or not, and services to read and write variables by name."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from legacy_robots_msgs.msg import LuarSegment
from legacy_robots_msgs.srv import LuarGet, LuarSet
from rclpy.node import Node

from legacy_robots_common import qos
from luar_bridge import writer
from luar_bridge.conversions import header
from luar_bridge.layout_table import Kind, LayoutTable
from luar_bridge.naming import RobotIdentity
from luar_bridge.protocol import ProtocolError
from luar_bridge.segment import Segment, SegmentBusyError, SegmentUnavailableError, Snapshot
from luar_bridge.writer import AllowList, WriteRefusedError

_READING_ERRORS = (SegmentUnavailableError, SegmentBusyError, ProtocolError)
_KINDS = {
    Kind.NUMBER: LuarGet.Response.NUMBER,
    Kind.VECTOR: LuarGet.Response.VECTOR,
    Kind.STRING: LuarGet.Response.STRING,
    Kind.CARRAY: LuarGet.Response.CARRAY,
}


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
    snapshot: Snapshot | None
    inode: int = 0
    stamp: float = 0.0
    due: bool = True
    subscribers: int = 0
    published_at: float = 0.0


class SegmentMirror:
    """Publishes segments under ``segments/`` when they change, so often at most, if anybody looks.

    Everything is called on the link's thread.
    """

    def __init__(
        self,
        node: Node,
        identity: RobotIdentity,
        table: LayoutTable,
        *,
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

    def changed(self, segment: str, snapshot: Snapshot, inode: int, stamp: float) -> None:
        """Take new contents, seen at ``stamp`` (Unix seconds; 0: of unknown age)."""
        if not self._period:
            return
        mirrored = self._mirrored.get(segment)
        if mirrored is None:
            publisher = qos.publisher(self._node, LuarSegment, f"segments/{segment}", qos.LATCHED)
            mirrored = self._mirrored[segment] = _Mirrored(publisher, snapshot)
        mirrored.snapshot, mirrored.inode, mirrored.stamp = snapshot, inode, stamp
        mirrored.due = True
        if mirrored.subscribers and time.monotonic() - mirrored.published_at >= self._period:
            self._publish(segment, mirrored)

    def gone(self, segment: str, stamp: float) -> None:
        """Publish that there is no such segment any more: without variables."""
        mirrored = self._mirrored.get(segment)
        if mirrored is not None:
            mirrored.snapshot, mirrored.inode, mirrored.stamp = None, 0, stamp
            self._publish(segment, mirrored)

    def publish_rest(self) -> None:
        """Publish what was held back, and to new subscribers. Called now and then."""
        now = time.monotonic()
        for segment, mirrored in self._mirrored.items():
            subscribers = mirrored.publisher.get_subscription_count()
            rested = now - mirrored.published_at >= self._period
            if subscribers > mirrored.subscribers or (subscribers and mirrored.due and rested):
                self._publish(segment, mirrored)
            mirrored.subscribers = subscribers

    def subscribed(self) -> frozenset[str]:
        """Return the segments to which anybody subscribes."""
        return frozenset(s for s, mirrored in self._mirrored.items() if mirrored.subscribers)

    def _publish(self, segment: str, mirrored: _Mirrored) -> None:
        file = self._identity.file_name(segment)
        if mirrored.snapshot is None:
            message = LuarSegment(segment=segment, file=file)
        else:
            heartbeat = self._heartbeats.get(segment, "")
            message = segment_message(
                segment, file, mirrored.inode, mirrored.snapshot, heartbeat, self._longest
            )
        message.header = header(mirrored.stamp, "")
        mirrored.publisher.publish(message)
        mirrored.due = False
        mirrored.published_at = time.monotonic()


class VariableServices:
    """The services ``get_variable`` and ``set_variable``; each opens its segment for itself."""

    def __init__(
        self,
        node: Node,
        identity: RobotIdentity,
        table: LayoutTable,
        directory: Path,
        writable: AllowList,
        on_write: Callable[[str], None],
    ) -> None:
        self._identity = identity
        self._table = table
        self._directory = directory
        self._writable = writable
        self._on_write = on_write
        node.create_service(LuarGet, "get_variable", self._get)
        node.create_service(LuarSet, "set_variable", self._set)

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
            kind = Kind.VECTOR  # the table calls it a string, but it is none now
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
        name = f"{request.segment}.{request.variable}"
        try:
            self._writable.check(request.segment, request.variable)
            path = self._directory / self._identity.file_name(request.segment)
            if request.kind == LuarSet.Request.NUMBERS:
                writer.write_numbers(path, request.variable, request.values)
            elif request.kind == LuarSet.Request.STRING:
                codes = writer.encode_text(request.text)
                writer.write_numbers(path, request.variable, codes)
            elif request.kind == LuarSet.Request.CARRAY:
                writer.write_bytes(path, request.variable, bytes(request.data))
            else:
                raise WriteRefusedError(f"kind {request.kind} is none of NUMBERS, STRING, CARRAY")
        except (WriteRefusedError, *_READING_ERRORS, ValueError) as error:
            response.message = str(error)
            return response
        response.success = True
        self._on_write(name)
        return response
