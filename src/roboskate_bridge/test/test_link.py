# SPDX-License-Identifier: Apache-2.0
"""The link against the simulated game, over both wires: time, keys, images, faults."""

from __future__ import annotations

import dataclasses
import re
import threading
import time
from itertools import pairwise

import pytest

from legacy_robots_common.link import LinkState, NotConnectedError
from legacy_robots_common.testing.recorder import Recorder
from legacy_robots_common.testing.stopwatch import Stopwatch
from roboskate_bridge.client import Timeouts
from roboskate_bridge.controller import Skater
from roboskate_bridge.coordinates import board_in_ros
from roboskate_bridge.levels import Course
from roboskate_bridge.link import CommandError, GameLink
from roboskate_bridge.link_settings import LinkSettings, Mode, OnReconnect
from roboskate_bridge.listener import Step
from roboskate_bridge.protocol import (
    NO_KEYS,
    CallFailedError,
    Dialect,
    ImageSize,
    Keys,
    Profile,
)
from roboskate_bridge.simulation.game_service import ROBOSKATE_FAULTS
from roboskate_bridge.transport import TransportKind

CONNECTED, FAULT, CONNECTING = LinkState.CONNECTED, LinkState.FAULT, LinkState.CONNECTING
KINDS = list(TransportKind)
DEADLINES = Timeouts(initialize=5.0, camera=3.0, call=2.0)
"""Longer than a busy machine stands still: a connection lost to that would release the keys."""
STALL = 3.0
"""Seconds of a stall that outlasts those of a call."""


class Listener:
    """Records what the link says."""

    def __init__(self):
        self.steps = Recorder("steps")
        self.statuses = Recorder("statuses")
        self.levels = Recorder("levels")
        self.pictures = Recorder("pictures")
        self.times = Recorder("times")
        self.following = threading.Event()
        self.following.set()
        self.timing = threading.Event()
        self.timing.set()
        self.looking = threading.Event()
        self.refuse = None

    def level_loaded(self, level, size):
        self.levels.add((level, size))

    def step_done(self, step):
        self.steps.add(step)

    def state_wanted(self):
        return self.following.is_set()

    def time_wanted(self):
        return any(event.is_set() for event in (self.following, self.timing, self.looking))

    def time_passed(self, stamp):
        self.times.add(stamp)

    def picture_wanted(self):
        return self.looking.is_set()

    def picture(self, picture, stamp):
        if self.refuse is not None:
            raise self.refuse
        self.pictures.add((stamp, picture))


@pytest.fixture
def make_link():
    links = []

    def make(game, kind=TransportKind.GRPC, **settings):
        listener = Listener()
        settings.setdefault("timeouts", DEADLINES)
        settings.setdefault("dialect", game._config.dialect if game else Dialect())
        if "port" not in settings:
            settings["port"] = game.port if kind is TransportKind.GRPC else game.http_port
        link = GameLink(LinkSettings(kind=kind, **settings), listener, listener.statuses.add)
        links.append(link)
        link.start()
        return link, listener

    yield make
    for link in links:
        link.close()


def connected(listener, count=1):
    return listener.statuses.wait_for(lambda s: s.state is CONNECTED and s.connections >= count)


def ask(call, timeout=10.0):
    """Call something of the link that answers later; return the answer, raise an exception."""
    answers = Recorder("answer")
    call(answers.add)
    answer = answers.wait_for(timeout=timeout)
    if isinstance(answer, Exception):
        raise answer
    return answer


def run(link, seconds, keys=None):
    return ask(lambda done: link.run_game(seconds, keys, done))


# --- running ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("profile", list(Profile))
def test_a_game_runs_in_real_time(make_game, make_link, kind, profile):
    game = make_game(profile)
    _, listener = make_link(game, kind, level=1, wished_size=ImageSize(64, 36))
    connected(listener)
    steps = listener.steps.wait_for_count(60)
    assert listener.levels.items == [(1, ImageSize(64, 36))]
    # Stamps follow each other by exactly the period, from the level's beginning on.
    assert [s.stamp for s in steps] == [1 + i * 20_000_000 for i in range(len(steps))]
    begun = time.monotonic()
    first = len(listener.steps.items)
    listener.steps.wait_for_count(first + 50)
    assert time.monotonic() - begun == pytest.approx(1.0, abs=0.2)


