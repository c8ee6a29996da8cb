# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Holds the documents against the code: messages, colours, map and scenario elements, commands.

Reads the tables of the package's documentation and the names that the specification lists.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bw4t_world.agents import TEAMS
from bw4t_world.console import main
from bw4t_world.maps import SHIPPED_MAPS, BlockColor, parse_map
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.maps.writer import format_map
from bw4t_world.messages import (
    Message,
    MessageType,
    Phrasing,
    format_term,
    format_text,
    parse_term,
    parse_text,
)
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario, parse_scenario
from bw4t_world.scenarios.writer import format_scenario

ROOT = Path(__file__).resolve().parents[1].parent.parent
PAGE = ROOT / "docs" / "bw4t_world.md"
if not PAGE.is_file():  # this package was copied alone
    pytest.skip(
        f"{PAGE} is missing: run this test in a clone of the whole repository",
        allow_module_level=True,
    )
DOCUMENT = PAGE.read_text(encoding="utf-8")
SPECIFICATION = json.loads(
    (ROOT / "test" / "data" / "specifications" / "bw4t.json").read_text(encoding="utf-8")
)

LETTERS = {"room": "R", "color": "C", "player": "P", "number": "N", "me": "Me", "_": "_"}
VALUES: dict[str, str | int | BlockColor] = {
    "room": "RoomA1",
    "color": BlockColor.RED,
    "player": "Bob",
    "number": 3,
}


def rows_after(heading: str) -> list[list[str]]:
    """Return the cells of the first table after a text, or of the table that begins with it."""
    after = DOCUMENT[DOCUMENT.index(heading) :]
    table = re.search(r"^\|.*\n\|[-|]+\n((?:\|.*\n)+)", after, re.MULTILINE)
    assert table is not None
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.group(1).splitlines()
    ]


def code_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


# --- Messages ------------------------------------------------------------------------------


def message_rows() -> list[list[str]]:
    return rows_after("tools/tables: messages")


@pytest.mark.parametrize("row", message_rows(), ids=lambda row: f"{row[0]} {row[1]}")
def test_every_documented_message_works(row: list[str]) -> None:
    kind = MessageType(row[0])
    names = [] if row[1] == "-" else row[1].split(", ")
    message = Message(kind, **{name: VALUES[name] for name in names})  # type: ignore[arg-type]
    for phrasing, cell in ((Phrasing.DOCUMENT, row[3]), (Phrasing.SERVER, row[4])):
        for text in code_in(cell):
            assert parse_text(spoken(text), phrasing) == message
        if code_in(cell):
            assert format_text(message, phrasing) == spoken(code_in(cell)[0])
    phrasing = Phrasing.DOCUMENT if code_in(row[3]) else Phrasing.SERVER
    for term in code_in(row[2]):
        understood = parse_term(spoken(term), "Ann", phrasing)
        assert understood.type is kind
        assert understood.parameters == {
            name for name in names if re.search(rf"\b{LETTERS[name]}\b", term)
        }
        written = format_term(message, "Ann", phrasing, quoted=False)
        assert written.replace("unknown", "_") == spoken(term)


def spoken(template: str) -> str:
    """Return a text or term of the table with values for its letters."""
    values = {LETTERS[name]: str(value) for name, value in VALUES.items()} | {"Me": "Ann"}
    return re.sub(r"\b(Me|R|C|P|N)\b", lambda match: values[match.group()], template)


PLACEHOLDERS = {
    "Me": "Ann",
    "PlaceID": "RoomA1",
    "RoomID": "RoomA1",
    "ColorID": "Red",
    "PlayerID": "Bob",
    "Integer": "3",
    "BlockID": "3",
}


def filled(template: str) -> str:
    return re.sub(r"<(\w+)>", lambda match: PLACEHOLDERS[match.group(1)], template)


@pytest.mark.parametrize("message", SPECIFICATION["messages"], ids=lambda each: each["term"])
def test_every_message_of_the_specification_works(message: dict[str, Any]) -> None:
    opened = filled(message["term"]).replace(" (", "(")
    opened += ")" * (opened.count("(") - opened.count(")"))  # one term lacks its end
    texts = [filled(text) for text in message["texts"]]
    understood = parse_term(opened, "Ann")
    assert understood.type.value == message["type"]
    for each in texts:
        assert parse_text(each) == understood
    assert format_text(understood) in texts
    bare = format_term(understood, "Ann", quoted=False)
    assert bare == opened.replace(" ", "").replace("(,", "(_,").replace(",)", ",_)")
    rows = [row for row in message_rows() if row[0] == message["type"] and code_in(row[3])]
    assert any(spoken(code_in(row[2])[0]) == bare for row in rows)


