# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the systems' launch files start: command lines and parameters, nothing runs."""

import shlex
from pathlib import Path

import pytest
import yaml

from legacy_robots_common.system import system as registered
from legacy_robots_testing.launch_probe import fake_packages
from legacy_robots_testing.launch_probe import started as launched

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
DEFAULTS = {"--paused": "false", "--full-rotor-range": "false"}
"""Options of simulators that are of no interest here."""


@pytest.fixture
def all_of(tmp_path):
    """Return all programs that a launch file starts."""

    def start(name, **given):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return launched(folder, ROOT / "launch" / f"{name}.launch.py", **given)

    return start


@pytest.fixture
def started(all_of, tmp_path):
    """Return what a system's launch starts: its nodes by full name, and its simulators."""

    def start(name, file="{}", **given):
        path = tmp_path / "parameters.yaml"
        path.write_text(f"/**/{registered(name).bridge}:\n  ros__parameters: {file}\n")
        programs = all_of(name, params_file=str(path), **given)
        nodes = {p.name: p.parameters for p in programs if p.executable != "simulator"}
        simulators = [options(p) for p in programs if p.executable == "simulator"]
        return nodes, sorted(simulators, key=lambda found: found.get("--player", ""))

    return start


def options(program):
    return {name: value for name, value in program.options.items() if DEFAULTS.get(name) != value}


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
        ("{}", {}, None, (None, None)),
        ("{port: 6000}", {}, "6000", ("6000", None)),
        ("{transport: http, port: 6000}", {}, "6000", (None, "6000")),
        ("{port: 6000}", {"port": "1", "http_port": "2"}, "1", ("1", "2")),
        ("{port: 6000}", {"transport": "http", "http_port": "2"}, "2", (None, "2")),
        ("{port: 6000}", {"transport": "http", "port": "7"}, "7", (None, "7")),
        ("{}", {"transport": "http", "port": "7", "http_port": "8"}, "8", ("7", "8")),
    ],
)
def test_the_ports_of_roboskate_are_those_of_its_transports(started, file, given, bridge, game):
    """None is the game's default of the option."""
    nodes, (simulator,) = started("roboskate", file, **given)
    assert nodes["/roboskate/bridge"].get("port") == bridge
    assert (simulator.get("--port"), simulator.get("--http-port")) == game


def test_roboskate_starts_paused_where_that_is_asked_for(started):
    for file, given, loads in (
        ("{}", {}, None),
        ("{auto_initialize: false}", {}, "false"),
        ("{auto_initialize: true}", {"start_paused": "true"}, "false"),
        ("{}", {"start_paused": "1"}, "false"),
    ):
        nodes, (simulator,) = started("roboskate", file, **given)
        assert nodes["/roboskate/bridge"].get("auto_initialize") == loads
        assert simulator["--image-format"] == "jpeg"


def test_the_autopilot_skates_in_the_level_of_the_bridge(started):
    level = {"file": "{level: 2}", "autopilot": "true"}
    assert started("roboskate", **level)[0]["/roboskate/autopilot"] == {
        "level": "2",
        "force_scale": "40.0",
    }
    nodes, _ = started("roboskate", **level, level="3")
    assert nodes["/roboskate/autopilot"]["level"] == "3"


def test_the_autopilot_knows_what_force_a_key_is_sent_as(started):
    given = {"profile": "game", "force_scale": "250.0", "autopilot": "true"}
    nodes, _ = started("roboskate", "{level: 2}", **given)
    assert nodes["/roboskate/bridge"]["force_scale"] == "250.0"
    assert nodes["/roboskate/autopilot"] == {"level": "2", "force_scale": "250.0"}


def test_a_luar_robot_is_as_the_file_has_it(started):
    file = "{team: 3, player: 4, user: ada, joints: false, tables: [upenn_2013]}"
    nodes, (robot,) = started("luar", file)
    assert nodes["/luar/bridge"]["tables"] == "upenn_2013"
    assert robot == {
        "--team": "3",
        "--player": "4",
        "--user": "ada",
        "--color": "1",
        "--abi": "1",
        "--layout": "upenn_2013",
        "--profile": "webots",
        "--no-motion": "False",
        "--ros-body": "false",
    }


def test_the_robots_of_a_luar_team(started):
    nodes, robots = started("luar", "{frame_prefix: red/}", players="2,5")
    assert {
        name: (n["player"], n["frame_prefix"], n.get("joints")) for name, n in nodes.items()
    } == {
        "/luar/player_2/bridge": ("2", "red/player_2/", None),
        "/luar/player_5/bridge": ("5", "red/player_5/", "false"),
    }
    assert [robot["--profile"] for robot in robots] == ["nao", "webots"]


