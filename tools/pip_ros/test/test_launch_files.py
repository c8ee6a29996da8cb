# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Launch files: structure, scopes, values, processes."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

pytestmark = pytest.mark.node

CASES = Path(__file__).parent / "cases"
HERE = Path(__file__).parent


def said(program):
    """The lines of LogInfo actions."""
    return re.findall(r"^\[INFO\] \[launch\.user\]: (.*)$", program.output, re.MULTILINE)


def shown_by(program, name):
    """The output of the process `name`."""
    return re.findall(rf"^\[{re.escape(name)}-\d+\] (.*)$", program.output, re.MULTILINE)


def argv_of(program, name):
    (line,) = [line for line in shown_by(program, name) if line.startswith("argv: ")]
    return eval(line.removeprefix("argv: "))


def parameters_of(program, name):
    import yaml

    text = "\n".join(
        line.removeprefix("param| ").removeprefix("param|")
        for line in shown_by(program, name)
        if line.startswith("param|")
    )
    merged = {}
    # one document after the other: a later file may repeat a node's name
    for document in re.split(r"^(?=/|# )", text, flags=re.MULTILINE):
        for node, content in (yaml.safe_load(document) or {}).items():
            merged.setdefault(node, {}).update(content["ros__parameters"])
    return merged


def test_structure(ros2):
    program = ros2("launch", CASES / "structure.launch.py", "mode:=b")
    assert program.code == 0, program.output + program.errors
    prefix = HERE / "prefix"
    assert said(program) == [
        "start x=none y=outer y leak=none",
        "included: x=gx y=outer y z=z of included",
        "in group x=gx y=outer y leak=leaked",
        "after group x=none y=outer y leak=none",
        "included: x=gb b y=y of included z=forced",
        "after group without forwarding x=none y=outer y leak=none",
        "after unscoped group x=none y=outer y leak=unscoped",
        "after unset x=none y=outer y leak=none",
        "included: x=ix y=outer y z=z of included",
        "after include x=ix y=outer y leak=leaked",
        "if",
        "equals",
        "not set",
        "in group PROBE=1:2",
        "after group PROBE=1",
        "prepended PROBE=0;1",
        "after unset PROBE=unset",
        "opaque (1,) {'key': 'value'} y=outer y",
        f"folder {CASES}",
        *(
            f"value {value}"
            for value in (
                "True",
                "2",
                "true",
                "true",
                "true",
                "true",
                "false",
                "true",
                "false",
                "true",
                "false",
                "then",
                "else",
                "a/b/c.yaml",
                "/b",
                said(program)[-4].removeprefix("value "),
                prefix,
                prefix / "share" / "probe_pkg" / "config",
                prefix / "lib" / "probe_pkg" / "printer",
            )
        ),
    ]
    assert said(program)[-4].endswith("/sh")


def test_given_argument_wins_and_the_last_one_counts(ros2):
    program = ros2("launch", CASES / "structure.launch.py", "y:=1", "y:=2", "unknown:=3")
    assert said(program)[0] == "start x=none y=2 leak=none"


def test_show_args(ros2):
    program = ros2("launch", CASES / "structure.launch.py", "--show-args")
    assert program.code == 0
    assert program.output.splitlines() == [
        "Arguments (pass arguments as '<name>:=<value>'):",
        "",
        "    'y':",
        "        outer",
        "        (default: 'outer y')",
        "",
        "    'mode':",
        "        One of: ['a', 'b']",
        "        (default: 'a')",
        "",
        "    'both':",
        "        no description given",
        "        (default: 'b ' + LaunchConfig('mode'))",
        "",
        "    'from_env':",
        "        no description given",
        "        (default: EnvVar('NOT_SET'))",
        "",
        "    'x':",
        "        inner x",
        "        (default: 'x of included')",
        "",
        "    'z':",
        "        no description given",
        "        (default: 'z of included')",
    ]


