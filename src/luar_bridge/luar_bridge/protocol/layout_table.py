# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What variables mean: tables kept as data, one file a version of Luar, and the user's own.

The variables themselves are found at run time in the memory; a table only gives known ones a kind,
a unit and a meaning. The form of a table is explained in tables/document.yaml.
"""

from __future__ import annotations

import enum
import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from legacy_robots_common.node.names import to_ros_name
from luar_bridge.protocol import naming

SHIPPED = ("document", "upenn_2013", "upenn_2016", "example_tcm")
"""The tables of this package, by the name to load them with."""
SIMULATED = ("document", "upenn_2013")
"""The versions of Luar that the simulated robot can be."""

_KEYS = {"name", "description", "extends", "heartbeats", "images", "like", "segments"}


class TableError(Exception):
    """A layout table is missing or wrong; the message names the file and the entry."""


class Kind(enum.Enum):
    """What a variable is to the accessors (specification, "Shared Memory Interface")."""

    NUMBER = "number"
    VECTOR = "vector"
    STRING = "string"
    CARRAY = "carray"


@dataclass(frozen=True)
class TypedTopic:
    """A topic of a message type that a variable fills, or that is written into it."""

    topic: str
    type: str
    """Such as geometry_msgs/msg/PointStamped."""
    field: str
    """Of the message, such as point or pose.position."""
    frame: str = ""
    stamp: str = ""
    """Variable of the same segment with the Unix time; empty: the time of the reading."""
    is_command: bool = False
    """The variable is written from the topic (``writable_from``)."""


@dataclass(frozen=True)
class VariableInfo:
    """What is known of a variable; ``length`` in doubles, None where it depends on the robot."""

    kind: Kind
    length: int | None = None
    unit: str = ""
    meaning: str = ""
    written: bool = True
    """False when no part of the original writes it: it stays zero and is no data."""
    typed: TypedTopic | None = None


@dataclass(frozen=True)
class LayoutTable:
    """The segments of one version of Luar."""

    name: str
    description: str
    segments: Mapping[str, Mapping[str, VariableInfo]]
    heartbeats: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """By process (motion, cognition): the counting variables (segment, variable) to look at."""
    images: Mapping[str, str] = field(default_factory=dict)
    """The segment of each camera's images, by its topics' prefix (empty for the only one)."""

    def info(self, segment: str, variable: str) -> VariableInfo | None:
        """Return what is known of a variable, or None."""
        return self.segments.get(segment, {}).get(variable)

    def extended_by(self, other: LayoutTable) -> LayoutTable:
        """Return this table with the entries of ``other``, which count where both have one."""
        segments = {name: dict(variables) for name, variables in self.segments.items()}
        for name, variables in other.segments.items():
            segments[name] = {**segments.get(name, {}), **variables}
        return LayoutTable(
            self.name,
            self.description,
            segments,
            {**self.heartbeats, **other.heartbeats},
            {**self.images, **other.images},
        )


def load(name: str) -> LayoutTable:
    """Load a shipped table by its name, or a user's by its path. Raises TableError."""
    if name in SHIPPED:
        text = (importlib.resources.files("luar_bridge.tables") / f"{name}.yaml").read_text(
            "utf-8"
        )
        return parse(text, name)
    path = Path(name).expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(
            f"table {name!r} is neither one of {', '.join(SHIPPED)} nor a readable file: {error}"
        ) from error
    return parse(text, str(path))


def load_all(names: list[str]) -> LayoutTable:
    """Load several tables and join them; later ones count. Raises TableError."""
    if not names:
        raise TableError("at least one layout table is needed")
    table, *others = map(load, names)
    for other in others:
        table = table.extended_by(other)
    return table


def table_files(layout: str) -> str:
    """Return the tables by name or file, those of a directory in its place, with commas.

    Raises ValueError for what is neither.
    """
    found: list[str] = []
    for name in filter(None, layout.split(",")):
        path = Path(name).expanduser()
        files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
        if name in SHIPPED:
            found.append(name)
        elif files and all(file.is_file() for file in files):
            found += map(str, files)
        else:
            raise ValueError(
                f"layout {name!r} is neither one of {', '.join(SHIPPED)} nor a file or a "
                "directory of .yaml files"
            )
    return ",".join(found)


