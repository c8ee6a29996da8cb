# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages that are serialised once, and of which stamps and numbers are overwritten in place.

Making a message and serialising it costs several times what publishing ready bytes costs, the more
so after a sleep, when the caches are cold (docs/originals/luar.md, 6).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any

from builtin_interfaces.msg import Time
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message, serialize_message

from legacy_robots_common.node.lazy_publisher import LazyPublisher

MAXIMUM_FORMS = 32
"""Forms that a publisher keeps; what needs more is serialised again."""

_STAMP = struct.Struct("<iI")
_PROBE = (0x5EED5EED, 0x2BADF00D)
"""Seconds and nanoseconds by which stamps are found among the bytes."""
_MARKER = -1.2345678901234e-77
"""The numbers are found by values that no message has, this one and its multiples."""


class SerializedForm:
    """A message in the form in which it is sent.

    Parameters
    ----------
    message
        What stays the same.
    fields
        Paths of what changes, in the order of the values that ``filled`` takes: numbers of 64
        bits, or arrays of them, such as ``pose.position.x`` or ``transforms.0.rotation.z``.
    stamped
        Paths of the headers that carry the stamp.
    tail
        Number of bytes at the end, such as an image's pixels, that ``filled`` gets as well.

    """

    def __init__(
        self,
        message: Any,
        *fields: str,
        stamped: Sequence[str] = ("header",),
        tail: int = 0,
    ) -> None:
        probe = deserialize_message(serialize_message(message), type(message))
        for path in stamped:
            _at(probe, path).stamp = Time(sec=_PROBE[0], nanosec=_PROBE[1])
        markers: list[float] = []
        for path in fields:
            parent, _, name = path.rpartition(".")
            owner = _at(probe, parent) if parent else probe
            value = getattr(owner, name)
            number = isinstance(value, float)
            new = [_MARKER * (len(markers) + n + 1) for n in range(1 if number else len(value))]
            setattr(owner, name, new[0] if number else new)
            markers += new
        data = _without_surplus(serialize_message(probe), type(message))
        self._stamps = _places(data, _STAMP.pack(*_PROBE))
        offsets = [_places(data, struct.pack("<d", marker))[0] for marker in markers]
        self._runs = _runs(offsets)
        self._data = bytearray(data[: len(data) - tail])

    def filled(self, stamp: float, values: Sequence[float] = (), tail: Any = b"") -> bytes:
        """Return the message of ``stamp`` (Unix seconds) with these values."""
        data = self._data
        seconds = int(stamp)
        for offset in self._stamps:
            _STAMP.pack_into(data, offset, seconds, int((stamp - seconds) * 1e9))
        for pack_into, offset, begin, end in self._runs:
            pack_into(data, offset, *values[begin:end])
        return b"".join((data, tail))


def _without_surplus(data: bytes, message_type: type[Any]) -> bytes:
    """Return a serialised message without what is behind it.

    rmw_fastrtps gives as many bytes as it has estimated, and an empty array of doubles counts with
    its alignment there. Readers that are stricter than it refuse the surplus.
    """
    with suppress(RuntimeError):  # an RMWError of rclpy
        while True:
            deserialize_message(data[:-1], message_type)
            data = data[:-1]
    return data


def _at(message: Any, path: str) -> Any:
    """Return the part of a message at a path of names and indices."""
    return reduce(
        lambda part, name: part[int(name)] if name.isdigit() else getattr(part, name),
        path.split("."),
        message,
    )


def _places(data: bytes, pattern: bytes) -> list[int]:
    """Return all places of ``pattern``, which has at least one."""
    places = [data.index(pattern)]
    while (place := data.find(pattern, places[-1] + 1)) >= 0:
        places.append(place)
    return places


_Run = tuple[Callable[..., None], int, int, int]


def _runs(offsets: list[int]) -> list[_Run]:
    """Return what packs neighbouring values at once: function, offset, and which of the values."""
    runs: list[_Run] = []
    begin = 0
    for end in range(1, len(offsets) + 1):
        if end == len(offsets) or offsets[end] != offsets[end - 1] + 8:
            pack_into = struct.Struct(f"<{end - begin}d").pack_into
            runs.append((pack_into, offsets[begin], begin, end))
            begin = end
    return runs


class FormPublisher(LazyPublisher):
    """Publishes serialised forms of one topic.

    Parameters
    ----------
    make
        Returns the form of a shape: of a number of things that are seen, or whatever else changes
        a message besides its numbers.

    """

    def __init__(
        self,
        node: Node,
        message_type: type[Any],
        topic: str,
        make: Callable[[Any], SerializedForm],
        profile: QoSProfile | None = None,
    ) -> None:
        super().__init__(node, message_type, topic, profile)
        self._make = make
        # Publisher.publish finds out each time that it is given bytes: a tenth of what it takes.
        self._publish_raw = self._publisher.handle.publish_raw
        self._forms: dict[Hashable, SerializedForm] = {}

    def fill(
        self,
        stamp: float,
        values: Sequence[float] = (),
        shape: Hashable = None,
        tail: Any = b"",
    ) -> None:
        """Publish ``values`` in the form of ``shape``, of ``stamp`` (Unix seconds)."""
        form = self._forms.get(shape)
        if form is None:
            if len(self._forms) >= MAXIMUM_FORMS:
                self._forms.clear()
            form = self._forms[shape] = self._make(shape)
        self._publish_raw(form.filled(stamp, values, tail))
