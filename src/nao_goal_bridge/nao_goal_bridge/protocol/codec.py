# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GOAL-Nao wire protocol: bytes on one side, frozen dataclasses on the other.

An *event* is an opcode byte followed by its arguments; nothing else frames the stream
(specification, 0.2 Events). Which arguments an event carries, and how wide they are, is the
:class:`Dialect`, see :mod:`nao_goal_bridge.protocol.dialects`. Integers are signed, a one-byte
Code is unsigned. Error is sent as 0x80 and read as 0x08 too. In dialects of bits each byte travels
most significant bit first; newlines mean nothing to a reader, wherever they stand.

What the originals leave open, and what was decided here:

- The count of a list of tiles is from 0 to :data:`MAX_WAYPOINTS`; more is an error and not a
  reason to allocate. A coordinate that is not of the form 10 v + 5 where it must be is an error,
  since rounding it to a tile would be a guess.
- Carriage returns are passed over like newlines: the original ran on Windows.
- Say (0x05) is not spoken, as its argument is not known; it is an unknown opcode.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any, NoReturn

from legacy_robots_core.link import base
from nao_goal_bridge.protocol.dialects import CODE_KINDS, Arguments, Dialect, Profile, Side
from nao_goal_bridge.protocol.events import (
    COMMANDS,
    REPORTS,
    Error,
    Event,
    Exit,
    Failure,
    GoToTiles,
    Success,
)

KEPT_BYTES = 65536
"""Bytes from a connection's start to keep for :func:`profile_hint`."""

MAX_WAYPOINTS = 256
"""The most waypoints one GoToTiles can carry (2,053 bytes); a bound of ours."""

ERROR_OPCODE_OF_DOCUMENT = 0x08
"""The opcode the document prints for Error; the original sends 0x80. Both are accepted."""

_BITS_PER_BYTE = 8
_RANGES = MappingProxyType({"B": (0, 255), "i": (-(2**31), 2**31 - 1)})


class ProtocolError(base.ProtocolError):
    """Bytes that are no event of the dialect, or an event that has no bytes in it."""


class UnknownOpcode(ProtocolError):  # noqa: N818 - it names what was met
    """An opcode that the other side does not send in this dialect.

    The length of its arguments is unknown: :meth:`Decoder.read_on` takes them for opcodes.
    """

    def __init__(self, opcode: int, message: str) -> None:
        super().__init__(message)
        self.opcode = opcode
        """The byte that was met, 0 to 255."""


_INT32 = struct.Struct(">i")
_TILES_HEAD = 1 + _INT32.size  # opcode and count


class _Layout:
    """How one class of event is written in one dialect: ``size`` bytes, opcode included."""

    __slots__ = ("absent", "arguments", "kind", "names", "packer", "size", "unpack_from")

    def __init__(self, kind: type[Event], arguments: Arguments, code_width: int) -> None:
        code = CODE_KINDS[code_width]
        self.kind: Callable[..., Any] = kind
        self.arguments = tuple((name, code if wire == "c" else wire) for name, wire in arguments)
        self.names = tuple(name for name, _ in arguments)
        self.absent = tuple(f.name for f in fields(kind) if f.name not in self.names)
        wires = "".join(wire for _, wire in self.arguments)
        self.packer = struct.Struct(">B" + wires)
        self.size = self.packer.size
        self.unpack_from = struct.Struct(">" + wires).unpack_from


@cache
def _layouts(dialect: Dialect) -> Mapping[type[Event], _Layout | None]:
    """Every event of the dialect with its layout; None is the layout of GoToTiles."""
    return {
        kind: None if arguments is None else _Layout(kind, arguments, dialect.code_width)
        for kind, arguments in dialect.grammar.arguments.items()
    }


@cache
def _dispatch(side: Side, dialect: Dialect) -> tuple[tuple[bool, _Layout | None], ...]:
    """For each opcode byte: is it known to this reader, and its layout (None: GoToTiles)."""
    table: list[tuple[bool, _Layout | None]] = [(False, None)] * 256
    readable = COMMANDS if side is Side.ROBOT else REPORTS
    for kind, layout in _layouts(dialect).items():
        if kind in readable:
            table[kind.opcode] = (True, layout)
    if side is Side.GOAL:
        table[ERROR_OPCODE_OF_DOCUMENT] = table[Error.opcode]
    return tuple(table)


def encode(event: Event, dialect: Dialect) -> bytes:
    """Return the bytes of one event, in dialects of bits with the newline that follows it.

    Raises ProtocolError for an event or an argument that the dialect cannot express.
    """
    try:
        layout = _layouts(dialect)[type(event)]
    except KeyError:
        raise ProtocolError(
            f"{type(event).__name__} has no bytes in profile {dialect.profile.value}"
        ) from None
    if layout is None:
        assert isinstance(event, GoToTiles)
        raw = _encode_tiles(event, dialect)
    else:
        for name in layout.absent:
            if getattr(event, name) is not None:
                raise ProtocolError(
                    f"{type(event).__name__} carries no {name} in profile {dialect.profile.value}"
                )
        values = [getattr(event, name) for name in layout.names]
        try:
            raw = layout.packer.pack(event.opcode, *values)
        except struct.error:
            raise _unencodable(event, layout, dialect) from None
    if dialect.grammar.in_bits:
        bits = _BITS_PER_BYTE * len(raw)
        return f"{int.from_bytes(raw, 'big'):0{bits}b}\n".encode("ascii")
    return raw


