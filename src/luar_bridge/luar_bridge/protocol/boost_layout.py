# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The memory layout of a Luar segment: the bytes of Boost.Interprocess to named arrays.

A segment holds named arrays of doubles, found through a red-black tree of names. Boost lays a
named block out in two ways, its segment manager's ABI 1 (Boost up to 1.86, and later ones on
request) and ABI 2 (from 1.87); both are read here, from x86-64 processes (docs/originals/luar.md,
1, "Binary layout"). Nothing in the bytes is trusted: every offset, length and count is checked
before it is used.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from legacy_robots_core.link import base

STATE_OFFSET = 0x00
READY = b"\x02\x00\x00\x00"
"""The state of a segment that can be used."""
USABLE_SIZE_OFFSET = 0x68
NAMED_COUNT_OFFSET = 0x98
TREE_OFFSET = 0xA0
"""Header node of the tree of names: root, leftmost, rightmost."""
OBJECTS_OFFSET = 0xB8
"""No object lies below: here the fixed part of the segment ends for our purposes."""
USABLE_SIZE_LESS = 16
"""The usable size in the header is the size of the file less this."""

MAXIMUM_VARIABLES = 4096
"""More named objects than this are taken as garbage; the largest known segment has 30."""
MAXIMUM_NAME_BYTES = 255
MAXIMUM_SEGMENT_BYTES = 1 << 23
"""Ten times the largest segment that is known, which has 762 kB (facts)."""

_NODE_BYTES = 24
_NULL = 1
"""Boost's offset pointers are relative to themselves; this value is the null pointer."""
_COLOUR_BIT = 2
_STATES = {0: "not initialised", 1: "being initialised", 3: "marked as corrupted by its creator"}
_NAMED_CHAR = 0x21
"""ABI 1: the block is a named one, with names of one-byte characters."""

_U16 = struct.Struct("<H")
_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")
_BLOCK_1 = struct.Struct("<QHBB")


class ProtocolError(base.ProtocolError):
    """The bytes are not a sound Luar segment; the message says what is wrong."""


class NotReadyError(ProtocolError):
    """The segment is (still) empty or being created; try again later."""


class Abi(enum.IntEnum):
    """How Boost lays out a named block (BOOST_INTERPROCESS_SEGMENT_MANAGER_ABI)."""

    BOOST_TO_1_86 = 1
    BOOST_FROM_1_87 = 2


@dataclass(frozen=True)
class Variable:
    """A named array in a segment: where its value lies, in bytes from the segment's beginning."""

    name: str
    offset: int
    size: int
    """Bytes of the value."""
    node: int
    """Where the block begins, with its node of the tree."""
    end: int
    """Where the block ends, after the name."""

    @property
    def length(self) -> int:
        """Number of doubles; 0 for something that no Luar process wrote."""
        return self.size // 8 if self.is_doubles else 0

    @property
    def is_doubles(self) -> bool:
        """Whether the value can be an array of doubles, as everything that Luar writes."""
        return self.size % 8 == 0 and self.offset % 8 == 0


@dataclass(frozen=True)
class Directory:
    """The named arrays of a segment, in the order of Boost's tree (by length, then by letters)."""

    size: int
    """Bytes of the whole segment."""
    abi: Abi | None
    """None for a segment without variables, which does not show it."""
    variables: tuple[Variable, ...]
    unusable: tuple[str, ...] = ()
    """What is wrong with each variable that is left out because of its name."""
    end: int = OBJECTS_OFFSET
    """First byte behind all variables."""


def check_header(header: bytes, size: int) -> None:
    """Check the first OBJECTS_OFFSET bytes of a segment of ``size`` bytes.

    Raises NotReadyError when the segment is empty or not ready, ProtocolError for anything else.
    """
    if size == 0:
        raise NotReadyError("the file is empty")
    if size < OBJECTS_OFFSET or len(header) < OBJECTS_OFFSET:
        raise ProtocolError(f"truncated: {min(size, len(header))} bytes hold no segment")
    if size > MAXIMUM_SEGMENT_BYTES:
        raise ProtocolError(f"{size} bytes are more than a segment can have")
    (state,) = _U32.unpack_from(header, STATE_OFFSET)
    if state != 2:
        if state in (0, 1):
            raise NotReadyError(f"the segment is {_STATES[state]}")
        raise ProtocolError(f"the segment is {_STATES.get(state, f'in no known state ({state})')}")
    (usable,) = _U64.unpack_from(header, USABLE_SIZE_OFFSET)
    if usable != size - USABLE_SIZE_LESS:
        raise ProtocolError(
            f"the header tells of {usable} usable bytes, a file of {size} has "
            f"{size - USABLE_SIZE_LESS}: truncated, of a 32-bit process, or not a segment"
        )
    (count,) = _U64.unpack_from(header, NAMED_COUNT_OFFSET)
    if count > MAXIMUM_VARIABLES:
        raise ProtocolError(f"{count} variables are more than a segment can have")


