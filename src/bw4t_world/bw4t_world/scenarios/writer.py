# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes scenario files as the original's editor does."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from bw4t_world.maps.xml_document import Source, add, boolean_text, serialize
from bw4t_world.scenarios.model import BotSpec, EPartnerSpec, Scenario
from bw4t_world.scenarios.validator import validate_scenario


def write_scenario(scenario: Scenario, target: Source) -> None:
    """Write a scenario file.

    Raises :class:`ScenarioError` for an impossible scenario, ``OSError`` where writing fails.
    """
    text = format_scenario(scenario)
    Path(target).write_text(text, encoding="utf-8", newline="\n")


def format_scenario(scenario: Scenario) -> str:
    """Return the text of a scenario file. Raises :class:`ScenarioError`."""
    validate_scenario(scenario)
    root = Element("bw4TClientConfig")
    # The two lists come first, then the settings in alphabetical order.
    bots = add(root, "bots")
    for bot in scenario.bots:
        _add_bot(bots, bot)
    epartners = add(root, "epartners")
    for epartner in scenario.epartners:
        _add_epartner(epartners, epartner)
    add(root, "clientIp", scenario.client_ip)
    add(root, "clientPort", str(scenario.client_port))
    add(root, "collisionEnabled", boolean_text(scenario.collision_enabled))
    if scenario.file_location is not None:
        add(root, "fileLocation", scenario.file_location)
    add(root, "launchGui", boolean_text(scenario.launch_gui))
    add(root, "mapFile", scenario.map_file)
    add(root, "serverIp", scenario.server_ip)
    add(root, "serverPort", str(scenario.server_port))
    add(root, "useGoal", boolean_text(scenario.use_goal))
    add(root, "visualizePaths", boolean_text(scenario.visualize_paths))
    return serialize(root)


def _add_bot(parent: Element, bot: BotSpec) -> None:
    element = add(parent, "bot")
    add(element, "batteryEnabled", boolean_text(bot.battery_enabled))
    add(element, "botAmount", str(bot.amount))
    add(element, "botBatteryCapacity", str(bot.battery_capacity))
    if bot.battery_discharge_rate is not None:
        add(element, "botBatteryDischargeRate", bot.battery_discharge_rate)
    add(element, "botController", bot.controller.name)
    add(element, "botName", bot.name)
    add(element, "botSize", str(bot.size))
    add(element, "botSpeed", str(bot.speed))
    add(element, "colorBlindHandicap", boolean_text(bot.color_blind_handicap))
    add(element, "fileName", bot.file_name)
    add(element, "gripperHandicap", boolean_text(bot.gripper_handicap))
    add(element, "grippers", str(bot.grippers))
    add(element, "moveSpeedHandicap", boolean_text(bot.move_speed_handicap))
    add(element, "referenceName", bot.reference_name)
    add(element, "sizeOverloadHandicap", boolean_text(bot.size_overload_handicap))


def _add_epartner(parent: Element, epartner: EPartnerSpec) -> None:
    element = add(parent, "epartner")
    add(element, "epartnerAmount", str(epartner.amount))
    add(element, "epartnerName", epartner.name)
    add(element, "fileName", epartner.file_name)
    add(element, "forgetMeNot", boolean_text(epartner.forget_me_not))
    add(element, "gps", boolean_text(epartner.gps))
    add(element, "referenceName", epartner.reference_name)
