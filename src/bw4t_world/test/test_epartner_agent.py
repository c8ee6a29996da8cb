# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Agents of e-partners: they answer, tell where they are carried, and remind who leaves them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bw4t_world import World
from bw4t_world.agents import Team
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario


class Walk:
    """Ann, a human bot without an agent who carries an e-partner, and the team's agents."""

    def __init__(self, *, gps: bool, forget_me_not: bool, profile: str) -> None:
        bots = (BotSpec(name="Ann", controller=Controller.HUMAN),)
        partner = EPartnerSpec(gps=gps, forget_me_not=forget_me_not)
        scenario = Scenario(bots=bots, epartners=(partner,))
        self.world = World(load_map("nine_rooms"), scenario, seed=1, profile=profile)
        self.ears = self.world.connect("Ann_1")
        self.team = Team(self.world, humans=False)
        self.heard: list[str] = []

    def steps(self, number: int) -> list[str]:
        """Let steps pass; return what is heard in them."""
        heard = []
        for _ in range(number):
            self.team.step()
            for percept in self.ears.poll().named("message"):
                content = percept[0] if len(percept) == 1 else percept
                if content[0] == "E-Partner_1":
                    heard.append(content[1])
        return heard

    def act(self, *action: str | float) -> None:
        assert self.world.act("Ann_1", *action).succeeded

    def go(self, place: str) -> list[str]:
        self.act("goTo", place)
        return self.steps(80)


@pytest.fixture(params=["spec", "server_3_8_1", "server_3_10"])
def walk(request: pytest.FixtureRequest) -> Callable[..., Walk]:
    return lambda gps=False, forget_me_not=False: Walk(
        gps=gps, forget_me_not=forget_me_not, profile=request.param
    )


def test_gps_tells_where_it_is_carried_and_answers(walk: Callable[..., Walk]) -> None:
    game = walk(gps=True)
    game.act("pickUpEPartner")
    assert game.go("RoomC2") == ["I am in room RoomC2"]
    assert game.go("RoomC1") == ["I am in room RoomC1"]
    for text in ("room RoomC2 contains a Red block", "room RoomA1 contains a Red block"):
        game.act("sendMessage", "all", text)
    game.steps(2)
    game.act("sendMessage", "all", "Where is a Red block?")
    assert game.steps(2) == ["room RoomC2 contains a Red block"]  # where it has been
    game.act("sendMessage", "all", "Where is a Blue block?")
    assert game.steps(2) == ["I don't know"]
    game.act("sendMessage", "all", "I am looking for a Red block")
    assert game.steps(2) == ["room RoomC2 contains a Red block"]
    game.act("sendMessage", "all", "Where should I go?")
    (answer,) = game.steps(2)
    assert answer.startswith("Ann_1")
    assert answer.endswith("RoomC2")


def test_forget_me_not_reminds_until_it_is_taken(walk: Callable[..., Walk]) -> None:
    game = walk(forget_me_not=True)
    assert game.steps(400) == []  # it has not been carried yet
    game.act("pickUpEPartner")
    assert game.go("FrontRoomC2") == []
    game.act("putDownEPartner")
    first = game.steps(60)
    assert first == ["You forgot me"]
    assert game.steps(300) == ["You forgot me"]
    robot = game.world.snapshot().robots[0]
    game.act("goTo", robot.x + 1.0, robot.y + 1.0)  # where it lies
    game.steps(20)
    game.act("pickUpEPartner")
    assert game.steps(400) == []


def test_one_with_both_says_where_it_was_left(walk: Callable[..., Walk]) -> None:
    game = walk(gps=True, forget_me_not=True)
    game.act("pickUpEPartner")
    game.go("RoomC2")
    game.act("putDownEPartner")
    assert game.go("FrontRoomC2")[-1] == "You forgot me in RoomC2"
