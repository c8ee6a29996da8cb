# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters: declared with description and range, read with types, refused with a sentence."""

from dataclasses import dataclass

import pytest
import rclpy
from rclpy.node import Node
from rclpy.parameter import Parameter

from legacy_robots_common.node.parameters import ParameterError, declare_parameters, parameter

pytestmark = pytest.mark.node


@dataclass(frozen=True)
class Settings:
    role: str = parameter("listen", "who dials", choices=("listen", "dial"))
    port: int = parameter(6474, "TCP port", minimum=1, maximum=65535)
    speed: float = parameter(1.5, "m/s", minimum=0.0, read_only=False)
    names: list = parameter(["a"], "some names")
    signs: list = parameter([-1.0, 1.0], "factors", minimum=-1.0, maximum=1.0)
    offsets: list = parameter([0.0], "m")
    rooms: list = parameter([1, 2], "ids", items=2)
    on: bool = parameter(True, "whether")


@pytest.fixture
def make_node():
    context = rclpy.Context()
    rclpy.init(context=context)
    nodes = []

    def make(**overrides):
        node = Node(
            "n",
            context=context,
            parameter_overrides=[
                Parameter(name, value=value) for name, value in overrides.items()
            ],
        )
        nodes.append(node)
        return node

    yield make
    for node in nodes:
        node.destroy_node()
    rclpy.shutdown(context=context)


def test_defaults_and_overrides_have_their_types(make_node):
    assert declare_parameters(make_node(), Settings) == Settings(names=["a"])
    values = declare_parameters(
        make_node(role="dial", port=1, speed=2, names=["b", "c"], on=False), Settings
    )
    assert values == Settings("dial", 1, 2.0, ["b", "c"], on=False)
    assert type(values.speed) is float


@dataclass(frozen=True)
class Switched:
    light: str = parameter("auto", "when it shines", choices=("auto", "on", "off"))


@pytest.mark.parametrize(
    "given,value", [(True, "on"), (False, "off"), ("on", "on"), ("auto", "auto")]
)
def test_on_and_off_are_taken_as_yaml_reads_them(make_node, given, value):
    assert declare_parameters(make_node(light=given), Switched).light == value


@pytest.mark.parametrize(
    "overrides,message",
    [
        ({"role": "both"}, "parameter 'role' must be one of 'listen', 'dial', not 'both'"),
        ({"port": 0}, "parameter 'port' must be from 1 to 65535, not 0"),
        ({"port": "6474"}, "parameter 'port' must be of type int"),
        ({"port": 6474.0}, "parameter 'port' must be of type int"),
        ({"speed": -1.0}, "parameter 'speed' must be at least 0, not -1.0"),
        ({"speed": float("nan")}, "parameter 'speed' must be at least 0, not nan"),
        ({"speed": "fast"}, "parameter 'speed' must be of type float"),
        ({"speed": True}, "parameter 'speed' must be of type float"),
        ({"names": "a"}, "parameter 'names' must be of type a list of str, not 'a'"),
        ({"names": [1]}, "parameter 'names' must be of type a list of str, not 1"),
        ({"offsets": [float("nan")]}, "parameter 'offsets' must be a number, not nan"),
        ({"names": [True]}, "parameter 'names' must be of type a list of str, not True"),
        ({"signs": [1, -2]}, "parameter 'signs' must be from -1 to 1, not -2.0"),
        ({"signs": ["1"]}, "parameter 'signs' must be of type a list of float, not '1'"),
        ({"rooms": [1.0, 2.0]}, "parameter 'rooms' must be of type a list of int, not 1.0"),
        ({"rooms": [1]}, "parameter 'rooms' must have 2 items, not 1"),
        ({"on": 1}, "parameter 'on' must be of type bool"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name(make_node, overrides, message):
    with pytest.raises(ParameterError, match=message):
        declare_parameters(make_node(**overrides), Settings)


def test_changes_while_running_are_checked_and_told(make_node):
    node = make_node()
    seen = []
    declare_parameters(node, Settings, seen.append)
    (bad,) = node.set_parameters([Parameter("speed", value=-2.0)])
    assert (bad.successful, seen) == (False, [])
    assert "at least 0" in bad.reason
    (good,) = node.set_parameters([Parameter("speed", value=3)])
    assert good.successful
    assert seen == [Settings(speed=3.0, names=["a"])]
    (fixed,) = node.set_parameters([Parameter("port", value=1)])
    assert not fixed.successful


def test_descriptions_and_limits_are_shown(make_node):
    node = make_node()
    declare_parameters(node, Settings)
    descriptor = node.describe_parameter("port")
    assert descriptor.description == "TCP port"
    assert descriptor.additional_constraints == "from 1 to 65535"
    assert descriptor.read_only
