# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated game in this process, and our ends of its wires."""

from __future__ import annotations

import threading
from importlib.util import find_spec

import pytest

from legacy_robots_core.link.base import LinkObserver, LinkState
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from legacy_robots_testing.stopwatch import Stopwatch
from roboskate_bridge.bridge.events import Demand, LevelLoaded, Step, TimePassed
from roboskate_bridge.bridge.link import GameLink
from roboskate_bridge.bridge.link_settings import LinkSettings
from roboskate_game.client.transport import Timeouts, TransportKind
from roboskate_game.protocol.dialect import Dialect
from roboskate_game.simulator.testing import running_games

if find_spec("rclpy") is None:  # installed by pip, without ROS
    collect_ignore = ["node"]

DEADLINES = Timeouts(initialize=5.0, camera=3.0, call=2.0)
"""Longer than a busy machine stands still: a connection lost to that would release the keys."""


@pytest.fixture
def make_game():
    """Return a function that starts a simulated game on free ports of loopback."""
    with running_games() as make:
        yield make


@pytest.fixture(name="free_port")
def free_port_fixture():
    """Return a TCP port of loopback without a listener."""
    return free_port()


class Observer(LinkObserver):
    """Records what the link reports."""

    def __init__(self):
        self.steps = Recorder("steps")
        self.statuses = Recorder("statuses")
        self.levels = Recorder("levels")
        self.pictures = Recorder("pictures")
        self.times = Recorder("times")
        self.problems = Recorder("problems")
        self.following = threading.Event()
        self.following.set()
        self.timing = threading.Event()
        self.timing.set()
        self.looking = threading.Event()

    def on_status(self, status):
        self.statuses.add(status)

    def on_event(self, event):
        if isinstance(event, Step):
            self.steps.add(event)
        elif isinstance(event, TimePassed):
            self.times.add(event.stamp)
        elif isinstance(event, LevelLoaded):
            self.levels.add((event.level, event.size))
        else:
            self.pictures.add((event.stamp, event.picture))

    def on_problem(self, counter, text):
        self.problems.add((counter, text))

    def demand(self):
        return Demand(
            self.following.is_set(),
            any(event.is_set() for event in (self.following, self.timing, self.looking)),
            self.looking.is_set(),
        )

    def wait_for_link(self, connections=1):
        return self.statuses.wait_for(
            lambda s: s.state is LinkState.CONNECTED and s.connections >= connections
        )


@pytest.fixture
def watch():
    """Return a running stopwatch, for limits that a busy machine cannot break."""
    with Stopwatch() as watch:
        yield watch


@pytest.fixture
def make_link():
    """Return a function that starts a link to a game, and gives it with its observer."""
    links = []

    def make(game, kind=TransportKind.GRPC, **settings):
        observer = Observer()
        settings.setdefault("timeouts", DEADLINES)
        settings.setdefault("dialect", game._config.dialect if game else Dialect())
        if "port" not in settings:
            settings["port"] = game.port if kind is TransportKind.GRPC else game.http_port
        link = GameLink(LinkSettings(kind=kind, **settings), observer)
        links.append(link)
        link.start()
        return link, observer

    yield make
    for link in links:
        link.close()


@pytest.fixture(scope="session")
def run():
    """Return a function that has a link step the game, and gives the step."""

    def run(link, seconds, keys=None):
        return link.run_game(seconds, keys).result(TIMEOUT)

    return run