def test_every_answer_of_the_specification_works() -> None:
    answers = SPECIFICATION["answers"]
    # The list of texts is one short: it has none for couldnot.
    assert len(answers["texts"]) == len(answers["types"]) - 1
    # Texts and types are in different orders; terms and types in the same.
    understood = {parse_text(text).type.value for text in answers["texts"]}
    assert understood == set(answers["types"]) - {"couldNot"}
    for term, name in zip(answers["terms"], answers["types"], strict=True):
        message = parse_term(term)
        assert message == Message(MessageType(name))
        assert format_term(message) == term
        assert parse_text(format_text(message)) == message
        assert any(row[0] == name and code_in(row[2]) == [term] for row in message_rows())


def test_every_colour_of_the_specification_is_one() -> None:
    for name in SPECIFICATION["colors"]:
        color = BlockColor.from_text(name)
        assert str(color) == name
        assert color.name in DOCUMENT
        needed = Message(MessageType.WE_NEED, color=color)
        assert parse_text(f"We need a {name} block.") == needed


# --- Files ---------------------------------------------------------------------------------


def elements_of(cell: str) -> list[str]:
    """Return the element names of a cell: `a/x`, `y` are a/x and a/y."""
    names: list[str] = []
    for name in code_in(cell):
        parent = names[0].rsplit("/", 1)[0] + "/" if names and "/" in names[0] else ""
        names.append(name if "/" in name or not parent else parent + name)
    return names


def paths_in(text: str) -> set[str]:
    """Return the paths of all elements of an XML text, without the root."""
    import xml.etree.ElementTree as ElementTree

    paths: set[str] = set()

    def walk(element: ElementTree.Element, path: str) -> None:
        for child in element:
            below = f"{path}/{child.tag}" if path else child.tag
            paths.add(below)
            walk(child, below)

    walk(ElementTree.fromstring(text.encode()), "")
    return paths


def test_every_map_element_is_documented() -> None:
    documented = {
        name for row in rows_after("| Element of `newMap`") for name in elements_of(row[0])
    }
    text = format_map(nine_rooms()).replace(
        "<type>ROOM</type>",
        "<renderOptions><labelVisible>false</labelVisible></renderOptions><type>ROOM</type>",
    )
    text = text.replace("<sequence>", "<seed>1</seed><sequence>", 1)
    parse_map(text)
    inner = {"area", "entities/position", "zones/boundingbox", "zones/doors/position"}
    inner |= {"zones/renderOptions"}
    assert paths_in(text) - inner == documented


def test_every_scenario_element_is_documented() -> None:
    cells = [row[0] for row in rows_after("| Element of `bw4TClientConfig`")]
    documented = {name.rsplit("/", 1)[-1] for cell in cells for name in code_in(cell)}
    text = format_scenario(
        Scenario(
            bots=(BotSpec(battery_discharge_rate="0.0"),),
            epartners=(EPartnerSpec(),),
            file_location="x",
        )
    )
    parse_scenario(text)
    written = {path.rsplit("/", 1)[-1] for path in paths_in(text)} - {"bots", "epartners"}
    assert written == documented - {"enableCollisions"}


# --- Maps, teams and commands --------------------------------------------------------------


def test_every_map_and_team_of_the_package_is_documented() -> None:
    maps = {code_in(row[0])[0] for row in rows_after("| Map of the package")}
    teams = {code_in(row[0])[0] for row in rows_after("| Team |")}
    assert maps == set(SHIPPED_MAPS)
    assert teams == set(TEAMS)


def test_every_command_and_option_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    for row in rows_after("| Command | What"):
        command = code_in(row[0])[0].split()[0]
        with pytest.raises(SystemExit):
            main([command, "--help"])
        options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
        assert options == set(re.findall(r"--[a-z-]+", row[1]))


def test_the_examples_work(capsys: pytest.CaptureFixture[str]) -> None:
    quick_start, messages = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)[:2]
    exec(quick_start, {})
    printed = capsys.readouterr().out
    for percept in re.findall(r"\w+\([\w,]+\)", quick_start.rsplit("#", 1)[1]):
        assert f"{percept}\n" in printed
    names: dict[str, object] = {}
    for line in messages.splitlines():
        code, _, result = line.partition("#")
        if result:
            assert eval(code, names) == eval(result, names)
        else:
            exec(code, names)


def test_the_example_on_the_console_prints_what_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    console = DOCUMENT.split("```console\n", 1)[1].split("```", 1)[0]
    command, _, rest = console.partition("\n")
    assert main(command.removeprefix("$ python -m bw4t_world ").split()) == 0
    assert capsys.readouterr().out == rest.split("$ ", 1)[0]
