# SPDX-License-Identifier: Apache-2.0
"""Launch arguments and the parameters file: what counts where both say something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from legacy_robots_common.launching.arguments import (
    Argument,
    common_arguments,
    overruling,
    passed_on,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parameter_files import value_of
from legacy_robots_common.launching.parts import NodePart, Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch
from legacy_robots_common.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    host: str = parameter("127.0.0.1", "where it is")
    port: int = parameter(6474, "TCP port", minimum=1, maximum=65535)
    rate: float = parameter(1.0, "Hz")
    frame_prefix: str = parameter("", "before every frame")
    tables: list[str] = parameter(["document"], "tables")


def parts(settings: Settings) -> Iterator[Part]:
    bridge = settings.node("bridge", Parameters, defaults={"rate": 9.0})
    yield bridge
    yield from settings.simulator("--port", str(bridge.values.port), "--host", bridge.values.host)
    if settings["errand"]:
        yield settings.companion("errand")


@pytest.fixture
def settings(tmp_path: Path) -> Callable[..., Settings]:
    """Return the settings of a launch with the given parameters file and arguments."""

    def make(file: str = "", base: str = "/", **given: str) -> Settings:
        path = tmp_path / "parameters.yaml"
        path.write_text(file)
        arguments = (
            *common_arguments("robot", Parameters, str(path), simulate="s", rviz="r"),
            *overruling(Parameters, "host", "port", "tables"),
            switch("errand", "an errand"),
            *simulator_arguments(("cut", "stall")),
        )
        return Settings(SystemLaunch("robot", "a_package", arguments, parts), given, base)

    return make


def values(part: Part) -> dict[str, Any]:
    assert isinstance(part, NodePart)
    return {name: value_of(node) for name, node in part.parameters.items()}


FILE = """
/**/bridge:
  ros__parameters: {port: 7000, frame_prefix: file/, nested: {name: 1}}
/second/bridge:
  ros__parameters: {port: 7001}
/**/errand:
  ros__parameters: {object: 5}
"""


def test_the_file_counts_where_no_argument_is_given(settings: Any) -> None:
    bridge, simulator, errand = settings(FILE, errand="true").parts()
    expected = {"rate": 9.0, "port": 7000, "frame_prefix": "file/", "nested.name": 1}
    assert values(bridge) == expected
    assert bridge.full_name == "/robot/bridge"
    assert simulator.arguments == ("--port", "7000", "--host", "127.0.0.1")
    assert values(errand) == {"object": 5}


def test_an_argument_that_is_given_counts_for_bridge_and_simulator(settings: Any) -> None:
    bridge, simulator = settings(FILE, port="7002", frame_prefix="", host="").parts()
    assert values(bridge)["port"] == 7002
    # An empty text is a value of what may be any text.
    assert (values(bridge)["frame_prefix"], values(bridge)["host"]) == ("", "")
    assert simulator.arguments == ("--port", "7002", "--host", "")


def test_an_empty_text_of_anything_else_is_not_given(settings: Any) -> None:
    bridge, *others = settings(FILE, port="", errand="", tables="", simulate="").parts()
    assert (values(bridge)["port"], len(others)) == (7000, 1)
    assert "tables" not in values(bridge)


def test_the_entry_of_this_very_node_is_looked_at(settings: Any) -> None:
    bridge, _ = settings(FILE, namespace="second").parts()
    assert values(bridge)["port"] == 7001
    assert settings(FILE, namespace="second", base="/fleet").parts()[0].full_name == (
        "/fleet/second/bridge"
    )
    assert settings(namespace="").parts()[0].full_name == "/bridge"
    assert settings(namespace="/abs", base="/fleet").parts()[0].namespace == "/abs"


def test_without_simulation_there_is_no_simulator(settings: Any) -> None:
    assert len(settings(simulate="false").parts()) == 1
    assert settings(fault="cut,stall").parts()[1].arguments[-2:] == ("--fault", "cut,stall")


@pytest.mark.parametrize(
    "file, given, words",
    [
        ("", {"port": "0"}, "launch argument 'port' must be from 1 to 65535, not '0'"),
        ("", {"port": "1.5"}, "launch argument 'port' must be a whole number, not '1.5'"),
        ("", {"errand": "yes"}, "launch argument 'errand' must be true or false, not 'yes'"),
        ("", {"nope": "1"}, "robot has no launch argument 'nope', only namespace, "),
        ("/**:\n  ros__parameters: {port: 0}", {}, "parameter 'port' must be from 1 to 65535"),
        ("/**:\n  ros__parameters: {port: '1'}", {}, "parameter 'port' must be of type int"),
        ("", {"params_file": "/nowhere.yaml"}, "params_file '/nowhere.yaml' cannot be read"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    settings: Any, file: str, given: dict[str, str], words: str
) -> None:
    with pytest.raises(LaunchError) as caught:
        settings(file, **given).parts()
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


def test_a_launch_of_several_passes_arguments_on(settings: Any, tmp_path: Path) -> None:
    inner = settings(FILE)._launch
    outer = SystemLaunch(
        "demo",
        "a_package",
        (
            Argument("log_level", "level", "info"),
            switch("respawn", "again"),
            *passed_on("robot_", inner.arguments, {"errand": "true"}),
        ),
        lambda demo: demo.of(inner, {"errand": "true", "frame_prefix": "r/"}, "robot_").parts(),
    )
    bridge, _, errand = Settings(outer, {"robot_port": "7003", "respawn": "True"}, "/up").parts()
    assert (values(bridge)["port"], values(bridge)["frame_prefix"]) == (7003, "r/")
    assert (bridge.respawn, errand.namespace) == (True, "/up/robot")
    assert len(Settings(outer, {"robot_errand": "false"}).parts()) == 2
    # Those that all systems have are the launch's own.
    assert "robot_namespace" not in {argument.name for argument in outer.arguments}


def test_rviz_gets_the_frames_of_the_bridge(settings: Any) -> None:
    assert settings().rviz("aibo") == []
    (shipped,) = settings(rviz="true").rviz("aibo", frames={"odom": "odom"})
    assert shipped.file is None
    assert shipped.arguments[0] == "-d"
    assert shipped.arguments[1].endswith("rviz/aibo.rviz")
    (view,) = settings(rviz="true").rviz("aibo", frame_prefix="b/", frames={"odom": "world"})
    assert view.arguments == ("-d",)
    assert view.file.name == "aibo.rviz"
    for line in ("Fixed Frame: world", "TF Prefix: b\n", "Target Frame: b/base_link"):
        assert line in view.file.text
    with pytest.raises(LaunchError, match="needs a frame_prefix that ends with '/', not 'b_'"):
        settings(rviz="true").rviz("aibo", frame_prefix="b_")


def test_rqt_gets_the_names_of_the_namespace(settings: Any) -> None:
    assert settings().rqt("aibo") == []
    (rqt,) = settings(rqt="true", namespace="dogs/one").rqt("aibo", is_stamped=True)
    assert (rqt.package, rqt.arguments) == ("rqt_gui", ("--perspective-file",))
    assert rqt.after == "/dogs/one/link_state"
    assert "'/aibo/" not in rqt.file.text
