# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Create segments and variables, and change their length: by Boost itself, as Lua's ``set``.

The package luar_stand_in does it: it takes Boost's lock, which ``writer`` never does. No ROS.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luar_bridge.protocol import naming, writer
from luar_bridge.protocol.boost_layout import Abi, ProtocolError
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.protocol.writer import WriteRefusedError
from luar_bridge.simulator.segment_owner import DEFAULT_SIZE, SegmentOwner, StandInError

LOCK_TIMEOUT_S = 5.0
"""A process that died with Boost's lock of a segment would be waited for without end."""


def create_value(
    path: Path,
    variable: str,
    value: str | bytes | float | Sequence[float] | NDArray[np.float64],
    size: int = DEFAULT_SIZE,
) -> None:
    """Give a variable ``value`` and its length; a segment that is not there is made first.

    A new segment has ``size`` bytes, and the memory layout of Boost up to 1.86, as the original's.
    A variable that changes its length moves. Lua that keeps a pointer to it (``vcm.imagePtr``, the
    dcm segments) goes on with the old place: dcm segments are refused.
    Raises WriteRefusedError, also where the helper fails, and ProtocolError,
    SegmentUnavailableError or SegmentBusyError where the file is no sound segment.
    """
    if any(path.name.startswith(name) for name in naming.UNSUFFIXED):
        raise WriteRefusedError(f"{path.name}: its owner keeps pointers to its variables")
    if path.parent != naming.DIRECTORY:
        raise WriteRefusedError(f"segments are created in {naming.DIRECTORY}, not {path.parent}")
    if not variable:
        raise WriteRefusedError("a variable needs a name")
    data: bytes | list[float]
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
    elif isinstance(value, str):
        data = writer.encode_text(value)
    else:
        data = writer.finite([value] if isinstance(value, (int, float)) else list(value))
    abi = Abi.BOOST_TO_1_86
    if path.exists():
        with Segment(path) as segment:  # Boost would wait for ever for a file that is none
            abi = segment.snapshot.directory.abi or abi
    try:
        with SegmentOwner(abi) as owner:
            stuck = threading.Timer(LOCK_TIMEOUT_S, _kill, [owner.pid])
            stuck.start()
            try:
                owner.create(path.name, size)
                if isinstance(data, bytes):
                    owner.set_bytes(path.name, variable, data)
                else:
                    owner.set(path.name, variable, data)
                owner.sync()
            finally:
                stuck.cancel()
    except StandInError as error:
        if stuck.finished.is_set() and not stuck.is_alive() and str(error).endswith("killed"):
            error = StandInError("Boost's lock is held, as by a process that died with it")
        raise WriteRefusedError(f"{path.name}: {error}") from error


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


CREATION_ERRORS = (WriteRefusedError, ProtocolError, SegmentUnavailableError, SegmentBusyError)
