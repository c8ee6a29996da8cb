# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One agent written for a Nao, and three robots: a simulated Nao, a wheeled one, a bot of BW4T."""

from contextlib import ExitStack

import pytest

from legacy_robots_testing.machine import launch_command
from legacy_robots_testing.process import Process

ERRAND = ("go_to 114", "pick_up 1", "go_to 146", "put_down")
TOY = ("nao_host.launch.py", "toy:=true")


@pytest.fixture
def agent(ros2, port):
    """Return a function that starts the agent, which listens as GOAL did."""
    return lambda *commands: Process(
        ros2("run", "nao_goal_bridge", "goal_client", "--port", port, *commands)
    )


@pytest.fixture
def robots(ros2, port):
    """Return how each robot is started that dials the agent."""
    bot = "/bw4t/Bot_1"
    return {
        "simulated Nao": [ros2("run", "nao_goal_bridge", "simulator", "--port", port)],
        "wheeled robot": [launch_command(*TOY, f"port:={port}")],
        "bot of BW4T": [
            launch_command("bw4t.launch.py", "team:=none", "seed:=1", "web:=false", "speed:=10.0"),
            launch_command(
                "nao_host.launch.py",
                f"port:={port}",
                "room_map:=bw4t",
                f"navigation:={bot}/navigate_to_pose",
                "base_frame:=Bot_1/base_link",
                f"pick_up:={bot}/pick_up",
                "pick_up_type:=legacy_robots_msgs/srv/Bw4tPickUp",
                f"put_down:={bot}/put_down",
                "put_down_type:=legacy_robots_msgs/srv/Bw4tAct",
            ),
        ],
    }


@pytest.mark.parametrize("robot", ["simulated Nao", "wheeled robot", "bot of BW4T"])
def test_the_same_agent_drives_three_robots(agent, robots, robot):
    with ExitStack() as stack:
        for command in robots[robot]:
            stack.enter_context(Process(command))
        errand = stack.enter_context(agent(*ERRAND, "exit"))
        assert errand.wait(100.0) == 0, errand.lines.items
        for command in (*ERRAND, "exit"):
            errand.wait_for_line(f"^{command}: succeeded")


@pytest.fixture
def host(port, tmp_path):
    """Return a host whose robot takes its time: what interrupts its walk comes before its end."""
    slow = tmp_path / "slow.yaml"
    slow.write_text("/**: {ros__parameters: {toy_speed: 0.1}}", encoding="utf-8")
    arguments = (f"port:={port}", "namespace:=nao_host", f"params_file:={slow}")
    with Process(launch_command(*TOY, *arguments)) as launch:
        yield launch


def test_ctrl_c_in_the_agent_halts_the_robot(ros2, host, port):
    command = ros2("run", "nao_goal_bridge", "goal_client", "--port", port, "go_to 146")
    with Process(command) as client:
        client.wait_for_line("State.state=1")
        client.interrupt_group()
        assert client.wait() == 130, client.lines.items
    host.wait_for_line("the agent commands Halt")
