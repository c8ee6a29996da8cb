# SPDX-License-Identifier: Apache-2.0
"""What the systems' launch files start, looked at only: nothing is started here."""

from pathlib import Path

import pytest

from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.actions import RosNode
from legacy_robots_common.launching.launch_file import launch_file
from legacy_robots_common.launching.launch_run import LaunchRun
from legacy_robots_common.system import system as registered

pytestmark = pytest.mark.lint


def actions(name, given):
    """Return what the launch file of a system yields."""
    file = launch_file(f"legacy_robots_bringup/{name}.launch.py")
    return list(file.start(LaunchRun(file.ARGUMENTS, given)))


@pytest.fixture
def started(tmp_path):
    """Return what a system's launch starts: its nodes by full name, and the other programs."""

    def start(name, file=None, **given):
        if file is not None:
            path = tmp_path / "parameters.yaml"
            path.write_text(f"/**/{registered(name).bridge}:\n  ros__parameters: {file}\n")
            given["params_file"] = str(path)
        all_of_it = actions(name, given)
        nodes = [action for action in all_of_it if isinstance(action, RosNode)]
        programs = [options(action) for action in all_of_it if action not in nodes]
        return {node.full_name: node.parameters for node in nodes}, programs

    return start


def options(program):
    words = program.words
    return dict(zip(words[::2], words[1::2], strict=True))


def test_the_simulated_nao_is_told_what_the_bridge_is_told(started, tmp_path):
    maze = tmp_path / "maze.yaml"
    maze.touch()
    _, (nao,) = started("nao", f"{{role: dial, code_width: 4, room_map: {maze}}}", port="7000")
    assert nao == {
        "--role": "listen",
        "--host": "127.0.0.1",
        "--port": "7000",
        "--profile": "spec",
        "--code-width": "4",
        "--maze": str(maze),
    }


@pytest.mark.parametrize(
    "file, given, bridge, game",
    [
        ("{}", {}, None, ("50051", "50052")),
        ("{port: 6000}", {}, 6000, ("6000", "50052")),
        ("{transport: http, port: 6000}", {}, 6000, ("50051", "6000")),
        ("{port: 6000}", {"port": "1", "http_port": "2"}, 1, ("1", "2")),
        ("{port: 6000}", {"transport": "http", "http_port": "2"}, 2, ("50051", "2")),
        ("{port: 6000}", {"transport": "http", "port": "7"}, 7, ("50051", "7")),
        ("{}", {"transport": "http", "port": "7", "http_port": "8"}, 8, ("7", "8")),
    ],
)
def test_the_ports_of_roboskate_are_those_of_its_transports(started, file, given, bridge, game):
    nodes, (simulator,) = started("roboskate", file, **given)
    assert nodes["/roboskate/bridge"].get("port") == bridge
    assert (simulator["--port"], simulator["--http-port"]) == game


def test_the_autopilot_skates_in_the_level_of_the_bridge(started):
    level = {"file": "{level: 2}", "autopilot": "true"}
    assert started("roboskate", **level)[0]["/roboskate/autopilot"] == {
        "level": 2,
        "force_scale": 40.0,
    }
    nodes, _ = started("roboskate", **level, level="3")
    assert nodes["/roboskate/autopilot"]["level"] == 3


def test_the_autopilot_knows_what_force_a_key_is_sent_as(started):
    given = {"profile": "game", "force_scale": "250.0", "autopilot": "true"}
    nodes, _ = started("roboskate", "{level: 2}", **given)
    assert nodes["/roboskate/bridge"]["force_scale"] == 250.0
    assert nodes["/roboskate/autopilot"] == {"level": 2, "force_scale": 250.0}


def test_a_luar_robot_is_as_the_file_has_it(started):
    file = "{team: 3, player: 4, user: ada, joints: false, tables: [upenn_2013]}"
    nodes, (robot,) = started("luar", file)
    assert nodes["/luar/bridge"]["tables"] == ["upenn_2013"]
    assert robot == {
        "--team": "3",
        "--player": "4",
        "--user": "ada",
        "--color": "1",
        "--abi": "1",
        "--layout": "upenn_2013",
        "--profile": "webots",
    }


def test_the_robots_of_a_luar_team(started):
    nodes, robots = started("luar", "{frame_prefix: red/}", players="2,5")
    assert [(n["player"], n["frame_prefix"], n.get("joints")) for n in nodes.values()] == [
        (2, "red/player_2/", None),
        (5, "red/player_5/", False),
    ]
    assert list(nodes) == ["/luar/player_2/bridge", "/luar/player_5/bridge"]
    assert [robot["--profile"] for robot in robots] == ["nao", "webots"]


