# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The tables of the documentation, held against the specification and the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bw4t_world import SPEC, Effect, Outcome, World
from bw4t_world.maps import RANDOM_COLORS, BlockColor
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.model.choices import Policy
from bw4t_world.model.entities import State
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

ROOT = Path(__file__).resolve().parents[1].parent.parent
PAGE = ROOT / "docs" / "bw4t_rules.md"
if not PAGE.is_file():  # this package was copied alone
    pytest.skip(
        f"{PAGE} is missing: run this test in a clone of the whole repository",
        allow_module_level=True,
    )
SPECIFICATION = json.loads(
    (ROOT / "test" / "data" / "specifications" / "bw4t.json").read_text(encoding="utf-8")
)


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the page that stands between two marks."""
    text = PAGE.read_text(encoding="utf-8")
    match = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", text, re.DOTALL)
    assert match is not None, name
    head, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in match[1].splitlines()
    )
    return [dict(zip(head, row, strict=True)) for row in rows]


def name_and_arguments(cell: str) -> tuple[str, int]:
    """Return the name and the number of arguments of ```name(A,[B])```."""
    match = re.fullmatch(r"`(\w+)\((.*)\)`", cell)
    assert match is not None, cell
    return match[1], len(match[2].split(",")) if match[2] else 0


def in_code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# --- The page and the specification --------------------------------------------------------


def test_every_percept_of_the_document_is_on_the_page_with_its_policy() -> None:
    documented = {name_and_arguments(row["Percept"]): row["Policy"] for row in table("percepts")}
    for percept in SPECIFICATION["percepts"]:
        name, arguments, policy = percept["name"], percept["arguments"], percept["policy"]
        if arguments:  # e-partners' percepts are written without
            assert documented[name, arguments] == policy, percept
        else:
            found = {p for (other, _), p in documented.items() if other == name}
            assert found == {policy}, percept
    assert len(SPECIFICATION["percepts"]) == len(documented)  # the page lists no other ones


def test_every_action_of_the_document_is_on_the_page() -> None:
    documented = set()
    for row in table("actions"):
        name, arguments = name_and_arguments(row["Action"])
        documented |= {(also, arguments) for also in (name, *in_code(row["Also"]))}
    for action in SPECIFICATION["actions"]:
        assert (action["name"], action["arguments"]) in documented, action


def test_every_colour_and_state_of_the_document_is_on_the_page() -> None:
    on_page = {
        color
        for row in table("colors")
        if row["Document"] == "yes"
        for color in in_code(row["Colours"])
    }
    assert on_page == set(SPECIFICATION["colors"])
    words = {in_code(row["State"])[0] for row in table("states")}
    states = SPECIFICATION["states"]
    assert {state.replace("travelling", "traveling") for state in states} == words


def test_every_policy_of_the_document_is_on_the_page() -> None:
    assert [row["Policy"] for row in table("policies")] == SPECIFICATION["policies"]


# --- The page and the code -----------------------------------------------------------------


def full_world() -> World:
    human = BotSpec(name="Hum", controller=Controller.HUMAN)
    partner = EPartnerSpec(gps=True, forget_me_not=True)
    scenario = Scenario(bots=(human, BotSpec(amount=2)), epartners=(partner,))
    return World(nine_rooms(), scenario, seed=1, collisions=False)


def test_every_percept_on_the_page_is_sent_and_no_other() -> None:
    world = full_world()
    consumers = {name: world.connect(name) for name in world.names}
    seen: dict[tuple[str, int], set[str]] = {}

    def look() -> None:
        for name, consumer in consumers.items():
            kind = {"Hum": "human bots", "Bot": "robots"}.get(name.split("_")[0], "e-partners")
            for percept in consumer.poll().add:
                inner = percept.args[0] if percept.is_negation else percept
                seen.setdefault((inner.name, len(inner.args)), set()).add(kind)

    look()
    world.act("Hum_1", "pickUpEPartner")
    world.act("Hum_1", "sendMessage", "all", "yes")
    world.act("Bot_1", "sendMessage", "Hum_1", "no")
    look()
    world.act("Hum_1", "putDownEPartner")
    for request in (
        ("sendMessage", "all", "x"),
        ("goToBlock", 1),
        ("goTo", "RoomA1"),
        ("goTo", 1, 2),
        ("pickUp",),
        ("putDown",),
    ):
        world.user_request("Hum_1", *request)
    look()
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(400)
    world.act("Bot_2", "goTo", "RoomC1")
    world.tick(400)
    world.act("Bot_1", "pickUp")
    look()
    # getRoom is sent once, to whom begins to perceive through an e-partner in a room
    world.act("Hum_1", "goTo", 26, 66)  # it was put down one unit away in x and in y
    world.tick(100)
    assert world.act("Hum_1", "pickUpEPartner").succeeded
    world.act("Hum_1", "goTo", "RoomC2")
    world.tick(600)
    consumers["E-Partner_1"] = world.connect("E-Partner_1")
    look()
    documented = {}
    for row in table("percepts"):
        kinds = set(row["Of"].split(", "))
        if "robots" in kinds:
            kinds.add("human bots")
        documented[name_and_arguments(row["Percept"])] = kinds
    assert set(seen) == set(documented)
    for percept, kinds in seen.items():
        assert kinds <= documented[percept], percept


def test_the_policies_on_the_page_are_those_of_the_code() -> None:
    world = full_world()
    sources: dict[str, str] = {}
    for name in world.names:
        entity = world.connect(name).entity
        assert entity is not None
        for group in world._simulation.perception.groups_of(entity):
            sources |= {source.name: source.policy.value for source in group.sources}
    sources["message"] = SPEC.message_policy.value
    on_page = {
        name_and_arguments(row["Percept"])[0]: row["Policy"]
        for row in table("percepts")
        if row["Policy"] != "event"
    }
    assert sources == on_page


def test_the_actions_on_the_page_are_those_of_the_code() -> None:
    world = full_world()
    for name, kind in (("Bot_1", "robots"), ("E-Partner_1", "e-partners")):
        documented: dict[str, set[int]] = {}
        for row in table("actions"):
            action, arguments = name_and_arguments(row["Action"])
            if kind in row["Of"].split(", "):
                for also in (action, *in_code(row["Also"])):
                    documented.setdefault(also, set()).add(arguments)
        actions = {also: set(arities) for also, arities in world.actions_of(name).items()}
        assert actions == documented


def test_the_effects_on_the_page_are_those_of_the_code() -> None:
    listed: dict[str, bool] = {}
    for row in table("actions"):
        done, _, silent = row["Effects"].partition(";")
        listed |= dict.fromkeys(re.findall(r"[A-Z_]+", done), True)
        listed |= dict.fromkeys(re.findall(r"[A-Z_]+", silent), False)
    assert listed == {effect.name: Outcome(effect, "").succeeded for effect in Effect}


def test_colours_and_states_on_the_page_are_those_of_the_code() -> None:
    assert [
        (color, row["Servers"] == "yes", row["Random"] == "yes")
        for row in table("colors")
        for color in in_code(row["Colours"])
    ] == [(color.value, color.known_to_servers, color in RANDOM_COLORS) for color in BlockColor]
    assert [in_code(row["State"])[0] for row in table("states")] == [s.value for s in State]
    assert {row["Policy"] for row in table("policies")} == {policy.value for policy in Policy}
