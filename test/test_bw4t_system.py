# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""BW4T as a user starts it: agents complete the sequence, scenarios."""

import pytest

from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from bw4t_world.scenarios.writer import write_scenario
from legacy_robots_msgs.msg import (
    Bw4tState,
    Bw4tTask,
)
from legacy_robots_msgs.srv import Bw4tReset
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer


@pytest.fixture
def bw4t(ros2):
    """The launch file; gives the launch process."""

    def start(*arguments):
        return Process(ros2("launch", "legacy_robots_bringup", "bw4t.launch.py", *arguments))

    return start


@pytest.mark.timeout(300)
def test_three_agent_nodes_complete_the_sequence_over_ros_alone(bw4t):
    with bw4t("seed:=1", "speed:=2.0") as launch:
        for number in (1, 2, 3):
            launch.wait_for_line(f"driving Bot_{number}, team searchers")
        launch.wait_for_line("the sequence is complete", 200)
        launch.wait_for_line(r"time to finish sequence is \d+")
        launch.wait_for_line(r"team: \d+ ticks, gooddrops 6, wrongdrops 0")
        with RosPeer() as peer:
            task = peer.subscribe(Bw4tTask, "/bw4t/task").wait_for()
            assert (task.done, task.index, task.good_drops) == (True, 6, 6)
            # They begin again with the world.
            assert peer.call(Bw4tReset, "/bw4t/reset").success
            launch.wait_for_line("the world began again")
            tasks = peer.subscribe(Bw4tTask, "/bw4t/task")
            tasks.wait_for(lambda m: m.rooms_entered > 0 and not m.done)


@pytest.mark.timeout(300)
def test_agents_of_another_profile_in_a_faster_world(bw4t, tmp_path):
    file = tmp_path / "bw4t.yaml"
    file.write_text("/**:\n  ros__parameters:\n    profile: server_3_10\n", "utf-8")
    arguments = ("robots:=2", "speed:=3.0", "seed:=2", "repeat_after:=0.5")
    with bw4t(*arguments, f"params_file:={file}") as launch:
        launch.wait_for_line("the sequence is complete", 200)
        launch.wait_for_line("the world began again")


def test_a_scenario_names_the_players_and_people_get_no_agent(bw4t, tmp_path):
    file = tmp_path / "scenario.xml"
    bots = (BotSpec(name="Ann", controller=Controller.HUMAN), BotSpec(name="Robo Cop"))
    write_scenario(Scenario(bots=bots, epartners=(EPartnerSpec(gps=True),)), file)
    with bw4t(f"scenario:={file}") as launch:
        launch.wait_for_line("the world is up: .*with Ann_1, Robo Cop_1, E-Partner_1")
        launch.wait_for_line("driving Robo Cop_1")
        with RosPeer() as peer:
            state = peer.subscribe(Bw4tState, "/bw4t/Robo_X20_Cop_1/state")
            state.wait_for(lambda m: m.state == Bw4tState.TRAVELING)
        assert not [line for line in launch.lines.items if "driving Ann" in line]
