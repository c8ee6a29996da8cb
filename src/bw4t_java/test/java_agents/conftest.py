# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Worlds with a server of EIS clients, clients without Java, and agent platforms in Java."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from eis_client import EisClient, WireClient, until

from bw4t_java.eis import EisServer
from bw4t_runner.loaded_map import LoadedMap
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import World
from bw4t_world.maps import load_map
from legacy_robots_testing.recorder import Recorder


class Served:
    """A world with its server and everything that is connected to it."""

    def __init__(self, *, map_name="nine_rooms", make=World, **options):
        self.problems = Recorder("problems")
        self.runner = WorldRunner(make(load_map("nine_rooms"), seed=1, **options))
        self.runner.start()
        self.loaded_map = LoadedMap(self.runner, map_name)
        self.server = EisServer(
            self.runner,
            loaded_map=self.loaded_map,
            on_problem=lambda *problem: self.problems.add(problem),
        )
        self.server.start()
        self.clients = []

    def client(self, eis="0.5"):
        client = WireClient(self.server.port, eis)
        self.clients.append(client)
        return client

    def names(self):
        return self.runner.call(lambda world: world.names)

    def wait_for_names(self, *names):
        until(lambda: self.names() == names)

    def close(self):
        for client in reversed(self.clients):
            client.close()
        self.server.close()
        self.runner.close()


@pytest.fixture
def serve():
    """Make worlds that are served, until the end of the test."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(closing(Served(**options)))


@pytest.fixture
def platform():
    """Start agent platforms in Java, which end with the test."""
    if shutil.which("javac") is None:
        pytest.skip("there is no JDK (package default-jdk-headless)")
    with ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(closing(EisClient(*arguments)))
