# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The stopwatch that does not count what a busy machine is late by."""

import re
import time

from legacy_robots_testing.stopwatch import Stopwatch


def test_time_passes_on_a_machine_that_has_time():
    with Stopwatch() as watch:
        time.sleep(0.3)  # time itself is what is measured
        wall, seconds = watch.wall, watch.seconds
    assert 0.0 < seconds <= wall
    assert wall >= 0.3


def test_what_nobody_could_use_is_not_counted():
    with Stopwatch() as watch:
        # An expression that keeps the interpreter, so that no other thread of it runs.
        begun = time.monotonic()
        re.match(r"(a+)+$", "a" * 24 + "b")
        held = time.monotonic() - begun
        time.sleep(0.05)  # in which the stopwatch sees how late it is
        assert held > 0.1
        assert watch.seconds < watch.wall - 0.8 * held


def test_it_begins_again():
    with Stopwatch() as watch:
        time.sleep(0.2)  # which restart() forgets
        watch.restart()
        assert watch.seconds <= watch.wall < 0.2
