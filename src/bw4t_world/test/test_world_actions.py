# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Actions: what they do, how they fail silently, and how with an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bw4t_world import SERVER_3_8_1, ActionError, Effect
from bw4t_world.maps import BlockColor
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

HUMAN = BotSpec(name="Hum", controller=Controller.HUMAN)
STRONG = BotSpec(grippers=3, speed=100, move_speed_handicap=True)
OLD = SERVER_3_8_1


def block_in(game: Any, room: str, color: BlockColor | None = None) -> int:
    blocks = game.world.snapshot().blocks
    return next(
        int(b.id) for b in blocks if b.zone == room and (color is None or b.color is color)
    )


def fetch(game: Any, room: str, color: BlockColor | None = None, name: str = "Bot_1") -> int:
    """Let a robot pick up a block of a room; return its id."""
    game.go(room, name=name)
    number = block_in(game, room, color)
    game.act("goToBlock", number, name=name)
    game.arrive(name)
    outcome = game.act("pickUp", name=name)
    assert (outcome.effect, outcome.value) == (Effect.PICKED_UP, number)
    return number


# --- Blocks --------------------------------------------------------------------------------


def test_the_sequence_is_completed(lab: Any) -> None:
    game = lab(STRONG)
    fetch(game, "Closet")
    fetch(game, "Hall", BlockColor.RED)
    fetch(game, "Hall", BlockColor.GREEN)
    game.go("DropZone")
    effects = [game.act("putDown").effect for _ in range(3)]
    # the green one is on top, and not due; the red one is not due before the blue one
    assert effects == [Effect.WRONG_DROP, Effect.WRONG_DROP, Effect.DELIVERED]
    assert not game.world.is_complete
    assert game.act("checkSequenceDone").value is False
    fetch(game, "Hall", BlockColor.RED)
    game.go("DropZone")
    assert game.act("putDown").effect is Effect.DELIVERED
    assert game.world.is_complete
    assert game.act("checkSequenceDone").value is True
    assert "sequenceIndex(2)" in game.poll()
    measures = game.world.measures()
    assert (measures.good_drops, measures.wrong_drops) == (2, 2)
    assert measures.completion_ticks == game.world.now
    assert measures.completion_seconds == pytest.approx(game.world.now * 0.02)
    assert measures.completion_ticks == measures.ticks
    game.world.tick(1000)
    game.act("sendMessage", "all", "yes")
    assert game.world.measures() == measures  # they stop with the completion
    game.world.reset()
    assert game.world.measures().ticks == 0


def test_after_the_sequence_blocks_vanish(lab: Any, small_map: Any) -> None:
    game = lab(spec=small_map(sequence=()))
    assert game.world.is_complete
    fetch(game, "Closet")
    game.go("DropZone")
    outcome = game.act("putDown")
    assert outcome.effect is Effect.WRONG_DROP
    assert "nothing is due" in outcome.text


def test_a_block_that_is_put_down_in_a_corridor_vanishes(lab: Any) -> None:
    game = lab()
    number = fetch(game, "Closet")
    game.go("Middle")
    assert game.act("putDown").effect is Effect.VANISHED
    assert number not in [block.id for block in game.world.snapshot().blocks]
    assert game.robot().held == ()


def test_a_block_that_is_put_down_in_a_room_lies_there(lab: Any) -> None:
    game = lab()
    number = fetch(game, "Closet")
    game.go("Hall")
    outcome = game.act("putDown")
    assert (outcome.effect, outcome.value) == (Effect.PUT_IN_ROOM, number)
    block = next(b for b in game.world.snapshot().blocks if b.id == number)
    assert (block.zone, block.color) == ("Hall", BlockColor.BLUE)
    assert f"color({number},Blue)" in game.poll()


@pytest.mark.parametrize(
    "spec, effect",
    [
        (BotSpec(gripper_handicap=True), Effect.NO_GRIPPER),
        (BotSpec(grippers=0), Effect.GRIPPER_FULL),
        (BotSpec(), Effect.PICKED_UP),
    ],
)
def test_grippers_decide_what_can_be_held(lab: Any, spec: BotSpec, effect: Effect) -> None:
    game = lab(spec)
    game.go("Closet")
    outcome = game.act("pickUp")
    assert outcome.effect is effect
    assert outcome.succeeded == (effect is Effect.PICKED_UP)
    if outcome.succeeded:
        assert game.act("pickUp").effect is Effect.GRIPPER_FULL


