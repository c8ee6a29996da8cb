# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Camera images out of the shared memory: accepted only when they cannot be torn. No ROS, no I/O.

Luar writes the pixels, then labelA, then labelB, and only then the frame's ``count`` and the rest.
It takes no lock, and pixels of the next frame may be written while ``count`` is still the old one.
So an image is accepted only when

- ``count`` has gone up by exactly one since the last look,
- from the beginning of the last look that saw the old count to the end of the reading it took less
  than half of the usual time between two frames: too little for the next one to have begun,
- two readings gave the same bytes (see Segment.read), and
- labelB is the bitwise or of labelA's blocks, as it always is (docs/originals/luar.md, 3).

Whatever does not pass is left out and counted.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luar_bridge.protocol.labels import or_of_blocks
from luar_bridge.protocol.segment import Snapshot

SAFE_FRACTION = 1 / 2
"""Of the time between two frames, how much a look may take."""
MAXIMUM_PIXELS = 4096


@dataclass(frozen=True)
class Frame:
    """One image with what belongs to it; parts that the robot does not copy are None."""

    count: int
    time: float | None
    """Unix time of the frame in seconds, by the robot's clock."""
    camera: int
    """0 top, 1 bottom."""
    head_angles: tuple[float, float] | None
    """Yaw and pitch in radians."""
    width: int
    height: int
    yuyv: NDArray[np.uint8]
    """Shape (height, width, 2): Y0 U, Y1 V."""
    label_a: NDArray[np.uint8] | None
    """Masks, shape (rows, columns)."""
    label_b: NDArray[np.uint8] | None


class Refusal(enum.Enum):
    """Why an image was left out."""

    MISSED = "frames missed between two looks"
    LATE = "looked too late to be sure"
    LABELS = "labelB does not belong to labelA"
    SIZE = "sizes that do not fit together"
    UNCHANGED = "not copied by the robot (vcmDebug.enable_shm_copy)"
    REPEATED = "the same as the two before; whether the robot copies images is not known"


class FrameGate:
    """Decides about the images of one segment. Not thread-safe."""

    def __init__(self) -> None:
        self._count: int | None = None
        self._pixels = b""
        self._repeats = 0

    def look(
        self,
        snapshot: Snapshot,
        old_at: float,
        now: float,
        usual: float | None,
        always_copied: bool | None,
    ) -> Frame | Refusal | None:
        """Return the image in ``snapshot``, or why there is none; None when the count is the old.

        Parameters
        ----------
        snapshot
            The segment with the image.
        old_at
            When the last look began that saw the old count, monotonic seconds.
        now
            When the reading of ``snapshot`` had ended.
        usual
            Usual seconds between two frames; None when too few have been seen.
        always_copied
            Whether the robot says that it copies every image. If it says that it does not, an
            image that is the same byte by byte is taken as one that was not copied. None: it says
            nothing of it; two equal images in a row are accepted, and no more of them.

        """
        value = snapshot.number("count")
        if value is None or not 0 <= value < 2**53:
            return None
        count = int(value)
        if count == self._count:
            return None
        before, self._count = self._count, count
        if before is None or count < before:
            return None  # its age is unknown, or the robot has been started again
        if count - before > 1:
            return Refusal.MISSED
        if usual is None or now - old_at > SAFE_FRACTION * usual:
            return Refusal.LATE
        return self._decode(snapshot, count, always_copied)

    def _decode(
        self, snapshot: Snapshot, count: int, always_copied: bool | None
    ) -> Frame | Refusal:
        width, height = (_whole(snapshot.number(name)) for name in ("width", "height"))
        if not 2 <= width <= MAXIMUM_PIXELS or not 1 <= height <= MAXIMUM_PIXELS or width % 2:
            return Refusal.SIZE
        pixels = snapshot.raw("yuyv")
        self._repeats = self._repeats + 1 if pixels == self._pixels else 0
        self._pixels = pixels
        if not any(pixels) or (self._repeats and always_copied is False):
            return Refusal.UNCHANGED
        if self._repeats > 1 and always_copied is None:
            return Refusal.REPEATED
        yuyv = _matrix(pixels, height, width, 2)
        if yuyv is None:
            return Refusal.SIZE
        label_a = label_b = None
        raw_a, raw_b = snapshot.raw("labelA"), snapshot.raw("labelB")
        # Under later branches' Webots labelA is as large as the image.
        for part in (2, 1):
            if label_a is None:
                label_a = _matrix(raw_a, height // part, width // part)
        if label_a is not None:
            block = _whole(snapshot.number("scaleB")) or 4
            rows, columns = (n // block for n in label_a.shape)
            label_b = _matrix(raw_b, rows, columns)
            if label_b is not None:
                ored = or_of_blocks(raw_a, label_a.shape[0], label_a.shape[1], block)
                if not raw_b.startswith(ored):
                    return Refusal.LABELS
        angles = snapshot.numbers("headAngles", 2)
        return Frame(
            count,
            snapshot.number("time"),
            _whole(snapshot.number("select")),
            (angles[0], angles[1]) if angles else None,
            width,
            height,
            yuyv,
            label_a,
            label_b,
        )


def _whole(value: float | None) -> int:
    return int(value) if value is not None and 0 <= value <= MAXIMUM_PIXELS else 0


def _matrix(raw: bytes, *shape: int) -> NDArray[np.uint8] | None:
    """Return a c array in a shape, or None when it has not that size (rounded up to doubles)."""
    size = math.prod(shape)
    if size == 0 or len(raw) != -(-size // 8) * 8:
        return None
    return np.frombuffer(raw, np.uint8, size).reshape(shape)
