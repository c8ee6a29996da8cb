# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages as plain values, YAML and CSV, and plain values as messages.

PyPI has no rosidl_runtime_py; this module does the part of its work that the commands need.
"""

from __future__ import annotations

import array
import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ros2_command.ros import ros
from ros2_command.verb import CommandError

KINDS = {"msg": "message", "srv": "service", "action": "action"}


def load_interface(name: str, kind: str) -> Any:
    """Return the Python class of the interface `name`, ``package/kind/Type`` or ``package/Type``.

    Raises:
        CommandError: There is no such interface.

    """
    parts = name.split("/")
    if len(parts) == 2:
        parts.insert(1, kind)
    try:
        package, middle, type_ = parts
        if middle != kind or not all(part.isidentifier() for part in parts):
            raise ValueError(name)
        return getattr(importlib.import_module(f"{package}.{kind}"), type_)
    except (ValueError, ImportError, AttributeError):
        raise CommandError(f"The passed {KINDS[kind]} type is invalid") from None


def read_yaml(text: str) -> Any:
    """Return the value of a YAML text from the command line; CommandError if it is none."""
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise CommandError(
            f"The passed value needs to be a dictionary in YAML format: {error}"
        ) from None


def read_dictionary(text: str) -> dict[str, Any]:
    """Return the dictionary of a YAML text; an empty text is an empty dictionary."""
    value = read_yaml(text)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CommandError("The passed value needs to be a dictionary in YAML format")
    return value


# Messages to values ---------------------------------------------------------------------------
def is_message(value: Any) -> bool:
    """Return whether `value` is a message object."""
    return hasattr(value, "get_fields_and_field_types")


def to_plain(
    message: Any, *, length: int | None = None, no_arr: bool = False, no_str: bool = False
) -> dict[str, Any]:
    """Return the fields of a message as a dictionary of plain Python values.

    Arrays and texts longer than `length` are cut and marked with ``...``.
    """

    def plain(value: Any, slot: Any = None) -> Any:
        if is_message(value):
            return to_plain(value, length=length, no_arr=no_arr, no_str=no_str)
        if isinstance(value, bytes) and len(value) == 1:
            return value.decode("latin-1")
        if isinstance(value, (str, bytes)):
            text = value.decode("latin-1") if isinstance(value, bytes) else value
            if no_str:
                return f"<string length: <{len(text)}>>"
            return f"{text[:length]}..." if length is not None and len(text) > length else text
        if _is_array(value):
            if no_arr:
                return _array_description(value, slot)
            items = [plain(_python(item)) for item in value[:length]]
            return items if length is None or len(value) <= length else [*items, "..."]
        return _python(value)

    names = message.get_fields_and_field_types()
    return {
        name: plain(getattr(message, name), slot)
        for name, slot in zip(names, message.SLOT_TYPES, strict=True)
    }


def _is_array(value: Any) -> bool:
    return isinstance(value, (list, tuple, array.array)) or hasattr(value, "dtype")


def _python(value: Any) -> Any:
    """Return numpy scalars as Python's."""
    return value.item() if hasattr(value, "item") and not _is_list(value) else value


def _is_list(value: Any) -> bool:
    return hasattr(value, "__len__")


def _array_description(value: Any, slot: Any) -> str:
    definition = ros("rosidl_parser.definition")
    item = slot.value_type
    if isinstance(item, definition.BasicType):
        name = item.typename
    elif isinstance(item, definition.AbstractGenericString):
        name = "string" if "WString" not in type(item).__name__ else "wstring"
    elif isinstance(item, definition.NamespacedType):
        name = "/".join(item.namespaced_name())
    else:
        name = str(item)
    if isinstance(slot, definition.Array):
        return f"<array type: {name}[{slot.size}]>"
    return f"<sequence type: {name}, length: {len(value)}>"


def to_yaml(message: Any, *, flow_style: bool = False, **options: Any) -> str:
    """Return a message as YAML, ending with a newline; `options` as of `to_plain`."""
    import yaml

    return str(
        yaml.dump(
            to_plain(message, **options),
            allow_unicode=True,
            sort_keys=False,
            width=float("inf"),
            default_flow_style=None if flow_style else False,
        )
    )


def to_csv(message: Any, *, length: int | None = None, **options: Any) -> str:
    """Return all values of a message in one line separated by commas."""

    def flat(value: Any) -> Iterator[str]:
        if is_message(value):
            for name in value.get_fields_and_field_types():
                yield from flat(getattr(value, name))
        elif _is_array(value):
            if options.get("no_arr"):
                yield "<array>"
                return
            for item in value[:length]:
                yield from flat(_python(item))
            if length is not None and len(value) > length:
                yield "..."
        elif isinstance(value, str):
            if options.get("no_str"):
                yield "<string>"
            else:
                yield f"{value[:length]}..." if length and len(value) > length else value
        else:
            yield str(_python(value))

    return ",".join(flat(message))


