# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link against the simulated game, over both wires: images for who looks."""

from __future__ import annotations

import time

import pytest

from legacy_robots_core.link.base import LinkState
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from roboskate_bridge.bridge.camera_feed import MOST_BEHIND
from roboskate_bridge.bridge.link_settings import Mode
from roboskate_game.client.transport import TransportKind
from roboskate_game.protocol.messages import CallFailedError, Keys

CONNECTED, CONNECTING = LinkState.CONNECTED, LinkState.CONNECTING


@pytest.mark.parametrize("kind", list(TransportKind))
def test_images_come_while_somebody_looks(make_game, make_link, kind):
    game = make_game()
    calls = Recorder("calls")
    game.service._on_call = calls.add
    _, observer = make_link(game, kind, camera_rate=50.0)
    observer.steps.wait_for_count(20)
    assert "get_camera" not in calls.items
    observer.looking.set()
    pictures = observer.pictures.wait_for_count(10)
    stamps = {s.stamp for s in observer.steps.items}
    assert all(stamp in stamps for stamp, _ in pictures)
    observer.looking.clear()
    observer.steps.wait_for_count(len(observer.steps.items) + 10)
    calls.clear()
    observer.steps.wait_for_count(len(observer.steps.items) + 20)
    assert "get_camera" not in calls.items


def test_images_are_of_the_rate_that_is_set(make_game, make_link, watch):
    _, observer = make_link(make_game(), camera_rate=10.0)
    observer.looking.set()
    observer.pictures.wait_for_count(3)
    begin = len(observer.pictures.items)
    watch.restart()
    observer.pictures.wait_for_count(begin + 20)
    took, granted = watch.wall, watch.seconds
    # What it was late by at the beginning may be caught up with.
    assert took > 2.0 - MOST_BEHIND - 0.1
    assert granted < 2.3


def test_each_step_has_its_image_in_stepped_mode(make_game, make_link, run):
    link, observer = make_link(make_game(), mode=Mode.STEPPED, camera_rate=0.1)
    observer.wait_for_link()
    observer.looking.set()
    steps = [run(link, 0.05, Keys(0.0, 1.0, 0.0)) for _ in range(20)]
    observer.pictures.wait_for(lambda item: item[0] == steps[-1].stamp)
    # The beginning of the level may have had one too.
    pictures = {s: p for s, p in observer.pictures.items if s >= steps[0].stamp}
    assert list(pictures) == [step.stamp for step in steps]
    # And it shows that step: all differ, as the crane moves.
    assert len({bytes(p.data) for p in pictures.values()}) >= 19


def test_images_go_on_after_a_level_that_is_not_there(make_game, make_link):
    link, observer = make_link(make_game())
    observer.looking.set()
    observer.pictures.wait_for_count(2)
    with pytest.raises(CallFailedError):
        link.initialize(7).result(TIMEOUT)
    observer.pictures.wait_for_count(len(observer.pictures.items) + 3)
    assert {s.state for s in observer.statuses.items} == {CONNECTING, CONNECTED}


def test_images_come_again_with_the_connection_and_without_a_fault_of_their_own(
    make_game, make_link
):
    game = make_game(faults=("cut",), fault_after=3600.0)
    _, observer = make_link(game, camera_rate=2.0)
    observer.looking.set()
    observer.wait_for_link()
    observer.pictures.wait_for_count(1)
    game.inject("cut")
    observer.wait_for_link(2)
    at = len(observer.statuses.items)
    observer.pictures.wait_for_count(len(observer.pictures.items) + 2)
    assert [s.detail for s in observer.statuses.items[at:]] == []


def test_a_slow_camera_does_not_hold_up_the_state(make_game, make_link, watch):
    game = make_game()
    draw = game.service._view.draw

    def slowly(scene):
        time.sleep(0.3)  # this is the slowness
        return draw(scene)

    game.service._view.draw = slowly
    _, observer = make_link(game, camera_rate=50.0)
    observer.looking.set()
    observer.pictures.wait_for_count(1)
    first = len(observer.steps.items)
    watch.restart()
    observer.pictures.wait_for_count(4)
    granted = watch.seconds
    assert (len(observer.steps.items) - first) / granted > 0.85 * 50.0
