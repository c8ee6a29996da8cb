# SPDX-License-Identifier: Apache-2.0
"""A Nao's joints in the shared memory: where they are, what they are told, and by whom. No ROS."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from luar_bridge import writer
from luar_bridge.motion import JOINTS
from luar_bridge.naming import RobotIdentity
from luar_bridge.protocol import ProtocolError
from luar_bridge.segment import Segment, SegmentBusyError, SegmentUnavailableError, Snapshot
from luar_bridge.writer import WriteRefusedError

QUIET_S = 0.3
"""So long nothing of dcmActuator may have changed for its joints to be free."""
_COMMANDS = ("command", "hardness", "velocity", "count")
"""What Lua's motion process writes there; ``position`` is the robot's own."""


class BodyError(Exception):
    """The joints cannot be read or written; the message says why."""


class Body:
    """dcmSensor and dcmActuator of one robot, opened when they are there. Not thread-safe."""

    def __init__(self, identity: RobotIdentity, directory: Path) -> None:
        self._paths = {
            name: directory / identity.file_name(name) for name in ("dcmSensor", "dcmActuator")
        }
        self._segments: dict[str, Segment] = {}
        self._commands: dict[str, bytes] = {}
        self._count: float | None = None
        self.positions: tuple[float, ...] = ()
        """rad, in JOINTS' order."""
        self.command: tuple[float, ...] = ()
        self.hardness: tuple[float, ...] = ()
        self.disabled = False
        """Whether the robot sends nothing to its joints."""
        self.others_at = 0.0
        """When another program was last seen to write dcmActuator, monotonic seconds."""
        self.opened_at = 0.0
        """When one of both was opened last, as the robot had made it (anew), monotonic seconds."""
        self.counts = False
        """Whether dcmSensor.count has been seen to change."""
        self.counted_at = 0.0
        """When it was last, or when it was first looked at, monotonic seconds."""

    def close(self) -> None:
        """Close the segments. Idempotent."""
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()

    def look(self, now: float) -> None:
        """Read both at ``now`` (monotonic seconds). Raises BodyError."""
        sensor, actuator = self._read("dcmSensor", now), self._read("dcmActuator", now)
        count = sensor.number("count")
        if None not in (count, self._count) and count != self._count:
            self.counts, self.counted_at = True, now
        self._count = count
        commands = {name: actuator.raw(name) for name in _COMMANDS}
        if commands != self._commands:
            self._commands, self.others_at = commands, now
        self.positions = self._joints("dcmSensor", "position", sensor)
        self.command = self._joints("dcmActuator", "command", actuator)
        self.hardness = self._joints("dcmActuator", "hardness", actuator)
        self.disabled = (actuator.number("disable") or 0.0) > 0.0

    def write(self, command: Sequence[float]) -> None:
        """Write the commands (rad, in JOINTS' order). Raises BodyError."""
        path = self._paths["dcmActuator"]
        try:
            writer.write_numbers(path, "command", command)
        except (WriteRefusedError, ProtocolError, SegmentUnavailableError) as error:
            raise BodyError(str(error)) from error
        self._commands["command"] = struct.pack(f"<{len(JOINTS)}d", *command)

    def _joints(self, segment: str, variable: str, snapshot: Snapshot) -> tuple[float, ...]:
        values = snapshot.numbers(variable, len(JOINTS))
        if values is None:
            length = snapshot.length(variable)
            raise BodyError(f"{segment}.{variable} has {length} numbers instead of {len(JOINTS)}")
        return values

    def _read(self, name: str, now: float) -> Snapshot:
        segment = self._segments.get(name)
        try:
            if segment is None or segment.replaced():
                self._forget(name, now)
                segment = self._segments[name] = Segment(self._paths[name])
            return segment.read()
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
            self._forget(name, now)
            raise BodyError(str(error)) from error

    def _forget(self, name: str, now: float) -> None:
        """Close a segment that is gone or made anew: what was known of it is old."""
        if (segment := self._segments.pop(name, None)) is not None:
            segment.close()
        self._count, self.counts = None, False
        self.counted_at = self.others_at = self.opened_at = now
