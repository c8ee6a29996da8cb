# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Scenario files: round trip, defaults, old elements and every kind of bad file."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bw4t_world.scenarios import (
    BotSpec,
    Controller,
    EPartnerSpec,
    Scenario,
    ScenarioError,
    parse_scenario,
    read_scenario,
    scenario_remarks,
)
from bw4t_world.scenarios.writer import format_scenario, write_scenario

OLD = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<bw4TClientConfig>
    <bots><bot>
        <batteryEnabled>true</batteryEnabled>
        <botAmount>2</botAmount>
        <botBatteryCapacity>100</botBatteryCapacity>
        <botBatteryDischargeRate>0.0</botBatteryDischargeRate>
        <botController>HUMAN</botController>
        <botName>Bot 1</botName>
        <botSize>5</botSize>
        <botSpeed>80</botSpeed>
        <moveSpeedHandicap>true</moveSpeedHandicap>
        <fileName>robot.goal</fileName>
    </bot></bots>
    <epartners><epartner><epartnerName>GPS</epartnerName><gps>true</gps></epartner></epartners>
    <clientIp>localhost</clientIp>
    <enableCollisions>true</enableCollisions>
    <fileLocation>C:\\Users\\x\\y.xml</fileLocation>
    <mapFile></mapFile>
</bw4TClientConfig>"""

texts = st.text(
    st.characters(codec="ascii", exclude_categories=("Cc", "Zs")), min_size=1, max_size=12
)
counts = st.integers(1, 100)
bots = st.builds(
    BotSpec,
    name=texts,
    controller=st.sampled_from(Controller),
    amount=st.integers(0, 100),
    size=counts,
    speed=st.integers(0, 100),
    battery_enabled=st.booleans(),
    battery_capacity=counts,
    grippers=st.integers(0, 9),
    color_blind_handicap=st.booleans(),
    gripper_handicap=st.booleans(),
    move_speed_handicap=st.booleans(),
    size_overload_handicap=st.booleans(),
    file_name=texts | st.just(""),
    reference_name=texts | st.just(""),
    battery_discharge_rate=st.none() | st.just("0.0"),
)
epartners = st.builds(
    EPartnerSpec,
    name=texts,
    amount=st.integers(0, 9),
    gps=st.booleans(),
    forget_me_not=st.booleans(),
    file_name=texts,
    reference_name=texts,
)
ports = st.integers(0, 65535)
scenarios = st.builds(
    Scenario,
    bots=st.lists(bots, max_size=3).map(tuple),
    epartners=st.lists(epartners, max_size=3).map(tuple),
    client_ip=texts,
    client_port=ports,
    server_ip=texts,
    server_port=ports,
    launch_gui=st.booleans(),
    use_goal=st.booleans(),
    map_file=texts | st.just(""),
    collision_enabled=st.booleans(),
    visualize_paths=st.booleans(),
    file_location=st.none() | texts,
)


@given(scenarios)
@settings(deadline=None)
def test_writing_and_reading_is_the_identity(scenario: Scenario) -> None:
    assert parse_scenario(format_scenario(scenario)) == scenario


def test_files_are_written_and_read(tmp_path: Path) -> None:
    scenario = Scenario(bots=(BotSpec(name="Bö"),))
    write_scenario(scenario, tmp_path / "s.xml")
    assert read_scenario(tmp_path / "s.xml") == scenario


def test_an_empty_scenario_has_the_defaults_of_the_original() -> None:
    empty = parse_scenario("<bw4TClientConfig/>")
    assert empty == Scenario()
    assert (empty.client_port, empty.server_port) == (2000, 8000)
    (bot,) = parse_scenario("<bw4TClientConfig><bots><bot/></bots></bw4TClientConfig>").bots
    assert bot == BotSpec()
    assert (bot.name, bot.size, bot.speed, bot.battery_capacity) == ("Bot", 2, 50, 10)


def test_an_old_file_is_read_with_all_its_elements() -> None:
    scenario = parse_scenario(OLD, source="old.xml")
    assert scenario.collision_enabled
    assert scenario.file_location == r"C:\Users\x\y.xml"
    assert scenario.epartners == (EPartnerSpec(name="GPS", gps=True),)
    (bot,) = scenario.bots
    assert bot.controller is Controller.HUMAN
    assert (bot.amount, bot.size, bot.battery_discharge_rate) == (2, 5, "0.0")
    assert parse_scenario(format_scenario(scenario)) == scenario


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("HUMAN", "CAT", r"bots/bot\[1\]/botController: 'CAT' is no controller"),
        (">2<", ">two<", r"bots/bot\[1\]/botAmount: 'two' is not a whole number"),
        (">80<", ">140<", r"bots/bot\[1\]\(Bot 1\)/botSpeed: 140 is not from 0 to 100"),
        (">100<", ">0<", r"botBatteryCapacity: 0 is not from 1"),
        (">5<", ">0<", r"botSize: 0 is not from 1"),
        ("<botSize>", "<botSise>5</botSise><botSize>", "has an unknown element <botSise>"),
        ("<botSize>", "<botSize>5</botSize><botSize>", "botSize: is given twice"),
        ("Bot 1", "", r"botName: is empty"),
        (">GPS<", "><", r"epartners/epartner\[1\]\(\)/epartnerName: is empty"),
        ("<gps>true", "<gps>maybe", r"epartners/epartner\[1\]/gps: 'maybe' is neither"),
        ("<mapFile>", "<clientPort>70000</clientPort><mapFile>", "clientPort: '70000' is not"),
        (
            "<mapFile>",
            "<collisionEnabled>false</collisionEnabled><mapFile>",
            "collisionEnabled and enableCollisions contradict each other",
        ),
        ("bw4TClientConfig", "newMap", "root element is <newMap>"),
        ('standalone="yes"?>', "?><!DOCTYPE x>", "document types and entities"),
    ],
)
def test_a_bad_file_is_refused_with_file_and_element(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    text = OLD.replace(old, new)
    assert text != OLD
    path = tmp_path / "bad.xml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=message) as caught:
        read_scenario(path)
    assert caught.value.source == str(path)


@given(st.binary(max_size=100))
def test_any_bytes_raise_nothing_but_scenario_errors(text: bytes) -> None:
    with pytest.raises(ScenarioError):
        parse_scenario(text)


def test_a_bad_scenario_made_in_python_is_not_written() -> None:
    for bot in (
        BotSpec(name=""),
        BotSpec(name="a\0"),
        BotSpec(amount=-1),
        BotSpec(speed=101, move_speed_handicap=True),
        BotSpec(battery_capacity=0, battery_enabled=True),
        BotSpec(file_name=" x"),
    ):
        with pytest.raises(ScenarioError, match=r"bots/bot\[1\]"):
            format_scenario(Scenario(bots=(bot,)))
    for change in (
        {"client_port": -1},
        {"server_ip": "\x01"},
        {"epartners": (EPartnerSpec(amount=-1),)},
    ):
        with pytest.raises(ScenarioError):
            format_scenario(replace(Scenario(), **change))  # type: ignore[arg-type]


def test_remarks_name_what_has_no_effect() -> None:
    assert scenario_remarks(Scenario()) == ["There are no robots and no e-partners."]
    assert scenario_remarks(Scenario(bots=(BotSpec(),))) == []
    bot = BotSpec(size=5, speed=80)
    assert len(scenario_remarks(Scenario(bots=(bot,)))) == 2
    bot = replace(bot, speed=0, size_overload_handicap=True, move_speed_handicap=True)
    remarks = scenario_remarks(Scenario(bots=(bot,)))
    assert "fits through no door" in remarks[0]
    assert "never moves" in remarks[1]


def test_every_field_is_an_element() -> None:
    # Each field changed alone changes the text, so none is forgotten by the writer.
    plain = format_scenario(Scenario(bots=(BotSpec(),), epartners=(EPartnerSpec(),)))
    for field in fields(BotSpec):
        value = getattr(BotSpec(), field.name)
        other: object = {bool: True, int: 7, str: "other"}.get(type(value), Controller.HUMAN)
        if value is None:
            other = "0.1"
        bot = replace(BotSpec(), **{field.name: other})
        assert format_scenario(Scenario(bots=(bot,), epartners=(EPartnerSpec(),))) != plain