def test_the_state_is_asked_for_seldom_while_nobody_looks(make_game, make_link):
    _, listener = make_link(make_game())
    connected(listener)
    listener.following.clear()
    listener.steps.clear()
    listener.times.clear()
    stamps = [step.stamp for step in listener.steps.wait_for_count(4)]
    gaps = [b - a for a, b in pairwise(stamps[1:])]
    assert all(180_000_000 <= gap <= 220_000_000 for gap in gaps), gaps
    # No moment is left out: each is told with a state or alone.
    told = sorted({*stamps, *listener.times.items})
    assert {b - a for a, b in pairwise(told)} == {20_000_000}
    listener.following.set()
    last = listener.times.items[-1]
    listener.steps.wait_for(lambda step: step.stamp > last + 20_000_000)
    assert listener.times.items[-1] <= last + 40_000_000


def test_steps_are_made_at_once_while_nobody_looks_and_no_key_is_held(make_game, make_link):
    game = make_game()
    link, listener = make_link(game, command_timeout=0.0)
    connected(listener)
    listener.timing.clear()
    listener.following.clear()
    listener.steps.wait_for_count(len(listener.steps.items) + 2)
    calls = Recorder("calls")
    game.service._on_call = calls.add
    begun = len(listener.steps.items)
    listener.steps.wait_for_count(begun + 5)
    assert len(calls.items) <= 2 * 6  # a run_game and a get_info each
    stamps = [step.stamp for step in listener.steps.items[begun:]]
    assert {b - a for a, b in pairwise(stamps)} == {200_000_000}
    # A key is held within a step, and from then on only.
    link.hold(Keys(0.5, 0.0, 0.0))
    calls.wait_for(lambda name: name == "set_info")
    listener.steps.wait_for(lambda step: step.board.joint_velocities[0] > 0.01)
    timed = [*listener.times.items, *(step.stamp for step in listener.steps.items)]
    after = sorted(stamp for stamp in timed if stamp > stamps[-1])
    assert after[0] - stamps[-1] <= 200_000_000
    assert {b - a for a, b in pairwise(after)} == {20_000_000}


def test_keys_reach_the_game_and_are_released_by_the_watchdog(make_game, make_link):
    game = make_game()
    link, listener = make_link(game, command_timeout=0.3)
    connected(listener)
    link.hold(Keys(0.5, 0.0, 0.0))
    held = Recorder("keys in the game")
    deadline = time.monotonic() + 5.0
    while time.monotonic() < deadline and link.key_timeouts == 0:
        held.add(game.world.keys)
        listener.steps.wait_for_count(len(listener.steps.items) + 1)
    assert Keys(0.5, 0.0, 0.0) in held.items
    assert link.key_timeouts == 1
    listener.steps.wait_for_count(len(listener.steps.items) + 2)
    assert game.world.keys == NO_KEYS


def test_the_keys_are_released_at_the_end(make_game, make_link):
    game = make_game()
    link, listener = make_link(game, command_timeout=0.0)
    connected(listener)
    link.hold(Keys(1.0, 0.0, 0.0))
    listener.steps.wait_for(lambda s: s.board.joint_angles[0] > 0.1)
    assert game.world.keys == Keys(1.0, 0.0, 0.0)
    link.close()
    assert game.world.keys == NO_KEYS
    assert link.status.state is LinkState.DISCONNECTED


# --- stepping -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_stepped_time_moves_on_request_only(make_game, make_link, kind):
    game = make_game()
    link, listener = make_link(game, kind, mode=Mode.STEPPED)
    connected(listener)
    begin = listener.steps.wait_for()
    for i in range(1, 101):
        step = run(link, 0.05)
        assert step.stamp == begin.stamp + i * 50_000_000
        # The state of that very step is published before the answer.
        assert listener.steps.last is step
    assert step.total_simulated_time == pytest.approx(5.0)
    assert len(listener.steps.items) == 101


def test_the_same_commands_give_the_same_states(make_game, make_link):
    runs = []
    for _ in range(2):
        game = make_game()
        link, listener = make_link(game, mode=Mode.STEPPED)
        connected(listener)
        step = listener.steps.wait_for()
        skater = Skater(Course(0))
        for _ in range(120):
            board = board_in_ros(step.board, game._config.dialect)
            step = run(link, 0.05, skater.keys(board))
        runs.append(listener.steps.items)
    assert runs[0] == runs[1]
    assert runs[0][-1].board.position[0] > 5.0  # metres: something has happened


