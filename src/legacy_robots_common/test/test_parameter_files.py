# SPDX-License-Identifier: Apache-2.0
"""Parameters files are read as the nodes read them: compared with rclpy itself."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node

from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.parameter_files import ParametersFile, text_of

pytestmark = pytest.mark.node

SCALARS = re.split(
    r"\s+",
    """yes y Y n NO on off TRUE tRUE 0x10 1e3 .5 010 08 00 -0 -010 +5 -7 5. 5.0 1E5 +.5e1 .e3
    0x 0xZZ '5' "on" "" '' .inf -.Inf +.inf inf Infinity .nan .NaN -.nan nan 0o7 1e+3 1_000 1:30
    1.2.3 2020-01-01 9223372036854775807 9223372036854775808 1e400 null ~ a#b [1,2] [1.0,2.5]
    ['a',b] [true,no]""",
)

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
    ros__parameters: {nested: {a: {b: 2}}, winner: nested}
/**/errand:
  ros__parameters: {errand: 1}
/nao/bridge2:
  ros__parameters: {longer: 1}
"""


@pytest.fixture
def as_read_by_rclpy() -> Any:
    """Return the values that a real node gets from a file."""

    def read(path: Path, namespace: str, name: str) -> dict[str, Any]:
        context = Context()
        rclpy.init(context=context)
        node = Node(
            name,
            namespace=namespace,
            context=context,
            cli_args=["--ros-args", "--params-file", str(path)],
            automatically_declare_parameters_from_overrides=True,
            start_parameter_services=False,
        )
        values = {name: p.value for name, p in node.get_parameters_by_prefix("").items()}
        node.destroy_node()
        rclpy.shutdown(context=context)
        for name in OF_EVERY_NODE:
            values.pop(name, None)
        return {n: list(v) if hasattr(v, "tolist") else v for n, v in values.items()}

    return read


def same(one: Any, other: Any) -> bool:
    both_nan = (
        isinstance(one, float) and isinstance(other, float) and one != one and other != other
    )
    return type(one) is type(other) and (one == other or both_nan)


def test_values_have_the_types_that_rcl_gives_them_and_are_written_so(
    as_read_by_rclpy: Any, tmp_path: Path
) -> None:
    lines = [f"    p{number}: {text}\n" for number, text in enumerate(SCALARS)]
    path, copy = tmp_path / "some.yaml", tmp_path / "copy.yaml"
    path.write_text("/**/bridge:\n  ros__parameters:\n" + "".join(lines))
    values = ParametersFile(path).values_of("/nao/bridge")
    copy.write_text(text_of({"/nao/bridge": values}))
    expected, written = (as_read_by_rclpy(p, "nao", "bridge") for p in (path, copy))
    assert expected.keys() == written.keys() == values.keys()
    for name, text in zip(values, SCALARS, strict=True):
        assert same(values[name], expected[name]), (text, expected[name])
        assert same(written[name], expected[name]), (text, expected[name])


@pytest.mark.parametrize(
    "value",
    [True, False, 0, -7, 1.5, 1e-7, 1e300, math.inf, "", "y", "1e3", 'é "q"\n#', [1.5, 2.0],
     ["y", "1"], "word " * 60],
)  # fmt: skip
def test_what_is_written_is_what_rcl_reads(
    value: Any, as_read_by_rclpy: Any, tmp_path: Path
) -> None:
    path = tmp_path / "written.yaml"
    path.write_text(text_of({"/a/b": {"p.q": value}}), encoding="utf-8")
    assert same(as_read_by_rclpy(path, "a", "b")["p.q"], value)


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
    full_name = f"/{namespace}/{name}".replace("//", "/")
    values = ParametersFile(path).values_of(full_name)
    assert values == as_read_by_rclpy(path, f"/{namespace}", name)
    assert "winner" in values


@pytest.mark.parametrize(
    "text, words",
    [
        ("/**:\n  ros__parameters: 5\n", "line 2: a parameter with ':' is expected"),
        ("/**: 5\n", "line 1: a name of a node with ':' is expected"),
        ("- a\n", "line 1: a name of a node"),
        ("/**: [\n", "cannot be read: while parsing"),
    ],
)
def test_a_file_that_is_none_is_named_with_the_line(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(LaunchError) as caught:
        ParametersFile(path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("# nothing\n")
    assert ParametersFile(path).values_of("/nao/bridge") == {}
