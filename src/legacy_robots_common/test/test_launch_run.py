# SPDX-License-Identifier: Apache-2.0
"""Launch arguments and the parameters file: what counts where both say something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from launch import Action
from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.arguments import (
    Argument,
    check_command_line,
    node_arguments,
    overruling,
    passed_on,
    simulator_arguments,
    supervision,
    switch,
)
from legacy_robots_common.launching.launch_file import shared_file
from legacy_robots_common.launching.launch_run import LaunchRun
from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    host: str = parameter("127.0.0.1", "where it is")
    port: int = parameter(6474, "TCP port", minimum=1, maximum=65535)
    rate: float = parameter(1.0, "Hz")
    frame_prefix: str = parameter("", "before every frame")
    tables: list[str] = parameter(["document"], "tables")


def start(launch: LaunchRun) -> Iterator[Action]:
    bridge = launch.node(
        package="a_package",
        executable="bridge",
        parameters_class=Parameters,
        defaults={"rate": 9.0},
    )
    yield bridge
    if launch["simulate"]:
        yield launch.program(
            package="a_package",
            executable="simulator",
            arguments=[
                *("--port", bridge.values.port, "--host", bridge.values.host),
                *launch.simulator_options(),
            ],
        )
    if launch["errand"]:
        yield launch.node(package="a_package", executable="errand")


@pytest.fixture
def file(tmp_path: Path) -> SimpleNamespace:
    """Return a launch file, whose parameters file is empty."""
    path = tmp_path / "parameters.yaml"
    path.touch()
    arguments = (
        Argument("namespace", "Namespace of all names", "robot"),
        *overruling(Parameters, "frame_prefix", "host", "port", "tables"),
        switch("simulate", "a simulator", default=True),
        switch("errand", "an errand"),
        *simulator_arguments(("cut", "stall")),
        *node_arguments(str(path)),
    )
    return SimpleNamespace(__name__="robot.launch.py", ARGUMENTS=arguments, start=start)


@pytest.fixture
def launched(file: SimpleNamespace, tmp_path: Path) -> Callable[..., LaunchRun]:
    """Return a launch of it with the given parameters file and arguments."""

    def make(text: str = "", base: str = "/", **given: str) -> LaunchRun:
        (tmp_path / "parameters.yaml").write_text(text)
        return LaunchRun(file.ARGUMENTS, given, base)

    return make


@pytest.fixture
def started(launched: Any) -> Callable[..., list[Any]]:
    """Return what such a launch starts."""
    return lambda *text, **given: list(start(launched(*text, **given)))


FILE = """
/**/bridge:
  ros__parameters: {port: 7000, frame_prefix: file/, nested: {name: 1}}
/second/bridge:
  ros__parameters: {port: 7001}
/**/errand:
  ros__parameters: {object: 5}
