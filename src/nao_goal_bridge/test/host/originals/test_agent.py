# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The host with the original's own GOAL side as the agent (docs/how_to/test_with_originals.md)."""

import os
import subprocess
from pathlib import Path

import pytest

from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.machine import free_port

BUILT = os.environ.get("NAO_ORIGINAL", "")

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(
        not BUILT,
        reason="NAO_ORIGINAL names no goal.exe, see docs/how_to/test_with_originals.md",
    ),
]


def test_goal_drives_a_robot_in_ros(hosted):
    port = free_port()
    with (
        subprocess.Popen(
            ["mono", Path(BUILT) / "goal.exe", str(port)], stdin=subprocess.PIPE, text=True
        ) as goal,
        hosted(port=port, profile="naovigate") as scene,
    ):

        def tell(line):
            goal.stdin.write(f"{line}\n")
            goal.stdin.flush()

        scene.link.wait_for(lambda m: m.state == LinkState.CONNECTED)
        tell("0x01 2 5 5 15 5")
        walk = scene.robot.next_goal()
        assert walk.place == ("map", 1.0, 0.0, 0)
        scene.robot.x = 1.0
        walk.end.set_result("succeed")
        tell("0x01 3 15 5 15 15 15 5")
        walk = scene.robot.next_goal()
        assert walk.place == ("map", 1.0, 1.0, 90)
        tell("0x04")
        assert walk.cancelled.wait(40.0)
        walk.end.set_result("canceled")
        tell("0x01 2 15 5 5 5")
        walk = scene.robot.next_goal()
        assert walk.place == ("map", 0.0, 0.0, 180)
        scene.robot.x = 0.0
        walk.end.set_result("succeed")
        tell("0x02")
        tell("0x03")
        tell("0x00")
        scene.running._thread.join(40.0)
        assert scene.node.exit_code == 0
        assert "protocol errors" not in scene.node.counters.snapshot()
        assert scene.node.counters.snapshot()["commands"][0] == 7
        goal.kill()
