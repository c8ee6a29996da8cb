# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of the wire: command types, layouts, ids and units, read from overridable tables.

The original's TCPComm.h is lost, so nothing of this is certain (docs/originals/aibo.md, 3 and 4).
The base table ``wire_tables/gti-le.yaml`` holds every number once; *overlays*, named ones beside
it or files of the user, change what they mention.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

BASE = "gti-le"
_TABLES = Path(__file__).parents[1] / "wire_tables"

_KINDS = {
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "float32": "f",
    "float64": "d",
}
_ZERO_FIELDS = frozenset({"reserved", "flags"})
_FIELDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    # layout: (fields it must have, fields it may have)
    "header": (frozenset({"type", "length"}), frozenset()),
    "sensor_count": (frozenset({"count"}), frozenset()),
    "sensor_id": (frozenset({"id"}), frozenset()),
    "sensor_value": (frozenset({"value"}), frozenset()),
    "colour": (frozenset({"colour"}), frozenset()),
    "ball": (frozenset({"visible", "x", "y", "area"}), frozenset({"colour"})),
    "search_result": (frozenset({"found"}), frozenset()),
    "joint_count": (frozenset({"count"}), frozenset()),
    "joint_target": (frozenset({"joint", "duration_ms", "target"}), frozenset()),
    "walk": (frozenset({"dx", "dy", "da", "n"}), frozenset()),
    "acknowledgement": (frozenset({"status"}), frozenset()),
}
_REAL_FIELDS = frozenset({"value", "x", "y", "area", "target", "dx", "dy", "da"})
COMMANDS = (
    "query_sensors",
    "query_ball",
    "search_ball",
    "move_joints",
    "motion",
    "walk",
    "walk_steps",
)
"""The seven commands, in the order of the document's table."""
_UNANSWERED = ("move_joints", "motion", "walk", "walk_steps")
_LIMITS = ("body_bytes", "sensors", "joints", "file_name")


class WireError(Exception):
    """A wire table that cannot be read or contradicts itself; the message says where."""


class Layout:
    """A C structure, field by field: ``["type int32", "pad 4", ...]``.

    Fields called ``reserved`` or ``flags`` are written as zero and have to be zero when read.
    """

    def __init__(self, name: str, fields: Iterable[str], byte_order: str) -> None:
        self.name = name
        self.fields: list[tuple[str, str]] = []
        codes = ""
        for field in fields:
            words = str(field).split()
            if len(words) == 2 and words[0] == "pad" and words[1].isdecimal():
                codes += f"{int(words[1])}x"
            elif len(words) == 2 and words[1] in _KINDS:
                code = _KINDS[words[1]]
                if words[0] in _REAL_FIELDS and code not in "fd":
                    raise WireError(f"layout {name}: field {words[0]} must be a float kind")
                if words[0] not in _REAL_FIELDS and code in "fd":
                    raise WireError(f"layout {name}: field {words[0]} must be an integer kind")
                self.fields.append((words[0], code))
                codes += code
            else:
                raise WireError(
                    f"layout {name}: {field!r} is neither 'NAME KIND' (kinds: "
                    f"{', '.join(_KINDS)}) nor 'pad BYTES'"
                )
        names = [field for field, _ in self.fields]
        required, optional = _FIELDS[name]
        for wrong, why in (
            (required - set(names), "lacks the field"),
            (set(names) - required - optional - _ZERO_FIELDS, "does not know the field"),
            ({n for n in names if names.count(n) > 1}, "has twice the field"),
        ):
            if wrong:
                raise WireError(f"layout {name} {why} {sorted(wrong)[0]!r}")
        self.names = tuple(names)
        self.codes = codes
        self.order = "<" if byte_order == "little" else ">"
        self._struct = struct.Struct(self.order + codes)
        self.size = self._struct.size

    def pack(self, **values: float) -> bytes:
        """Return the bytes; fields without a value are zero. Raises struct.error."""
        return self._struct.pack(*(values.get(name, 0) for name in self.names))

    def unpack(self, data: bytes | bytearray, offset: int = 0) -> dict[str, Any]:
        """Return the values by field name."""
        return dict(zip(self.names, self._struct.unpack_from(data, offset), strict=True))

    def unpack_many(self, data: bytes | bytearray, count: int) -> tuple[float, ...]:
        """Return the values of the first field of ``count`` consecutive structures."""
        return struct.unpack_from(self.order + self.codes * count, data)[:: len(self.names)]

    def __repr__(self) -> str:
        return f"Layout({self.name}, {self.size} bytes)"


