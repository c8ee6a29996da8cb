# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS arguments of a command line: lists of numbers, empty lists, names; what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import rclpy
from rclpy.node import Node

from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_common.node.ros_arguments import mended, without_ros_arguments

pytestmark = pytest.mark.node


@dataclass(frozen=True)
class Settings:
    signs: list[float] = parameter([-1.0, 1.0], "factors")
    rooms: list[int] = parameter([1], "ids")
    names: list[str] = parameter(["a"], "names")
    speed: float = parameter(1.0, "m/s")


FILE = """
# ä: what comes before a list may be longer in bytes than in characters
/**:
  ros__parameters:
    signs: [-1.0, 1, 2e0]   # 1, 2.0
    rooms: []
    names: ["1", "[1, 2.5]"]
    speed: 2
/n:
  ros__parameters:
    signs:
    - 3
    - 4.5
"""


@pytest.mark.parametrize(
    "words,expected",
    [
        (["-p", "signs:=[-1, 1]"], Settings([-1.0, 1.0], [1], ["a"])),
        (["-p", "signs:=[-1.0, 1]"], Settings([-1.0, 1.0], [1], ["a"])),
        (["-p", "n:signs:=[1, 1e1, .5]"], Settings([1.0, 10.0, 0.5], [1], ["a"])),
        (["-p", "signs:=[]", "--param", "names:=[]"], Settings([], [1], [])),
        (["--params-file", "FILE"], Settings([3.0, 4.5], [], ["1", "[1, 2.5]"], 2.0)),
    ],
)
def test_lists_are_taken_as_single_values_are(words, expected, tmp_path: Path) -> None:
    file = tmp_path / "ä.yaml"
    file.write_text(FILE, encoding="utf-8")
    arguments = ["n", "--ros-args", *(str(file) if word == "FILE" else word for word in words)]
    assert without_ros_arguments(["n", "rest", *arguments[1:]]) == ["n", "rest"]
    context = rclpy.Context()
    with mended(arguments) as given:
        rclpy.init(args=given, context=context)
    node = Node("n", context=context)
    try:
        assert declare_parameters(node, Settings) == expected
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)
    assert file.read_text(encoding="utf-8") == FILE


@pytest.mark.parametrize(
    "words,sentence",
    [
        (["-r", "__ns:=/nao__1"], "'/nao__1' is no namespace: each part of one has only letters"),
        (["-r", "__ns:=/a//b"], "'/a//b' is no namespace"),
        (["--remap", "__ns:=/1a"], "'/1a' is no namespace"),
        (["-r", "other:__node:=a b"], "'a b' is no name of a node: one has only letters"),
        (["-p", "names:=[a, 1]"], "'-p names:=.a, 1.'"),
        (["-p", "names:=["], "'-p names:=.'"),
        (["--params-file", "/nowhere.yaml"], "'/nowhere.yaml' cannot be read: .*No such file"),
        (["--nonsense"], "unknown ROS arguments .*--nonsense"),
    ],
)
def test_what_rcl_would_refuse_is_a_sentence(words, sentence) -> None:
    with pytest.raises(StartupError, match=sentence) as refused:
        without_ros_arguments(["n", "--ros-args", *words])
    assert "\n" not in str(refused.value)
    assert ".c:" not in str(refused.value)
