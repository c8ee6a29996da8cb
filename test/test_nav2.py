# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Nav2's own client, and ros2 action send_goal, with the shipped launch files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from legacy_robots_testing.machine import free_port, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT

NAV2 = os.environ.get("LEGACY_ROBOTS_NAV2", "")
"""Where the Python package nav2_simple_commander is, see docs/integrate.md."""
ROBOTS = {
    "bw4t": ("/bw4t/Bot_1", "map", "15.0,-45.0", "5.0,-5.0"),
    "nao": ("/nao", "map", "0.5,0.0", "2.0,0.0"),
    "aibo": ("/aibo", "odom", "0.2,0.1", "0.6,-0.2"),
}
"""Namespace, frame, and two places, the second the farther."""


@pytest.fixture(params=ROBOTS)
def robot(request):
    """Launch a system as a user would; give its line of ROBOTS."""
    arguments = {
        "bw4t": ("robots:=1", "team:=none", "speed:=10.0"),
        "nao": (f"port:={free_port()}",),
        "aibo": (f"port:={free_port()}",),
    }[request.param]
    with Process(launch_command(f"{request.param}.launch.py", *arguments)) as launch:
        launch.wait_for_line("link connected")
        yield ROBOTS[request.param]


def test_goals_from_the_command_line(robot, ros2):
    namespace, frame, near, _ = robot

    def send(place):
        x, y = place.split(",")
        goal = (
            f"{{pose: {{header: {{frame_id: {frame}}}, pose: {{position: {{x: {x}, y: {y}}}}}}}}}"
        )
        name, kind = f"{namespace}/navigate_to_pose", "nav2_msgs/action/NavigateToPose"
        with Process(ros2("action", "send_goal", "-f", name, kind, goal)) as client:
            client.wait(2 * TIMEOUT)
            return "\n".join(client.lines.items)

    output = send(near)
    assert "Goal finished with status: SUCCEEDED" in output, output
    assert "distance_remaining" in output
    output = send("-500.0,900.0")
    assert "Goal finished with status: ABORTED" in output, output
    assert "error_code: 204" in output


@pytest.mark.skipif(not NAV2, reason="needs LEGACY_ROBOTS_NAV2, see docs/integrate.md")
def test_the_basic_navigator_of_nav2(robot):
    env = {**os.environ, "PYTHONPATH": f"{NAV2}:{os.environ['PYTHONPATH']}"}
    client = Path(__file__).with_name("nav2_client.py")
    ended = subprocess.run(
        [sys.executable, client, *robot], env=env, capture_output=True, text=True, timeout=300
    )
    print(ended.stdout)
    assert ended.returncode == 0, ended.stderr
    assert "cancelTask: canceled" in ended.stdout