"""


def test_the_file_counts_where_no_argument_is_given(started: Any) -> None:
    bridge, simulator, errand = started(FILE, errand="true")
    expected = {"rate": 9.0, "port": 7000, "frame_prefix": "file/", "nested.name": 1}
    assert bridge.parameters == expected
    assert bridge.full_name == "/robot/bridge"
    assert simulator.words == ["--port", "7000", "--host", "127.0.0.1"]
    assert errand.parameters == {"object": 5}


def test_an_argument_that_is_given_counts_for_bridge_and_simulator(started: Any) -> None:
    bridge, simulator = started(FILE, port="7002", frame_prefix="", host="")
    assert bridge.parameters["port"] == 7002
    # An empty text is a value of what may be any text.
    assert (bridge.parameters["frame_prefix"], bridge.parameters["host"]) == ("", "")
    assert simulator.words == ["--port", "7002", "--host", ""]


def test_an_empty_text_of_anything_else_is_not_given(started: Any) -> None:
    bridge, *others = started(FILE, port="", errand="", tables="", simulate="")
    assert (bridge.parameters["port"], len(others)) == (7000, 1)
    assert "tables" not in bridge.parameters


def test_the_entry_of_this_very_node_is_looked_at(started: Any) -> None:
    bridge, _ = started(FILE, namespace="second")
    assert bridge.parameters["port"] == 7001
    assert started(FILE, namespace="second", base="/fleet")[0].full_name == (
        "/fleet/second/bridge"
    )
    assert started(namespace="")[0].full_name == "/bridge"
    assert started(namespace="/abs", base="/fleet")[0].namespace == "/abs"


def test_without_simulation_there_is_no_simulator(started: Any) -> None:
    assert len(started(simulate="false")) == 1
    assert started(fault="cut,stall")[1].words[-2:] == ["--fault", "cut,stall"]


@pytest.mark.parametrize(
    "text, given, words",
    [
        ("", {"port": "0"}, "launch argument 'port' must be from 1 to 65535, not '0'"),
        ("", {"port": "1.5"}, "launch argument 'port' must be a whole number, not '1.5'"),
        ("", {"errand": "yes"}, "launch argument 'errand' must be true or false, not 'yes'"),
        ("/**:\n  ros__parameters: {port: 0}", {}, "parameter 'port' must be from 1 to 65535"),
        ("/**:\n  ros__parameters: {port: '1'}", {}, "parameter 'port' must be of type int"),
        ("", {"params_file": "/nowhere.yaml"}, "params_file '/nowhere.yaml' cannot be read"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    started: Any, text: str, given: dict[str, str], words: str
) -> None:
    with pytest.raises(LaunchError) as caught:
        started(text, **given)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text, value",
    [("true", True), ("True", True), ("1", True), ("FALSE", False), ("0", False), ("", None)],
)
def test_switches(text: str, value: bool | None) -> None:
    assert switch("s", "a switch").read(text) is value


def test_lists_are_separated_by_commas() -> None:
    argument = Argument("systems", "which", kind=list, choices=("a", "b"))
    assert argument.read("b,a") == ["b", "a"]
    with pytest.raises(LaunchError, match=r"must be one of 'a', 'b', not 'c'"):
        argument.read("a,c")
    with pytest.raises(LaunchError, match=r"must be a list separated by commas, not 'a,,b'"):
        argument.read("a,,b")


def test_an_included_file_has_arguments_of_its_own(file: Any, launched: Any) -> None:
    launched(FILE)
    outer = (*supervision(), *passed_on("robot_", file.ARGUMENTS, {"errand": "true"}))
    given = {"robot_port": "7003", "respawn": "True"}
    bridge, _, errand = LaunchRun(outer, given, "/up").include(
        file, {"errand": "true", "frame_prefix": "r/"}, prefix="robot_"
    )
    assert (bridge.parameters["port"], bridge.parameters["frame_prefix"]) == (7003, "r/")
    assert errand.full_name == "/up/robot/errand"
    without = LaunchRun(outer, {"robot_errand": "false"})
    assert len(without.include(file, {"errand": "true"}, prefix="robot_")) == 2
    # Those that all systems have are the launch's own.
    assert "robot_namespace" not in {argument.name for argument in outer}


def test_an_included_file_gets_of_what_is_for_any_file_what_it_has(file: Any) -> None:
    file.ARGUMENTS = tuple(a for a in file.ARGUMENTS if a.name not in ("respawn", "frame_prefix"))
    launch = LaunchRun(tuple(supervision()), {"log_level": "warn", "respawn": "true"})
    bridge, _ = launch.include(file, {}, if_declared={"frame_prefix": "r/", "namespace": "n"})
    assert (bridge.full_name, bridge.parameters) == ("/n/bridge", {"rate": 9.0})
    with pytest.raises(LaunchError) as caught:
        launch.include(file, {"nope": "1"})
    assert "robot.launch.py has no launch argument 'nope', only namespace, " in str(caught.value)


def test_a_launch_file_may_have_none_of_the_usual_arguments() -> None:
    launch = LaunchRun((), {}, "/base")
    node = launch.node(package="a_package", executable="bridge", parameters={"port": 1})
    assert (node.full_name, node.parameters) == ("/base/bridge", {"port": 1})
    assert launch.simulator_options() == []


@pytest.mark.parametrize("stepped", [False, True])
def test_nodes_of_systems_follow_a_stepped_clock_and_simulators_begin_paused(
    stepped: bool,
) -> None:
    launch = LaunchRun(
        simulator_arguments(("cut",)), {"simulation_interfaces": "true"}, stepped=stepped
    )
    clock = {"use_sim_time": True, "stepped": True} if stepped else {}
    node = launch.node(package="nao_goal_bridge", executable="bridge")
    assert node.parameters == clock
    assert launch.node(package="a_package", executable="bridge").parameters == {}
    option, channel, *paused = launch.simulator_options()
    assert (option, channel) == ("--control", launch.control_channel())
    assert paused == (["--paused"] if stepped else [])


def test_a_node_with_remappings_keeps_its_process() -> None:
    launch = LaunchRun((), {})
    of_nao = [
        launch.node(package="nao_goal_bridge", executable="bridge", namespace=namespace, **others)
        for namespace, others in [("/a", {}), ("/b", {"remappings": [("location", "place")]})]
    ]
    fleet, kept = launch.composed(of_nao)
    assert fleet.parameters == {"nodes": ["nao/bridge /a"]}
    assert kept is of_nao[1]


def words_of(action: Any) -> list[str]:
    return ["".join(getattr(part, "text", "") for part in word) for word in action.cmd]


def test_rviz_gets_the_frames_of_the_bridge(launched: Any) -> None:
    shipped = shared_file("rviz", "aibo.rviz")
    assert ["-d", shipped] == words_of(launched().rviz(shipped, frames={"odom": "odom"}))[1:3]
    view = launched().rviz(shipped, frame_prefix="b/", frames={"odom": "world"})
    written = Path(words_of(view)[2])
    assert written.name.endswith("aibo.rviz")
    text = written.read_text(encoding="utf-8")
    for line in ("Fixed Frame: world", "TF Prefix: b\n", "Target Frame: b/base_link"):
        assert line in text
    with pytest.raises(LaunchError, match="needs a frame_prefix that ends with '/', not 'b_'"):
        launched().rviz(shipped, frame_prefix="b_")


def test_rqt_gets_the_names_of_the_namespace(launched: Any) -> None:
    perspective = shared_file("config", "rqt", "aibo.perspective")
    rqt = launched(namespace="dogs/one").rqt(perspective, is_stamped=True)
    assert (rqt.package, rqt.words[0]) == ("rqt_gui", "--perspective-file")
    assert rqt.after == "/dogs/one/link_state"
    assert "'/aibo/" not in Path(rqt.words[1]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words,sentence",
    [
        (["rom_map:=x"], "no launch argument 'rom_map'; did you mean 'room_map'?"),
        (["zzz:=x"], "no launch argument 'zzz', only room_map, host"),
    ],
)
def test_an_unknown_argument_on_the_command_line_is_named(words: list[str], sentence: str) -> None:
    command = ["ros2", "launch", "package", "robot.launch.py", "host:=a"]
    with pytest.raises(LaunchError, match=re.escape(sentence)):
        check_command_line("robot.launch.py", ["room_map", "host"], [*command, *words])
    check_command_line("robot.launch.py", ["room_map", "host"], command)
    # A file that includes it has arguments of its own.
    check_command_line("robot.launch.py", ["host"], ["ros2", "launch", "other.launch.py", *words])
