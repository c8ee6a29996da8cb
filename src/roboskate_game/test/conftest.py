# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated game in this process, and our client of it."""

import pytest

from legacy_robots_testing.machine import free_port
from roboskate_game.simulator.testing import connected_client, running_games


@pytest.fixture
def make_game():
    """Return a function that starts a simulated game on free ports of loopback."""
    with running_games() as make:
        yield make


@pytest.fixture(scope="session")
def our_client():
    """Return a context manager that gives our client of a game."""
    return connected_client


@pytest.fixture(name="free_port")
def free_port_fixture():
    """Return a TCP port of loopback without a listener."""
    return free_port()
