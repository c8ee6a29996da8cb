# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Launch files in XML and YAML: the actions that their elements stand for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from launch._elements import Element, ElementError, from_xml, from_yaml, parse_text
from launch._subset import outside_subset
from launch.action import Action
from launch.condition import Condition
from launch.launch_description import LaunchDescription
from launch.launch_description_source import InvalidLaunchFileError

_TYPES = {"bool": bool, "int": int, "float": float, "str": str}


def load_frontend_launch_file(path: str) -> LaunchDescription:
    """Return the description in a file in XML or YAML. Raises InvalidLaunchFileError."""
    read = from_xml if path.endswith(".xml") else from_yaml
    try:
        root = read(Path(path).read_text(encoding="utf-8"))
        if root.name != "launch":
            raise ElementError(f"its first element is {root.name!r}, not 'launch'")
        entities = _actions(root)
        root.check()
    except (OSError, UnicodeDecodeError, ElementError, TypeError, ValueError) as error:
        raise InvalidLaunchFileError(f"launch file '{path}' cannot be used: {error}") from error
    return LaunchDescription(entities)


def _actions(parent: Element) -> list[Action]:
    return [_action(element) for element in parent.all_children()]


def _action(element: Element) -> Action:
    make = _ELEMENTS.get(element.name.replace("-", "_"))
    if make is None:
        raise ElementError(outside_subset(f"<{element.name}>"))
    action = make(element, condition=_condition(element))
    element.check()
    return action


def _condition(element: Element) -> Condition | None:
    from launch.conditions import IfCondition, UnlessCondition

    predicate, opposite = element.text("if"), element.text("unless")
    if predicate is not None and opposite is not None:
        raise ElementError(f"<{element.name}> has both 'if' and 'unless'")
    if predicate is not None:
        return IfCondition(predicate)
    return None if opposite is None else UnlessCondition(opposite)