def _a(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeio' else 'a'} {name}"


def _unencodable(event: Event, layout: _Layout, dialect: Dialect) -> ProtocolError:
    """Name the argument that cannot be packed."""
    name_of_event = type(event).__name__
    for name, wire in layout.arguments:
        value = getattr(event, name)
        low, high = _RANGES[wire]
        if value is None:
            return ProtocolError(
                f"{name_of_event} needs {_a(name)} in profile {dialect.profile.value}"
            )
        if not isinstance(value, int) or not low <= value <= high:
            return ProtocolError(
                f"{name} of {name_of_event} must be an integer from {low} to {high}, not {value!r}"
            )
    raise AssertionError("no argument to blame")  # pragma: no cover - packing is these checks


def _encode_tiles(event: GoToTiles, dialect: Dialect) -> bytes:
    scale, offset = dialect.grammar.tile_scale, dialect.grammar.tile_offset
    count = len(event.waypoints)
    if count > MAX_WAYPOINTS:
        raise ProtocolError(f"GoToTiles carries at most {MAX_WAYPOINTS} waypoints, not {count}")
    coordinates: list[int] = []
    low, high = -((offset - _RANGES["i"][0]) // scale), (_RANGES["i"][1] - offset) // scale
    for waypoint in event.waypoints:
        if not isinstance(waypoint, tuple) or len(waypoint) != 2:
            raise ProtocolError(f"a waypoint of GoToTiles is a pair (x, y), not {waypoint!r}")
        for value in waypoint:
            if not isinstance(value, int) or not low <= value <= high:
                raise ProtocolError(
                    f"a tile coordinate must be an integer from {low} to {high}, not {value!r}"
                )
            coordinates.append(scale * value + offset)
    return struct.pack(f">Bi{2 * count}i", event.opcode, count, *coordinates)


def _tiles_size(count: int) -> int:
    """Return the size of a whole GoToTiles event in bytes."""
    if not 0 <= count <= MAX_WAYPOINTS:
        raise ProtocolError(f"GoTo announces {count} waypoints, allowed are 0 to {MAX_WAYPOINTS}")
    return _TILES_HEAD + count * 2 * _INT32.size


def _decode_tiles(buffer: bytearray, start: int, size: int, dialect: Dialect) -> GoToTiles:
    scale, offset = dialect.grammar.tile_scale, dialect.grammar.tile_offset
    numbers = struct.unpack_from(f">{(size - _TILES_HEAD) // 4}i", buffer, start + _TILES_HEAD)
    for number in numbers:
        if (number - offset) % scale:
            raise ProtocolError(
                f"a waypoint coordinate of GoTo is {number}, not of form {scale} v + {offset}"
            )
    tiles = [(number - offset) // scale for number in numbers]
    return GoToTiles(tuple(zip(tiles[::2], tiles[1::2], strict=True)))


class Decoder:
    """Turns one side's byte stream into events, however the stream is cut into pieces.

    Give it bytes with :meth:`feed`, then iterate :meth:`events` until it ends. What remains
    held is less than one event, at most 2,053 bytes. A decoder that has raised ProtocolError
    raises it again at every later call: the position in the stream is lost. Only behind an
    UnknownOpcode can it :meth:`read_on`.
    """

    def __init__(self, side: Side, dialect: Dialect) -> None:
        self._side = side
        self._dialect = dialect
        self._table = _dispatch(side, dialect)
        self._in_bits = dialect.grammar.in_bits
        self._bits = b""  # the first characters of a byte that is not complete
        self._buffer = bytearray()
        self._start = 0  # of the first event in the buffer that was not yielded
        self._fault: ProtocolError | None = None  # raised when the good events are out
        self._failed = False
        self._behind: ProtocolError | None = None  # a fault behind an unknown opcode

    @property
    def pending(self) -> int:
        """Bytes held that are not part of a yielded event; an incomplete one counts."""
        return len(self._buffer) - self._start + (1 if self._bits else 0)

    def feed(self, data: bytes | bytearray | memoryview) -> None:
        """Append bytes as they came from the socket; raises only if the decoder has failed."""
        if self._failed:
            self._raise_fault()
        if self._start:
            del self._buffer[: self._start]
            self._start = 0
        if self._in_bits:
            self._feed_bits(bytes(data))
        else:
            self._buffer += data

    def events(self) -> Iterator[Event]:
        """Yield each complete event; may be left at any event and called again.

        Raises ProtocolError (UnknownOpcode for an opcode) where the stream makes no sense,
        after every event that stood before that place was yielded.
        """
        table = self._table
        buffer = self._buffer
        while not self._failed and (start := self._start) < len(buffer):
            known, layout = table[buffer[start]]
            if layout is not None:
                end = start + layout.size
                if end > len(buffer):
                    break
                event: Event = layout.kind(*layout.unpack_from(buffer, start + 1))
            elif known:
                if start + _TILES_HEAD > len(buffer):
                    break
                try:
                    size = _tiles_size(_INT32.unpack_from(buffer, start + 1)[0])
                    end = start + size
                    if end > len(buffer):
                        break
                    event = _decode_tiles(buffer, start, size, self._dialect)
                except ProtocolError as error:
                    self._fault = error
                    break
            else:
                self._behind, self._fault = self._fault, self._unknown(buffer[start])
                break
            self._start = end
            yield event
        if self._fault is not None:
            self._raise_fault()

    def read_on(self) -> None:
        """Go on with the byte behind the opcode of an UnknownOpcode, as the original robot does.

        To be called when :meth:`events` has raised it.
        """
        self._fault, self._failed = self._behind, False
        self._start += 1

    def end(self) -> None:
        """Say that the stream has ended; raises ProtocolError if that cut an event in two.

        To be called when :meth:`events` has nothing more to yield.
        """
        if self._fault is not None:
            self._raise_fault()
        if not self.pending:
            return
        held = len(self._buffer) - self._start
        place = ""
        if held:
            opcode = self._buffer[self._start]
            _, layout = self._table[opcode]
            if layout is not None:
                name, size = layout.kind.__name__, str(layout.size)
            elif held < _TILES_HEAD:
                name, size = "GoToTiles", f"at least {_TILES_HEAD}"
            else:
                count = _INT32.unpack_from(self._buffer, self._start + 1)[0]
                name, size = "GoToTiles", str(_tiles_size(count))
            place = f"inside {_a(name)} event, {held} of {size} bytes"
        if self._bits:
            place += " and " if place else "inside the first byte of an event, "
            place += f"{len(self._bits)} of {_BITS_PER_BYTE} characters"
        self._fault = ProtocolError(f"connection ended {place}")
        self._raise_fault()

    def _raise_fault(self) -> NoReturn:
        assert self._fault is not None
        self._failed = True
        # The same exception every time, without the tracebacks of the times before.
        raise self._fault.with_traceback(None)

    def _unknown(self, opcode: int) -> UnknownOpcode:
        sender = "GOAL" if self._side is Side.ROBOT else "the robot"
        names = [kind.__name__ for kind in self._dialect.grammar.arguments
                 if kind.opcode == opcode]  # fmt: skip
        what = f"opcode 0x{opcode:02X}" + (f" ({names[0]})" if names else "")
        return UnknownOpcode(
            opcode, f"{what} is not one that {sender} sends in profile "
            f"{self._dialect.profile.value}",
        )  # fmt: skip

    def _feed_bits(self, data: bytes) -> None:
        """Append the bytes that characters 0 and 1 spell; a bad one is raised by events()."""
        if self._fault is not None:
            return  # nothing can be read after a bad character
        bits = self._bits + data.translate(None, b"\r\n")
        bad = bits.translate(None, b"01")
        if bad:
            self._fault = ProtocolError(
                f"byte 0x{bad[0]:02X} in the stream, where profile {self._dialect.profile.value} "
                "allows the characters 0 and 1 and newlines"
            )
            bits = bits[: bits.index(bad[0])]
        whole = len(bits) // _BITS_PER_BYTE
        self._bits = bits[whole * _BITS_PER_BYTE :]
        if whole:
            self._buffer += int(bits[: whole * _BITS_PER_BYTE], 2).to_bytes(whole, "big")


def fitting_profiles(data: bytes, side: Side, *, whole: bool = False) -> list[str]:
    """Return the names of the profiles, newest first, in which ``data`` begins with events only.

    ``data`` is what ``side`` has read since the connection began; it does not go on behind an
    Exit, and may end inside an event unless it is ``whole``.
    """
    found = []
    for profile in reversed(Profile):
        decoder = Decoder(side, Dialect(profile))
        decoder.feed(data)
        try:
            events = list(decoder.events())
        except ProtocolError:
            continue
        exits = [number for number, event in enumerate(events) if isinstance(event, Exit)]
        if exits and (exits[0] + 1 < len(events) or decoder.pending):
            continue
        codes = [event.code for event in events if isinstance(event, Success | Failure)]
        if whole and decoder.pending:
            continue
        if events and all(0 <= code <= 255 for code in codes):
            found.append(profile.value)
    return found


def profile_hint(kept: bytes | bytearray, side: Side, *, whole: bool = False) -> str:
    """Return which profiles the first bytes of a connection would fit, as the end of a message.

    Empty where none fits, and where more than KEPT_BYTES have come. ``whole``: they end with an
    event.
    """
    names = fitting_profiles(bytes(kept), side, whole=whole) if len(kept) <= KEPT_BYTES else []
    return f"; what it has sent would fit profile {' or '.join(names)}" if names else ""