def test_file_of_a_package(ros2, tmp_path):
    share = tmp_path / "share"
    (share / "ament_index" / "resource_index" / "packages").mkdir(parents=True)
    (share / "ament_index" / "resource_index" / "packages" / "other_pkg").touch()
    (share / "other_pkg" / "deep").mkdir(parents=True)
    (share / "other_pkg" / "deep" / "it.launch.py").write_text(
        "from launch import LaunchDescription\n"
        "from launch.actions import LogInfo\n"
        "def generate_launch_description():\n"
        "    return LaunchDescription([LogInfo(msg='found')])\n"
    )
    environment = {"AMENT_PREFIX_PATH": str(tmp_path)}
    program = ros2("launch", "other_pkg", "it.launch.py", more_env=environment)
    assert program.code == 0, program.errors
    assert said(program) == ["found"]
    program = ros2("launch", "other_pkg", "other.launch.py", more_env=environment)
    assert program.code == 1
    assert program.errors == (
        "file 'other.launch.py' was not found in the share directory of package 'other_pkg' "
        f"which is at '{share / 'other_pkg'}'"
    )
    program = ros2("launch", "no_pkg", "other.launch.py", more_env=environment)
    assert program.code == 1
    assert "Package 'no_pkg' not found" in program.errors


@pytest.fixture(scope="module")
def nodes(env, ros2_words, program_type):
    program = program_type([*ros2_words, "launch", str(CASES / "nodes.launch.py")], env)
    assert program.end(60) == 0, program.output + program.errors
    yield program
    program.kill()


def test_arguments_reach_the_node(nodes):
    config = HERE / "prefix" / "share" / "probe_pkg" / "config" / "params.yaml"
    temporary = ["--params-file", "<temporary file>"]
    assert argv_of(nodes, "full") == [
        *("--flag", "7", "joined7", "--ros-args", "--log-level", "debug", "--ros-args"),
        *("-r", "__node:=node", "-r", "__ns:=/outer/inner/own"),
        *("-p", "use_sim_time:=True", "-p", "shared:=7"),
        *("--params-file", str(config), *temporary, *temporary, "--params-file", str(config)),
        *("-r", "everywhere:=elsewhere", "-r", "a:=b", "-r", "c:=7"),
    ]


@pytest.mark.parametrize(
    "name,names",
    [
        ("pushed", ["-r", "__node:=node", "-r", "__ns:=/outer/inner"]),
        ("absolute", ["-r", "__node:=node", "-r", "__ns:=/absolute"]),
        ("unnamed", ["-r", "__ns:=/outer/inner"]),
        ("root", ["-r", "__node:=node", "-r", "__ns:=/"]),
        ("plain", []),
        ("empty_namespace", ["-r", "__node:=node", "-r", "__ns:=/"]),
        ("substituted", ["-r", "__node:=node7", "-r", "__ns:=/ns7"]),
    ],
)
def test_names(nodes, name, names):
    argv = argv_of(nodes, name)
    start = argv.index("--ros-args") + 1
    assert argv[start : start + len(names)] == names
    assert "__ns" not in " ".join(argv[start + len(names) :])


def test_parameters_reach_the_node(nodes):
    assert parameters_of(nodes, "full") == {
        "/**": {"speed": 0.5, "from_file": "yes"},
        "/outer/inner/own/node": {
            "int": 3,
            "float": 2.5,
            "text": "5",
            "empty": "",
            "colon": "a: b",
            "bool": True,
            "ints": [1, 2],
            "mixed_numbers": [1.0, 2.5],
            "texts": ["a", "b"],
            "bools": [True, False],
            "nested.x": 1,
            "nested.y.z": "deep",
            "nested.7": "key",
            "substitution": 7,
            "as_text": "7",
            "as_float": 7.0,
            "as_bool": True,
            "as_ints": [3, 4],
            "joined": "v7",
            "joined_number": 17,
            "list_from_yaml": [3, 4],
            "list_of_parts": ["a7", "b"],
            "flag": True,
        },
    }


def test_parameter_file_with_substitutions(nodes):
    assert parameters_of(nodes, "expanded") == {
        "/**": {
            "number": 7,
            "text": "7",
            "joined": "x 7",
            "default": "the_default",
            "share": str(HERE / "prefix" / "share" / "probe_pkg"),
        }
    }


def test_environment_reaches_the_process(nodes):
    assert "env: PROBE_ALL=all" in shown_by(nodes, "plain")
    assert "env: PROBE_OWN=7" in shown_by(nodes, "full")
    assert not [line for line in shown_by(nodes, "plain") if "PROBE_OWN" in line]
    assert "ONLY=this" in shown_by(nodes, "clean")
    assert not [line for line in shown_by(nodes, "clean") if line.startswith("HOME=")]


def test_output_goes_where_it_should(nodes, env):
    assert shown_by(nodes, "to_log") == ["errors are shown"]
    assert "an error" in shown_by(nodes, "default_output")
    (folder,) = re.findall(r"All log files can be found below (\S+)", nodes.output)
    with open(f"{folder}/launch.log") as file:
        text = file.read()
    assert re.search(r"^\d+\.\d+ \[to_log-\d+\] name: printer$", text, re.MULTILINE)
    assert re.search(r"\[INFO\] \[plain-\d+\]: process started", text)