def _given(**values: Any) -> dict[str, Any]:
    """Return those that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def _pairs(element: Element, name: str, first: str, second: str) -> list[tuple[Any, Any]]:
    """Return two attributes of each element that is called ``name``."""
    pairs = []
    for child in element.of(name):
        pairs.append((child.required_text(first), child.required_text(second)))
        child.check()
    return pairs


def _arg(element: Element, **common: Any) -> Action:
    from launch.actions import DeclareLaunchArgument

    choices = [str(child.required("value")) for child in element.of("choice")]
    for child in element.of("choice"):
        child.check()
    return DeclareLaunchArgument(
        str(element.required("name")),
        **_given(
            default_value=element.text("default"),
            description=element.get("description"),
            choices=choices or None,
        ),
        **common,
    )


def _let(element: Element, **common: Any) -> Action:
    from launch.actions import SetLaunchConfiguration

    return SetLaunchConfiguration(
        element.required_text("name"), element.required_text("value"), **common
    )


def _include(element: Element, **common: Any) -> Action:
    from launch.actions import IncludeLaunchDescription
    from launch.launch_description_sources import AnyLaunchDescriptionSource

    arguments = [
        *_pairs(element, "arg", "name", "value"),
        *_pairs(element, "let", "name", "value"),
    ]
    source = AnyLaunchDescriptionSource(element.required_text("file"))
    return IncludeLaunchDescription(source, launch_arguments=arguments, **common)


def _group(element: Element, **common: Any) -> Action:
    from launch.actions import GroupAction

    switches: dict[str, Any] = {}
    for name in ("scoped", "forwarding"):
        value = element.get(name)
        if value is not None:
            if str(value).lower() not in ("true", "false", "1", "0"):
                raise ElementError(f"<group> {name} must be true or false, not {value!r}")
            switches[name] = str(value).lower() in ("true", "1")
    return GroupAction(_actions(element), **switches, **common)


def _process(element: Element) -> dict[str, Any]:
    """Return the arguments of ExecuteProcess that an element has."""
    delay = element.get("respawn_delay")
    return _given(
        output=element.text("output"),
        cwd=element.text("cwd"),
        prefix=element.text("launch-prefix"),
        respawn=element.text("respawn"),
        respawn_delay=None if delay is None else float(delay),
        sigterm_timeout=element.text("sigterm_timeout"),
        sigkill_timeout=element.text("sigkill_timeout"),
        additional_env={
            "".join(sub.text for sub in name): value
            for name, value in _pairs(element, "env", "name", "value")
        }
        or None,
    )


def _executable(element: Element, **common: Any) -> Action:
    from launch.actions import ExecuteProcess

    element.required("cmd")
    shell = element.get("shell")
    words: list[Any] = [element.text("cmd")] if shell else element.words("cmd")
    return ExecuteProcess(
        cmd=words,
        shell=str(shell).lower() in ("true", "1"),
        **_given(name=element.text("name")),
        **_process(element),
        **common,
    )


def _node(element: Element, **common: Any) -> Action:
    from launch_ros.actions import Node

    parameters = [_parameter(child) for child in element.of("param")]
    return Node(
        executable=element.required_text("exec"),
        **_given(
            package=element.text("pkg"),
            name=element.text("name"),
            namespace=element.text("namespace"),
            exec_name=element.text("exec_name"),
            arguments=element.words("args") or None,
            ros_arguments=element.words("ros_args") or None,
            remappings=_pairs(element, "remap", "from", "to") or None,
            parameters=parameters or None,
        ),
        **_process(element),
        **common,
    )


def _parameter(element: Element) -> Any:
    """Return an item of the parameters of a node: a file, or a dictionary."""
    from launch_ros.parameter_descriptions import ParameterFile

    path = element.text("from")
    if path is None:
        return _value(element)
    substs = element.text("allow_substs")
    element.check()
    return ParameterFile(path, **_given(allow_substs=substs))


def _value(element: Element) -> dict[str, Any]:
    from launch_ros.parameter_descriptions import ParameterValue

    name = str(element.required("name"))
    nested = element.of("param")
    if nested:
        value: Any = {key: v for child in nested for key, v in _value(child).items()}
    else:
        value, kind = element.required("value"), element.get("type")
        if kind is not None and kind not in _TYPES:
            raise ElementError(outside_subset(f"type {kind!r} of <param>"))
        if kind is not None:
            value = ParameterValue(parse_text(value), value_type=_TYPES[kind])
        elif isinstance(value, str):
            value = parse_text(value)  # read as YAML
    element.check()
    return {name: value}


def _push_ros_namespace(element: Element, **common: Any) -> Action:
    from launch_ros.actions import PushRosNamespace

    return PushRosNamespace(element.required_text("namespace"), **common)


def _set_parameter(element: Element, **common: Any) -> Action:
    from launch_ros.actions import SetParameter

    value = element.required("value")
    if isinstance(value, str):
        value = parse_text(value)
    return SetParameter(element.required_text("name"), value, **common)


def _set_parameters_from_file(element: Element, **common: Any) -> Action:
    from launch_ros.actions import SetParametersFromFile

    return SetParametersFromFile(element.required_text("filename"), **common)


def _set_remap(element: Element, **common: Any) -> Action:
    from launch_ros.actions import SetRemap

    return SetRemap(element.required_text("from"), element.required_text("to"), **common)


def _set_env(element: Element, **common: Any) -> Action:
    from launch.actions import SetEnvironmentVariable

    return SetEnvironmentVariable(
        element.required_text("name"), element.required_text("value"), **common
    )


def _unset_env(element: Element, **common: Any) -> Action:
    from launch.actions import UnsetEnvironmentVariable

    return UnsetEnvironmentVariable(element.required_text("name"), **common)


def _log(element: Element, **common: Any) -> Action:
    from launch.actions import LogInfo

    return LogInfo(msg=element.required_text("message"), **common)


def _shutdown(element: Element, **common: Any) -> Action:
    from launch.actions import Shutdown

    return Shutdown(**_given(reason=element.get("reason")), **common)


def _timer(element: Element, **common: Any) -> Action:
    from launch.actions import TimerAction

    return TimerAction(period=element.required_text("period"), actions=_actions(element), **common)


_ELEMENTS: dict[str, Callable[..., Action]] = {
    "arg": _arg,
    "let": _let,
    "include": _include,
    "group": _group,
    "executable": _executable,
    "node": _node,
    "push_ros_namespace": _push_ros_namespace,
    "set_parameter": _set_parameter,
    "set_parameters_from_file": _set_parameters_from_file,
    "set_remap": _set_remap,
    "set_env": _set_env,
    "unset_env": _unset_env,
    "log": _log,
    "shutdown": _shutdown,
    "timer": _timer,
}