def test_stepped_keys_age_in_simulated_time(make_game, make_link):
    game = make_game()
    link, listener = make_link(game, mode=Mode.STEPPED, command_timeout=0.1)
    connected(listener)
    held = []
    run(link, 0.05, Keys(1.0, 0.0, 0.0))
    held.append(game.world.keys)
    for _ in range(2):
        run(link, 0.05)
        held.append(game.world.keys)
    assert held == [Keys(1.0, 0.0, 0.0), Keys(1.0, 0.0, 0.0), NO_KEYS]


def test_what_is_not_possible_is_said(make_game, make_link):
    game = make_game()
    link, listener = make_link(game)
    connected(listener)
    with pytest.raises(CommandError, match="mode free_run"):
        run(link, 0.1)
    with pytest.raises(CallFailedError, match="initialize failed"):
        ask(lambda done: link.initialize(7, done))
    ask(link.shut_down)
    with pytest.raises(CommandError, match="no level to begin anew"):
        ask(lambda done: link.reset(done, rewind=False))
    link.configure(Mode.STEPPED, 25.0, 0.5)
    with pytest.raises(CommandError, match="no level is loaded"):
        run(link, 0.1)
    assert ask(lambda done: link.initialize(2, done)) == ImageSize(64, 36)
    with pytest.raises(Exception, match="0 to 3600"):
        run(link, -1.0)


def test_a_bad_time_does_not_end_the_connection(make_game, make_link):
    link, listener = make_link(make_game(), mode=Mode.STEPPED)
    connected(listener)
    for bad in (-1.0, float("nan"), 1e9):
        with pytest.raises(CommandError, match="0 to 3600"):
            run(link, bad)
    with pytest.raises(CommandError, match="key fractions"):
        run(link, 0.1, Keys(float("nan"), 0.0, 0.0))
    run(link, 0.05)
    assert link.status.connections == 1


def test_the_mode_can_be_changed(make_game, make_link):
    link, listener = make_link(make_game())
    listener.steps.wait_for_count(10)
    link.configure(Mode.STEPPED, 25.0, 0.5)
    last = run(link, 0.05)
    assert listener.steps.last is last
    link.configure(Mode.FREE_RUN, 25.0, 0.5)
    listener.steps.wait_for(lambda s: s.stamp > last.stamp + 100_000_000)


# --- levels -------------------------------------------------------------------------------------


def test_a_reset_keeps_the_clock_going_or_rewinds_it(make_game, make_link):
    link, listener = make_link(make_game(), mode=Mode.STEPPED)
    connected(listener)
    run(link, 1.0, Keys(1.0, 0.0, 0.0))
    before = listener.steps.last
    ask(lambda done: link.reset(done, rewind=False))
    after = listener.steps.last
    assert after.stamp == before.stamp + 1
    assert after.board.joint_angles == (0.0, 0.0, 0.0)
    assert run(link, 0.05).stamp == before.stamp + 50_000_001
    ask(lambda done: link.reset(done, rewind=True))
    assert listener.steps.last.stamp == 0
    assert run(link, 0.05).stamp == 50_000_000


def test_a_reset_releases_the_keys(make_game, make_link):
    game = make_game()
    link, listener = make_link(game, mode=Mode.STEPPED, command_timeout=0.0)
    connected(listener)
    run(link, 0.1, Keys(1.0, 0.0, 0.0))
    ask(lambda done: link.reset(done, rewind=False))
    run(link, 0.1)
    assert game.world.keys == NO_KEYS


def test_nothing_is_loaded_by_itself_if_that_is_wanted(make_game, make_link):
    game = make_game()
    link, listener = make_link(game, level=None)
    connected(listener)
    assert game.world.level is None
    assert listener.steps.items == []
    ask(lambda done: link.initialize(1, done))
    listener.steps.wait_for_count(5)
    ask(link.shut_down)
    count = len(listener.steps.items)
    assert game.world.level is None
    with pytest.raises(CallFailedError):
        ask(link.shut_down)
    assert len(listener.steps.items) == count


def test_there_is_nobody_to_ask(make_link, free_port):
    link, listener = make_link(None, port=free_port)
    listener.statuses.wait_for(lambda s: "cannot be reached" in s.detail)
    for call in (link.shut_down, lambda done: run(link, 0.1)):
        with pytest.raises(NotConnectedError, match="not connected"):
            call(lambda result: None)
    link.hold(Keys(1.0, 0.0, 0.0))  # passed over: what is wanted now is not wanted later


