# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link against the simulated game, over both wires: running, stepping, keys, levels."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from legacy_robots_core.link.base import LinkState, NotConnectedError
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from roboskate_bridge.bridge.camera_feed import MOST_BEHIND
from roboskate_bridge.bridge.link import CommandError
from roboskate_bridge.bridge.link_settings import Mode
from roboskate_game.client.transport import TransportKind
from roboskate_game.learning.scripted_policy import Skater
from roboskate_game.model.coordinates import board_in_ros
from roboskate_game.model.levels import CourseProgress
from roboskate_game.protocol.dialect import Profile
from roboskate_game.protocol.messages import NO_KEYS, CallFailedError, ImageSize, Keys

# --- running ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(TransportKind))
@pytest.mark.parametrize("profile", list(Profile))
def test_a_game_runs_in_real_time(make_game, make_link, watch, kind, profile):
    game = make_game(profile)
    _, observer = make_link(game, kind, level=1, wished_size=ImageSize(64, 36))
    observer.wait_for_link()
    steps = observer.steps.wait_for_count(60)
    assert observer.levels.items == [(1, ImageSize(64, 36))]
    # Stamps follow each other by exactly the period, from the level's beginning on.
    assert [s.stamp for s in steps] == [1 + i * 20_000_000 for i in range(len(steps))]
    first = len(observer.steps.items)
    watch.restart()
    observer.steps.wait_for_count(first + 100)
    took, granted = watch.wall, watch.seconds
    # What it was late by at the beginning may be caught up with.
    assert took > 2.0 - MOST_BEHIND - 0.02
    assert granted < 2.3


def test_the_state_is_asked_for_seldom_while_nobody_looks(make_game, make_link):
    _, observer = make_link(make_game())
    observer.wait_for_link()
    observer.following.clear()
    observer.steps.clear()
    observer.times.clear()
    stamps = [step.stamp for step in observer.steps.wait_for_count(4)]
    gaps = [b - a for a, b in pairwise(stamps[1:])]
    assert all(180_000_000 <= gap <= 220_000_000 for gap in gaps), gaps
    # No moment is left out: each is reported with a state or alone.
    reported = sorted({*stamps, *observer.times.items})
    assert {b - a for a, b in pairwise(reported)} == {20_000_000}
    observer.following.set()
    last = observer.times.items[-1]
    observer.steps.wait_for(lambda step: step.stamp > last + 20_000_000)
    assert observer.times.items[-1] <= last + 40_000_000


def test_steps_are_made_at_once_while_nobody_looks_and_no_key_is_held(make_game, make_link):
    game = make_game()
    link, observer = make_link(game, command_timeout=0.0)
    observer.wait_for_link()
    observer.timing.clear()
    observer.following.clear()
    observer.steps.wait_for_count(len(observer.steps.items) + 2)
    calls = Recorder("calls")
    game.service._on_call = calls.add
    begun = len(observer.steps.items)
    observer.steps.wait_for_count(begun + 5)
    assert len(calls.items) <= 2 * 6  # a run_game and a get_info each
    stamps = [step.stamp for step in observer.steps.items[begun:]]
    assert {b - a for a, b in pairwise(stamps)} == {200_000_000}
    # A key is held within a step, and from then on only.
    link.hold(Keys(0.5, 0.0, 0.0))
    calls.wait_for(lambda name: name == "set_info")
    observer.steps.wait_for(lambda step: step.board.joint_velocities[0] > 0.01)
    timed = [*observer.times.items, *(step.stamp for step in observer.steps.items)]
    after = sorted(stamp for stamp in timed if stamp > stamps[-1])
    assert after[0] - stamps[-1] <= 200_000_000
    assert {b - a for a, b in pairwise(after)} == {20_000_000}


def test_keys_reach_the_game_and_are_released_by_the_watchdog(make_game, make_link):
    game = make_game()
    link, observer = make_link(game, command_timeout=1.0)
    observer.wait_for_link()
    link.hold(Keys(0.5, 0.0, 0.0))
    held = Recorder("keys in the game")
    deadline = time.monotonic() + 40.0
    while time.monotonic() < deadline and link.key_timeouts == 0:
        held.add(game.world.keys)
        observer.steps.wait_for_count(len(observer.steps.items) + 1)
    assert Keys(0.5, 0.0, 0.0) in held.items
    assert link.key_timeouts == 1
    observer.steps.wait_for_count(len(observer.steps.items) + 2)
    assert game.world.keys == NO_KEYS