def read_directory(segment: bytes) -> Directory:
    """Return where each variable of ``segment`` lies.

    Raises NotReadyError when the segment is empty or not ready, ProtocolError when it is unsound.
    A process that creates or resizes a variable at this moment makes the tree unsound for some
    microseconds: read again before you believe the error.
    """
    size = len(segment)
    check_header(segment, size)
    (count,) = _U64.unpack_from(segment, NAMED_COUNT_OFFSET)
    nodes = _tree_nodes(segment, count)
    abi = _abi(segment, nodes)
    block = _block_1 if abi is Abi.BOOST_TO_1_86 else _block_2
    blocks = [block(segment, node) for node in nodes]
    _check_apart(blocks)
    unusable = [text for b in blocks if (text := _wrong_name(b))]
    variables = tuple(b for b in blocks if not _wrong_name(b)) if unusable else tuple(blocks)
    end = max((b.end for b in blocks), default=OBJECTS_OFFSET)
    return Directory(size, abi, variables, tuple(unusable), end)


def _pointer(segment: bytes, at: int) -> int:
    """Return the node that the offset pointer at ``at`` leads to; 0 for a null pointer."""
    relative: int = _U64.unpack_from(segment, at)[0]
    if relative == _NULL:
        return 0
    node = (at + relative) & 0xFFFF_FFFF_FFFF_FFFF
    if node % 8 or not OBJECTS_OFFSET <= node <= len(segment) - _NODE_BYTES - 16:
        raise ProtocolError(f"a pointer at {at:#x} leads out of the segment, to {node:#x}")
    return node


def _tree_nodes(segment: bytes, count: int) -> list[int]:
    """Return the offsets of the tree's nodes in order; the tree has exactly ``count``."""
    (relative,) = _U64.unpack_from(segment, TREE_OFFSET)
    if relative in (_NULL, _NULL | _COLOUR_BIT):
        root = 0
    else:
        root = (TREE_OFFSET + (relative & ~_COLOUR_BIT)) & 0xFFFF_FFFF_FFFF_FFFF
        if root % 8 or not OBJECTS_OFFSET <= root <= len(segment) - _NODE_BYTES - 16:
            raise ProtocolError(
                f"the root of the tree of names lies out of the segment, at {root:#x}"
            )
    nodes: list[int] = []
    seen: set[int] = set()
    waiting: list[int] = []
    node = root
    while node or waiting:
        while node:
            if node in seen or len(seen) >= count:
                raise ProtocolError(
                    f"the tree of names has more than its {count} entries, or a loop"
                )
            seen.add(node)
            waiting.append(node)
            node = _pointer(segment, node + 8)
        node = waiting.pop()
        nodes.append(node)
        node = _pointer(segment, node + 16)
    if len(nodes) != count:
        raise ProtocolError(f"the tree has {len(nodes)} entries instead of {count}")
    return nodes


def _abi(segment: bytes, nodes: list[int]) -> Abi | None:
    if not nodes:
        return None
    # ABI 1 marks each block in its twelfth byte; in ABI 2 the low bits of the first word do.
    if all(segment[node + _NODE_BYTES + 11] == _NAMED_CHAR for node in nodes):
        return Abi.BOOST_TO_1_86
    if all(segment[node + _NODE_BYTES] & 3 == 1 for node in nodes):
        return Abi.BOOST_FROM_1_87
    raise ProtocolError("the blocks are laid out neither as by Boost up to 1.86 nor as from 1.87")


def _block_1(segment: bytes, node: int) -> Variable:
    size, name_bytes, alignment, _ = _BLOCK_1.unpack_from(segment, node + _NODE_BYTES)
    if alignment not in (1, 2, 4, 8, 16):
        raise ProtocolError(f"the block at {node:#x} has an impossible alignment of {alignment}")
    offset = node + _NODE_BYTES + 16
    return _variable(segment, node, offset, size, offset + size, name_bytes)


def _block_2(segment: bytes, node: int) -> Variable:
    (word,) = _U64.unpack_from(segment, node + _NODE_BYTES)
    size = word >> 2
    offset = node + _NODE_BYTES + 8
    at_length = offset + size + size % 2
    if at_length + 2 > len(segment):
        raise ProtocolError(
            f"the block at {node:#x} claims {size} bytes, beyond the segment's end"
        )
    (name_bytes,) = _U16.unpack_from(segment, at_length)
    return _variable(segment, node, offset, size, at_length + 2, name_bytes)


def _variable(
    segment: bytes, node: int, offset: int, size: int, at_name: int, name_bytes: int
) -> Variable:
    end = at_name + name_bytes
    if end > len(segment):
        raise ProtocolError(
            f"the block at {node:#x} claims {size} bytes, beyond the segment's end"
        )
    name = bytes(segment[at_name:end]).decode(errors="surrogateescape")
    return Variable(name, offset, size, node, end)


def _wrong_name(variable: Variable) -> str:
    """Return why a variable cannot be used under its name; empty if it can."""
    name = variable.name
    length = len(name.encode(errors="surrogateescape"))
    if not 1 <= length <= MAXIMUM_NAME_BYTES:
        return f"a variable has a name of {length} bytes: {name[:40]!r}"
    return "" if name.isprintable() else f"the name of a variable is not text: {name!r}"


def _check_apart(variables: Sequence[Variable]) -> None:
    """Raise ProtocolError when blocks overlap or a name comes twice."""
    end = OBJECTS_OFFSET
    for variable in sorted(variables, key=lambda v: v.node):
        if variable.node < end:
            raise ProtocolError(f"the block of {variable.name!r} overlaps another one")
        end = variable.end
    if len({v.name for v in variables}) != len(variables):
        raise ProtocolError("a name comes twice")
