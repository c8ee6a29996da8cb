# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The readers of BW4T's map and scenario files: what they take, they write back the same."""

from bw4t_world.maps import SHIPPED_MAPS, MapError, load_map, map_remarks, parse_map
from bw4t_world.maps.writer import format_map
from bw4t_world.scenarios import (
    BotSpec,
    Controller,
    EPartnerSpec,
    Scenario,
    ScenarioError,
    parse_scenario,
    scenario_remarks,
)
from bw4t_world.scenarios.writer import format_scenario


def seeds() -> list[bytes]:
    maps = [format_map(load_map(name)).encode() for name in SHIPPED_MAPS]
    small = (
        b"<newMap><area><x>9</x><y>9</y></area><entities><position><x>2</x><y>2</y></position>"
        b"<name>Bot1</name><type>NORMAL</type></entities><zones><name>FrontDropZone</name>"
        b"<type>ZONE</type><boundingbox><x>2</x><y>2</y><width>4</width><height>4</height>"
        b"</boundingbox></zones><zones><name>DropZone</name><type>ROOM</type><boundingbox><x>6</x>"
        b"<y>6</y><width>2</width><height>2</height></boundingbox><doors><position><x>6</x>"
        b"<y>5</y></position><orientation>HORIZONTAL</orientation></doors><neighbours>"
        b"FrontDropZone</neighbours></zones></newMap>"
    )
    scenario = Scenario(
        bots=(BotSpec(name="Ann", controller=Controller.HUMAN), BotSpec(name="Bot", amount=2)),
        epartners=(EPartnerSpec(gps=True),),
    )
    scenarios = [format_scenario(s).encode() for s in (scenario, Scenario())]
    return [b"m" + small, *(b"m" + m for m in maps), *(b"s" + s for s in scenarios)]


def one_input(data: bytes) -> None:
    if data[:1] == b"s":
        try:
            scenario = parse_scenario(data[1:])
        except ScenarioError:
            return
        scenario_remarks(scenario)
        assert parse_scenario(format_scenario(scenario)) == scenario
        return
    try:
        world = parse_map(data[1:], unknown_neighbours="drop" if data[:1] == b"d" else "refuse")
    except MapError:
        return
    map_remarks(world)
    assert parse_map(format_map(world)) == world