def test_the_players_of_a_team_that_are_in_the_memory(started, tmp_path):
    for name in ("gcmTeam12ada", "gcmTeam110ada", "gcmTeam21ada", "gcmTeam13eve"):
        (tmp_path / name).touch()
    file = f"{{memory_directory: {tmp_path}}}"
    given = {"players": "auto", "team": "1", "user": "ada"}
    nodes, programs = started("luar", file, simulate="false", **given)
    assert (sorted(node["player"] for node in nodes.values()), programs) == (["10", "2"], [])
    for wrong in ({"team": "7", "simulate": "false"}, {"simulate": "true"}):
        with pytest.raises(RuntimeError):
            started("luar", file, **{**given, **wrong})


def test_a_match_of_robots_that_are_there_has_bridges_alone(all_of):
    programs = all_of("luar_match", simulate="false", user="ada", players="2")
    assert [program.executable for program in programs] == ["bridge"] * 4
    for program in programs:
        assert "127." not in program.parameters["game_controller"]
        assert "gcmGame" not in program.parameters["writable"]


def test_luar_tables_of_ones_own_by_file_and_by_directory(started, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("b.yaml", "a.yaml", "notes.txt"):
        (folder / name).touch()
    single = tmp_path / "single.yaml"
    single.touch()
    nodes, (robot,) = started("luar", layout=f"upenn_2013,{folder},{single}")
    expected = ["upenn_2013", str(folder / "a.yaml"), str(folder / "b.yaml"), str(single)]
    assert nodes["/luar/bridge"]["tables"] == ",".join(expected)
    assert robot["--layout"] == "upenn_2013"
    nodes, programs = started("luar", layout="upenn_2016", simulate="false")
    assert (nodes["/luar/bridge"]["tables"], programs) == ("upenn_2016", [])
    (tmp_path / "empty").mkdir()
    for wrong in (str(tmp_path / "empty"), "/nowhere.yaml", "upenn_2016"):
        with pytest.raises(RuntimeError):
            started("luar", layout=wrong)


def test_the_agents_of_a_blocks_world(started):
    nodes, _ = started("bw4t", "{robots: 2, seed: 7}")
    assert {name: node.get("player") for name, node in nodes.items()} == {
        "/bw4t/server": None,
        "/bw4t/agent_Bot_1": "Bot_1",
        "/bw4t/agent_Bot_2": "Bot_2",
    }
    agents = [node for node in nodes.values() if "player" in node]
    assert {agent["turn"] for agent in agents} == {"0", "1"}
    seeds = {node["seed"] for node in nodes.values()}
    assert len(seeds) == 3
    nodes, _ = started("bw4t", "{robots: 2}", robots="1", team="lone_searcher", simulate="false")
    assert {name: node["team"] for name, node in nodes.items()} == {
        "/bw4t/agent_Bot_1": "lone_searcher"
    }
    assert list(started("bw4t", team="none")[0]) == ["/bw4t/server"]


def test_nodes_of_a_fleet_keep_their_parameters(all_of):
    given = {"nao_port": "7000", "systems": "nao,aibo", "stepped": "true"}
    fleet = next(p for p in all_of("demo", compose="true", **given) if p.executable == "fleet")
    entries = [shlex.split(entry) for entry in fleet.parameters["nodes"].split(",")]
    found = {" ".join(entry[:2]): entry[2:] for entry in entries}
    assert list(found) == [
        "nao/bridge /nao",
        "nao/errand /nao",
        "aibo/bridge /aibo",
        "aibo/ball_game /aibo",
    ]
    for words in found.values():
        assert words[:4] == ["-p", "use_sim_time:=True", "-p", "stepped:=True"]
    arguments = Path(found["nao/bridge /nao"][-1]).read_text(encoding="utf-8")
    assert '"port": 7000' in arguments


def test_a_demonstration_passes_its_arguments_on(all_of):
    given = {"nao_port": "7000", "systems": "nao,roboskate", "stepped": "true", "compose": "false"}
    programs = {p.name: p for p in all_of("demo", **given)}
    bridge = programs["/nao/bridge"].parameters
    assert (bridge["port"], bridge["frame_prefix"]) == ("7000", "nao/")
    game = programs["/roboskate/bridge"].parameters
    assert (game["port"], game["publish_clock"]) == ("0", "false")
    assert {"/nao/errand", "/nao/simulation", "/simulation/stepper"} <= programs.keys()
    assert all(
        p.options["--paused"] == "true" for p in programs.values() if "--paused" in p.arguments
    )


@pytest.mark.parametrize("file, nodes", [("nao", {"/nao/errand"}), ("bw4t", set())])
def test_a_composed_file_leaves_its_nodes_to_the_container(all_of, file, nodes):
    plain = {p.name for p in all_of(file)}
    composed = {p.name for p in all_of(file, compose="true")}
    assert composed < plain
    assert not [name for name in composed if name.startswith(f"/{file}/")]


@pytest.fixture
def rviz2(tmp_path, monkeypatch):
    """A package rviz2, which need not be installed."""
    monkeypatch.setenv("AMENT_PREFIX_PATH", fake_packages(tmp_path / "prefix", "rviz2/rviz2"))


def view_of(programs):
    """Return the text of the view that rviz2 is started with."""
    (rviz,) = (p for p in programs if p.executable == "rviz2")
    return rviz.texts[rviz.options["-d"]]


def test_a_match_of_fewer_players_draws_no_others(all_of, rviz2):
    view = view_of(all_of("luar_match", rviz="true", players="2"))
    assert "Red 2 knows" in view
    assert "Red 3" not in view


def test_a_match_of_more_players_draws_all(all_of, rviz2):
    view = yaml.safe_load(view_of(all_of("luar_match", rviz="true", players="5")))
    displays = {d["Name"]: d for d in view["Visualization Manager"]["Displays"]}
    robots = [d["TF Prefix"] for d in displays.values() if d["Class"].endswith("RobotModel")]
    assert sorted(robots) == [f"{c}/player_{n}" for c in ("blue", "red") for n in range(1, 6)]
    robot, knows = displays["red/player_5"], displays["red/player_5 knows"]
    assert robot["Description Topic"]["Value"] == "red/player_5/robot_description"
    assert knows["Topic"]["Value"] == "red/player_5/markers"


def test_rviz_shows_all_players_of_a_luar_team(all_of, rviz2):
    view = yaml.safe_load(view_of(all_of("luar", rviz="true", players="1,3", frame_prefix="r/")))
    robots = [
        (display["Description Topic"]["Value"], display["TF Prefix"])
        for display in view["Visualization Manager"]["Displays"]
        if display["Class"].endswith("RobotModel")
    ]
    expected = ("/luar/player_3/robot_description", "r/player_3")
    assert robots == [("robot_description", "r/player_1"), expected]
    topics = [d.get("Topic", {}).get("Value") for d in view["Visualization Manager"]["Displays"]]
    assert "/luar/player_3/markers" in topics


def test_rviz_gets_the_frames_of_the_bridge(all_of, rviz2):
    shipped = (ROOT / "rviz" / "aibo.rviz").read_text(encoding="utf-8")
    assert view_of(all_of("aibo", rviz="true")) == shipped
    view = view_of(all_of("aibo", rviz="true", frame_prefix="b/"))
    for line in ("Fixed Frame: b/odom", "TF Prefix: b\n", "Target Frame: b/base_link"):
        assert line in view
    with pytest.raises(RuntimeError):
        all_of("aibo", rviz="true", frame_prefix="b_")


@pytest.mark.parametrize(
    "legs, cmd_vel, joints", [(False, "field_robot/cmd_vel", 2), (True, "", 22)]
)
def test_the_host_of_lua_is_connected_with_its_simulated_robot(all_of, legs, cmd_vel, joints):
    given = {"namespace": "a", "user": "ada", "legs": str(legs).lower()}
    programs = all_of("luar_host", enable_stamped_cmd_vel="true", **given)
    nodes = {p.name: p.parameters for p in programs}
    robot = {"legs": str(legs).lower(), "enable_stamped_cmd_vel": "true"}
    assert nodes["/a/field_robot/field_robot"] == robot
    host = nodes["/a/host"]
    assert host["enable_stamped_cmd_vel"] == "true"
    assert (host["user"], host["cmd_vel"]) == ("ada", cmd_vel)
    assert len(host["joints"].split(",")) == joints
    (alone,) = all_of("luar_host", simulate="false", cmd_vel="/robot/cmd_vel")
    assert alone.parameters["cmd_vel"] == "/robot/cmd_vel"
    assert alone.parameters.get("image", "") == ""
