# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The verbs of ``ros2 param`` against a real node."""

from __future__ import annotations

import pytest

pytest.importorskip("rclpy")
pytestmark = [pytest.mark.system, pytest.mark.usefixtures("probe")]

PARAMETERS = {
    "count": "integer",
    "fixed": "boolean",
    "label": "string",
    "nested.bytes": "byte array",
    "nested.names": "string array",
    "nested.values": "double array",
    "speed": "double",
    "start_type_description_service": "boolean",
    "use_sim_time": "boolean",
}


def test_param_list(ros2_all, check):
    everything, plain, typed, filtered, prefixed, unknown = ros2_all(
        "param list",
        "param list /probe",
        "param list --param-type /probe",
        "param list /probe --filter ne.*",
        "param list /probe --param-prefixes nested",
        "param list /nope",
    )
    names = "\n".join(f"  {name}" for name in PARAMETERS)
    check(everything, f"/probe:\n{names}")
    check(plain, names)
    check(typed, "\n".join(f"  {name} (type: {kind})" for name, kind in PARAMETERS.items()))
    nested = "  nested.bytes\n  nested.names\n  nested.values"
    check(filtered, nested)
    check(prefixed, nested)
    check(unknown, errors="Node not found", code=1)


def test_param_get(ros2_all, check):
    expected = {
        "speed": "Double value is: 0.5",
        "fixed": "Boolean value is: True",
        "nested.names": "String values are: ['a', 'b']",
        "nested.bytes": "Byte values are: [b'a']",
    }
    shown = ros2_all(*(f"param get /probe {name}" for name in expected))
    for program, text in zip(shown, expected.values(), strict=True):
        check(program, text)
    (bare,) = ros2_all("param get --hide-type /probe nested.names")
    check(bare, "['a', 'b']")


def test_param_get_errors(ros2_all, check):
    no_parameter, no_node = ros2_all("param get /probe nope", "param get /nope x")
    check(no_parameter, errors="Parameter not set", code=1)
    check(no_node, errors="Node not found", code=1)


def test_param_set(ros2, check):
    check(ros2("param", "set", "/probe", "count", "7"), "Set parameter successful")
    check(ros2("param", "get", "/probe", "count"), "Integer value is: 7")
    check(ros2("param", "set", "/probe", "label", "two words"), "Set parameter successful")
    check(
        ros2("param", "set", "/probe", "nested.values", "[3.0, 4.0]"), "Set parameter successful"
    )
    dumped = ros2("param", "dump", "/probe").output
    assert dumped.startswith("/probe:\n  ros__parameters:\n    count: 7\n    fixed: true\n")
    assert "    label: two words\n    nested:\n" in dumped
    assert "      values:\n      - 3.0\n      - 4.0\n" in dumped


def test_param_set_failures(ros2_all, check):
    from rclpy.parameter import Parameter

    kind = Parameter.Type  # its text differs between distributions
    failures = {
        "speed 5.0": "Parameter speed out of range Min: 0.0, Max: 2.0, value: 5.0",
        "speed 1": f"Wrong parameter type, expected '{kind.DOUBLE}' got '{kind.INTEGER}'",
        "fixed false": "Trying to set a read-only parameter: fixed.",
        "label forbidden": "this label is forbidden",
    }
    programs = ros2_all(*(f"param set /probe {words}" for words in failures))
    for program, reason in zip(programs, failures.values(), strict=True):
        check(program, errors=f"Setting parameter failed: {reason}", code=1)


def test_param_describe(ros2, check):
    check(
        ros2("param", "describe", "/probe", "speed", "count", "fixed"),
        "Parameter name: speed\n  Type: double\n  Description: How fast\n  Constraints:\n"
        "    Min value: 0.0\n    Max value: 2.0\n    Additional constraints: none\n"
        "Parameter name: count\n  Type: integer\n  Constraints:\n    Min value: 0\n"
        "    Max value: 9\n    Step: 1\n"
        "Parameter name: fixed\n  Type: boolean\n  Constraints:\n    Read only: true",
    )
    check(ros2("param", "describe", "/probe", "nope"), errors="Parameter 'nope' not set", code=1)
