# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of the server: found by entry points, told what happens, missing ones named."""

import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points

import pytest
from std_srvs.srv import Trigger

from bw4t_bridge.bridge.server_parts import PARTS, WORLDS
from bw4t_runner.events import RunnerEvent
from legacy_robots_common.node import parts
from legacy_robots_common.node.parts import NodePart, load_part
from legacy_robots_common.node.program_node import StartupError

pytestmark = pytest.mark.node


class Recorder(NodePart):
    """A part as a foreign package would write it."""

    def __init__(self, context):
        self.context = context
        self.events = []
        self.calls_at_close = []

    def on_event(self, event):
        self.events.append(event)

    def diagnostics(self):
        return {"recorder": self.context.settings.map}

    def close(self):
        names = self.context.runner.call(lambda world: world.names)
        self.calls_at_close.append(names)


@pytest.fixture
def install(monkeypatch):
    """Return a function that declares entry points in place of the installed ones."""

    def install(*entries):
        def found(group):
            return [entry for entry in entries if entry.group == group]

        monkeypatch.setattr(parts, "_declared", found)

    return install


def test_the_package_declares_its_parts_and_each_can_be_loaded():
    assert {entry.name for entry in entry_points(group=PARTS)} == {
        "simulation", "page", "java_agents", "experiment"
    }  # fmt: skip
    assert {entry.name for entry in entry_points(group=WORLDS)} == {"original", "experiment"}
    for group in (PARTS, WORLDS):
        for entry in entry_points(group=group):
            assert callable(load_part(group, entry.name))


def test_what_is_not_installed_is_named(install):
    install(EntryPoint("page", "no_such_package.page:Page", PARTS))
    with pytest.raises(StartupError, match=r"page: .*no_such_package"):
        load_part(PARTS, "page")
    with pytest.raises(StartupError, match="java_agents: no installed package"):
        load_part(PARTS, "java_agents")


def test_a_part_gets_events_reports_and_is_closed_while_the_world_still_runs(serve, monkeypatch):
    monkeypatch.setattr("bw4t_bridge.bridge.node.load_part", lambda group, name: Recorder)
    server, peer = serve(robots=1, web=True)
    assert set(server.parts) == {"simulation", "page"}
    part = server.parts["page"]
    assert server.diagnostics()["recorder"] == "nine_rooms"
    assert peer.call(Trigger, "pause", Trigger.Request()).success
    assert RunnerEvent.CLOCK in part.events
    server.close()
    assert part.calls_at_close == [("Bot_1",)]


def test_the_server_knows_its_parts_by_name_only():
    program = (
        "import sys, bw4t_bridge.bridge.node\n"
        "rooms = ('web', 'eis', 'java', 'original', 'parts')\n"
        "print(*[m for m in sys.modules if m.split('.')[:1] == ['bw4t_bridge']"
        " and m.split('.')[1:2] and m.split('.')[1] in rooms])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []
