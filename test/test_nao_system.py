# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Nao as a user starts it: launch, goals from a second terminal, Ctrl-C, crashes."""

import os
import signal
from contextlib import contextmanager

import pytest
import yaml

from legacy_robots_msgs.msg import NaoHeldObject, NaoLocation, NaoState
from legacy_robots_testing.machine import free_port, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer


@pytest.fixture
def nao(port):
    """The launch file on a port of its own; gives the launch process."""

    def start(*arguments):
        return Process(launch_command("nao.launch.py", f"port:={port}", *arguments))

    return start


def test_the_first_session_of_the_readme(nao, send_goal):
    with nao() as launch:
        launch.wait_for_line("link connected")
        for action, kind, goal in (
            ("go_to", "NaoGoTo", "{marker_id: 114, distance: 0}"),
            ("pick_up", "NaoPickUp", "{object_id: 1}"),
            ("go_to", "NaoGoTo", "{marker_id: 85}"),
            ("put_down", "NaoPutDown", "{}"),
        ):
            output = send_goal(f"/nao/{action}", kind, goal)
            assert "Goal finished with status: SUCCEEDED" in output, output
        with RosPeer() as peer:
            assert peer.subscribe(NaoLocation, "/nao/location").wait_for().marker_id == 85
            assert not peer.subscribe(NaoHeldObject, "/nao/held_object").wait_for().holding
        output = send_goal("/nao/go_to", "NaoGoTo", "{marker_id: 148}")
        assert "Goal finished with status: ABORTED" in output
        assert "the robot reported failure" in output


def test_ctrl_c_ends_everything_cleanly(nao, ends_cleanly):
    with nao() as launch:
        launch.wait_for_line("link connected")
        ends_cleanly(launch, programs=2)


@pytest.fixture
def walking(nao, ros2):
    """Return a context manager: the launch, and a client in a second terminal whose goal runs."""

    @contextmanager
    def start():
        with nao() as launch, RosPeer() as peer:
            launch.wait_for_line("link connected")
            state = peer.subscribe(NaoState, "/nao/state")
            kind = "legacy_robots_msgs/action/NaoGoTo"
            goal = ros2("action", "send_goal", "/nao/go_to", kind, "{marker_id: 146}")
            with Process(goal) as client:
                state.wait_for(lambda m: m.state == NaoState.WALKING)
                state.clear()
                yield launch, client, state

    return start


def test_sigterm_of_the_bridge_ends_the_goal_and_halts_the_robot(walking):
    with walking() as (launch, client, _):
        os.kill(launch.pid_of("bridge"), signal.SIGTERM)
        client.wait_for_line("Goal finished with status: ABORTED")
        assert "the bridge is shutting down" in "\n".join(client.lines.items)
        launch.wait_for_line("-> State.*state=0")


def test_ctrl_c_in_a_client_cancels_its_goal(walking):
    with walking() as (_, client, state):
        client.interrupt_group()
        state.wait_for(lambda m: m.state == NaoState.HALTED)
        assert client.wait() == signal.SIGINT  # as the real ros2
        output = "\n".join(client.lines.items)
        assert "Goal canceled" in output, output
        assert "Exception" not in output


def test_a_second_start_says_that_the_port_is_in_use(nao, port):
    with nao() as launch:
        launch.wait_for_line("link connected")
        with nao("namespace:=second", "simulate:=false") as second:
            second.wait_for_line(f"port {port} of 127.0.0.1 is in use by another program")


def test_a_wrong_argument_is_a_sentence(nao):
    with nao("role:=both") as launch:
        launch.wait_for_line(r"role.*both|both.*role")
        assert launch.wait() == 1
        assert launch.session() == []


def test_a_value_that_is_no_choice_is_a_sentence_before_anything_starts(nao):
    with nao("profile:=june") as launch:
        launch.wait_for_line('"profile" provided value "june" is not valid')
        assert launch.wait() == 1
        assert launch.session() == []


def test_two_robots_side_by_side(nao, ros2):
    with nao() as launch:
        launch.wait_for_line("link connected")
        with nao("namespace:=nao_2", "role:=dial", f"port:={free_port()}") as second:
            second.wait_for_line("link connected")
            with RosPeer() as peer:
                for name in ("nao", "nao_2"):
                    assert peer.subscribe(NaoLocation, f"/{name}/location").wait_for().valid


@pytest.mark.parametrize(
    "parameters,room",
    [
        (
            {
                "profile": "naovigate",
                "room_map": "naovigate",
                "greeting_location": "believed",
            },
            13,
        ),
        ({"profile": "spec", "code_width": 4}, 114),
    ],
)
def test_profile_width_and_map_of_a_parameters_file_reach_the_simulator_too(
    nao, send_goal, tmp_path, parameters, room
):
    file = tmp_path / "nao.yaml"
    file.write_text(yaml.safe_dump({"/**": {"ros__parameters": parameters}}))
    with nao(f"params_file:={file}") as launch:
        launch.wait_for_line("link connected")
        output = send_goal("/nao/go_to", "NaoGoTo", f"{{marker_id: {room}}}")
        assert "Goal finished with status: SUCCEEDED" in output, output


@pytest.mark.parametrize("victim", ["simulator", "bridge"])
def test_a_killed_process_is_started_again_and_the_link_is_back(nao, victim, killed):
    with nao("respawn:=true") as launch, killed(launch, "/nao", victim) as peer:
        peer.subscribe(NaoLocation, "/nao/location").wait_for(lambda m: m.valid)
