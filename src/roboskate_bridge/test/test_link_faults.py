# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link against the simulated game, over both wires: faults, and what follows them."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest

from legacy_robots_core.link.base import LinkLost, LinkState
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from roboskate_bridge.bridge.events import PictureReceived, Step
from roboskate_bridge.bridge.link_settings import Mode, OnReconnect
from roboskate_game.client.client import GameClient
from roboskate_game.client.transport import Timeouts, TransportError, TransportKind
from roboskate_game.protocol.messages import NO_KEYS, Keys
from roboskate_game.simulator.game_service import ROBOSKATE_FAULTS

CONNECTED, FAULT, CONNECTING = LinkState.CONNECTED, LinkState.FAULT, LinkState.CONNECTING
STALL = 3.0
"""Seconds of a stall that outlasts those of a call."""


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


@pytest.mark.parametrize("kind", list(TransportKind))
@pytest.mark.parametrize("fault", list(ROBOSKATE_FAULTS))
def test_every_fault_is_detected_reported_and_recovered_from(
    make_game, make_link, watch, kind, fault
):
    seconds = STALL if fault == "stall" else 1.0
    game = make_game(faults=(fault,), fault_after=3600.0, fault_seconds=seconds)
    link, observer = make_link(game, kind, command_timeout=0.0)
    observer.looking.set()
    observer.wait_for_link()
    observer.pictures.wait_for_count(2)
    link.hold(Keys(0.1, 0.0, 0.0))
    observer.steps.wait_for(lambda s: s.board.joint_velocities[0] > 0.05)
    before = observer.steps.last
    well_again = Recorder("the game is well again")
    recover, come_back = game._recover, game._come_back
    game._recover = lambda: (recover(), well_again.add(watch.seconds))
    game._come_back = lambda: (come_back(), well_again.add(watch.seconds))
    game.inject(fault)
    bad = observer.statuses.wait_for(
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
    count = len(observer.pictures.items)
    at = len(observer.statuses.items)
    if observer.statuses.last.state is not CONNECTED:
        observer.statuses.wait_for_count(at + 1)
        observer.statuses.wait_for(lambda s: s.state is CONNECTED and s is observer.statuses.last)
    took = watch.seconds - back
    assert took < 1.0
    newest = observer.steps.last.stamp
    observer.steps.wait_for(lambda s: s.stamp > newest)
    observer.pictures.wait_for_count(count + 2)
    if fault == "bad_image":
        # The state has gone on all the time, on the same connection.
        assert link.status.connections == 1
    else:
        assert game.world.keys == NO_KEYS
    stamps = [s.stamp for s in observer.steps.items]
    assert all(a < b for a, b in pairwise(stamps))
    if fault == "restart":
        assert game.world.level == 0
        assert len(observer.levels.items) == 2
    elif fault in ("cut", "stall", "garbage", "flood", "wrong_length"):
        assert len(observer.levels.items) == 1  # the level went on
        assert observer.steps.last.stamp > before.stamp


def test_what_waits_is_answered_when_the_connection_breaks(make_game, make_link, run):
    game = make_game(fault_seconds=STALL)
    link, observer = make_link(game, mode=Mode.STEPPED)
    observer.wait_for_link()
    game.inject("stall")
    for future in [link.run_game(0.05, None) for _ in range(3)]:
        assert isinstance(future.exception(TIMEOUT), (TransportError, LinkLost))
    observer.wait_for_link(2)
    assert isinstance(run(link, 0.05), Step)


def test_a_game_that_stands_still_is_still_watched(make_game, make_link):
    game = make_game(fault_seconds=0.5)
    _, observer = make_link(game, mode=Mode.STEPPED)
    observer.wait_for_link()
    game.inject("restart")
    observer.statuses.wait_for(lambda s: s.state is CONNECTING and s.connections == 1)
    observer.wait_for_link(2)
    assert game.world.level == 0


def test_every_connection_may_begin_the_level_anew(make_game, make_link):
    game = make_game(faults=("cut",), fault_after=3600.0)
    _, observer = make_link(game, on_reconnect=OnReconnect.INITIALIZE)
    observer.wait_for_link()
    observer.steps.wait_for_count(5)
    game.inject("cut")
    observer.wait_for_link(2)
    assert len(observer.levels.items) == 2


def test_a_level_that_was_closed_stays_closed(make_game, make_link):
    game = make_game(fault_seconds=1.5)
    link, observer = make_link(game)
    observer.wait_for_link()
    link.shut_down().result(TIMEOUT)
    game.inject("restart")
    observer.wait_for_link(2)
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


@pytest.mark.parametrize("kind", list(TransportKind))
def test_an_unforeseen_exception_is_a_fault_and_the_link_comes_back(
    make_game, make_link, monkeypatch, kind
):
    link, observer = make_link(make_game(), kind, mode=Mode.STEPPED)
    observer.wait_for_link()

    def fail(client, seconds):
        patch.undo()
        raise KeyError("thrown by the test")

    with monkeypatch.context() as patch:
        patch.setattr(GameClient, "run_game", fail)
        future = link.run_game(0.05, None)
        assert isinstance(future.exception(TIMEOUT), KeyError)
        fault = observer.statuses.wait_for(lambda s: s.state is FAULT)
    assert fault.detail == "unexpected KeyError: 'thrown by the test'"
    assert "Traceback" in observer.problems.wait_for(lambda p: p[0] == "exceptions")[1]
    observer.wait_for_link(2)
    assert isinstance(link.run_game(0.05, None).result(TIMEOUT), Step)


@pytest.mark.parametrize("where", ["get_camera", "on_event", "_connect"])
def test_an_unforeseen_exception_of_the_camera_is_a_fault_and_it_goes_on(
    make_game, make_link, monkeypatch, where
):
    link, observer = make_link(make_game(), mode=Mode.STEPPED)
    observer.wait_for_link()
    on_event = observer.on_event

    def fail(*arguments):
        if where == "on_event" and not isinstance(arguments[0], PictureReceived):
            return on_event(*arguments)
        patch.undo()
        raise KeyError("thrown by the test")

    with monkeypatch.context() as patch:
        owner = {"get_camera": GameClient, "on_event": observer, "_connect": link._camera}[where]
        patch.setattr(owner, where, fail)
        observer.looking.set()
        link.run_game(0.05, None).result(TIMEOUT)
        fault = observer.statuses.wait_for(lambda s: s.state is FAULT)
    assert fault.detail == "camera: unexpected KeyError: 'thrown by the test'"
    assert "Traceback" in observer.problems.wait_for(lambda p: p[0] == "exceptions")[1]
    while not observer.pictures.items:
        link.run_game(0.05, None).result(TIMEOUT)
    observer.statuses.wait_for(lambda s: s.detail == "connected, and images come again")
    assert link.status.connections == 1