# --- camera -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_images_come_while_somebody_looks(make_game, make_link, kind):
    game = make_game()
    calls = Recorder("calls")
    game.service._on_call = calls.add
    _, listener = make_link(game, kind, camera_rate=50.0)
    listener.steps.wait_for_count(20)
    assert "get_camera" not in calls.items
    listener.looking.set()
    pictures = listener.pictures.wait_for_count(10)
    stamps = {s.stamp for s in listener.steps.items}
    assert all(stamp in stamps for stamp, _ in pictures)
    listener.looking.clear()
    listener.steps.wait_for_count(len(listener.steps.items) + 10)
    calls.clear()
    listener.steps.wait_for_count(len(listener.steps.items) + 20)
    assert "get_camera" not in calls.items


def test_images_are_of_the_rate_that_is_set(make_game, make_link):
    _, listener = make_link(make_game(), camera_rate=10.0)
    listener.looking.set()
    listener.pictures.wait_for_count(3)
    begin = len(listener.pictures.items)
    begun = time.monotonic()
    listener.pictures.wait_for_count(begin + 20)
    assert time.monotonic() - begun == pytest.approx(2.0, abs=0.3)


def test_each_step_has_its_image_in_stepped_mode(make_game, make_link):
    link, listener = make_link(make_game(), mode=Mode.STEPPED, camera_rate=0.1)
    connected(listener)
    listener.looking.set()
    steps = [run(link, 0.05, Keys(0.0, 1.0, 0.0)) for _ in range(20)]
    listener.pictures.wait_for(lambda item: item[0] == steps[-1].stamp)
    # The beginning of the level may have had one too.
    pictures = {s: p for s, p in listener.pictures.items if s >= steps[0].stamp}
    assert list(pictures) == [step.stamp for step in steps]
    # And it shows that step: all differ, as the crane moves.
    assert len({bytes(p.data) for p in pictures.values()}) >= 19


def test_images_go_on_after_a_level_that_is_not_there(make_game, make_link):
    link, listener = make_link(make_game())
    listener.looking.set()
    listener.pictures.wait_for_count(2)
    with pytest.raises(CallFailedError):
        ask(lambda done: link.initialize(7, done))
    listener.pictures.wait_for_count(len(listener.pictures.items) + 3)
    assert {s.state for s in listener.statuses.items} == {CONNECTING, CONNECTED}


def test_images_come_again_with_the_connection_and_without_a_fault_of_their_own(
    make_game, make_link
):
    game = make_game(faults=("cut",), fault_after=3600.0)
    _, listener = make_link(game, camera_rate=2.0)
    listener.looking.set()
    connected(listener)
    listener.pictures.wait_for_count(1)
    game.inject("cut")
    connected(listener, 2)
    at = len(listener.statuses.items)
    listener.pictures.wait_for_count(len(listener.pictures.items) + 2)
    assert [s.detail for s in listener.statuses.items[at:]] == []


def test_a_slow_camera_does_not_hold_up_the_state(make_game, make_link):
    game = make_game()
    draw = game.service._view.draw

    def slowly(scene):
        time.sleep(0.3)  # this is the slowness
        return draw(scene)

    game.service._view.draw = slowly
    _, listener = make_link(game, camera_rate=50.0)
    listener.looking.set()
    listener.pictures.wait_for_count(1)
    first, begun = len(listener.steps.items), time.monotonic()
    listener.pictures.wait_for_count(4)
    rate = (len(listener.steps.items) - first) / (time.monotonic() - begun)
    assert rate == pytest.approx(50.0, rel=0.15)


# --- faults -------------------------------------------------------------------------------------


@pytest.fixture
def watch():
    with Stopwatch() as watch:
        yield watch