# Values to messages ---------------------------------------------------------------------------
def fill(message: Any, values: Mapping[str, Any], path: str = "") -> list[Any]:
    """Set fields of a message from plain values and return the time fields to be set on sending.

    ``now`` for a time and ``auto`` for a header stand for the time of sending.

    Raises:
        CommandError: A field does not exist or the value does not fit its type.

    """
    now: list[Any] = []
    if not isinstance(values, Mapping):
        raise CommandError(
            f"Failed to populate field: {path or type(message).__name__} needs a dictionary, "
            f"got {values!r}"
        )
    slots = dict(zip(message.get_fields_and_field_types(), message.SLOT_TYPES, strict=True))
    for name, value in values.items():
        where = f"{path}.{name}" if path else str(name)
        if name not in slots:
            raise CommandError(
                f"Failed to populate field: '{type(message).__name__}' object has no attribute "
                f"'{name}'"
            )
        present = getattr(message, name)
        kind = _message_name(present)
        if kind == "builtin_interfaces/Time" and value == "now":
            now.append(present)
        elif kind == "std_msgs/Header" and value == "auto":
            now.append(present.stamp)
        elif is_message(present):
            now += fill(present, value, where)
        else:
            try:
                setattr(message, name, _converted(present, slots[name], value, where))
            except (AssertionError, TypeError, ValueError, OverflowError) as error:
                raise CommandError(f"Failed to populate field: {where}: {error}") from None
    return now


def _message_name(value: Any) -> str | None:
    if not is_message(value):
        return None
    return f"{type(value).__module__.split('.')[0]}/{type(value).__name__}"


def _converted(present: Any, slot: Any, value: Any, where: str) -> Any:
    """Return `value` in the Python type of a field that is no message."""
    definition = ros("rosidl_parser.definition")
    if isinstance(slot, definition.AbstractNestedType):
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ValueError(f"needs a list, got {value!r}")
        return _converted_items(present, slot.value_type, value, where)
    if isinstance(slot, definition.BasicType):
        return _converted_basic(slot.typename, value)
    return _converted_text("" if value is None else value)


def _converted_text(value: Any) -> str:
    """Return a text: YAML reads an unquoted 5 as a number, and 2026-01-31 as a date."""
    if isinstance(value, (bool, int, float)):
        return str(value)
    if not isinstance(value, str):
        # The C code of a message aborts the process for anything else.
        raise ValueError(f"needs a text, got {value!r}: put it in quotes")
    return value


def _converted_items(present: Any, item: Any, value: Sequence[Any], where: str) -> Any:
    definition = ros("rosidl_parser.definition")
    if isinstance(item, definition.NamespacedType):
        package, kind, name = item.namespaced_name()
        class_ = getattr(importlib.import_module(f"{package}.{kind}"), name)
        items = []
        for index, entry in enumerate(value):
            message = class_()
            fill(message, entry, f"{where}[{index}]")
            items.append(message)
        return items
    if isinstance(item, definition.BasicType):
        basics = [_converted_basic(item.typename, entry) for entry in value]
        if isinstance(present, array.array):
            return array.array(present.typecode, basics)
        if hasattr(present, "dtype"):
            import numpy

            if len(basics) != len(present):
                raise ValueError(f"needs {len(present)} values, got {len(basics)}")
            return numpy.array(basics, dtype=present.dtype)
        return basics
    return [_converted_text(entry) for entry in value]


def _converted_basic(typename: str, value: Any) -> Any:
    if typename == "octet":
        return bytes([value]) if isinstance(value, int) else str(value).encode("latin-1")
    if typename == "boolean":
        if not isinstance(value, (bool, int)):
            raise ValueError(f"needs a boolean, got {value!r}")
        return bool(value)
    if typename in ("float", "double", "long double"):
        return float(value)
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(f"needs an integer, got {value!r}")
    number = int(value)
    # The generated setters check only under ROS_PYTHON_CHECK_FIELDS; nothing may wrap around.
    bits = {"char": 8, "wchar": 16}.get(typename) or int(typename.strip("uint"))
    signed = typename.startswith("int")
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if not low <= number <= high:
        raise ValueError(f"{number} is outside of {typename} ({low} to {high})")
    return number
