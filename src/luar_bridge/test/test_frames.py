# SPDX-License-Identifier: Apache-2.0
"""The gate for images, and the estimator that says when to sample: with clocks of the test."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from luar_bridge.frames import Frame, FrameGate, Refusal
from luar_bridge.heartbeat import FINE_STEP, HeartbeatEstimator
from luar_bridge.labels import or_blocks
from luar_bridge.protocol import Directory
from luar_bridge.segment import Snapshot

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

    def next(self, *, late: float = 0.0, always: bool = True, step: int = 1, **changes: object):
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


# --- heartbeat -----------------------------------------------------------------------------


def followed() -> HeartbeatEstimator:
    heartbeat = HeartbeatEstimator(0.01, 0.1)
    heartbeat.follow(closely=True)
    return heartbeat


def counting(beats: int) -> tuple[HeartbeatEstimator, float]:
    """Return a heartbeat that has seen so many beats at once, and the time of the last."""
    heartbeat = followed()
    heartbeat.sample(0.0, 10.0, 10.0)
    for beat in range(1, beats + 1):
        now = 10.0 + PERIOD * beat
        assert not heartbeat.sample(beat - 1.0, now - 0.0001, now - 0.0001)
        assert heartbeat.sample(float(beat), now, now)
    return heartbeat, now


def test_a_heartbeat_is_sampled_closely_when_it_is_due() -> None:
    fresh = followed()
    fresh.sample(0.0, 10.0, 10.0)
    assert fresh.next_at == pytest.approx(10.0025)  # to measure the period
    heartbeat, now = counting(8)
    assert heartbeat.period == pytest.approx(PERIOD)
    assert heartbeat.next_at == pytest.approx(now + 0.01)  # not due yet
    assert not heartbeat.sample(8.0, now + 0.03, now + 0.03)
    assert now + 0.032 < heartbeat.next_at < now + PERIOD
    assert not heartbeat.sample(8.0, now + PERIOD, now + PERIOD)
    assert heartbeat.next_at == pytest.approx(now + PERIOD + FINE_STEP)
    assert not heartbeat.sample(8.0, now + 2 * PERIOD, now + 2 * PERIOD)
    assert heartbeat.next_at == pytest.approx(now + 2.3 * PERIOD)  # it stays away


def test_a_count_seen_late_does_not_make_the_next_one_late() -> None:
    heartbeat, now = counting(9)
    due = now + PERIOD
    assert heartbeat.sample(10.0, due + 0.012, due + 0.012)  # the thread had to wait
    heartbeat.sample(10.0, due + 0.03, due + 0.03)
    assert heartbeat.next_at < due + PERIOD


def test_sampling_begins_sooner_when_counts_come_before_it() -> None:
    heartbeat, _ = counting(9)
    begins = []
    for beat in range(10, 30):
        # The process has moved: it writes 2 ms before what was its time.
        written = 10.0 + PERIOD * beat - 0.002
        heartbeat.sample(beat - 1.0, written - 0.008, written - 0.008)
        begins.append(written - heartbeat.next_at)
        seen = max(written, heartbeat.next_at)
        if heartbeat.next_at < written:
            heartbeat.sample(beat - 1.0, written - 0.0001, written - 0.0001)
        assert heartbeat.sample(float(beat), seen, seen)
    assert begins[0] < 0  # too late
    assert begins[-1] > 0


def test_when_the_old_count_was_last_seen() -> None:
    heartbeat = followed()
    heartbeat.sample(1.0, 10.0, 10.001)
    heartbeat.sample(1.0, 10.5, 10.501)
    assert heartbeat.sample(2.0, 11.0, 11.001)
    assert heartbeat.last_sample_before(2.0) == 10.5
    assert heartbeat.last_sample_before(3.0) == 11.0  # counted once more since the last look
    assert heartbeat.counted_at == 11.001
    assert not heartbeat.sample(None, 12.0, 12.001)  # the variable is gone
    assert not heartbeat.sample(3.0, 13.0, 13.001)


def test_a_heartbeat_without_subscribers_is_sampled_seldom() -> None:
    heartbeat = HeartbeatEstimator(0.01, 0.1)
    for beat in range(20):
        now = 10.0 + 0.1 * beat
        heartbeat.sample(10.0 * beat, now, now)
        assert heartbeat.next_at == pytest.approx(now + 0.1)
    assert heartbeat.period == pytest.approx(0.01)  # for people who read diagnostics
    heartbeat.follow(closely=True)
    heartbeat.sample(200.0, 12.0, 12.0)
    assert heartbeat.next_at <= 12.01


@pytest.mark.parametrize("pattern", [(0.03, 0.03, 0.04), (0.02, 0.05)])
def test_an_irregular_robot_is_followed_without_sampling_all_the_time(pattern) -> None:
    heartbeat = followed()
    now, looks = 10.0, 0
    written = now
    for beat in range(200):
        written += pattern[beat % len(pattern)]
        while now < written:
            heartbeat.sample(float(beat), now, now)
            looks += beat >= 100
            now = max(heartbeat.next_at, now + 1e-6)
        assert heartbeat.sample(beat + 1.0, now, now)
        assert now - written <= 0.01
    assert looks < 25 * 100