def test_the_keys_are_released_at_the_end(make_game, make_link):
    game = make_game()
    link, observer = make_link(game, command_timeout=0.0)
    observer.wait_for_link()
    link.hold(Keys(1.0, 0.0, 0.0))
    observer.steps.wait_for(lambda s: s.board.joint_angles[0] > 0.1)
    assert game.world.keys == Keys(1.0, 0.0, 0.0)
    link.close()
    assert game.world.keys == NO_KEYS
    assert link.status.state is LinkState.DISCONNECTED


# --- stepping -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(TransportKind))
def test_stepped_time_moves_on_request_only(make_game, make_link, kind, run):
    game = make_game()
    link, observer = make_link(game, kind, mode=Mode.STEPPED)
    observer.wait_for_link()
    begin = observer.steps.wait_for()
    for i in range(1, 101):
        step = run(link, 0.05)
        assert step.stamp == begin.stamp + i * 50_000_000
        # The state of that very step is published before the answer.
        assert observer.steps.last is step
    assert step.total_simulated_time == pytest.approx(5.0)
    assert len(observer.steps.items) == 101


def test_the_same_commands_give_the_same_states(make_game, make_link, run):
    runs = []
    for _ in range(2):
        game = make_game()
        link, observer = make_link(game, mode=Mode.STEPPED)
        observer.wait_for_link()
        step = observer.steps.wait_for()
        skater = Skater(CourseProgress(0))
        for _ in range(120):
            board = board_in_ros(step.board, game._config.dialect)
            step = run(link, 0.05, skater.keys(board))
        runs.append(observer.steps.items)
    assert runs[0] == runs[1]
    assert runs[0][-1].board.position[0] > 2.0  # metres: something has happened


def test_stepped_keys_age_in_simulated_time(make_game, make_link, run):
    game = make_game()
    link, observer = make_link(game, mode=Mode.STEPPED, command_timeout=0.1)
    observer.wait_for_link()
    held = []
    run(link, 0.05, Keys(1.0, 0.0, 0.0))
    held.append(game.world.keys)
    for _ in range(2):
        run(link, 0.05)
        held.append(game.world.keys)
    assert held == [Keys(1.0, 0.0, 0.0), Keys(1.0, 0.0, 0.0), NO_KEYS]


def test_what_is_not_possible_is_said(make_game, make_link, run):
    game = make_game()
    link, observer = make_link(game)
    observer.wait_for_link()
    with pytest.raises(CommandError, match="mode free_run"):
        run(link, 0.1)
    with pytest.raises(CommandError, match="there is no level -1"):
        link.initialize(-1).result(TIMEOUT)
    assert link.status.state is LinkState.CONNECTED
    with pytest.raises(CallFailedError, match="initialize failed"):
        link.initialize(7).result(TIMEOUT)
    link.shut_down().result(TIMEOUT)
    with pytest.raises(CommandError, match="no level to restart"):
        link.reset(rewind=False).result(TIMEOUT)
    link.configure(Mode.STEPPED, 25.0, 0.5)
    with pytest.raises(CommandError, match="no level is loaded"):
        run(link, 0.1)
    assert link.initialize(2).result(TIMEOUT) == ImageSize(64, 36)
    with pytest.raises(Exception, match="0 to 3600"):
        run(link, -1.0)


def test_a_bad_time_does_not_end_the_connection(make_game, make_link, run):
    link, observer = make_link(make_game(), mode=Mode.STEPPED)
    observer.wait_for_link()
    for bad in (-1.0, float("nan"), 1e9):
        with pytest.raises(CommandError, match="0 to 3600"):
            run(link, bad)
    with pytest.raises(CommandError, match="key fractions"):
        run(link, 0.1, Keys(float("nan"), 0.0, 0.0))
    run(link, 0.05)
    assert link.status.connections == 1


