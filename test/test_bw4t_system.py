# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""BW4T as a user starts it: agents complete the sequence, Ctrl-C, crashes, wrong arguments."""

import os
import subprocess

import pytest

from bw4t_bridge.bridge.conversions import percept_update
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from bw4t_world.scenarios.writer import write_scenario
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import (
    Bw4tGoing,
    Bw4tPercepts,
    Bw4tState,
    Bw4tTask,
    Bw4tWorldState,
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


def test_two_worlds_side_by_side(bw4t):
    with bw4t("team:=none", "robots:=1") as one, bw4t("team:=none", "namespace:=second") as two:
        one.wait_for_line("the world is up")
        two.wait_for_line("the world is up")
        with RosPeer() as peer:
            for namespace, player in (("bw4t", "Bot_1"), ("second", "Bot_3")):
                name = f"/{namespace}/{player}/go_to"
                goal = peer.send_goal(Bw4tGoTo, name, Bw4tGoTo.Goal(place="FrontDropZone"))
                assert goal.result().outcome.code == Bw4tGoing.ARRIVED


def test_goals_from_a_terminal(bw4t, ros2):
    with bw4t("team:=none", "robots:=1", "speed:=4.0") as launch:
        launch.wait_for_line("the world is up")
        for place, status in (("RoomC1", "SUCCEEDED"), ("Nowhere", "ABORTED")):
            done = subprocess.run(
                ros2(
                    "action", "send_goal", "/bw4t/Bot_1/go_to",
                    "legacy_robots_msgs/action/Bw4tGoTo", f"{{place: {place}}}",
                ),
                capture_output=True, text=True, timeout=60,
            )  # fmt: skip
            assert f"Goal finished with status: {status}" in done.stdout, done.stdout


@pytest.mark.timeout(300)
def test_a_server_and_its_agents_share_a_process(ros2, tmp_path):
    file = tmp_path / "fleet.yaml"
    file.write_text(
        """
/fleet:
  ros__parameters:
    nodes: ["bw4t /bw4t", "bw4t/agent /bw4t agent_1", "bw4t/agent /bw4t agent_2"]
/bw4t/server:
  ros__parameters: {robots: 2, speed: 4.0, seed: 1}
/bw4t/agent_1:
  ros__parameters: {player: Bot_1, seed: 1}
/bw4t/agent_2:
  ros__parameters: {player: Bot_2, seed: 2}
""",
        "utf-8",
    )
    command = ros2(
        "run", "legacy_robots_common", "fleet", "--ros-args", "--params-file", str(file)
    )
    with Process(command) as fleet:
        for number in (1, 2):
            fleet.wait_for_line(f"driving Bot_{number}, team searchers")
        fleet.wait_for_line("the sequence is complete", 200)
        fleet.interrupt_group()
        assert fleet.wait() == 0
        assert "Traceback" not in "\n".join(fleet.lines.items)


@pytest.mark.parametrize(
    "argument, words",
    [
        ("scenario:=/nowhere.xml", "scenario: .*/nowhere.xml"),
        ("team:=losers", '"team" provided value "losers" is not valid'),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_starts(bw4t, argument, words):
    with bw4t(argument) as launch:
        launch.wait_for_line(words)
        assert launch.wait() == 1
        assert not launch.started()


@pytest.mark.parametrize(
    "argument, words",
    [
        ("map:=/nowhere.map", "server: /nowhere.map: cannot be read: No such file"),
        ("speed:=-1.0", "server: parameter 'speed' must be from 0.01 to 1000, not -1.0"),
    ],
)
def test_what_the_server_cannot_use_is_a_sentence_of_its_own(bw4t, argument, words):
    with bw4t(argument) as launch:
        launch.wait_for_line(words)
        launch.wait_for_line("process has died .* exit code 2")
        assert "Traceback" not in "\n".join(launch.lines.items)


def test_what_only_the_world_can_refuse_is_a_sentence(bw4t):
    with bw4t("robots:=4", "team:=none") as launch:
        launch.wait_for_line("all 3 spawn points are taken")
        launch.wait_for_line("process has died .* exit code 2")
        assert "Traceback" not in "\n".join(launch.lines.items)


SECONDS = float(os.environ.get("BW4T_STREAM_SECONDS", "10"))


@pytest.mark.timeout(60 + 3 * SECONDS)
def test_ten_robots_at_fifty_ticks_a_second_lose_no_percept(bw4t):
    """Set BW4T_STREAM_SECONDS=60 for the long run. Equality: see the tests of the server node."""
    players = [f"Bot_{number}" for number in range(1, 11)]
    with bw4t("map:=nine_rooms_random", "robots:=10", "team:=none", "seed:=1") as launch:
        launch.wait_for_line("the world is up")
        with RosPeer("subscriber", "bw4t") as peer:
            streams = {
                name: peer.subscribe(Bw4tPercepts, f"{name}/percepts", qos.stream(2000))
                for name in players
            }
            first = {
                name: stream.wait_for(lambda m: m.cycle == 0) for name, stream in streams.items()
            }
            for number, name in enumerate(players):
                place = f"Room{'ABC'[number % 3]}{number % 3 + 1}"
                peer.send_goal(Bw4tGoTo, f"{name}/go_to", Bw4tGoTo.Goal(place=place))
            ticks = int(SECONDS * 50)
            for name, stream in streams.items():
                last = stream.wait_for(
                    lambda m, end=first[name].tick + ticks: m.tick >= end, 30 + 2 * SECONDS
                )
                messages = [m for m in stream.items if m.tick <= last.tick]
                begin = max(i for i, m in enumerate(messages) if m.cycle == 0)
                counted = [(m.cycle, m.tick) for m in messages[begin:]]
                start = counted[0][1]
                assert counted == [(i, start + i) for i in range(len(counted))]
                assert all(percept_update(m) is not None for m in messages)
            world = peer.subscribe(Bw4tWorldState, "world_state").wait_for()
            assert world.skipped_ticks == 0
