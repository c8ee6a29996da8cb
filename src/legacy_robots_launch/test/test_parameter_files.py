# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of launch files against rclpy itself: what is read from files, and what overrules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import rclpy
from launch.substitutions import SubstitutionFailure, TextSubstitution
from rclpy.context import Context
from rclpy.node import Node

from launch import LaunchContext
from legacy_robots_common.bridge.watchdog import Parameters
from legacy_robots_launch.parameters import (
    NodeParameter,
    Overruling,
    absolute_namespace,
    values_of,
)

pytestmark = pytest.mark.node

SWITCHES = ["yes", "y", "Y", "n", "NO", "on", "off", "TRUE", "tRUE", "'y'", '"on"', "no"]
OF_EVERY_NODE = ("use_sim_time", "start_type_description_service", "stepped")
PATTERNS = """
/**:
  ros__parameters: {all: 1, winner: all}
/**/bridge:
  ros__parameters: {any_bridge: 1, winner: any_bridge}
/*/bridge:
  ros__parameters: {one_deep: 1, winner: one_deep}
/nao/bridge:
  ros__parameters: {this: 1, winner: this}
/nao/*:
  ros__parameters: {in_nao: 1}
bridge:
  ros__parameters: {relative: 1}
/nao:
  bridge:
    ros__parameters: {nested: a, winner: nested, list: [1, 2], texts: [a, "on"]}
/**/errand:
  ros__parameters: {errand: 1}
/nao/bridge2:
  ros__parameters: {longer: 1}
"""


@pytest.mark.parametrize("wrong", ["nao__1", "/1a", "/a/b c"])
def test_a_namespace_that_is_none_ends_a_launch(wrong: str) -> None:
    with pytest.raises(SubstitutionFailure, match="is no namespace: each part of one has only"):
        absolute_namespace(LaunchContext(), [TextSubstitution(text=wrong)])


@pytest.fixture
def as_read_by_rclpy() -> Any:
    """Return the values, as texts, that a real node gets from files."""

    def read(namespace: str, name: str, *paths: Path) -> dict[str, str]:
        context = Context()
        rclpy.init(context=context)
        node = Node(
            name,
            namespace=namespace,
            context=context,
            cli_args=["--ros-args", *(w for p in paths for w in ("--params-file", str(p)))],
            automatically_declare_parameters_from_overrides=True,
            start_parameter_services=False,
        )
        values = {name: p.value for name, p in node.get_parameters_by_prefix("").items()}
        node.destroy_node()
        rclpy.shutdown(context=context)
        return {name: text(v) for name, v in values.items() if name not in OF_EVERY_NODE}

    return read


def text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else _joined(value)


def _joined(value: Any) -> str:
    return ",".join(map(text, value)) if hasattr(value, "__len__") else str(value)


def test_switches_are_those_of_rcl(as_read_by_rclpy: Any, tmp_path: Path) -> None:
    lines = [f"    p{number}: {word}\n" for number, word in enumerate(SWITCHES)]
    path = tmp_path / "some.yaml"
    path.write_text("/**/bridge:\n  ros__parameters:\n" + "".join(lines))
    assert values_of(str(path), "/nao/bridge") == as_read_by_rclpy("nao", "bridge", path)


@pytest.mark.parametrize(
    "namespace, name",
    [("", "bridge"), ("nao", "bridge"), ("a/b", "bridge"), ("nao", "errand"), ("nao", "bridge2")],
)
@pytest.mark.parametrize("backwards", [False, True])
def test_the_entries_of_a_node_are_those_that_rcl_takes(
    namespace: str, name: str, backwards: bool, as_read_by_rclpy: Any, tmp_path: Path
) -> None:
    path = tmp_path / "patterns.yaml"
    entries = PATTERNS.strip().replace("\n/", "\n\n/").replace("\nbridge", "\n\nbridge")
    parts = entries.split("\n\n")
    path.write_text("\n".join(reversed(parts) if backwards else parts) + "\n")
    values = values_of(str(path), f"/{namespace}/{name}".replace("//", "/"))
    assert values == as_read_by_rclpy(f"/{namespace}", name, path)
    assert "winner" in values


@pytest.mark.parametrize(
    "wrong, words",
    [
        ("/**:\n  ros__parameters: 5\n", "ros__parameters: '5'"),
        ("/**: 5\n", "a name with ':' is expected"),
        ("- a\n", "the file: a name with ':'"),
        ("/**: [\n", "cannot be read: while parsing"),
    ],
)
def test_a_file_that_is_none_is_named(wrong: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(wrong)
    with pytest.raises(SubstitutionFailure) as caught:
        values_of(str(path), "/nao/bridge")
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("# nothing\n")
    assert values_of(str(path), "/nao/bridge") == {}


def context_with(**configurations: str) -> LaunchContext:
    context = LaunchContext()
    context.launch_configurations.update(configurations)
    return context


def test_arguments_overrule_every_entry_where_they_are_given(
    as_read_by_rclpy: Any, tmp_path: Path
) -> None:
    path = tmp_path / "patterns.yaml"
    path.write_text(PATTERNS)
    overruling = Overruling(
        winner=str, all=int, this=int, empty=str, items=list, switch=bool, rate=float, one=str,
        nested=(str, TextSubstitution(text="")), in_nao=(int, TextSubstitution(text="7")),
    )  # fmt: skip
    given = {"winner": "y", "all": "2", "this": "", "empty": '""', "items": "a, b"}
    context = context_with(**given, switch="True", rate="1e3", one="1")
    arguments = overruling.evaluate(context)
    found = as_read_by_rclpy("nao", "bridge", path, arguments)
    assert found["winner"] == "y", "a text, though it is a switch in YAML"
    assert found["one"] == "1"
    assert (found["all"], found["this"], found["empty"]) == ("2", "1", "")
    assert (found["items"], found["switch"], found["rate"]) == ("a,b", "true", "1000.0")
    assert (found["nested"], found["in_nao"]) == ("a", "7")


@pytest.mark.parametrize("kind, given", [(int, "1.5"), (float, "fast"), (bool, "yes")])
def test_a_text_of_another_type_is_left_for_the_node_to_refuse(
    kind: type, given: str, as_read_by_rclpy: Any
) -> None:
    arguments = Overruling(p=kind).evaluate(context_with(p=given))
    assert as_read_by_rclpy("nao", "bridge", arguments) == {"p": given}


def test_a_parameter_is_the_argument_or_the_entry_or_the_default(tmp_path: Path) -> None:
    path = tmp_path / "watchdog.yaml"
    path.write_text("/nao/watchdog: {ros__parameters: {period: 2.5}}\n")
    period = NodeParameter(Parameters, "period", node="watchdog")
    assert period.perform(context_with(namespace="nao")) == "5.0"
    file = {"namespace": "nao", "params_file": str(path)}
    assert period.perform(context_with(**file)) == "2.5"
    assert period.perform(context_with(**file, ros_namespace="/up")) == "5.0"
    assert period.perform(context_with(**file, period="7")) == "7"


@pytest.mark.parametrize(
    "base, namespace, full",
    [("", "a", "/a"), ("/up", "a/b", "/up/a/b"), ("/up", "/a", "/a"), ("", "", "/")],
)
def test_a_relative_namespace_is_below_the_pushed_ones(
    base: str, namespace: str, full: str
) -> None:
    assert absolute_namespace(context_with(ros_namespace=base), namespace) == full
