# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Percept messages in the form in which they are sent, from parts that are kept.

The world repeats percepts as the same objects, such as the positions of rooms in every cycle of a
moving robot. To make and serialise their messages again costs many times what joining kept bytes
costs. The form is CDR, little-endian, as rclpy's ``publish`` takes it for any RMW implementation.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable

from bw4t_bridge.bridge.conversions import NANOSECONDS, flat_values
from bw4t_runner.percept_streams import PerceptCycle
from bw4t_world import Percept
from bw4t_world.model.percepts import NEGATION

GENERATION = 4096
"""Parts that a PerceptParts keeps at least."""
ALIGNMENT = 8
"""The greatest, of 64-bit numbers: bytes of a part depend on where it begins, modulo this."""

_ENCAPSULATION = b"\0\1\0\0"
_STAMP = struct.Struct("<iI")
_COUNTS = struct.Struct("<QQI")
_COUNT = struct.Struct("<I")
_NO_TEXTS = _COUNT.pack(0)
_NUMBERS = frozenset({int, float})
ADDED, NEGATED, DELETED = 0, 1, 2
"""Of Bw4tPercept."""


class PerceptParts:
    """The bytes of percepts, kept for those that come again as the same object. For one thread."""

    def __init__(self) -> None:
        # Two generations: what is not used any more goes with the older one. As the percepts
        # themselves are kept, no other can have the same id; ids are multiples of ALIGNMENT.
        self._new: dict[int, tuple[Percept, bytes]] = {}
        self._old: dict[int, tuple[Percept, bytes]] = {}
        self._forms: dict[Hashable, tuple[bytes, struct.Struct]] = {}
        """Of percepts with numbers only, such as places that change with every tick."""

    def added(self, item: Percept, begin: int) -> bytes:
        """Return an added percept that begins at an offset in the message, modulo ALIGNMENT."""
        key = id(item) + begin
        entry = self._new.get(key)
        if entry is None:
            entry = self._old.get(key)
            if entry is None:
                entry = (item, self._new_part(item, begin))
            if len(self._new) >= GENERATION:
                self._old, self._new = self._new, {}
            self._new[key] = entry
        return entry[1]

    def _new_part(self, item: Percept, begin: int) -> bytes:
        name, args = item
        kinds = tuple(map(type, args))
        if not args or not _NUMBERS.issuperset(kinds):
            return percept_bytes(item, ADDED, begin)
        form = self._forms.get((name, kinds, begin))
        if form is None:
            whole = percept_bytes(item, ADDED, begin)
            numbers = struct.Struct(f"<{len(args)}d")
            form = (whole[: -numbers.size - _COUNT.size], numbers)
            if len(self._forms) < GENERATION:
                self._forms[name, kinds, begin] = form
        return form[0] + form[1].pack(*args) + _NO_TEXTS


class PerceptSerializer:
    """Serialises the cycles of one player. ``frame_id`` is that of all headers."""

    def __init__(self, parts: PerceptParts, frame_id: str) -> None:
        self._parts = parts
        frame = _text(bytearray(_STAMP.size), frame_id)
        frame += bytes(-len(frame) % ALIGNMENT)
        self._frame = bytes(frame[_STAMP.size :])

    def serialize(self, cycle: PerceptCycle, number: int) -> bytes:
        """Return the Bw4tPercepts of a cycle as message ``number`` of the stream."""
        update = cycle.update
        count = len(update.delete) + len(update.add)
        result: list[bytes] = [
            _ENCAPSULATION,
            _STAMP.pack(*divmod(cycle.stamp, NANOSECONDS)),
            self._frame,
            _COUNTS.pack(number, cycle.tick, count),
        ]
        begin = _COUNTS.size % ALIGNMENT
        for item in update.delete:
            part = percept_bytes(item, DELETED, begin)
            result.append(part)
            begin = (begin + len(part)) % ALIGNMENT
        added = self._parts.added
        for item in update.add:
            part = added(item, begin)
            result.append(part)
            begin = (begin + len(part)) % ALIGNMENT
        return b"".join(result)


def percept_bytes(item: Percept, change: int, begin: int) -> bytes:
    """Return a Bw4tPercept that begins at an offset; ``not(...)`` becomes NEGATED."""
    if item.name == NEGATION:
        item, change = item.args[0], NEGATED
    types, numbers, texts = flat_values(item.args)
    data = bytearray(begin)
    data.append(change)
    _text(data, item.name)
    _number(data, len(types))
    data += bytes(types)
    _number(data, len(numbers))
    if numbers:
        data += bytes(-len(data) % 8)
        data += struct.pack(f"<{len(numbers)}d", *numbers)
    _number(data, len(texts))
    for text in texts:
        _text(data, text)
    return bytes(data[begin:])


def _number(data: bytearray, number: int) -> None:
    data += bytes(-len(data) % 4)
    data += _COUNT.pack(number)


def _text(data: bytearray, text: str) -> bytearray:
    encoded = text.partition("\0")[0].encode() + b"\0"  # rclpy, too, ends a text at a NUL
    _number(data, len(encoded))
    data += encoded
    return data
