# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Own segments as a Luar process does, through the compiled helper of the package luar_stand_in.

The helper uses Boost.Interprocess itself, so that a reader is tested against Boost and not against
this package's own idea of its layout. No ROS.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from luar_bridge.protocol.boost_layout import Abi

DEFAULT_SIZE = 65536
"""Bytes of a segment for which the original asks for no other size (specification, shsize)."""

_HEADER = struct.Struct("<BBHHHQII")
_ANSWER_SECONDS = 10.0


class StandInError(Exception):
    """The helper is missing, has died or could not carry out an order; the message says which."""


def helper_path(abi: Abi) -> Path:
    """Return the helper for a memory layout. Raises StandInError when it was not built."""
    name = f"segment_owner_abi{int(abi)}"
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        path = Path(prefix, "lib", "luar_stand_in", name)
        if prefix and os.access(path, os.X_OK):
            return path
    if found := shutil.which(name):
        return Path(found)
    reason = "" if abi is Abi.BOOST_TO_1_86 else ", or its Boost is older than 1.87"
    raise StandInError(f"{name} is not there: the package luar_stand_in is not built{reason}")


class SegmentOwner:
    """A process that owns segments in /dev/shm. Not thread-safe.

    Requests are only queued until ``flush``; ``sync`` waits until all are done. The segments stay
    when the process ends, as Luar's do; ``remove`` takes their names away.
    """

    def __init__(self, abi: Abi = Abi.BOOST_TO_1_86) -> None:
        self.abi = abi
        self._queue: list[bytes] = []
        # In a session of its own: signals to our group do not end it before we do.
        self._process = subprocess.Popen(
            [helper_path(abi)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The helper's process id."""
        return self._process.pid

    def create(self, segment: str, size: int = DEFAULT_SIZE) -> None:
        """Open or create a segment (its file's name, suffix included); an existing one is kept."""
        self._request("C", segment, argument=size)

    def set(self, segment: str, variable: str, values: float | Sequence[float]) -> None:
        """Set a variable as Luar's set does: another length makes it anew."""
        numbers = [values] if isinstance(values, (int, float)) else values
        self._request("S", segment, variable, np.asarray(numbers, "<f8").tobytes())

    def set_text(self, segment: str, variable: str, text: str) -> None:
        """Set a string."""
        self.set(segment, variable, [float(code) for code in text.encode("latin-1")])

    def set_bytes(self, segment: str, variable: str, data: bytes) -> None:
        """Set a c array."""
        self._request("B", segment, variable, data)

    def set_bytes_slowly(self, segment: str, variable: str, data: bytes, seconds: float) -> None:
        """Set a c array and stand still for ``seconds`` half-way."""
        self._request("P", segment, variable, data, round(1000 * seconds))

    def die_in_mid_write(self, segment: str, variable: str, data: bytes) -> None:
        """Write half of a c array, then die as by SIGKILL."""
        self._request("X", segment, variable, data)

    def die_with_lock(self, segment: str) -> None:
        """Die holding the lock of Boost's segment manager."""
        self._request("L", segment)

    def remove(self, segment: str) -> None:
        """Unlink the segment's file; processes that have it open keep it."""
        self._request("U", segment)

    def truncate(self, segment: str, size: int) -> None:
        """Cut or stretch the segment's file to ``size`` bytes."""
        self._request("T", segment, argument=size)

    def write_images_busily(self, segment: str, rate: int) -> None:
        """Write images with their number in every part, until the next request."""
        self._request("W", segment, argument=rate)

    def flush(self) -> None:
        """Send what is queued. Raises StandInError when the helper has died."""
        data, self._queue = b"".join(self._queue), []
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise StandInError(f"the helper has died: {self._answer() or 'killed'}") from error

    def sync(self) -> None:
        """Send what is queued and wait until it is done. Raises StandInError."""
        self._request("Q", "")
        self.flush()
        if (answer := self._answer()) != "done":
            raise StandInError(f"the helper has died: {answer or 'killed'}")

    def wait(self) -> int:
        """Send what is queued, wait for the helper's end and return its exit code."""
        self.flush()
        return self._process.wait(_ANSWER_SECONDS)

    def close(self) -> None:
        """End the helper; the segments stay. Idempotent."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self.flush()
        except StandInError:
            pass
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self._process.wait(_ANSWER_SECONDS)
        except subprocess.TimeoutExpired:  # it stands still in a request
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> SegmentOwner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(
        self,
        operation: str,
        segment: str,
        variable: str = "",
        data: bytes = b"",
        argument: int = 0,
    ) -> None:
        names = segment.encode(), variable.encode()
        header = _HEADER.pack(
            ord(operation), 0, len(names[0]), len(names[1]), 0, argument, len(data), 0
        )
        self._queue += [header, *names, data]

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode().strip()
