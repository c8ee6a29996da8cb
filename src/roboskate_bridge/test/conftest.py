# SPDX-License-Identifier: Apache-2.0
"""A simulated game in this process, and a free-standing table of its wire."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest

from roboskate_bridge.protocol import Dialect, ImageSize, MatrixOrder, Profile
from roboskate_bridge.simulator import Simulator, SimulatorConfig


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
