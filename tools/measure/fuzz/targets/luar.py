# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The reader of Luar's segments: no crash, no hang, nothing out of bounds, only its own errors.

The first byte of an input chooses what is damaged: nothing (the rest is the whole segment), or one
of the whole segments below, in places that the rest gives.
"""

import os
import struct
import uuid

from luar_bridge.protocol.boost_layout import Abi, Directory, ProtocolError, read_directory
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.simulator.segment_owner import SegmentOwner, StandInError
from measure import ROOT

SCRATCH = DIRECTORY / f"legacy_robots_fuzz_{os.getpid()}"
CAPTURES = ROOT / "test" / "data" / "luar"
CHANGES = [
    b"",
    struct.pack("<HQ", 0xA0, 1),
    struct.pack("<HQHQ", 0x98, 2**63, 0xA8, 0x200),
    struct.pack("<HQ", 0x68, 0) + b"\0\0\0\0\0\1",
]


def made_by_boost(abi: Abi) -> bytes:
    """Return a segment that the compiled helper has made; raises StandInError without it."""
    name = f"legacy_robots_fuzz_{uuid.uuid4().hex}"
    with SegmentOwner(abi) as owner:
        owner.create(name, 8192)
        for number, variable in enumerate(("count", "xy", "headAngles", "teamColor", "v")):
            owner.set(name, variable, [float(number)] * (1 + number))
        owner.set_text(name, "name", "nao")
        owner.set_bytes(name, "yuyv", bytes(range(64)))
        owner.sync()
        segment = (DIRECTORY / name).read_bytes()
        owner.remove(name)
        owner.sync()
    return segment


def whole_segments() -> list[bytes]:
    """Return the captured segments, and ones made here as far as the helper is built."""
    found = [p.read_bytes() for p in sorted(CAPTURES.glob("[vw]cm*"))]
    for abi in Abi:
        try:
            found.append(made_by_boost(abi))
        except StandInError:
            pass  # not built, or its Boost is too old
    return found


SEGMENTS = whole_segments()


def seeds() -> list[bytes]:
    small = [segment for segment in SEGMENTS if len(segment) <= 8192]
    chosen = [bytes([number + 1]) for number in range(len(SEGMENTS))]
    return [*(b"\0" + segment for segment in small), *(n + c for n in chosen for c in CHANGES)]


def segment_of(data: bytes) -> bytes:
    """Return the segment that the input stands for."""
    choice = data[0] % (len(SEGMENTS) + 1) if data else 0
    if choice == 0:
        return data[1:]
    segment = bytearray(SEGMENTS[choice - 1])
    changes = data[1:]
    for at in range(0, len(changes) - 9, 10):
        place, value = struct.unpack_from("<HQ", changes, at)
        struct.pack_into("<Q", segment, place % (len(segment) - 8), value)
    if len(changes) % 10 > 5:
        del segment[-changes[-1] * 256 - 1 :]
    return bytes(segment)


def check(directory: Directory) -> None:
    """Check that every place lies within the segment, and none in another."""
    end = 0
    for v in sorted(directory.variables, key=lambda v: v.node):
        assert end <= v.node < v.offset <= v.offset + v.size <= v.end <= directory.size
        end = v.end


def one_input(data: bytes) -> None:
    """Read one damaged segment, from memory and from a file."""
    segment = segment_of(data)
    try:
        check(read_directory(segment))
    except ProtocolError:
        return
    # Sound: then it can be read and looked at like any other.
    SCRATCH.write_bytes(segment)
    try:
        with Segment(SCRATCH) as opened:
            seen = opened.read()
            for name in seen:
                seen.vector(name)
                seen.number(name)
                seen.text(name)
                opened.peek(name)
    except (ProtocolError, SegmentUnavailableError, SegmentBusyError):
        pass
    finally:
        SCRATCH.unlink()