def test_the_nearest_block_is_taken(lab: Any) -> None:
    game = lab()
    game.go("Hall")
    number = block_in(game, "Hall", BlockColor.GREEN)
    game.act("goToBlock", number)
    game.arrive()
    assert game.act("pickUp").value == number


@pytest.mark.parametrize("size, reaches", [(2, False), (4, True)])
def test_big_robots_reach_further(lab: Any, size: int, reaches: bool) -> None:
    game = lab(BotSpec(size=size, size_overload_handicap=True), profile=OLD)
    game.go(18, 7)  # about 5 units from the block in the closet
    assert game.act("pickUp").succeeded == reaches


def test_another_robot_s_block_cannot_be_taken(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    number = fetch(game, "Closet")
    game.go("West")
    game.go("Closet", name="Bot_2")
    assert game.act("pickUp", name="Bot_2").effect is Effect.NOTHING_IN_REACH
    with pytest.raises(ActionError, match=f"there is no block with id={number} in the room"):
        game.act("goToBlock", number, name="Bot_2")


def test_blocks_of_a_removed_robot_go_with_it(lab: Any) -> None:
    game = lab()
    number = fetch(game, "Closet")
    game.world.remove("Bot_1")
    assert number not in [block.id for block in game.world.snapshot().blocks]
    assert game.world.measures().robots[0].blocks_picked_up == 1


# --- E-partners ----------------------------------------------------------------------------

PAIR = Scenario(bots=(HUMAN, BotSpec()), epartners=(EPartnerSpec(amount=2),))


def test_only_humans_in_reach_carry_epartners_one_at_a_time(lab: Any) -> None:
    game = lab(scenario=PAIR)
    assert game.act("putDownEPartner", name="Hum_1").effect is Effect.HANDS_EMPTY
    assert game.act("pickUpEPartner").effect is Effect.NOT_A_HUMAN
    game.go("Middle", name="Hum_1")
    assert game.act("pickUpEPartner", name="Hum_1").effect is Effect.NOTHING_IN_REACH
    game.go("West", name="Hum_1")
    outcome = game.act("pickUpEPartner", name="Hum_1")
    assert (outcome.effect, outcome.value) == (Effect.PICKED_UP, game.epartner().id)
    assert game.act("pickUpEPartner", name="Hum_1").effect is Effect.HANDS_FULL
    assert game.act("putDownEPartner", name="Hum_1").value == game.epartner().id


def test_an_epartner_stays_when_its_holder_is_removed(lab: Any) -> None:
    game = lab(scenario=PAIR)
    game.act("pickUpEPartner", name="Hum_1")
    game.go("Middle", name="Hum_1")
    game.world.remove("Hum_1")
    partner = game.epartner()
    assert (partner.x, partner.y, partner.holder) == (16.0, 6.0, None)
    game.world.remove("E-Partner_1")
    assert "E-Partner_1" not in game.world.names


def test_a_holder_is_free_when_its_epartner_is_removed(lab: Any) -> None:
    game = lab(scenario=PAIR)
    game.act("pickUpEPartner", name="Hum_1")
    game.world.remove("E-Partner_1")
    assert game.robot("Hum_1").epartner is None
    assert game.act("putDownEPartner", name="Hum_1").effect is Effect.HANDS_EMPTY


def test_epartners_only_talk(lab: Any) -> None:
    game = lab(scenario=PAIR)
    assert set(game.world.actions_of("E-Partner_1")) == {"sendMessage", "sendmessage"}
    assert game.act("sendMessage", "all", "You forgot me", name="E-Partner_1").value == 3
    assert game.perceives("message") == ["message(E-Partner_1,You forgot me)"]
    with pytest.raises(ActionError, match="does not support action: goTo"):
        game.act("goTo", "Hall", name="E-Partner_1")


# --- Messages ------------------------------------------------------------------------------


def test_messages_go_to_one_or_to_all_others(lab: Any) -> None:
    game = lab(BotSpec(amount=3))
    assert game.act("sendMessage", "Bot_2", "I am in room Hall").value == 1
    assert game.act("sendMessage", "all", "yes").value == 2
    assert game.perceives("message", "Bot_2") == [
        "message(Bot_1,I am in room Hall)",
        "message(Bot_1,yes)",
    ]
    assert game.perceives("message", "Bot_3") == ["message(Bot_1,yes)"]
    assert game.perceives("message") == []
    assert game.perceives("message", "Bot_2") == []
    assert game.world.measures().messages == 2


# --- Errors --------------------------------------------------------------------------------

HUGE = 10**5000


@pytest.mark.parametrize(
    "action, text",
    [
        (("goTo", "Nowhere"), "unknown place Nowhere"),
        (("goTo", 9999), "Expected an Identifier parameter but got 9999"),
        (("goTo", "5", "5"), "Expected a Numeral parameter but got '5'"),
        (("goTo", True, 5), "Expected a Numeral parameter but got True"),
        (("goTo", float("nan"), 5), "a coordinate must be finite, not nan"),
        (("goTo", 5, float("inf")), "a coordinate must be finite, not inf"),
        (("goTo", HUGE, 5), "a coordinate must be finite, not a huge int"),
        (("goTo",), "Entity does not support action: goTo with 0 parameters; it takes 1 or 2"),
        (("goTo", None), "Expected an Identifier parameter but got None"),
        (("goToBlock", 9999), "there is no block with id=9999 in the room"),
        (("goToBlock", 1.5), "there is no block with id=1.5 in the room"),
        (("goToBlock", float("nan")), "there is no block with id=nan in the room"),
        (("goToBlock", HUGE), "there is no block with id=a huge int in the room"),
        (("goToBlock", "3"), "Expected a Numeral parameter but got '3'"),
        (("pickUp", 3), "Entity does not support action: pickUp with 1 parameters; it takes 0"),
        (("putDown",), "bot is not holding any block"),
        (("navigateObstacles",), "there is no target: the robot was never told to go anywhere"),
        (("sendMessage", "Stranger", "hi"), "Entity with name Stranger has no handler"),
        (("sendMessage", 3, "hi"), "Expected an Identifier parameter but got 3"),
        (("sendMessage", "all", 3), "the text of a message must be text, not 3"),
        (("goto", "Hall"), "Entity does not support action: goto"),
        (("", "Hall"), "Entity does not support action: "),
        (("putdown",), "Entity does not support action: putdown"),
    ],
)
def test_bad_actions_are_errors_that_name_what_is_wrong(lab: Any, action: Any, text: str) -> None:
    game = lab()
    before = game.world.snapshot()
    with pytest.raises(ActionError) as caught:
        game.act(*action)
    assert str(caught.value).startswith("Bot_1: ")
    assert str(caught.value).endswith(text)
    assert game.world.snapshot() == before
    assert game.go("Hall") == "arrived"  # the world goes on


def test_an_unknown_robot_is_named(lab: Any) -> None:
    with pytest.raises(ActionError, match="there is no robot or e-partner named 'Elvis'"):
        lab().act("goTo", "Hall", name="Elvis")


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.lists(st.integers(), max_size=2),
    st.sampled_from(["Hall", "all", "Bot_1", HUGE, -HUGE]),
)
names = st.sampled_from(
    [
        "goTo",
        "goToBlock",
        "pickUp",
        "putDown",
        "navigateObstacles",
        "sendMessage",
        "receiveMessage",
        "checkSequenceDone",
        "pickUpEPartner",
        "putDownEPartner",
        "dance",
    ]
)


@given(
    calls=st.lists(st.tuples(names, st.lists(values, max_size=3)), max_size=12),
    profile=st.sampled_from(["spec", "server_3_8_1", "server_3_10"]),
)
def test_whatever_is_called_only_action_errors_come_back(
    lab: Any, calls: Any, profile: str
) -> None:
    game = lab(replace(BotSpec(), controller=Controller.HUMAN), profile=profile)
    for action, args in calls:
        try:
            text = game.act(action, *args).text
        except ActionError as error:
            text = str(error)
        assert text
        game.world.tick(3)
        game.poll()
