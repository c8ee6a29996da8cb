# SPDX-License-Identifier: Apache-2.0
"""Fuzz the reader of Luar's segments with atheris, outside CI: no crash, no hang, only errors.

    pip install atheris
    PYTHONPATH=src/luar_bridge python test/fuzz/fuzz_luar.py [SEGMENT FILES] -- -max_total_time=600

The first byte chooses what is damaged: nothing (the input is the whole segment), or places in one
of the segment files, such as the captures.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports():
    from luar_bridge.protocol import Directory, ProtocolError, read_directory
    from luar_bridge.segment import Segment, SegmentBusyError, SegmentUnavailableError

SCRATCH = Path("/dev/shm/legacy_robots_fuzz_luar")
SEEDS: list[bytes] = []


def check(directory: Directory) -> None:
    """Check that every place lies within the segment, and none in another."""
    end = 0
    for v in sorted(directory.variables, key=lambda v: v.node):
        assert end <= v.node < v.offset <= v.offset + v.size <= v.end <= directory.size
        end = v.end


def segment_of(data: bytes) -> bytes:
    """Return the segment that the input stands for."""
    choice = data[0] % (len(SEEDS) + 1) if data else 0
    if choice == 0:
        return data[1:]
    segment = bytearray(SEEDS[choice - 1])
    changes = data[1:]
    for at in range(0, len(changes) - 9, 10):
        place, value = struct.unpack_from("<HQ", changes, at)
        struct.pack_into("<Q", segment, place % (len(segment) - 8), value)
    if len(changes) % 10 > 5:
        del segment[-changes[-1] * 256 - 1 :]
    return bytes(segment)


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


def main() -> None:
    """Load the seeds and fuzz."""
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    SEEDS.extend(Path(name).read_bytes() for name in sys.argv[1:split])
    atheris.Setup([sys.argv[0], *sys.argv[split + 1 :]], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