@dataclass(frozen=True)
class WireTable:
    """One complete wire definition; made by :func:`load`."""

    name: str
    port: int
    types: Mapping[str, int]
    acknowledged: frozenset[str]
    colours: Mapping[str, int]
    layouts: Mapping[str, Layout]
    limits: Mapping[str, int]
    joints: Mapping[str, int]
    """Ids by Tekkotsu's name."""
    buttons: Mapping[str, int]
    sensors: Mapping[str, int]

    @cached_property
    def command_names(self) -> Mapping[int, str]:
        """Command names by type number."""
        return MappingProxyType({number: name for name, number in self.types.items()})

    @cached_property
    def readable_ids(self) -> Mapping[str, int]:
        """Ids of everything that query_sensors can read, by Tekkotsu's name."""
        return MappingProxyType({**self.joints, **self.buttons, **self.sensors})

    @cached_property
    def names_of_ids(self) -> Mapping[int, str]:
        """Tekkotsu's names by id."""
        return MappingProxyType({number: name for name, number in self.readable_ids.items()})

    @cached_property
    def colour_names(self) -> Mapping[int, str]:
        """Colour names by number."""
        return MappingProxyType({number: name for name, number in self.colours.items()})


def overlay_names() -> list[str]:
    """Return the names of the overlays that come with the package."""
    names = (entry.name for entry in _TABLES.iterdir())
    return sorted(n[: -len(".yaml")] for n in names if n.endswith(".yaml") and n != f"{BASE}.yaml")


def split(names: str) -> list[str]:
    """Return the overlays that a text lists, separated by commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


def load(overlays: Iterable[str | Path] = ()) -> WireTable:
    """Read the base table with ``overlays`` (names, or paths of YAML files) laid over it in order.

    Raises WireError for a table that is missing, wrong or contradictory.
    """
    table = _read(BASE)
    for overlay in overlays:
        _lay_over(table, _read(overlay), str(overlay))
    return _build(table)


def _read(name: str | Path) -> dict[str, Any]:
    try:
        if str(name) == BASE or str(name) in overlay_names():
            text = (_TABLES / f"{name}.yaml").read_text(encoding="utf-8")
        else:
            text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WireError(
            f"wire table {str(name)!r} cannot be read ({error}); "
            f"known names: {', '.join(overlay_names())}"
        ) from error
    try:
        table = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise WireError(f"wire table {str(name)!r} is no YAML: {error}") from error
    if not isinstance(table, dict):
        raise WireError(f"wire table {str(name)!r} is not a mapping of keys to values")
    return table


def _lay_over(below: dict[str, Any], above: Mapping[str, Any], where: str) -> None:
    for key, value in above.items():
        if key not in below:
            raise WireError(f"wire table {where}: unknown key {key!r}")
        if isinstance(below[key], dict):
            if not isinstance(value, dict):
                raise WireError(f"wire table {where}: {key} must be a mapping, not {value!r}")
            _lay_over(below[key], value, f"{where}, {key}")
        else:
            below[key] = value


def _integer(value: Any, what: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise WireError(f"{what} must be an integer from {low} to {high}, not {value!r}")
    return value


def _numbers(table: Mapping[str, Any], what: str) -> Mapping[str, int]:
    numbers = {str(k): _integer(v, f"{what} {k}", -(2**31), 2**31 - 1) for k, v in table.items()}
    seen: dict[int, str] = {}
    for name, number in numbers.items():
        if number in seen:
            raise WireError(f"{what} {seen[number]} and {name} have the same number {number}")
        seen[number] = name
    return MappingProxyType(numbers)


def _build(table: Mapping[str, Any]) -> WireTable:
    if table["byte_order"] not in ("little", "big"):
        raise WireError(f"byte_order must be little or big, not {table['byte_order']!r}")
    acknowledged = table["acknowledged"]
    if not isinstance(acknowledged, list) or not set(acknowledged) <= set(_UNANSWERED):
        raise WireError(f"acknowledged must be a list of some of {', '.join(_UNANSWERED)}")
    layouts = {}
    for name, fields in table["layouts"].items():
        if not isinstance(fields, list):
            raise WireError(f"layout {name} must be a list of fields, not {fields!r}")
        layouts[name] = Layout(name, fields, table["byte_order"])
    ids = {kind: _numbers(numbers, f"id of {kind}") for kind, numbers in table["ids"].items()}
    _numbers({f"{k} {n}": v for k, part in ids.items() for n, v in part.items()}, "ids")
    return WireTable(
        name=str(table["name"]),
        port=_integer(table["port"], "port", 1, 65535),
        types=_numbers(table["types"], "type"),
        acknowledged=frozenset(acknowledged),
        colours=_numbers(table["colours"], "colour"),
        layouts=MappingProxyType(layouts),
        limits=MappingProxyType(
            {k: _integer(table["limits"][k], f"limit {k}", 1, 2**24) for k in _LIMITS}
        ),
        joints=ids["joints"],
        buttons=ids["buttons"],
        sensors=ids["sensors"],
    )