def test_luar_tables_of_ones_own_by_file_and_by_directory(started, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("b.yaml", "a.yaml", "notes.txt"):
        (folder / name).touch()
    single = tmp_path / "single.yaml"
    single.touch()
    nodes, (robot,) = started("luar", layout=f"upenn_2013,{folder},{single}")
    expected = ["upenn_2013", str(folder / "a.yaml"), str(folder / "b.yaml"), str(single)]
    assert nodes["/luar/bridge"]["tables"] == expected
    assert robot["--layout"] == "upenn_2013"
    nodes, programs = started("luar", layout="upenn_2016", simulate="false")
    assert (nodes["/luar/bridge"]["tables"], programs) == (["upenn_2016"], [])
    (tmp_path / "empty").mkdir()
    for wrong in (str(tmp_path / "empty"), "/nowhere.yaml", "upenn_2016"):
        with pytest.raises(LaunchError, match="layout"):
            started("luar", layout=wrong)


def test_the_agents_of_a_blocks_world(started):
    nodes, _ = started("bw4t", "{robots: 2, seed: 7}")
    assert {name: node.get("player") for name, node in nodes.items()} == {
        "/bw4t/server": None,
        "/bw4t/agent_Bot_1": "Bot_1",
        "/bw4t/agent_Bot_2": "Bot_2",
    }
    seeds = {node["seed"] for node in nodes.values()}
    assert len(seeds) == 3
    nodes, _ = started("bw4t", "{robots: 2}", robots="1", team="lone_searcher", simulate="false")
    assert {name: node["team"] for name, node in nodes.items()} == {
        "/bw4t/agent_Bot_1": "lone_searcher"
    }
    assert list(started("bw4t", team="none")[0]) == ["/bw4t/server"]


def test_a_file_that_a_parameter_names_is_looked_for(started):
    cases = {"nao": "room_map", "roboskate": "urdf", "aibo": "motion_directory"}
    for name, parameter in cases.items():
        with pytest.raises(LaunchError, match=f"'{parameter}': there is no '/nowhere'"):
            started(name, f"{{{parameter}: /nowhere}}")


def test_nodes_of_a_fleet_keep_their_parameters():
    started = [
        *actions("nao", {"port": "7000", "errand": "1"}),
        *actions("aibo", {"namespace": "dog"}),
    ]
    fleet, *programs = LaunchRun((), {}).composed(started)
    assert [program.package for program in programs] == ["nao_goal_bridge", "aibo_gti_bridge"]
    entries = ["nao/bridge /nao", "nao/errand /nao", "aibo/bridge /dog"]
    assert fleet.parameters == {"nodes": entries}
    assert fleet.entries["/nao/bridge"]["port"] == 7000
    assert "/dog/bridge" in fleet.entries


def test_a_match_of_fewer_players_draws_no_others():
    rviz = actions("luar_match", {"rviz": "true", "players": "2"})[-1]
    (view,) = [perform(word) for word in rviz.cmd if perform(word).endswith(".rviz")]
    text = Path(view).read_text(encoding="utf-8")
    assert "Red 2 knows" in text
    assert "Red 3" not in text


def perform(word):
    return "".join(getattr(substitution, "text", "") for substitution in word)


@pytest.mark.parametrize(
    "legs, cmd_vel, joints", [(False, "field_robot/cmd_vel", 2), (True, "", 22)]
)
def test_the_host_of_lua_is_connected_with_its_simulated_robot(legs, cmd_vel, joints):
    given = {"namespace": "a", "user": "ada", "legs": str(legs).lower()}
    given["enable_stamped_cmd_vel"] = "true"
    host, robot = actions("luar_host", given)
    assert (host.full_name, robot.full_name) == ("/a/host", "/a/field_robot/field_robot")
    assert robot.parameters == {"legs": legs, "enable_stamped_cmd_vel": True}
    reported = host.parameters
    assert reported["enable_stamped_cmd_vel"]
    assert (reported["user"], reported["cmd_vel"], len(reported["joints"])) == (
        "ada",
        cmd_vel,
        joints,
    )
    (alone,) = actions("luar_host", {"simulate": "false", "cmd_vel": "/robot/cmd_vel"})
    assert alone.parameters["cmd_vel"] == "/robot/cmd_vel"
    assert "image" not in alone.parameters or alone.parameters["image"] == ""
