# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Topics of message types that a table of variables declares, without code."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from typing import Any

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.times import header
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.layout_table import Kind, TypedTopic, VariableInfo
from luar_bridge.protocol.segment import SegmentUnavailableError
from luar_bridge.protocol.writer import WriteRefusedError

PERIOD_S = 0.1
_Variable = tuple[str, str, VariableInfo, TypedTopic]
"""Segment, name, what is known of it, and its topic."""


def message_class(name: str) -> Any:
    """Return the class of a type such as geometry_msgs/msg/Point. Raises ParameterError."""
    package, _, kind = name.replace("/msg/", "/").partition("/")
    try:
        return getattr(importlib.import_module(f"{package}.msg"), kind)
    except (ImportError, AttributeError, ValueError) as error:
        raise ParameterError(f"parameter 'tables': there is no message {name!r}") from error


def fill(message: Any, field: str, values: Sequence[float] | str) -> None:
    """Set a field, such as pose.position, to a variable's values; numbers go in their order.

    Raises ValueError where they do not fit.
    """
    *path, last = field.split(".")
    for name in path:
        message = getattr(message, name)
    present = getattr(message, last)
    if isinstance(values, str) or isinstance(present, str):
        if not isinstance(present, str):
            raise ValueError(f"{field} is no text")
        setattr(message, last, values if isinstance(values, str) else str(list(values)))
    elif isinstance(present, (bool, int, float)):
        if len(values) != 1:
            raise ValueError(f"{field} is one number, the variable has {len(values)}")
        setattr(message, last, type(present)(values[0]))
    elif hasattr(present, "get_fields_and_field_types"):
        names = list(present.get_fields_and_field_types())
        if len(values) > len(names):
            raise ValueError(f"{field} has {len(names)} numbers, the variable {len(values)}")
        for name, value in zip(names, values, strict=False):
            fill(present, name, [value])
    else:
        setattr(message, last, list(values))


def numbers_of(message: Any, field: str) -> list[float] | str:
    """Return a field as a variable's values. Raises ValueError for one that has none."""
    for name in field.split("."):
        message = getattr(message, name)
    if isinstance(message, str):
        return message
    if isinstance(message, (bool, int, float)):
        return [float(message)]
    if hasattr(message, "get_fields_and_field_types"):
        parts = [getattr(message, name) for name in message.get_fields_and_field_types()]
        return [float(part) for part in parts]
    return [float(value) for value in message]


class TypedVariables(NodePart):
    """Publishes and subscribes to what the tables declare. Of the executor.

    Raises ParameterError for a type or field that does not exist, and a variable that must not
    be written.
    """

    def __init__(self, context: PartContext) -> None:
        self._context, self._node = context, context.node
        self._published: dict[str, tuple[Any, type[Any], list[_Variable]]] = {}
        self._last: dict[str, object] = {}
        for segment, variables in context.table.segments.items():
            for name, info in variables.items():
                if info.typed is not None:
                    self._declare((segment, name, info, info.typed))
        if self._published:
            self._node.timer(PERIOD_S, self._look)

    def _declare(self, variable: _Variable) -> None:
        segment, name, _, typed = variable
        kind = message_class(typed.type)
        where = f"parameter 'tables': {segment}.{name}"
        try:
            numbers_of(kind(), typed.field)
        except (AttributeError, ValueError, TypeError) as error:
            raise ParameterError(f"{where}: {typed.type}.{typed.field}: {error}") from error
        if typed.is_command:
            if not self._context.writable.allows(segment, name):
                raise ParameterError(f"{where}: writable_from needs it in 'writable'")

            def write(message: Any) -> None:
                self._write(variable, message)

            qos.subscription(self._node, kind, typed.topic, write, qos.stream(5))
            return
        if typed.topic not in self._published:
            publisher = qos.publisher(self._node, kind, typed.topic, qos.stream(5))
            self._published[typed.topic] = publisher, kind, []
        _, known, variables = self._published[typed.topic]
        if known is not kind:
            raise ParameterError(f"{where}: {typed.topic} has another type elsewhere")
        variables.append(variable)

    def _look(self) -> None:
        for topic, (publisher, kind, variables) in self._published.items():
            if not publisher.get_subscription_count():
                self._last.pop(topic, None)
                continue
            memory = self._context.memory.read(*{segment for segment, *_ in variables})
            found = {
                (segment, name): memory.all_numbers(segment, name)
                for segment, name, *_ in variables
            }
            stamps = [memory.number(s, t.stamp) for s, _, _, t in variables if t.stamp]
            if not all(found.values()) or self._last.get(topic) == (found, stamps):
                continue
            self._last[topic] = found, stamps
            message = kind()
            try:
                for segment, name, info, typed in variables:
                    values: Sequence[float] | str = found[segment, name]
                    if info.kind is Kind.STRING:
                        values = "".join(chr(int(n)) for n in found[segment, name] if 0 < n < 256)
                    fill(message, typed.field, values)
                    if hasattr(message, "header") and typed.frame:
                        message.header.frame_id = self._frame(typed.frame)
            except (ValueError, AssertionError, OverflowError) as error:
                self._node.on_problem("unfit typed variables", f"{topic}: {error}")
                continue
            if hasattr(message, "header"):
                stamp = next((s for s in stamps if s), None) or time.time()
                message.header = header(stamp, message.header.frame_id)
            publisher.publish(message)

    def _frame(self, name: str) -> str:
        """Return a frame of a table with the robot's prefix; the map has none."""
        p = self._context.settings
        return name if name == p.map_frame else p.frame_prefix + name

    def _write(self, variable: _Variable, message: Any) -> None:
        segment, name, _, typed = variable
        values = numbers_of(message, typed.field)
        path = self._context.path(segment)
        try:
            if isinstance(values, str):
                values = [float(byte) for byte in values.encode("latin-1", "replace")]
            writer.write_numbers(path, name, values)
        except (WriteRefusedError, ProtocolError, SegmentUnavailableError) as error:
            self._node.on_problem("refused writes", f"{typed.topic}: {segment}.{name}: {error}")