def test_a_long_run_holds_up_no_other_request_and_not_the_end(make_game, make_link):
    game = make_game()
    link, observer = make_link(game, mode=Mode.STEPPED, command_timeout=0.1)
    observer.wait_for_link()
    begun = link.run_game(3600.0, Keys(0.25, 0.0, 0.0))
    observer.times.wait_for_count(3)
    assert game.world.keys == Keys(0.25, 0.0, 0.0)  # as with a short run: until its end
    assert link.initialize(1).result(TIMEOUT) == ImageSize(64, 36)
    with pytest.raises(CommandError, match=r"initialize was asked for after \d+ s of 3600 s"):
        begun.result(TIMEOUT)
    stamps = [*observer.times.items, observer.steps.last.stamp]
    assert {b - a for a, b in pairwise(stamps[:-1])} == {1_000_000_000}
    assert stamps[-1] == stamps[-2] + 1  # the clock goes on with the new level
    observer.times.clear()
    again = link.run_game(3600.0, None)
    observer.times.wait_for_count(1)
    link.close()
    with pytest.raises(CommandError, match="the bridge ends after"):
        again.result(TIMEOUT)


def test_a_run_in_parts_is_the_same_as_the_game_makes_of_one(make_game, make_link, run):
    keys, ends = Keys(0.5, 0.25, -0.5), []
    for seconds in ((3.73,), (1.0, 1.0, 1.0, 0.73)):
        link, observer = make_link(make_game(), mode=Mode.STEPPED, command_timeout=0.0)
        observer.wait_for_link()
        ends.append([run(link, part, keys) for part in seconds][-1])
    assert ends[0] == ends[1]


def test_the_mode_can_be_changed(make_game, make_link, run):
    link, observer = make_link(make_game())
    observer.steps.wait_for_count(10)
    link.configure(Mode.STEPPED, 25.0, 0.5)
    last = run(link, 0.05)
    assert observer.steps.last is last
    link.configure(Mode.FREE_RUN, 25.0, 0.5)
    observer.steps.wait_for(lambda s: s.stamp > last.stamp + 100_000_000)


# --- levels -------------------------------------------------------------------------------------


def test_a_reset_keeps_the_clock_going_or_rewinds_it(make_game, make_link, run):
    link, observer = make_link(make_game(), mode=Mode.STEPPED)
    observer.wait_for_link()
    run(link, 1.0, Keys(1.0, 0.0, 0.0))
    before = observer.steps.last
    link.reset(rewind=False).result(TIMEOUT)
    after = observer.steps.last
    assert after.stamp == before.stamp + 1
    assert after.board.joint_angles == (0.0, 0.0, 0.0)
    assert run(link, 0.05).stamp == before.stamp + 50_000_001
    link.reset(rewind=True).result(TIMEOUT)
    assert observer.steps.last.stamp == 0
    assert run(link, 0.05).stamp == 50_000_000


def test_a_reset_releases_the_keys(make_game, make_link, run):
    game = make_game()
    link, observer = make_link(game, mode=Mode.STEPPED, command_timeout=0.0)
    observer.wait_for_link()
    run(link, 0.1, Keys(1.0, 0.0, 0.0))
    link.reset(rewind=False).result(TIMEOUT)
    run(link, 0.1)
    assert game.world.keys == NO_KEYS


def test_nothing_is_loaded_by_itself_if_that_is_wanted(make_game, make_link):
    game = make_game()
    link, observer = make_link(game, level=None)
    observer.wait_for_link()
    assert game.world.level is None
    assert observer.steps.items == []
    link.initialize(1).result(TIMEOUT)
    observer.steps.wait_for_count(5)
    link.shut_down().result(TIMEOUT)
    count = len(observer.steps.items)
    assert game.world.level is None
    with pytest.raises(CallFailedError):
        link.shut_down().result(TIMEOUT)
    assert len(observer.steps.items) == count


def test_without_a_game_requests_are_refused(make_link, free_port, run):
    link, observer = make_link(None, port=free_port)
    observer.statuses.wait_for(lambda s: "cannot be reached" in s.detail)
    for call in (link.shut_down, lambda: run(link, 0.1)):
        with pytest.raises(NotConnectedError, match="not connected"):
            call()
    link.hold(Keys(1.0, 0.0, 0.0))  # ignored: what is wanted now is not wanted later
