# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters as a frozen dataclass: declared once with description and range, read with types.

Example::

    @dataclass(frozen=True)
    class Parameters:
        port: int = parameter(6474, "TCP port", minimum=1, maximum=65535)
        role: str = parameter("listen", "who opens the connection", choices=("listen", "dial"))

    values = declare_parameters(node, Parameters)

The shipped parameters files and the tables of the documents are generated from such classes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.exceptions import (
    InvalidParameterTypeException,
    InvalidParameterValueException,
    ParameterUninitializedException,
)
from rclpy.node import Node
from rclpy.parameter import Parameter

__all__ = ["ParameterError", "declare_parameters", "parameter"]

T = TypeVar("T")


class ParameterError(Exception):
    """A parameter has a wrong type or value; the message names it and what is allowed."""


def parameter(
    default: Any,
    description: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Sequence[str] = (),
    items: int | None = None,
    read_only: bool = True,
    group: str = "",
) -> Any:
    """Return a dataclass field that declares a ROS parameter.

    The type is that of ``default`` (bool, int, float, str, or a non-empty list of one of these).
    ``minimum`` and ``maximum`` are inclusive and in the parameter's own unit, which
    ``description`` names; of a list they bound each item. A list must have ``items`` of them, if
    that is given. One that is not ``read_only`` may be changed while the node runs.
    ``group`` heads this parameter and those after it in a parameters file.
    """
    metadata = {
        "description": description,
        "minimum": minimum,
        "maximum": maximum,
        "choices": tuple(choices),
        "items": items,
        "read_only": read_only,
        "group": group,
    }
    if isinstance(default, list):
        return dataclasses.field(default_factory=lambda: list(default), metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def constraint(field: dataclasses.Field[Any]) -> str:
    """Return in words what a parameter may be, or an empty string where everything goes."""
    count, bounds = field.metadata["items"], _bounds(field)
    return ", ".join(filter(None, [f"{count} items" if count else "", bounds]))


def _bounds(field: dataclasses.Field[Any]) -> str:
    meta = field.metadata
    if meta["choices"]:
        return "one of " + ", ".join(repr(c) for c in meta["choices"])
    low, high = meta["minimum"], meta["maximum"]
    if low is not None and high is not None:
        return f"from {_number(low)} to {_number(high)}"
    if low is not None:
        return f"at least {_number(low)}"
    if high is not None:
        return f"at most {_number(high)}"
    return ""


def _number(value: float) -> str:
    """Return a bound as people write it: whole ones in full, 1 for 1.0."""
    return str(int(value)) if value == int(value) else f"{value:g}"


def default_of(field: dataclasses.Field[Any]) -> Any:
    """Return the default of a parameter; a list is a new one each time."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _is_switch(field: dataclasses.Field[Any]) -> bool:
    """Whether it may be "on" or "off", which YAML reads as true and false."""
    return {"on", "off"} <= set(field.metadata["choices"])


def checked(field: dataclasses.Field[Any], value: Any) -> Any:
    """Return ``value`` with the type of the field. Raises ParameterError when it does not fit."""
    default = default_of(field)
    if not isinstance(default, list):
        return _checked_item(field, type(default), type(default).__name__, value)
    # rcl has no empty list: one in YAML, or on a command line, is a parameter without a value.
    items = [] if value is None else value
    wanted = f"a list of {type(default[0]).__name__}"
    if isinstance(items, str) or not hasattr(items, "__len__"):
        raise ParameterError(f"parameter '{field.name}' must be of type {wanted}, not {value!r}")
    count = field.metadata["items"]
    if count is not None and len(items) != count:
        raise ParameterError(f"parameter '{field.name}' must have {count} items, not {len(items)}")
    return [_checked_item(field, type(default[0]), wanted, item) for item in items]


def _checked_item(field: dataclasses.Field[Any], wanted: type, kind: str, value: Any) -> Any:
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if _is_switch(field) and isinstance(value, bool):
        value = "on" if value else "off"
    if type(value) is not wanted:
        raise ParameterError(f"parameter '{field.name}' must be of type {kind}, not {value!r}")
    meta = field.metadata
    low = -math.inf if meta["minimum"] is None else meta["minimum"]
    high = math.inf if meta["maximum"] is None else meta["maximum"]
    bad_choice = meta["choices"] and value not in meta["choices"]
    # Written so that nan is out of every range.
    bad_number = isinstance(value, (int, float)) and not low <= value <= high
    if bad_choice or bad_number:
        allowed = _bounds(field) or "a number"
        raise ParameterError(f"parameter '{field.name}' must be {allowed}, not {value!r}")
    return value


def declare_parameters(
    node: Node, parameters: type[T], on_change: Callable[[T], None] | None = None
) -> T:
    """Declare every field of the dataclass ``parameters`` on ``node`` and return their values.

    ``on_change`` is called with a new instance after a change while the node runs; without it all
    parameters are read-only. Raises ParameterError for a value that does not fit.
    """
    fields = {f.name: f for f in dataclasses.fields(parameters) if "description" in f.metadata}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for field in fields.values():
        descriptor = ParameterDescriptor(
            description=field.metadata["description"],
            additional_constraints=constraint(field),
            read_only=field.metadata["read_only"] or on_change is None,
            # People write `speed: 1` for a float, and YAML reads on as true; rclpy refuses both,
            # and what is read from a list depends on its items.
            dynamic_typing=isinstance(default_of(field), float | list) or _is_switch(field),
        )
        try:
            declared = node.declare_parameter(field.name, default_of(field), descriptor)
        except (
            InvalidParameterTypeException,
            InvalidParameterValueException,
            ParameterUninitializedException,
        ) as error:
            wanted = type(default_of(field)).__name__
            raise ParameterError(
                f"parameter '{field.name}' must be of type {wanted}: {error}"
            ) from error
        values[field.name] = checked(field, declared.value)
    current = parameters(**values)
    if on_change is not None:
        _follow_changes(node, fields, current, on_change)
    return current


def _follow_changes(
    node: Node,
    fields: dict[str, dataclasses.Field[Any]],
    current: T,
    on_change: Callable[[T], None],
) -> None:
    latest = current

    def check(changes: list[Parameter]) -> SetParametersResult:
        try:
            for change in changes:
                if change.name in fields:
                    checked(fields[change.name], change.value)
        except ParameterError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def apply(changes: list[Parameter]) -> None:
        nonlocal latest
        known = {c.name: checked(fields[c.name], c.value) for c in changes if c.name in fields}
        if known:
            latest = dataclasses.replace(latest, **known)  # type: ignore[type-var]
            on_change(latest)

    node.add_on_set_parameters_callback(check)
    node.add_post_set_parameters_callback(apply)
