# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire of EIS clients: JSON lines to requests, answers to JSON lines. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from bw4t_runner.json_text import load_json
from bw4t_world import Percept, PerceptUpdate
from bw4t_world.maps import (
    BlockColor,
    Box,
    DoorOrientation,
    DoorSpec,
    EntitySpec,
    MapSpec,
    Point,
    ZoneSpec,
    ZoneType,
)
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from legacy_robots_core.link import base

LINE_LIMIT = 1 << 20
"""Bytes of a request at most."""
DEPTH_LIMIT = 16
"""Lists within lists in the arguments of an action, at most."""


class ProtocolError(base.ProtocolError):
    """Raised for a line that is no request; the text says what is wrong with it."""


def parse_request(line: bytes) -> dict[str, Any]:
    """Return the request of a line: a dictionary with ``id`` (int) and ``op`` (str)."""
    try:
        request = load_json(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a line is no JSON: {error}") from error
    if not isinstance(request, dict):
        raise ProtocolError("a request must be an object")
    number, op = request.get("id"), request.get("op")
    if isinstance(number, bool) or not isinstance(number, int) or not isinstance(op, str):
        raise ProtocolError('a request must have an "id" (a whole number) and an "op" (a text)')
    return request


def encode(message: dict[str, Any]) -> bytes:
    """Return the line of an answer or event."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def text(request: dict[str, Any], field: str) -> str:
    """Return a text field of a request; raises ProtocolError."""
    value = request.get(field)
    if not isinstance(value, str):
        raise ProtocolError(f"{request['op']}: {field!r} must be a text, not {value!r:.80}")
    return value


def count(request: dict[str, Any], field: str) -> int:
    """Return a number from 0 of a request; raises ProtocolError."""
    value = request.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ProtocolError(
            f"{request['op']}: {field!r} must be a number from 0, not {value!r:.80}"
        )
    return value


def arguments(request: dict[str, Any]) -> tuple[Any, ...]:
    """Return the arguments of an action; raises ProtocolError."""
    values = request.get("args")
    if not isinstance(values, list):
        raise ProtocolError(f"{request['op']}: 'args' must be a list, not {values!r:.80}")
    return tuple(_argument(value, DEPTH_LIMIT) for value in values)


def _argument(value: Any, depth: int) -> Any:
    if isinstance(value, (str, bool, int, float)):
        return value
    if depth and isinstance(value, list):
        return tuple(_argument(item, depth - 1) for item in value)
    if depth and isinstance(value, dict) and isinstance(value.get("args"), list):
        items = tuple(_argument(item, depth - 1) for item in value["args"])
        return Percept(str(value.get("f")), items)
    raise ProtocolError(f"no argument of an action: {value!r:.80}")


def percept_value(percept: Percept) -> list[Any]:
    """Return a percept as a list of its name and arguments."""
    return [percept.name, *(_value(arg) for arg in percept.args)]


def update_value(update: PerceptUpdate) -> dict[str, Any]:
    """Return what one poll brings, for the answer to ``percepts``."""
    return {
        "add": [percept_value(percept) for percept in update.add],
        "delete": [percept_value(percept) for percept in update.delete],
    }


def _value(arg: Any) -> Any:
    if isinstance(arg, Percept):  # before tuple, which it is
        return {"f": arg.name, "args": [_value(item) for item in arg.args]}
    if isinstance(arg, tuple):
        return [_value(item) for item in arg]
    if isinstance(arg, (str, bool, int, float)):
        return arg
    return str(arg)


def map_value(spec: MapSpec) -> dict[str, Any]:
    """Return a map for the answer to ``map``; points are ``[x, y]`` in map units, y downwards."""
    return {
        "area": [spec.area.x, spec.area.y],
        "one_bot_per_corridor_zone": spec.one_bot_per_corridor_zone,
        "random_blocks": spec.random_blocks,
        "random_sequence": spec.random_sequence,
        "sequence": [color.name for color in spec.sequence],
        "spawn_points": [[entity.position.x, entity.position.y] for entity in spec.entities],
        "zones": [
            {
                "name": zone.name,
                "type": zone.type.name,
                "box": [zone.box.x, zone.box.y, zone.box.width, zone.box.height],
                "neighbours": list(zone.neighbours),
                "doors": [[d.position.x, d.position.y, d.orientation.name] for d in zone.doors],
                "blocks": [color.name for color in zone.blocks],
            }
            for zone in spec.zones
        ],
    }


def map_of(value: Mapping[str, Any]) -> MapSpec:
    """Return the map of a value as :func:`map_value` gives it.

    Raises ProtocolError for a value that is no map.
    """
    try:
        zones = tuple(
            ZoneSpec(
                name=zone["name"],
                type=ZoneType[zone["type"]],
                box=Box(*map(float, zone["box"])),
                neighbours=tuple(zone["neighbours"]),
                doors=tuple(
                    DoorSpec(Point(float(x), float(y)), DoorOrientation[orientation])
                    for x, y, orientation in zone["doors"]
                ),
                blocks=tuple(BlockColor[color] for color in zone["blocks"]),
            )
            for zone in value["zones"]
        )
        return MapSpec(
            area=Point(*map(float, value["area"])),
            zones=zones,
            entities=tuple(EntitySpec(Point(*map(float, at))) for at in value["spawn_points"]),
            sequence=tuple(BlockColor[color] for color in value["sequence"]),
            one_bot_per_corridor_zone=bool(value["one_bot_per_corridor_zone"]),
            random_blocks=int(value["random_blocks"]),
            random_sequence=int(value["random_sequence"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ProtocolError(f"no map: {error!r}") from error


def percept_of(value: Any) -> Percept:
    """Return the percept of a list of its name and arguments; raises ProtocolError."""
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise ProtocolError(f"no percept: {value!r:.80}")
    return Percept(value[0], tuple(_argument(item, DEPTH_LIMIT) for item in value[1:]))


def requested(request: dict[str, Any]) -> list[BotSpec | EPartnerSpec]:
    """Return the players that a request ``register`` asks for; raises ProtocolError."""
    config = request.get("config")
    if config is None:
        wanted = (
            BotSpec(amount=count(request, "agents")),
            BotSpec("Human", Controller.HUMAN, amount=count(request, "humans")),
        )
        return [bot for bot in wanted if bot.amount]
    if not isinstance(config, dict):
        raise ProtocolError("register: 'config' must be an object")
    bots = [_spec(BotSpec, bot) for bot in _objects(config, "bots")]
    epartners = [_spec(EPartnerSpec, epartner) for epartner in _objects(config, "epartners")]
    return [*bots, *epartners]


def scenario_of(specs: list[BotSpec | EPartnerSpec]) -> Scenario:
    """Return the scenario with these members, to validate them."""
    return Scenario(
        bots=tuple(spec for spec in specs if isinstance(spec, BotSpec)),
        epartners=tuple(spec for spec in specs if isinstance(spec, EPartnerSpec)),
    )


def _objects(config: dict[str, Any], field: str) -> list[dict[str, Any]]:
    items = config.get(field, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ProtocolError(f"register: {field!r} must be a list of objects")
    return items


def _spec(kind: type[BotSpec] | type[EPartnerSpec], given: dict[str, Any]) -> Any:
    defaults = kind()
    values: dict[str, Any] = {}
    known = {field.name for field in fields(kind)}
    for name, value in given.items():
        if name not in known:
            raise ProtocolError(f"register: unknown field {name!r:.40}")
        if name == "controller":
            if value not in Controller.__members__:
                raise ProtocolError(f"register: unknown controller {value!r:.40}")
            values[name] = Controller[value]
            continue
        if type(value) is not type(getattr(defaults, name)):
            raise ProtocolError(f"register: {name} cannot be {value!r:.40}")
        values[name] = value
    return kind(**values)
