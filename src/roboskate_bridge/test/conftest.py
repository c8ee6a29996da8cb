# SPDX-License-Identifier: Apache-2.0
"""A simulated game in this process, and our ends of its wires."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack, contextmanager

import pytest

from legacy_robots_common.link import LinkState
from legacy_robots_common.testing.recorder import Recorder
from legacy_robots_common.testing.stopwatch import Stopwatch
from roboskate_bridge.client import GameClient, Timeouts, open_transport
from roboskate_bridge.link import GameLink
from roboskate_bridge.link_settings import LinkSettings
from roboskate_bridge.protocol import Dialect, ImageSize, MatrixOrder, Profile
from roboskate_bridge.simulator import Simulator, SimulatorConfig
from roboskate_bridge.transport import TransportKind

DEADLINES = Timeouts(initialize=5.0, camera=3.0, call=2.0)
"""Longer than a busy machine stands still: a connection lost to that would release the keys."""


@pytest.fixture
def make_game():
    """Return a function that starts a simulated game on free ports of loopback."""
    with ExitStack() as games:

        def make(
            profile=Profile.SPEC, matrix_order=MatrixOrder.ROW_MAJOR, size=(64, 36), **options
        ):
            config = SimulatorConfig(
                port=options.pop("port", 0),
                http_port=options.pop("http_port", 0),
                dialect=Dialect(Profile(profile), matrix_order),
                size=ImageSize(*size),
                **options,
            )
            game = Simulator(config)
            game.start()
            games.callback(game.close)
            return game

        yield make


@pytest.fixture
def free_port():
    """Return a TCP port of loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.fixture(scope="session")
def our_client():
    """Return a context manager that gives our client of a game."""

    @contextmanager
    def our_client(port, profile, kind=TransportKind.GRPC):
        client = GameClient(open_transport(kind, "127.0.0.1", port), Dialect(profile))
        try:
            yield client
        finally:
            client.close()

    return our_client


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
        self.pictures.add((stamp, picture))

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
    """Return a function that starts a link to a game, and gives it with its listener."""
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


def ask_link(call, timeout=10.0):
    """Call something of the link that answers later; return the answer, raise an exception."""
    answers = Recorder("answer")
    call(answers.add)
    answer = answers.wait_for(timeout=timeout)
    if isinstance(answer, Exception):
        raise answer
    return answer


@pytest.fixture(scope="session")
def ask():
    """Return the function that asks a link: see ask_link."""
    return ask_link


@pytest.fixture(scope="session")
def run():
    """Return a function that has a link step the game, and gives the step."""

    def run(link, seconds, keys=None):
        return ask_link(lambda done: link.run_game(seconds, keys, done))

    return run
