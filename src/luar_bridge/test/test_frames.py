# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The gate for images, and the estimator that says when to sample: with clocks of the test."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from luar_bridge.protocol.boost_layout import Directory
from luar_bridge.protocol.camera_frames import Frame, FrameGate, Refusal
from luar_bridge.protocol.labels import or_blocks
from luar_bridge.protocol.segment import Snapshot

PERIOD = 0.033


def image(number: int, **changes: bytes | float | list[float]) -> Snapshot:
    """Return a segment with an image of 16 x 8 that looks different for each number."""
    labels = np.full((4, 8), 8, np.uint8)
    labels[1, 2] = 1
    values: dict[str, bytes | float | list[float]] = {
        "yuyv": bytes([number % 255 + 1]) * 256,
        "labelA": labels.tobytes(),
        "labelB": or_blocks(labels, 4).tobytes().ljust(8, b"\0"),
        "width": 16.0, "height": 8.0, "count": float(number), "select": 1.0,
        "time": 1000.0 + number, "headAngles": [0.5, -0.25],
        **changes,
    }  # fmt: skip
    data, places = b"", {}
    for name, value in values.items():
        numbers = [value] if isinstance(value, float) else value
        raw = numbers if isinstance(numbers, bytes) else struct.pack(f"<{len(numbers)}d", *numbers)
        places[name] = len(data), len(raw) // 8
        data += raw
    return Snapshot(Directory(65536, None, ()), data, places)


class Watcher:
    """Looks at images as a link does: 1 ms before each and 1 ms after, if it is not late."""

    def __init__(self) -> None:
        self.gate = FrameGate()
        self.usual: float | None = PERIOD
        self.now = 100.0
        self.count = 1000

    def next(
        self, *, late: float = 0.0, always: bool | None = True, step: int = 1, **changes: object
    ):
        self.now += PERIOD * step
        self.count += step
        snapshot = image(self.count, **changes)  # type: ignore[arg-type]
        old_at, now = self.now - 0.001, self.now + 0.001 + late
        return self.gate.look(snapshot, old_at, now, self.usual, always)

    def settled(self) -> Watcher:
        self.next()
        return self


def test_images_are_accepted_once_the_period_is_known() -> None:
    watcher = Watcher()
    assert watcher.next() is None  # of unknown age
    watcher.usual = None
    assert watcher.next() is Refusal.LATE
    watcher.usual = PERIOD
    frame = watcher.next()
    assert isinstance(frame, Frame)
    assert (frame.count, frame.camera, frame.head_angles) == (1003, 1, (0.5, -0.25))
    assert (frame.width, frame.height, frame.yuyv.shape) == (16, 8, (8, 16, 2))
    assert frame.label_a is not None
    assert frame.label_b is not None
    assert (frame.label_a.shape, frame.label_b.shape) == ((4, 8), (1, 2))


def test_the_same_count_again_is_nothing_new() -> None:
    watcher = Watcher().settled()
    again = image(watcher.count)
    assert watcher.gate.look(again, watcher.now, watcher.now + 0.001, PERIOD, True) is None


@pytest.mark.parametrize(
    "changes,refusal",
    [
        ({"late": 0.02}, Refusal.LATE),
        ({"step": 2}, Refusal.MISSED),
        ({"labelB": bytes(8)}, Refusal.LABELS),
        ({"width": 15.0}, Refusal.SIZE),
        ({"width": 1e9}, Refusal.SIZE),
        ({"height": 4.0}, Refusal.SIZE),
        ({"yuyv": bytes(256)}, Refusal.UNCHANGED),
        ({"yuyv": bytes(8)}, Refusal.UNCHANGED),
    ],
)
def test_what_is_left_out(changes, refusal) -> None:
    watcher = Watcher().settled()
    assert watcher.next(**changes) is refusal
    assert isinstance(watcher.next(), Frame)


def test_an_image_that_was_not_copied_is_not_taken_for_a_new_one() -> None:
    watcher = Watcher().settled()
    same = bytes([7]) * 256
    assert isinstance(watcher.next(always=False, yuyv=same), Frame)
    assert watcher.next(always=False, yuyv=same) is Refusal.UNCHANGED
    # The robot says that it copies every image: then nothing moved.
    assert isinstance(watcher.next(always=True, yuyv=same), Frame)


def test_two_equal_images_of_a_robot_that_does_not_say_why() -> None:
    watcher = Watcher().settled()
    same = bytes([7]) * 256
    assert isinstance(watcher.next(always=None, yuyv=same), Frame)
    assert isinstance(watcher.next(always=None, yuyv=same), Frame)
    for _ in range(3):  # old pixels are not published for ever
        assert watcher.next(always=None, yuyv=same) is Refusal.REPEATED
    assert isinstance(watcher.next(always=None), Frame)


def test_a_robot_that_starts_again_is_followed() -> None:
    watcher = Watcher().settled()
    watcher.count = 0
    assert watcher.next() is None
    assert isinstance(watcher.next(), Frame)


def test_labels_as_large_as_the_image_and_labels_of_no_size() -> None:
    watcher = Watcher().settled()
    large = np.full((8, 16), 16, np.uint8)
    frame = watcher.next(labelA=large.tobytes(), labelB=or_blocks(large, 4).tobytes())
    assert frame.label_a.shape == (8, 16)
    assert frame.label_b.shape == (2, 4)
    frame = watcher.next(labelA=bytes(48))
    assert frame.label_a is None
    assert frame.label_b is None


@pytest.mark.parametrize("count", [float("nan"), -1.0, float("inf"), 1e300])
def test_a_count_that_is_none(count: float) -> None:
    watcher = Watcher().settled()
    assert watcher.gate.look(image(1, count=count), 0.0, 1.0, PERIOD, True) is None