def parse(text: str, where: str) -> LayoutTable:
    """Parse the YAML ``text`` of a table; ``where`` is what errors call it. Raises TableError."""
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TableError(f"{where}: {error}") from error
    top = _mapping(document, where)
    _only(top, _KEYS, where)
    base = load(_text(top["extends"], f"{where}: extends")) if "extends" in top else None
    segments: dict[str, dict[str, VariableInfo]] = (
        {s: dict(v) for s, v in base.segments.items()} if base else {}
    )
    for segment, entries in _mapping(top.get("segments", {}), f"{where}: segments").items():
        variables = segments.setdefault(_segment(segment, where), {})
        for variable, entry in _mapping(entries, f"{where}: {segment}").items():
            if entry is None:
                variables.pop(variable, None)
            else:
                variables[variable] = _variable(entry, f"{where}: {segment}.{variable}")
    for segment, model in _mapping(top.get("like", {}), f"{where}: like").items():
        if model not in segments:
            raise TableError(f"{where}: like: {segment}: there is no segment {model!r}")
        segments[_segment(segment, where)] = {**segments[model], **segments.get(segment, {})}
    heartbeats = dict(base.heartbeats) if base else {}
    for process, names in _mapping(top.get("heartbeats", {}), f"{where}: heartbeats").items():
        heartbeats[process] = _heartbeats(names, f"{where}: heartbeats: {process}")
    images = dict(base.images) if base else {}
    if "images" in top:
        at = f"{where}: images"
        images = {
            _prefix(p, at): _segment(_text(s, f"{at}: {p}"), at)
            for p, s in _mapping(top["images"], at).items()
        }
    return LayoutTable(
        _text(top.get("name", Path(where).stem), f"{where}: name"),
        _text(top.get("description", ""), f"{where}: description"),
        segments,
        heartbeats,
        images,
    )


def _variable(entry: Any, where: str) -> VariableInfo:
    values = _mapping(entry, where)
    _only(values, {"kind", "length", "unit", "meaning", "written", *_TYPED}, where)
    length = values.get("length")
    if length is not None and (type(length) is not int or length < 1):
        raise TableError(
            f"{where}: length must be a number of doubles, at least 1, not {length!r}"
        )
    default = "number" if length == 1 else "vector"
    kinds = [kind.value for kind in Kind]
    if (kind := values.get("kind", default)) not in kinds:
        raise TableError(f"{where}: kind must be one of {', '.join(kinds)}, not {kind!r}")
    if type(written := values.get("written", True)) is not bool:
        raise TableError(f"{where}: written must be true or false, not {written!r}")
    unit = _text(values.get("unit", ""), f"{where}: unit")
    meaning = str(values.get("meaning", ""))
    return VariableInfo(Kind(kind), length, unit, meaning, written, _typed(values, where))


_TYPED = ("topic", "writable_from", "type", "field", "frame", "stamp")


def _typed(values: dict[str, Any], where: str) -> TypedTopic | None:
    """Return the topic of a variable, None for none."""
    given = {key: _text(values[key], f"{where}: {key}") for key in _TYPED if key in values}
    if not given:
        return None
    if ("topic" in given) == ("writable_from" in given) or not {"type", "field"} <= given.keys():
        raise TableError(f"{where}: a topic needs topic or writable_from, and type and field")
    topic = given.pop("topic", "") or given["writable_from"]
    if to_ros_name(topic.replace("/", "")) != topic.replace("/", "") or topic.startswith("/"):
        raise TableError(f"{where}: {topic!r} cannot be the name of a topic")
    is_command = given.pop("writable_from", None) is not None
    return TypedTopic(topic, is_command=is_command, **given)


def _heartbeats(names: Any, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(names, list):
        raise TableError(f"{where} must be a list of segment.variable, not {names!r}")
    pairs = []
    for name in names:
        segment, dot, variable = _text(name, where).partition(".")
        if not (segment and dot and variable):
            raise TableError(f"{where}: {name!r} is not of the form segment.variable")
        pairs.append((_segment(segment, where), variable))
    return tuple(pairs)


def _segment(name: str, where: str) -> str:
    try:
        return naming.check_segment_name(name)
    except ValueError as error:
        raise TableError(f"{where}: {error}") from error


def _prefix(name: str, where: str) -> str:
    if name and to_ros_name(name) != name:
        raise TableError(f"{where}: {name!r} cannot be the beginning of a topic's name")
    return name


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise TableError(f"{where} must be a mapping of names, not {value!r}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise TableError(f"{where} must be text, not {value!r}")
    return value


def _only(values: dict[str, Any], allowed: set[str], where: str) -> None:
    if unknown := sorted(values.keys() - allowed):
        raise TableError(
            f"{where}: {', '.join(unknown)}: only {', '.join(sorted(allowed))} go here"
        )
