# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The demonstration for a minute: memory stays bounded, links stay up, goals are done."""

import os
import subprocess
from pathlib import Path

import pytest

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, NaoState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_view.node import View

pytestmark = pytest.mark.demonstration

MINUTES = float(os.environ.get("LEGACY_ROBOTS_SOAK_MINUTES", "1"))


@pytest.mark.slow
@pytest.mark.timeout(300 + 60 * MINUTES)
def test_the_demonstration_runs_on_in_bounded_memory():
    command = [Path(__file__).parents[1] / "tools" / "soak", "--minutes", str(MINUTES)]
    command += ["--luar-profile", "webots"]  # other tests need the machine's joints meanwhile
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_panel_that_stands_still_and_a_page_that_goes_away_are_noticed():
    from measure.web_clients import PageClient

    with RosPeer("robot") as peer, RunningNode(View, {"port": 0, "rate": 20.0}) as view:
        page = PageClient(view.url)
        link = peer.node.create_publisher(LinkState, "nao/link_state", qos.LATCHED)
        state = peer.node.create_publisher(NaoState, "nao/state", qos.LATCHED)
        link.publish(LinkState(state=LinkState.CONNECTED))
        state.publish(NaoState(state=NaoState.WALKING, valid=True))
        until(lambda: page.changes(["nao"], 1)["nao"][0], "nothing is drawn")
        assert page.changes(["nao", "aibo"], 1)["aibo"] == [0]
        assert not page.fault
    until(lambda: page.fault, "the end of the page is not noticed")
    page.close()
