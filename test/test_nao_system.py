# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Nao as a user starts it: launch, goals from a second terminal, profiles by a file."""

import pytest
import yaml

from legacy_robots_msgs.msg import NaoHeldObject, NaoLocation
from legacy_robots_testing.machine import launch_command
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
            peer.subscribe(NaoLocation, "/nao/location").wait_for(lambda m: m.marker_id == 85)
            assert not peer.subscribe(NaoHeldObject, "/nao/held_object").wait_for().holding
        output = send_goal("/nao/go_to", "NaoGoTo", "{marker_id: 148}")
        assert "Goal finished with status: ABORTED" in output
        assert "the robot reported failure" in output


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
