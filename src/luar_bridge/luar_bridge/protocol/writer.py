# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Write into a segment that a robot owns: only allowed variables, in place, at their length.

Nothing is created, resized or locked. A write is not atomic beyond one double, exactly like one of
the robot's own processes, which take no lock around data either (docs/originals/luar.md, 1).
"""

from __future__ import annotations

import fnmatch
import math
import mmap
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from luar_bridge.protocol import boost_layout
from luar_bridge.protocol.boost_layout import Variable
from luar_bridge.protocol.segment import open_regular


class WriteRefusedError(Exception):
    """Nothing was written; the message says why."""


class AllowList:
    """Which variables may be written: patterns such as ``vcmCamera.command`` or ``tcmSegment1.*``.

    Raises ValueError for a pattern that is not of the form segment.variable.
    """

    def __init__(self, patterns: Iterable[str] = ()) -> None:
        self.patterns = tuple(patterns)
        for pattern in self.patterns:
            segment, dot, variable = pattern.partition(".")
            if not (segment and dot and variable) or "." in variable:
                raise ValueError(f"{pattern!r} is not of the form segment.variable")

    def allows(self, segment: str, variable: str) -> bool:
        """Return whether the variable may be written."""
        name = f"{segment}.{variable}"
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.patterns)

    def check(self, segment: str, variable: str) -> None:
        """Raise WriteRefusedError unless the variable may be written."""
        name = f"{segment}.{variable}"
        if not self.allows(segment, variable):
            raise WriteRefusedError(f"{name} may not be written: the allow-list does not name it")


def encode_text(text: str) -> list[float]:
    """Return the doubles of a string, one a byte.

    Raises WriteRefusedError for text beyond Latin-1, and for a single character: the original's
    own getter fails on such a string (docs/originals/luar.md, "Observed behaviour", 1).
    """
    try:
        codes = text.encode("latin-1")
    except UnicodeEncodeError as error:
        raise WriteRefusedError(f"{text!r} has characters that are not one byte each") from error
    if len(codes) == 1:
        raise WriteRefusedError("a string of one character breaks the robot's own getter")
    return [float(code) for code in codes]


def write_numbers(path: Path, variable: str, values: Sequence[float]) -> None:
    """Write ``values`` over the doubles of ``variable`` in the segment at ``path``.

    Raises WriteRefusedError when the length differs, a value is not finite or there is no such
    variable, SegmentUnavailableError and ProtocolError when the segment is not sound.
    """
    write_all(path, {variable: values})


def write_bytes(path: Path, variable: str, data: bytes) -> None:
    """Write a c array of the length of ``variable``, which is rounded up to a multiple of 8.

    Raises as write_numbers does.
    """
    write_all(path, {variable: data})


def write_all(path: Path, values: Mapping[str, Sequence[float] | bytes]) -> None:
    """Write several variables of a segment, in the order given; bytes are c arrays.

    Raises as write_numbers does; what stands before the variable at fault is written then.
    """
    data: dict[str, bytes] = {}
    for variable, value in values.items():
        if isinstance(value, bytes):
            data[variable] = value
            continue
        data[variable] = np.array(finite(value), "<f8").tobytes()
    _write(path, data)


def finite(values: Sequence[float]) -> list[float]:
    """Return numbers as floats. Raises WriteRefusedError for one that is not finite."""
    numbers = [float(number) for number in values]
    for number in numbers:
        if not math.isfinite(number):
            raise WriteRefusedError(f"{number} is not a finite number")
    return numbers


def _write(path: Path, values: Mapping[str, bytes]) -> None:
    fd = open_regular(path, os.O_RDWR)
    try:
        size = os.fstat(fd).st_size
        boost_layout.check_header(os.pread(fd, boost_layout.OBJECTS_OFFSET, 0), size)
        whole = os.pread(fd, size, 0)
        found = {v.name: v for v in boost_layout.read_directory(whole).variables}
        with mmap.mmap(fd, size) as memory:
            for name, data in values.items():
                _overwrite(path, fd, memory, whole, found.get(name), name, data)
    finally:
        os.close(fd)


def _overwrite(
    path: Path,
    fd: int,
    memory: mmap.mmap,
    whole: bytes,
    found: Variable | None,
    variable: str,
    data: bytes,
) -> None:
    """Write one variable, ``found`` in ``whole``. Raises WriteRefusedError."""
    if found is None:
        raise WriteRefusedError(f"{path.name} has no variable {variable}")
    if not found.is_doubles:
        raise WriteRefusedError(f"{path.name}: {variable} is not an array of doubles")
    length = -(-len(data) // 8)
    if length != found.length:
        raise WriteRefusedError(
            f"{path.name}: {variable} holds {found.length} numbers, {length} were given; "
            "only its owner can change its length"
        )
    if not data:
        return
    block = slice(found.node, found.end)
    # Looked at once more as late as possible: the owner may have moved the variable, or the file
    # may have been cut, since it was read.
    fixed = whole[found.node : found.offset]
    if os.fstat(fd).st_size != len(whole) or memory[block][: len(fixed)] != fixed:
        raise WriteRefusedError(f"{path.name}: {variable} is being changed by its owner")
    whole_doubles = len(data) // 8
    target = np.frombuffer(memory, "<f8", whole_doubles, found.offset)
    target[:] = np.frombuffer(data, "<f8", whole_doubles)
    del target  # a mapping with a view on it cannot be closed
    rest = data[8 * whole_doubles :]
    at = found.offset + 8 * whole_doubles
    memory[at : at + len(rest)] = rest
