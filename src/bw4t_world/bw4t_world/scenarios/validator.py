# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks whether the robots of a scenario can exist."""

from __future__ import annotations

from bw4t_world.maps.xml_document import DocumentError, is_writable
from bw4t_world.scenarios.model import BotSpec, EPartnerSpec, Scenario


class ScenarioError(DocumentError):
    """A scenario that cannot be read or that no world can take.

    The message, and the attributes ``source``, ``element`` and ``problem``, name the file, the
    element and what is wrong with it.
    """


MAX_AMOUNT = 10_000
"""The greatest number of robots or e-partners of one kind."""

MAX_ABILITY = 1_000_000
"""The greatest size, speed, battery capacity and number of grippers."""

FULL_SPEED = 100
"""Percent; a robot with a speed of its own must not exceed it (docs/originals/bw4t.md, 2)."""


def validate_scenario(scenario: Scenario, *, source: str = "") -> None:
    """Raise :class:`ScenarioError` naming ``source`` and the element unless all is possible."""

    def fail(element: str, problem: str) -> ScenarioError:
        return ScenarioError(problem, source=source, element=element)

    def check_text(element: str, text: str) -> None:
        if not is_writable(text):
            raise fail(
                element, f"{text[:60]!r} has control characters, or blanks at its ends or in a row"
            )

    def check_number(element: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise fail(element, f"{value} is not from {low} to {high}")

    def check_bot(path: str, bot: BotSpec) -> None:
        check_text(f"{path}/botName", bot.name)
        check_text(f"{path}/fileName", bot.file_name)
        check_text(f"{path}/referenceName", bot.reference_name)
        if bot.battery_discharge_rate is not None:
            check_text(f"{path}/botBatteryDischargeRate", bot.battery_discharge_rate)
        if not bot.name:
            raise fail(f"{path}/botName", "is empty")
        fastest = FULL_SPEED if bot.move_speed_handicap else MAX_ABILITY
        emptiest = 1 if bot.battery_enabled else 0
        check_number(f"{path}/botAmount", bot.amount, 0, MAX_AMOUNT)
        check_number(f"{path}/botSize", bot.size, 1, MAX_ABILITY)
        check_number(f"{path}/botSpeed", bot.speed, 0, fastest)
        check_number(f"{path}/botBatteryCapacity", bot.battery_capacity, emptiest, MAX_ABILITY)
        check_number(f"{path}/grippers", bot.grippers, 0, MAX_ABILITY)

    def check_epartner(path: str, epartner: EPartnerSpec) -> None:
        check_text(f"{path}/epartnerName", epartner.name)
        check_text(f"{path}/fileName", epartner.file_name)
        check_text(f"{path}/referenceName", epartner.reference_name)
        if not epartner.name:
            raise fail(f"{path}/epartnerName", "is empty")
        check_number(f"{path}/epartnerAmount", epartner.amount, 0, MAX_AMOUNT)

    for index, bot in enumerate(scenario.bots, start=1):
        check_bot(f"bots/bot[{index}]({bot.name[:40]})", bot)
    for index, epartner in enumerate(scenario.epartners, start=1):
        check_epartner(f"epartners/epartner[{index}]({epartner.name[:40]})", epartner)
    check_number("clientPort", scenario.client_port, 0, 65535)
    check_number("serverPort", scenario.server_port, 0, 65535)
    check_text("clientIp", scenario.client_ip)
    check_text("serverIp", scenario.server_ip)
    check_text("mapFile", scenario.map_file)
    check_text("fileLocation", scenario.file_location or "")


def scenario_remarks(scenario: Scenario) -> list[str]:
    """Return sentences about what is allowed in a scenario, but probably not meant."""
    remarks = []
    usual = BotSpec()
    amounts = [bot.amount for bot in scenario.bots]
    amounts += [epartner.amount for epartner in scenario.epartners]
    if not any(amounts):
        remarks.append("There are no robots and no e-partners.")
    for bot in scenario.bots:
        if bot.size != usual.size and not bot.size_overload_handicap:
            remarks.append(
                f"{bot.name}: botSize {bot.size} counts for the battery only, because "
                "sizeOverloadHandicap is false."
            )
        if bot.size >= 4 and bot.size_overload_handicap:
            remarks.append(f"{bot.name}: a robot of size {bot.size} fits through no door.")
        if bot.speed != usual.speed and not bot.move_speed_handicap:
            remarks.append(
                f"{bot.name}: botSpeed {bot.speed} counts for the battery only, because "
                "moveSpeedHandicap is false."
            )
        if bot.speed == 0 and bot.move_speed_handicap:
            remarks.append(f"{bot.name}: a robot of speed 0 never moves.")
    return remarks
