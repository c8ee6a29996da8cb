# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Coverage: whatever the five specifications name has a home in the interface reference."""

import fnmatch
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
HOMES = (ROOT / "docs" / "originals" / "luar.md").read_text(encoding="utf-8")


def code(cell):
    """Return the names that a cell of a table shows as code."""
    return re.findall(r"`([^`]+)`", cell)


def assert_homes(system, cells):
    """Each cell says where in ROS something is: by names of the interface or of parameters."""
    interface = system.interface()
    parameters = {code(row[0])[0] for row in system.table("Parameters")}
    values = set(code(" ".join(row[2] for row in system.table("Parameters"))))
    for cell in cells:
        for name in code(cell):
            # `camera/` stands for what begins so, `_rgb` for what ends so.
            pattern = f"{name}*" if name.endswith("/") else name
            pattern = f"*{name}" if name.startswith("_") else pattern
            known = fnmatch.filter(interface, pattern) or name in parameters | values
            assert known or name.split(":")[0] in parameters, f"{name} in {cell!r}"


def test_every_event_of_the_nao_document_has_a_home(specified):
    events = specified("nao")["events"]
    document = (ROOT / "docs" / "nao.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\w+) \| (0x[0-9A-F]{2}) \|", document, re.MULTILINE))
    assert rows.keys() == events.keys()
    for name, byte in events.items():
        expected = 0x80 if name == "Error" else int(byte, 16)  # 0x8 is a misprint, see docs
        assert int(rows[name], 16) == expected


def test_every_event_of_the_nao_has_a_home_in_ros(system_named):
    system = system_named("nao")
    rows = system.table("Events")
    assert all(code(row[4]) or "the same" in row[4] or "result" in row[4] for row in rows)
    assert_homes(system, [re.sub(r"`(role|halt|exit)`", "", row[4]) for row in rows])


def test_every_endpoint_of_the_roboskate_document_has_a_home(system_named, specified):
    system = system_named("roboskate")
    rows = system.table("Endpoints")
    assert [row[0] for row in rows] == specified("roboskate")["endpoints"]
    assert all(code(row[1]) for row in rows)
    assert_homes(system, [row[1] for row in rows])


def test_every_key_of_the_roboskate_document_has_a_home(system_named, specified):
    keys = [set(row[1].split(", ")) for row in system_named("roboskate").table("Keys and joints")]
    assert keys == [set(pair) for pair in specified("roboskate")["keys"]]


def test_every_variable_of_the_luar_document_has_a_home(system_named, specified):
    homes = {}
    for segment, variables, *_ in system_named("luar").table("Where each variable is", HOMES):
        homes.setdefault(segment, []).extend(variables.split(", "))
    assert all(len(set(names)) == len(names) for names in homes.values())
    for segment, variables in specified("luar")["segments"].items():
        assert set(variables) == set(homes[segment]), segment


def test_every_typed_home_of_a_luar_variable_is_in_the_interface(system_named):
    system = system_named("luar")
    rows = system.table("Where each variable is", HOMES)
    assert_homes(system, [row[2].split("–")[0] for row in rows])


def test_every_home_of_an_aibo_command_is_in_the_interface(system_named):
    system = system_named("aibo")
    assert_homes(system, [row[4] for row in system.table("Commands")])


def test_every_command_of_the_aibo_document_has_a_home(system_named, specified):
    """The document's table has lost its first column: bodies and replies are what is left."""
    commands = specified("aibo")["commands"]
    replies = {command["reply"] for command in commands if command["reply"]}
    rows = system_named("aibo").table("Commands")
    for command, row in zip(commands, rows, strict=True):
        assert row[2].split(" (")[0] == command["body"]
        assert (row[3] if row[3] in replies else None) == command["reply"]
        assert code(row[4]), row


def test_every_predicate_of_the_aibo_is_in_prolog_and_in_python():
    from aibo_gti_bridge.client import AiboClient

    package = ROOT / "src" / "aibo_gti_bridge" / "aibo_gti_bridge"
    prolog = (package / "prolog" / "aibopred.pl").read_text(encoding="utf-8")
    exported = set(re.findall(r"^ {12}(\w+/\d)|\[ (\w+/\d)", prolog, re.MULTILINE))
    names = {a or b for a, b in exported} - {"aiboConnect/2", "aiboDisconnect/0"}
    document = (ROOT / "docs" / "aibo.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| \d \| .*\| ([^|]*) \|$", document, re.MULTILINE)
    python, predicates = zip(*(code(cell) for cell in cells[:7]), strict=True)
    assert set(predicates) == names
    assert all(callable(getattr(AiboClient, name)) for name in python)


def test_every_percept_of_the_bw4t_document_has_a_home(system_named, specified):
    rows = system_named("bw4t").table("Percepts and beliefs")
    documented = {name for row in rows for name in re.findall(r"\w+", row[0])}
    assert {percept["name"] for percept in specified("bw4t")["percepts"]} <= documented


def test_every_action_of_the_bw4t_document_has_a_home(system_named, specified):
    document = system_named("bw4t").document
    rows = re.findall(r"^\| ([^|`]+) \| (?:action|service)", document, re.MULTILINE)
    documented = {name.lower() for row in rows for name in re.findall(r"\w+", row)}
    assert {action["name"].lower() for action in specified("bw4t")["actions"]} <= documented