DETAILS = {
    "cut": "cannot be reached|how long it is|cut short",
    "stall": "did not answer within",
    "flood": "too big|100000 floats instead of 9",
    "garbage": "is no |no JSON",
    "restart": "cannot be reached",
    "wrong_length": "boardRotation has 7 floats instead of 9",
    "refuse": "failed: the game answered success",
    "bad_image": "camera: get_camera: 3456 bytes are no RGB image of 64 x 36",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", list(ROBOSKATE_FAULTS))
def test_every_fault_is_detected_reported_and_recovered_from(
    make_game, make_link, watch, kind, fault
):
    seconds = STALL if fault == "stall" else 1.0
    game = make_game(faults=(fault,), fault_after=3600.0, fault_seconds=seconds)
    link, listener = make_link(game, kind, command_timeout=0.0)
    listener.looking.set()
    connected(listener)
    listener.pictures.wait_for_count(2)
    link.hold(Keys(0.1, 0.0, 0.0))
    listener.steps.wait_for(lambda s: s.board.joint_velocities[0] > 0.05)
    before = listener.steps.last
    well_again = Recorder("the game is well again")
    recover, come_back = game._recover, game._come_back
    game._recover = lambda: (recover(), well_again.add(watch.seconds))
    game._come_back = lambda: (come_back(), well_again.add(watch.seconds))
    game.inject(fault)
    bad = listener.statuses.wait_for(
        lambda s: (
            s.state is not CONNECTED
            and s.connections >= 1
            # The camera's own connection may tell of it first.
            and (fault == "bad_image" or not s.detail.startswith("camera"))
        )
    )
    assert re.search(DETAILS[fault], bad.detail), bad
    if fault not in ("cut", "restart"):
        assert bad.state is FAULT
    if fault == "cut":
        back = watch.seconds
    else:
        back = well_again.wait_for()
    count = len(listener.pictures.items)
    at = len(listener.statuses.items)
    if listener.statuses.last.state is not CONNECTED:
        listener.statuses.wait_for_count(at + 1)
        listener.statuses.wait_for(lambda s: s.state is CONNECTED and s is listener.statuses.last)
    took = watch.seconds - back
    assert took < 1.0
    newest = listener.steps.last.stamp
    listener.steps.wait_for(lambda s: s.stamp > newest)
    listener.pictures.wait_for_count(count + 2)
    if fault == "bad_image":
        # The state has gone on all the time, on the same connection.
        assert link.status.connections == 1
    else:
        assert game.world.keys == NO_KEYS
    stamps = [s.stamp for s in listener.steps.items]
    assert all(a < b for a, b in pairwise(stamps))
    if fault == "restart":
        assert game.world.level == 0
        assert len(listener.levels.items) == 2
    elif fault in ("cut", "stall", "garbage", "flood", "wrong_length"):
        assert len(listener.levels.items) == 1  # the level went on
        assert listener.steps.last.stamp > before.stamp


def test_what_waits_is_answered_when_the_connection_breaks(make_game, make_link):
    game = make_game(fault_seconds=STALL)
    link, listener = make_link(game, mode=Mode.STEPPED)
    connected(listener)
    game.inject("stall")
    answers = Recorder("answers")
    for _ in range(3):
        link.run_game(0.05, None, answers.add)
    for answer in answers.wait_for_count(3):
        assert isinstance(answer, Exception)
        assert not isinstance(answer, Step)
    connected(listener, 2)
    assert isinstance(run(link, 0.05), Step)


def test_a_game_that_stands_still_is_still_watched(make_game, make_link):
    game = make_game(fault_seconds=0.5)
    _, listener = make_link(game, mode=Mode.STEPPED)
    connected(listener)
    game.inject("restart")
    listener.statuses.wait_for(lambda s: s.state is CONNECTING and s.connections == 1)
    connected(listener, 2)
    assert game.world.level == 0


def test_every_connection_may_begin_the_level_anew(make_game, make_link):
    game = make_game(faults=("cut",), fault_after=3600.0)
    _, listener = make_link(game, on_reconnect=OnReconnect.INITIALIZE)
    connected(listener)
    listener.steps.wait_for_count(5)
    game.inject("cut")
    connected(listener, 2)
    assert len(listener.levels.items) == 2


def test_a_level_that_was_closed_stays_closed(make_game, make_link):
    game = make_game(fault_seconds=1.5)
    link, listener = make_link(game)
    connected(listener)
    ask(link.shut_down)
    game.inject("restart")
    connected(listener, 2)
    assert game.world.level is None


def test_a_link_is_closed_though_the_game_does_not_answer(make_game, make_link):
    game = make_game(fault_seconds=60.0)
    game.inject("stall")
    calls = Recorder("calls")
    game.service._on_call = calls.add
    link, _ = make_link(game, timeouts=Timeouts(initialize=60.0))
    calls.wait_for(lambda name: name == "initialize")
    begun = time.monotonic()
    link.close()
    assert time.monotonic() - begun < 10.0


def test_settings_are_plain_values():
    assert dataclasses.replace(LinkSettings(), level=None).level is None
