# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A command with an end: the game waits there for the next one, and not for ever."""

from __future__ import annotations

import time

import pytest

from legacy_robots_testing.recorder import TIMEOUT
from roboskate_bridge.bridge.held_keys import HeldKeys
from roboskate_bridge.bridge.link_settings import Mode
from roboskate_bridge.bridge.requests import CommandError
from roboskate_game.protocol.messages import NO_KEYS, Keys

UP, DOWN = Keys(0.0, 1.0, 0.0), Keys(0.0, -1.0, 0.0)
SECOND = 1_000_000_000


def test_keys_with_an_end_hold_until_then_and_are_waited_for():
    now = [0.0]
    held = HeldKeys(0.5, lambda: now[0], 2.0, lambda: now[0])
    held.hold(UP, until=SECOND)
    now[0] = 5.0  # the machine was busy: that is no time-out
    assert (held.current(), held.wait(SECOND - 1), held.wait(SECOND)) == (UP, 0.0, 2.0)
    now[0] = 6.5
    assert held.wait(SECOND) == 0.5
    held.hold(DOWN, until=2 * SECOND)
    assert (held.wait(SECOND), held.wait(2 * SECOND), held.current()) == (0.0, 2.0, DOWN)
    now[0] = 8.6
    assert (held.wait(2 * SECOND), held.current(), held.timeouts) == (0.0, NO_KEYS, 1)
    assert held.wait(3 * SECOND) == 0.0


def test_without_patience_an_end_counts_for_nothing():
    now = [0.0]
    held = HeldKeys(0.5, lambda: now[0])
    held.hold(UP, until=SECOND)
    assert held.wait(2 * SECOND) == 0.0
    now[0] = 0.6
    assert held.current() == NO_KEYS


@pytest.mark.parametrize("release", ["command", "reset", "nothing"])
def test_the_game_stands_still_at_the_end_of_a_command(make_game, make_link, release):
    game = make_game()
    link, observer = make_link(
        game, mode=Mode.STEPPED, command_wait=1.0 if release == "nothing" else TIMEOUT
    )
    observer.wait_for_link()
    start = observer.steps.wait_for().stamp
    link.configure(Mode.FREE_RUN, 25.0, 0.5)
    end = start + SECOND
    link.hold(UP, end)
    observer.steps.wait_for(lambda s: s.stamp >= end)
    if release == "nothing":
        observer.steps.wait_for(lambda s: s.stamp > end)
        assert (link.key_timeouts, game.world.keys) == (1, NO_KEYS)
        return
    since = time.monotonic()
    while time.monotonic() < since + 0.3:
        # Requests are answered meanwhile, and do not end the wait.
        with pytest.raises(CommandError, match="by itself"):
            link.run_game(0.1, None).result(TIMEOUT)
    assert (observer.steps.last.stamp, game.world.keys) == (end, UP)
    if release == "command":
        link.hold(DOWN, end + SECOND // 5)
        later = observer.steps.wait_for(lambda s: s.stamp >= end + SECOND // 5)
        assert (later.stamp, game.world.keys) == (end + SECOND // 5, DOWN)
    else:
        link.reset(rewind=False).result(TIMEOUT)
        observer.steps.wait_for(lambda s: s.stamp > end + SECOND // 5)
    assert link.key_timeouts == 0


def test_an_end_that_is_past_or_far_ahead_does_not_stop_the_game(make_game, make_link):
    link, observer = make_link(make_game())
    observer.wait_for_link()
    for until in (-SECOND, 1, 10**18):
        link.hold(UP, until)
        now = observer.steps.last.stamp if observer.steps.items else 0
        observer.steps.wait_for(lambda s, now=now: s.stamp > now + SECOND // 4)
