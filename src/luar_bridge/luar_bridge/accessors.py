# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Getters and setters by name, for interactive use: the document's ShmWrapper and Lua accessors.

>>> from luar_bridge.accessors import Robot, ShmWrapper
>>> ball = ShmWrapper("vcmBall12ada")
>>> ball.get_v()
array([ 0.22508712,  0.07112646, -0.35909602,  1.        ])
>>> robot = Robot(team=1, player=2, user="ada", writable=["vcmCamera.command"])
>>> robot.vcm.get_ball_detect()
1.0
>>> robot.vcm.set_camera_command(0)
>>> robots()
[RobotIdentity(team=1, player=2, user='ada', personal=True)]
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from luar_bridge.creation import create_value
from luar_bridge.protocol import layout_table, naming, writer
from luar_bridge.protocol.layout_table import Kind, LayoutTable, VariableInfo
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentUnavailableError, Snapshot

_MANAGER = re.compile("[a-z]+")
Value: TypeAlias = float | NDArray[np.float64] | str | bytes
"""A number, a vector (a read-only array), a string or the bytes of a c array."""


def value_of(snapshot: Snapshot, variable: str, info: VariableInfo | None) -> Value:
    """Return a variable as the document's accessors do (specification, "Shared Memory Interface").

    An array of length 1 is a number. Raises KeyError when there is no such variable.
    """
    if variable not in snapshot:
        raise KeyError(variable)
    kind = info.kind if info else Kind.NUMBER
    if kind is Kind.STRING and (text := snapshot.text(variable)) is not None:
        return text
    if kind is Kind.CARRAY:
        return snapshot.raw(variable)
    vector = snapshot.vector(variable)
    return float(vector[0]) if len(vector) == 1 else vector


def robots(directory: Path = naming.DIRECTORY) -> list[RobotIdentity]:
    """Return the robots that have segments in the memory, by what their names end with.

    The last digit before the user's name is taken for the player, those before it for the team,
    and a segment of the document's table is looked for. Raises OSError.
    """
    known = layout_table.load("document").segments
    starts = re.compile(f"(?:{'|'.join(known)})([0-9]+)([0-9])((?:[^0-9].*)?)")
    found = {match.groups() for file in os.listdir(directory) if (match := starts.fullmatch(file))}
    return [RobotIdentity(int(team), int(player), user) for team, player, user in sorted(found)]


def write_value(path: Path, variable: str, value: Value | Sequence[float]) -> None:
    """Write a number, a sequence of numbers, a string or bytes over a variable, in place.

    Raises what the writer module raises.
    """
    if isinstance(value, str):
        writer.write_numbers(path, variable, writer.encode_text(value))
    elif isinstance(value, (bytes, bytearray, memoryview)):
        writer.write_bytes(path, variable, bytes(value))
    elif isinstance(value, (int, float)):
        writer.write_numbers(path, variable, [value])
    else:
        writer.write_numbers(path, variable, [float(v) for v in value])


