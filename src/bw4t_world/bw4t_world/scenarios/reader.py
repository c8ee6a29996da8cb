# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads the original's scenario files, ``bw4TClientConfig`` (docs/originals/bw4t.md, 2)."""

from __future__ import annotations

from bw4t_world.maps.xml_document import Fields, Node, Source, load, parse
from bw4t_world.scenarios.model import BotSpec, Controller, EPartnerSpec, Scenario
from bw4t_world.scenarios.validator import (
    MAX_ABILITY,
    MAX_AMOUNT,
    ScenarioError,
    validate_scenario,
)

_ROOT = "bw4TClientConfig"
_BOT = (
    "botName",
    "botController",
    "botAmount",
    "botSize",
    "botSpeed",
    "batteryEnabled",
    "botBatteryCapacity",
    "botBatteryDischargeRate",
    "grippers",
    "colorBlindHandicap",
    "gripperHandicap",
    "moveSpeedHandicap",
    "sizeOverloadHandicap",
    "fileName",
    "referenceName",
)
_EPARTNER = (
    "epartnerName",
    "epartnerAmount",
    "gps",
    "forgetMeNot",
    "fileName",
    "referenceName",
)
_SCENARIO = (
    "bots",
    "epartners",
    "clientIp",
    "clientPort",
    "serverIp",
    "serverPort",
    "launchGui",
    "useGoal",
    "mapFile",
    "collisionEnabled",
    "enableCollisions",
    "visualizePaths",
    "fileLocation",
)


def read_scenario(source: Source) -> Scenario:
    """Read and validate a scenario file. Raises :class:`ScenarioError`."""
    return _finish(load(source, _ROOT, ScenarioError), str(source))


def parse_scenario(text: bytes | str, *, source: str = "") -> Scenario:
    """Read and validate the text of a scenario file. Raises :class:`ScenarioError`."""
    return _finish(parse(text, _ROOT, ScenarioError, source=source), source)


def _finish(node: Node, source: str) -> Scenario:
    scenario = _scenario(node)
    validate_scenario(scenario, source=source)
    return scenario


def _scenario(node: Node) -> Scenario:
    fields, default = node.fields(_SCENARIO), Scenario()
    return Scenario(
        bots=fields.get("bots", _bots, ()),
        epartners=fields.get("epartners", _epartners, ()),
        client_ip=fields.get("clientIp", Node.text, default.client_ip),
        client_port=fields.get("clientPort", _port, default.client_port),
        server_ip=fields.get("serverIp", Node.text, default.server_ip),
        server_port=fields.get("serverPort", _port, default.server_port),
        launch_gui=fields.get("launchGui", Node.boolean, default.launch_gui),
        use_goal=fields.get("useGoal", Node.boolean, default.use_goal),
        map_file=fields.get("mapFile", Node.text, default.map_file),
        collision_enabled=_collision_enabled(node, fields),
        visualize_paths=fields.get("visualizePaths", Node.boolean, default.visualize_paths),
        file_location=fields.get("fileLocation", _optional_text, None),
    )


def _collision_enabled(node: Node, fields: Fields) -> bool:
    # Scenario editors of different age write one or the other name.
    values = {
        name: fields.get(name, Node.boolean, False)
        for name in ("collisionEnabled", "enableCollisions")
        if fields.all(name)
    }
    if len(set(values.values())) > 1:
        raise node.error("collisionEnabled and enableCollisions contradict each other")
    return any(values.values())


def _bots(node: Node) -> tuple[BotSpec, ...]:
    return tuple(_bot(bot) for bot in node.fields((), repeated=("bot",)).all("bot"))


def _epartners(node: Node) -> tuple[EPartnerSpec, ...]:
    found = node.fields((), repeated=("epartner",)).all("epartner")
    return tuple(_epartner(epartner) for epartner in found)


def _bot(node: Node) -> BotSpec:
    fields, default = node.fields(_BOT), BotSpec()
    return BotSpec(
        name=fields.get("botName", Node.text, default.name),
        controller=fields.get("botController", _controller, default.controller),
        amount=fields.get("botAmount", _amount, default.amount),
        size=fields.get("botSize", _ability, default.size),
        speed=fields.get("botSpeed", _ability, default.speed),
        battery_enabled=fields.get("batteryEnabled", Node.boolean, default.battery_enabled),
        battery_capacity=fields.get("botBatteryCapacity", _ability, default.battery_capacity),
        grippers=fields.get("grippers", _ability, default.grippers),
        color_blind_handicap=fields.get("colorBlindHandicap", Node.boolean, False),
        gripper_handicap=fields.get("gripperHandicap", Node.boolean, False),
        move_speed_handicap=fields.get("moveSpeedHandicap", Node.boolean, False),
        size_overload_handicap=fields.get("sizeOverloadHandicap", Node.boolean, False),
        file_name=fields.get("fileName", Node.text, default.file_name),
        reference_name=fields.get("referenceName", Node.text, default.reference_name),
        battery_discharge_rate=fields.get("botBatteryDischargeRate", _optional_text, None),
    )


def _epartner(node: Node) -> EPartnerSpec:
    fields, default = node.fields(_EPARTNER), EPartnerSpec()
    return EPartnerSpec(
        name=fields.get("epartnerName", Node.text, default.name),
        amount=fields.get("epartnerAmount", _amount, default.amount),
        gps=fields.get("gps", Node.boolean, default.gps),
        forget_me_not=fields.get("forgetMeNot", Node.boolean, default.forget_me_not),
        file_name=fields.get("fileName", Node.text, default.file_name),
        reference_name=fields.get("referenceName", Node.text, default.reference_name),
    )


def _controller(node: Node) -> Controller:
    return node.choice(Controller, "controller")


def _amount(node: Node) -> int:
    return node.integer(0, MAX_AMOUNT)


def _ability(node: Node) -> int:
    return node.integer(0, MAX_ABILITY)


def _port(node: Node) -> int:
    return node.integer(0, 65535)


def _optional_text(node: Node) -> str | None:
    return node.text()
