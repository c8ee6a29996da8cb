# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot's joints in the shared memory: where they are, what they are sent, and by whom."""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping
from pathlib import Path

from legacy_robots_core.link.base import NotConnectedError
from legacy_robots_trajectories.joint_trajectory import Tracker
from legacy_robots_trajectories.trajectory_server import Joints
from luar_bridge.model.joint_limits import joint_limits
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import (
    Segment,
    SegmentBusyError,
    SegmentUnavailableError,
    Snapshot,
)
from luar_bridge.protocol.writer import WriteRefusedError

QUIET_S = 0.3
"""So long nothing of dcmActuator may have changed for its joints to be free."""
_COMMANDS = ("command", "hardness", "velocity", "count")
"""What Lua's motion process writes there; ``position`` is the robot's own."""


class MemoryJoints(Joints):
    """dcmSensor and dcmActuator of one robot, opened when they are there. Not thread-safe.

    ``now`` is in seconds of the node. A trajectory's positions are written as commands.
    """

    def __init__(
        self, identity: RobotIdentity, directory: Path, stale_after: float, platform: str
    ) -> None:
        self._paths = {
            name: directory / identity.file_name(name) for name in ("dcmSensor", "dcmActuator")
        }
        self.actuator = self._paths["dcmActuator"]
        self._segments: dict[str, Segment] = {}
        self._commands: dict[str, bytes] = {}
        self.limits = joint_limits(platform)
        self.names = {name: name for name in self.limits}
        self._stale_after = stale_after
        self._count: float | None = None
        self._positions: dict[str, float] = {}
        self._setpoints: dict[str, float] = {}
        self._hardness: dict[str, float] = {}
        self._disabled = False
        """Whether the robot sends nothing to its joints."""
        self._counts = False
        """Whether dcmSensor.count has been seen to change."""
        self._counted_at = 0.0
        """When it was last, or when it was first read."""
        self.others_at = 0.0
        """When another program was last seen to write dcmActuator."""
        self.opened_at = 0.0
        """When one of both was opened last, as the robot had made it (anew)."""

    def close(self) -> None:
        """Close the segments. Idempotent."""
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()

    def look(self, now: float) -> None:
        """Read both. Raises NotConnectedError when there are none, or they stand still."""
        sensor, actuator = self._read("dcmSensor", now), self._read("dcmActuator", now)
        count = sensor.number("count")
        if None not in (count, self._count) and count != self._count:
            self._counts, self._counted_at = True, now
        self._count = count
        commands = {name: actuator.raw(name) for name in _COMMANDS}
        if commands != self._commands:
            self._commands, self.others_at = commands, now
        self._positions = self._by_name("dcmSensor", "position", sensor)
        self._setpoints = self._by_name("dcmActuator", "command", actuator)
        self._hardness = self._by_name("dcmActuator", "hardness", actuator)
        self._disabled = (actuator.number("disable") or 0.0) > 0.0
        if now - self._counted_at > self._stale_after:
            text = f"dcmSensor.count has stood still for more than {self._stale_after:g} s"
            raise NotConnectedError(text)

    def free(self, now: float) -> bool:
        """Return whether the robot runs and no other process writes its commands."""
        return self._counts and now - self.others_at >= QUIET_S

    def driven_by_others(self, now: float) -> bool:
        """Return whether another process has been seen to write its commands just now."""
        return self.opened_at < self.others_at and now - self.others_at < QUIET_S

    # --- Joints ----------------------------------------------------------------------------

    @property
    def positions(self) -> Mapping[str, float]:
        """dcmSensor.position."""
        return self._positions

    @property
    def setpoints(self) -> Mapping[str, float]:
        """dcmActuator.command."""
        return self._setpoints

    def unwilling(self, joints: Collection[str]) -> str | None:
        """Return that the robot ignores commands, if it does."""
        if self._disabled:
            return "dcmActuator.disable is set: the robot moves no joint"
        if loose := [joint for joint in joints if self._hardness[joint] <= 0.0]:
            names = ", ".join(loose)
            return f"dcmActuator.hardness of {names} is 0: the robot ignores commands"
        return None

    def command(self, tracker: Tracker, now: float) -> None:
        """Write where the joints of a trajectory should be."""
        self.send(dict(zip(tracker.trajectory.joints, tracker.desired(now), strict=True)))

    def send(self, desired: Mapping[str, float]) -> None:
        """Write commands (rad) of some joints. Raises NotConnectedError."""
        command = {**self._setpoints, **desired}
        if command == self._setpoints:
            return
        self._write("command", command)
        self._setpoints = command

    def hold(self, joints: Collection[str]) -> None:
        """Do nothing: the robot goes to its last command and stays there."""

    def set_hardness(self, hardness: Mapping[str, float]) -> None:
        """Write the hardness of some joints. Raises NotConnectedError."""
        values = {**self._hardness, **hardness}
        if values == self._hardness:
            return
        self._write("hardness", values)
        self._hardness = values

    def free_speeds(self) -> None:
        """Take the limits of speed from all joints (dcmActuator.velocity), as keyframe.lua does.

        Raises NotConnectedError.
        """
        self._write("velocity", dict.fromkeys(self.names, 0.0))

    # --- the segments ----------------------------------------------------------------------

    def _write(self, variable: str, values: Mapping[str, float]) -> None:
        """Write a variable of dcmActuator, as ours and not another program's."""
        numbers = list(values.values())
        try:
            writer.write_numbers(self.actuator, variable, numbers)
        except (WriteRefusedError, ProtocolError, SegmentUnavailableError) as error:
            raise NotConnectedError(str(error)) from error
        self._commands[variable] = struct.pack(f"<{len(numbers)}d", *numbers)

    def _read(self, name: str, now: float) -> Snapshot:
        segment = self._segments.get(name)
        try:
            if segment is None or segment.replaced():
                self._forget(name, now)
                segment = self._segments[name] = Segment(self._paths[name])
            return segment.read()
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
            self._forget(name, now)
            raise NotConnectedError(str(error)) from error

    def _forget(self, name: str, now: float) -> None:
        """Close a segment that is gone or made anew: what was known of it is old."""
        if (segment := self._segments.pop(name, None)) is not None:
            segment.close()
        self._count, self._counts = None, False
        self._counted_at = self.others_at = self.opened_at = now
        self._positions, self._setpoints = {}, {}

    def _by_name(self, segment: str, variable: str, snapshot: Snapshot) -> dict[str, float]:
        values = snapshot.numbers(variable, len(self.names))
        if values is None:
            length = snapshot.length(variable)
            text = f"{segment}.{variable} has {length} numbers instead of {len(self.names)}"
            raise NotConnectedError(text)
        return dict(zip(self.names, values, strict=True))