class _ReopenedSegment:
    """A segment that is opened when it is first read, and again when its name leads elsewhere."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._segment: Segment | None = None

    def read(self) -> Snapshot:
        if self._segment is not None and self._segment.replaced():
            self.close()
        if self._segment is None:
            self._segment = Segment(self.path)
        return self._segment.read()

    def close(self) -> None:
        if self._segment is not None:
            self._segment.close()
            self._segment = None


class ShmWrapper:
    """One segment with get_x() and set_x(value) for each variable x that it has at the moment.

    Raises SegmentUnavailableError, NotReadyError or ProtocolError when the segment cannot be read,
    as every getter does.

    Parameters
    ----------
    segment_name
        Name of the file in ``directory``, suffix included, such as ``vcmImage12ada``.
    writable
        Patterns of the variables that set_x may write, such as ``command`` or ``*``.

    """

    def __init__(
        self,
        segment_name: str,
        *,
        directory: Path = naming.DIRECTORY,
        writable: Iterable[str] = (),
    ) -> None:
        if not segment_name or "/" in segment_name:
            raise SegmentUnavailableError(f"{segment_name!r} is no name of a segment")
        self._name = segment_name
        self._allowed = writer.AllowList(f"segment.{pattern}" for pattern in writable)
        self._segment = _ReopenedSegment(directory / segment_name)
        self._segment.read()

    def variables(self) -> dict[str, int]:
        """Return the length of each variable, in doubles."""
        snapshot = self._segment.read()
        return {name: snapshot.length(name) for name in snapshot}

    def get(self, variable: str) -> float | NDArray[np.float64]:
        """Return a variable: a number when its length is 1. Raises AttributeError for none."""
        try:
            value = value_of(self._segment.read(), variable, None)
        except KeyError as error:
            raise AttributeError(f"{self._name} has no variable {variable}") from error
        assert isinstance(value, (float, np.ndarray))
        return value

    def set(self, variable: str, value: Value | Sequence[float]) -> None:
        """Write a variable in place. Raises WriteRefusedError and what get raises."""
        self._allowed.check("segment", variable)
        write_value(self._segment.path, variable, value)

    def close(self) -> None:
        """Close the segment; the next getter opens it again."""
        self._segment.close()

    def __getattr__(self, name: str) -> Callable[..., object]:
        verb, _, variable = name.partition("_")
        if variable and verb == "get":
            return lambda: self.get(variable)
        if variable and verb == "set":
            return lambda value: self.set(variable, value)
        raise AttributeError(name)

    def __enter__(self) -> ShmWrapper:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"ShmWrapper({self._name!r})"

    def __dir__(self) -> list[str]:
        accessors = [f"{verb}_{name}" for name in self.variables() for verb in ("get", "set")]
        return sorted([*super().__dir__(), *accessors])


class CommunicationManager:
    """The segments of one manager, as ``vcm`` in Lua: get_image_count(), set_camera_command(0)."""

    def __init__(self, robot: Robot, name: str) -> None:
        self._robot = robot
        self._name = name

    def __getattr__(self, name: str) -> Callable[..., object]:
        verb, _, rest = name.partition("_")
        # Segments' names have no underline in any known Luar, those of variables do.
        entry, _, variable = rest.partition("_")
        if not (entry and variable) or verb not in ("get", "set"):
            raise AttributeError(name)
        segment = naming.segment_name(self._name, entry)
        if verb == "get":
            return lambda: self._robot.get(segment, variable)
        return lambda value: self._robot.set(segment, variable, value)

    def __repr__(self) -> str:
        return f"{self._robot!r}.{self._name}"

    def __dir__(self) -> list[str]:
        names = []
        for segment, variables in self._robot.variables().items():
            if segment.startswith(self._name):
                entry = segment.removeprefix(self._name)
                entry = entry[:1].lower() + entry[1:]
                names += [f"{verb}_{entry}_{v}" for v in variables for verb in ("get", "set")]
        return sorted(names)


class Robot:
    """All segments of one robot by the names of Lua's accessors: robot.vcm.get_ball_v().

    Parameters
    ----------
    team, player, user
        The robot's identity, see RobotIdentity.
    writable
        Patterns such as ``vcmCamera.command``; nothing else is ever written.
    creatable
        Patterns of variables that are made, with their segment, or given another length.
    table
        Gives known variables their kind; the document's by default.

    """

    def __init__(
        self,
        team: int,
        player: int,
        user: str,
        *,
        writable: Iterable[str] = (),
        creatable: Iterable[str] = (),
        table: LayoutTable | None = None,
        directory: Path = naming.DIRECTORY,
    ) -> None:
        self.identity = RobotIdentity(team, player, user)
        self._allowed = writer.AllowList(writable)
        self._creatable = writer.AllowList(creatable)
        self._table = table or layout_table.load("document")
        self._directory = directory
        self._segments: dict[str, _ReopenedSegment] = {}

    def segments(self) -> list[str]:
        """Return the names of the segments that exist."""
        return sorted(naming.find_segments(self.identity, self._table.segments, self._directory))

    def managers(self) -> list[str]:
        """Return the communication managers that have segments, such as vcm and wcm."""
        found = {match[0] for name in self.segments() if (match := _MANAGER.match(name))}
        return sorted(found)

    def variables(self) -> dict[str, dict[str, int]]:
        """Return the length of each variable, in doubles, by segment."""
        found = {}
        for segment in self.segments():
            snapshot = self._opened(segment).read()
            found[segment] = {name: snapshot.length(name) for name in snapshot}
        return found

    def get(self, segment: str, variable: str) -> Value:
        """Return a variable with its kind. Raises AttributeError when there is none."""
        snapshot = self._opened(segment).read()
        try:
            return value_of(snapshot, variable, self._table.info(segment, variable))
        except KeyError as error:
            raise AttributeError(f"{segment} has no variable {variable}") from error

    def set(self, segment: str, variable: str, value: Value | Sequence[float]) -> None:
        """Write a variable in place, when it is writable; make it when it is creatable.

        Raises WriteRefusedError.
        """
        if self._creatable.allows(segment, variable):
            create_value(self._directory / self.identity.file_name(segment), variable, value)
            return
        self._allowed.check(segment, variable)
        write_value(self._opened(segment).path, variable, value)

    def close(self) -> None:
        """Close all segments; the next access opens them again."""
        for segment in self._segments.values():
            segment.close()

    def _opened(self, segment: str) -> _ReopenedSegment:
        if segment not in self._segments:
            path = self._directory / self.identity.file_name(segment)
            self._segments[segment] = _ReopenedSegment(path)
        return self._segments[segment]

    def __enter__(self) -> Robot:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        own = self.identity
        return f"Robot(team={own.team}, player={own.player}, user={own.user!r})"

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *self.managers()])

    def __getattr__(self, name: str) -> CommunicationManager:
        if name.startswith("_"):
            raise AttributeError(name)
        return CommunicationManager(self, name)
