# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The clock and the watchdog, on times given by hand."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboskate_bridge.bridge.game_clock import SimulationClock
from roboskate_bridge.bridge.held_keys import HeldKeys
from roboskate_game.protocol.messages import NO_KEYS, Keys, ProtocolError


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def test_steps_add_up_exactly_however_coarse_the_games_number_is():
    clock = SimulationClock()
    for i in range(1, 20_001):
        assert clock.advance(0.05, float32(i * 0.05)) == i * 50_000_000


@given(st.lists(st.integers(1, 10_000_000), min_size=1, max_size=200))
def test_any_microseconds_add_up_exactly(pieces):
    clock, total = SimulationClock(), 0
    for piece in pieces:
        total += piece
        now = clock.advance(piece / 1e6, float32(total / 1e6))
    assert now == total * 1000


def test_a_game_that_counts_differently_is_believed():
    clock = SimulationClock()
    assert clock.advance(0.05, 0.04) == 40_000_000  # two steps of 0.02 s
    assert clock.advance(0.05, 0.10) == 100_000_000  # and three
    # An answer that was lost: the next one tells of both.
    assert clock.advance(0.05, 0.20) == 200_000_000


def test_a_game_that_began_anew_does_not_turn_time_back():
    clock = SimulationClock()
    clock.advance(1.0, 1.0)
    assert clock.advance(0.5, 0.5) == 1_500_000_000


def test_restarts():
    clock = SimulationClock()
    clock.advance(1.0, 1.0)
    # The smallest step forward: TF passes over what has a stamp that it knows.
    assert clock.restart(rewind=False) == 1_000_000_001
    assert clock.advance(0.05, float32(0.05)) == 1_050_000_001
    assert clock.restart(rewind=True) == 0
    assert clock.advance(0.05, float32(0.05)) == 50_000_000


class Watch:
    time = 100.0

    def __call__(self):
        return self.time


def test_keys_are_released_when_their_time_is_over():
    watch = Watch()
    keys = HeldKeys(0.5, watch)
    assert keys.current() == NO_KEYS
    keys.hold(Keys(1.0, 0.0, -1.0))
    watch.time += 0.49
    assert keys.current() == Keys(1.0, 0.0, -1.0)
    assert keys.timeouts == 0
    watch.time += 0.01
    assert keys.current() == NO_KEYS
    assert keys.current() == NO_KEYS
    assert keys.timeouts == 1
    keys.hold(Keys(0.0, 1.0, 0.0))
    assert keys.current() == Keys(0.0, 1.0, 0.0)


def test_keys_may_be_held_for_ever():
    watch = Watch()
    keys = HeldKeys(0.0, watch)
    keys.hold(Keys(1.0, 0.0, 0.0))
    watch.time += 1e6
    assert keys.current() == Keys(1.0, 0.0, 0.0)
    keys.release()
    assert keys.current() == NO_KEYS


def test_keys_are_clamped_and_must_be_numbers():
    keys = HeldKeys(0.5)
    keys.hold(Keys(2.0, -2.0, 0.5))
    assert keys.current() == Keys(1.0, -1.0, 0.5)
    with pytest.raises(ProtocolError):
        keys.hold(Keys(math.nan, 0.0, 0.0))
    assert keys.current() == Keys(1.0, -1.0, 0.5)