def test_processes(nodes):
    assert shown_by(nodes, "echo") == ["two words 7"]
    assert shown_by(nodes, "sh") == ["shell all", "second"]
    assert shown_by(nodes, "pre") == ["a b c echo x"]


def test_ends_are_reported(nodes):
    (match,) = re.finditer(r"\[ERROR\] \[failing-\d+\]: (.*)", nodes.output)
    assert re.fullmatch(
        r"process has died \[pid \d+, exit code 3, "
        r"cmd '/.+/lib/probe_pkg/printer --exit 3 --ros-args'\]\.",
        match[1],
    )
    starts = re.findall(r"process started with pid \[(\d+)\]", nodes.output)
    clean = re.findall(r"process has finished cleanly \[pid (\d+)\]", nodes.output)
    assert len(clean) == len(starts) - 1


def test_temporary_parameter_files_are_removed(launch_file, ros2):
    program = ros2(
        "launch",
        launch_file(
            "Node(package='probe_pkg', executable='printer', output='screen', "
            "parameters=[{'a': 1}]), "
            "Node(package='probe_pkg', executable='printer', arguments=['--exit', '1'], "
            "parameters=[{'a': 1}])"
        ),
    )
    (path,) = re.findall(r"--params-file (\S+?)'\]\.", program.output)
    assert path.endswith(".yaml")
    assert not Path(path).exists()
    assert not Path(path).parent.exists()


def test_events(ros2):
    program = ros2("launch", CASES / "events.launch.py")
    assert program.code == 0
    assert said(program) == [
        "first started",
        "first-1 returned 4",
        "second comes",
        "ending: the reason",
    ]
    assert "sending signal 'SIGINT' to process[second-2]" in program.output


def test_on_exit_shutdown(launch_text):
    program = launch_text(
        "ExecuteProcess(cmd=['sleep', '100']), "
        "ExecuteProcess(cmd=['sh', '-c', 'exit 1'], name='it', on_exit=Shutdown(reason='x'))"
    )
    assert program.code == 0
    assert "process[it-2] was required: shutting down launched system" in program.output


def test_respawn_until_the_limit(launch_text):
    program = launch_text(
        "ExecuteProcess(cmd=['sh', '-c', 'echo again; exit 1'], name='r', output='screen', "
        "respawn=True, respawn_delay=0.05, respawn_max_retries=2)"
    )
    assert program.code == 0
    assert shown_by(program, "r") == ["again"] * 3


def test_respawn_waits_and_ends_with_launch(start, launch_file):
    program = start(
        "launch",
        launch_file(
            "ExecuteProcess(cmd=['sh', '-c', 'echo here'], name='r', output='screen', "
            "respawn='true', respawn_delay=0.1), "
            "ExecuteProcess(cmd=['sh', '-c', 'echo once'], name='late', output='screen', "
            "respawn=True, respawn_delay=100.0)"
        ),
    )
    program.wait_for(r"^\[r-1\] here", 3)
    program.wait_for(r"late-2\]: process has finished cleanly")
    program.send(signal.SIGINT)
    assert program.end(5) == 0
    assert shown_by(program, "late") == ["once"]


def test_emulated_terminal(launch_text):
    words = "['sh', '-c', 'test -t 1 && echo yes || echo no']"
    program = launch_text(
        f"ExecuteProcess(cmd={words}, name='tty', emulate_tty=True, output='screen'), "
        f"ExecuteProcess(cmd={words}, name='pipe', output='screen')"
    )
    assert shown_by(program, "tty") == ["yes"]
    assert shown_by(program, "pipe") == ["no"]


def test_last_line_without_an_end_and_odd_bytes_are_shown(launch_text):
    program = launch_text(
        r"ExecuteProcess(cmd=['printf', 'a\\n\\n\\377\\nb'], name='p', output='screen')"
    )
    assert shown_by(program, "p") == ["a", "", r"\xff", "b"]


def test_print_description(launch_file, ros2):
    program = ros2(
        "launch", "-p", launch_file("GroupAction([LogInfo(msg='a')]), LogInfo(msg='b')")
    )
    assert program.code == 0
    assert program.output.splitlines()[1:] == [
        "├── GroupAction()",
        "│   └── LogInfo('a')",
        "└── LogInfo('b')",
    ]
