# SPDX-License-Identifier: Apache-2.0
"""The tables of the documentation, held against the specification and the code."""

from __future__ import annotations

import os
import re
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from bw4t_world import PROFILES, SPEC, Effect, Outcome, World
from bw4t_world.entities import State
from bw4t_world.maps import RANDOM_COLORS, BlockColor, nine_rooms
from bw4t_world.profiles import Policy, describe_options
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "bw4t_world.md"
SHARED = Path(os.environ.get("LEGACY_ROBOTS_SHARED", ROOT.parent / "shared"))
DOCUMENT = SHARED / "specs" / "bw4t3_agent_environment_interface.txt"

needs_page = pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not here")
needs_document = pytest.mark.skipif(
    not (PAGE.exists() and DOCUMENT.exists()), reason="the specification is not here"
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


def sections(kind: str) -> list[tuple[str, str]]:
    """Return the heading and the text of every predicate or action of the specification."""
    text = DOCUMENT.read_text(encoding="utf-8")
    parts = re.split(
        r"^(?=(?:Predicate|Action|Message): |Basic Actions$|Messages$)", text, flags=re.M
    )
    return [
        (part.split("\n", 1)[0].split(": ", 1)[1], part)
        for part in parts
        if part.startswith(f"{kind}: ")
    ]


def heading(text: str) -> tuple[str, int]:
    match = re.match(r"(\w+)\s*(?:\((.*)\))?", text)
    assert match is not None
    return match[1], len(match[2].split(",")) if match[2] else 0


def policy_in(text: str) -> str:
    """Return the policy that a section of the specification names."""
    match = re.search(r"Type(?::</u>|</u>:|:)\s*(.*)", text)
    assert match is not None, text
    for words, policy in (
        ("negation", Policy.ON_CHANGE_NEG.value),
        ("on change", Policy.ON_CHANGE.value),
        ("every time", "event"),
        ("once", Policy.ONCE.value),
        ("always", Policy.ALWAYS.value),
    ):
        if words in match[1]:
            return policy
    raise AssertionError(match[1])


@needs_document
def test_every_percept_of_the_document_is_on_the_page_with_its_policy() -> None:
    documented = {name_and_arguments(row["Percept"]): row["Policy"] for row in table("percepts")}
    names = {name for name, _ in documented}
    found = 0
    for head, text in sections("Predicate"):
        name, arguments = heading(head)
        assert name in names, head
        found += 1
        if arguments:  # e-partners' percepts are written without
            assert documented[name, arguments] == policy_in(text), head
        else:
            (policy,) = {p for (other, _), p in documented.items() if other == name}
            assert policy == policy_in(text), head
    assert found == len(documented)  # the page lists no other ones


@needs_document
def test_every_action_of_the_document_is_on_the_page() -> None:
    documented = set()
    for row in table("actions"):
        name, arguments = name_and_arguments(row["Action"])
        documented |= {(also, arguments) for also in (name, *in_code(row["Also"]))}
    actions = sections("Action")
    assert len(actions) == 9
    for head, _ in actions:
        assert heading(head) in documented, head


@needs_document
def test_every_colour_and_state_of_the_document_is_on_the_page() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    colors = re.search(r"Parameter: <ColorID>\n- <u>Values:</u> (.*)\.", text)
    states = re.search(r"Parameter: <State>\n- <u>Values:</u> (.*)", text)
    assert colors is not None
    assert states is not None
    listed = set(re.findall(r"\w+", colors[1]))
    on_page = {
        in_code(row["Colour"])[0] for row in table("colors") if row["In the document"] == "yes"
    }
    assert on_page == listed
    words = {in_code(row["State"])[0] for row in table("states")}
    assert {word.replace("travelling", "traveling") for word in states[1].split(", ")} == words


@needs_document
def test_every_policy_of_the_document_is_on_the_page() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    listed = re.findall(r"^- \d\. \*\*Send (.*?):?\*\*", text, flags=re.M)
    assert [row["Policy"] for row in table("policies")] == listed


# --- The page and the code -----------------------------------------------------------------


def full_world() -> World:
    human = BotSpec(name="Hum", controller=Controller.HUMAN)
    partner = EPartnerSpec(gps=True, forget_me_not=True)
    scenario = Scenario(bots=(human, BotSpec(amount=2)), epartners=(partner,))
    return World(nine_rooms(), scenario, seed=1, collisions=False)


@needs_page
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


@needs_page
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


@needs_page
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


@needs_page
def test_the_effects_on_the_page_are_those_of_the_code() -> None:
    listed: dict[str, bool] = {}
    for row in table("actions"):
        done, _, silent = row["Effects"].partition(";")
        listed |= dict.fromkeys(re.findall(r"[A-Z_]+", done), True)
        listed |= dict.fromkeys(re.findall(r"[A-Z_]+", silent), False)
    assert listed == {effect.name: Outcome(effect, "").succeeded for effect in Effect}


@needs_page
def test_colours_and_states_on_the_page_are_those_of_the_code() -> None:
    assert [
        (in_code(row["Colour"])[0], row["In the servers"] == "yes", row["Random"] == "yes")
        for row in table("colors")
    ] == [(color.value, color.known_to_servers, color in RANDOM_COLORS) for color in BlockColor]
    assert [in_code(row["State"])[0] for row in table("states")] == [s.value for s in State]
    assert {row["Policy"] for row in table("policies")} == {policy.value for policy in Policy}


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.name if isinstance(value, Enum) else str(value)


@needs_page
def test_the_options_on_the_page_are_those_of_the_code() -> None:
    assert [list(row.values()) for row in table("options")] == [
        [f"`{name}`", *(shown(values[profile]) for profile in PROFILES), doc]
        for name, doc, values in describe_options()
    ]
