# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages: every form as text and as term, both ways, and what is no message."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bw4t_world.maps import BlockColor
from bw4t_world.messages import (
    FORMS,
    Form,
    Message,
    MessageError,
    MessageType,
    Phrasing,
    format_term,
    format_text,
    parse_term,
    parse_text,
)
from bw4t_world.model.profiles import PROFILES

T = MessageType
R, P = "RoomA1", "Bob"
RED = BlockColor.RED

words = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,12}", fullmatch=True).filter(
    lambda name: name.lower() not in {"room", "me", "unknown", "ann"}
)
players = words | st.builds("{}_{}".format, words, st.integers(1, 99))
numbers = st.integers(0, 999_999_999)


def colors_of(phrasing: Phrasing) -> st.SearchStrategy[BlockColor]:
    return st.sampled_from(
        [c for c in BlockColor if phrasing is Phrasing.DOCUMENT or c.known_to_servers]
    )


@st.composite
def spoken(draw: st.DrawFn) -> tuple[Form, Message, Phrasing]:
    phrasing = draw(st.sampled_from(Phrasing))
    form = draw(st.sampled_from([form for form in FORMS if form.texts(phrasing)]))
    parameters: dict[str, object] = {
        "room": draw(words),
        "color": draw(colors_of(phrasing)),
        "player": draw(players),
        "number": draw(numbers),
    }
    chosen = {name: parameters[name] for name in form.parameters}
    return form, Message(form.type, **chosen), phrasing  # type: ignore[arg-type]


@given(spoken())
def test_what_is_said_is_understood(said: tuple[Form, Message, Phrasing]) -> None:
    _, message, phrasing = said
    assert parse_text(format_text(message, phrasing), phrasing) == message


@given(spoken())
def test_every_template_is_understood(said: tuple[Form, Message, Phrasing]) -> None:
    form, message, phrasing = said
    for template in form.texts(phrasing):
        text = template.format(
            room=message.room, color=message.color, player=message.player, number=message.number
        )
        assert parse_text(text, phrasing) == message
        assert parse_text(text.rstrip(".?"), phrasing) == message
        assert parse_text(f"  {text.replace(' ', '  ')} ", phrasing) == message


@given(spoken())
def test_terms_are_understood(said: tuple[Form, Message, Phrasing]) -> None:
    form, message, phrasing = said
    if form.term is None:
        with pytest.raises(MessageError, match="has no GOAL term"):
            format_term(message, "Ann", phrasing)
        return
    for sender in ("Ann", None):
        term = format_term(message, sender, phrasing)
        bare = format_term(message, sender, phrasing, quoted=False)
        understood = parse_term(term, sender, phrasing)
        assert parse_term(bare, sender, phrasing) == understood
        assert parse_term(term.replace(",", " , "), sender, phrasing) == understood
        if not form.term_is_lossy:
            assert understood == message
        else:
            assert understood.type is message.type
            assert understood.parameters < message.parameters


@given(spoken())
def test_the_other_phrasing_is_understood_too(said: tuple[Form, Message, Phrasing]) -> None:
    _, message, phrasing = said
    other = Phrasing.SERVER if phrasing is Phrasing.DOCUMENT else Phrasing.DOCUMENT
    understood = parse_text(format_text(message, phrasing), other)
    if message.color is not None and not message.color.known_to_servers:
        assert understood.type is T.UNKNOWN
    elif (message.type, message.parameters) == (T.GOING_TO_ROOM, {"room", "color"}):
        # The one text that means different things to the document and to the servers.
        assert understood.type is T.AM_GETTING_COLOR
    else:
        assert understood == message


def test_only_these_terms_lose_a_parameter() -> None:
    lossy = {(form.type, form.parameters) for form in FORMS if form.term and form.term_is_lossy}
    assert lossy == {
        (T.WILL_GET_COLOR, frozenset({"color", "room"})),
        (T.ABOUT_TO_DROP_OFF_BLOCK, frozenset({"color"})),
        (T.GOING_TO_ROOM, frozenset({"room", "color"})),
        (T.AM_WAITING_OUTSIDE_ROOM, frozenset({"room", "color"})),
    }
    assert not any(form.document for form in FORMS if form.term is None or form.term_is_lossy)


def test_every_type_but_unknown_has_a_form() -> None:
    assert {form.type for form in FORMS} == set(MessageType) - {T.UNKNOWN}


@given(st.text(), st.sampled_from(Phrasing))
def test_any_text_is_a_message(text: str, phrasing: Phrasing) -> None:
    message = parse_text(text, phrasing)
    if message.type is T.UNKNOWN:
        assert message == Message.unknown(text)
        assert format_text(message, phrasing) == text
    parse_term(text, phrasing=phrasing)
    parse_term(text, "Ann", phrasing)


@given(st.text(alphabet="impint(),'_ \\RoomA1red\n", max_size=40))
def test_any_term_is_a_message(text: str) -> None:
    message = parse_term(text, "Ann")
    if message.type is not T.UNKNOWN:
        assert parse_term(format_term(message, "Ann"), "Ann") == message


@given(st.text(max_size=60))
def test_an_unknown_message_survives_as_a_term(text: str) -> None:
    message = Message.unknown(text)
    understood = parse_term(format_term(message))
    # The atom of an answer is the answer, quoted or not.
    assert understood == message or understood.type.name in {
        "YES", "NO", "WAIT", "OK", "DELAYED", "I_DO_NOT_KNOW", "I_DO_NOT", "I_DO",
        "ON_THE_WAY", "FAR_AWAY", "ALMOST_THERE", "COULD_NOT",
    }  # fmt: skip


def test_long_and_nested_texts_are_unknown_at_once() -> None:
    for text in (
        "I am in room " + "x" * 100_000,
        "a b " * 100_000,
        "f(" * 100_000,
        "room " * 190,
        "'" + "\\" * 999,
    ):
        assert parse_text(text) == Message.unknown(text)
        assert parse_term(text).type is T.UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "hello",
        "I am in room",
        "I am in room ",
        "room  is empty",
        "the glass is empty",
        "I have a mauve block",
        "I am going to get some coffee",
        "you should go to bed",
        "yes and no",
        "room RoomA1 contains -1 Red blocks",
        "room RoomA1 contains 99999999999 Red blocks",
        "I am at a 3 block",
    ],
)
@pytest.mark.parametrize("phrasing", Phrasing)
def test_other_texts_are_unknown(text: str, phrasing: Phrasing) -> None:
    # The original's client finds messages in many of these, by single words.
    assert parse_text(text, phrasing) == Message.unknown(text)


@pytest.mark.parametrize(
    "text, message",
    [
        ("OK", Message(T.OK)),
        ("ok.", Message(T.OK)),
        ("I don’t know", Message(T.I_DO_NOT_KNOW)),
        ("I am going to put down a block", Message(T.ABOUT_TO_DROP_OFF_BLOCK)),
        ("I am going to RoomA1", Message(T.GOING_TO_ROOM, room=R)),
        ("I am going to room RoomA1", Message(T.GOING_TO_ROOM, room=R)),
        (
            "I am going to room RoomA1 to get a red block",
            Message(T.AM_GETTING_COLOR, room=R, color=RED),
        ),
        ("I have a Red block from room RoomA1.", Message(T.HAS_COLOR, room=R, color=RED)),
        ("Bob, go to RoomA1", Message(T.GO_TO_ROOM, room=R, player=P)),
        ("Bob go to room RoomA1!", Message(T.GO_TO_ROOM, room=R, player=P)),
        ("Bot 1, go to RoomA1", Message(T.GO_TO_ROOM, room=R, player="Bot 1")),
        ("I am going to RoomA1.", Message(T.GOING_TO_ROOM, room=R)),
        ("Bob go to RoomA1!", Message(T.GO_TO_ROOM, room=R, player=P)),
        ("I am in room RoomA1?!", Message(T.IN_ROOM, room=R)),
        ("I want to go to RoomA1", Message(T.I_WANT_TO_GO, room=R)),
        ("I am in room Living Room", Message(T.IN_ROOM, room="Living Room")),
        ("room A has been checked by B", Message(T.CHECKED, room="A", player="B")),
    ],
)
def test_readings_by_the_rules(text: str, message: Message) -> None:
    assert parse_text(text) == message


@pytest.mark.parametrize(
    "message, text",
    [
        (Message(T.GOING_TO_ROOM, room="Living Room"), "I am going to room Living Room"),
        (Message(T.GO_TO_ROOM, room=R, player="Bot 1"), "Bot 1, go to RoomA1"),
        (Message(T.PUT_DOWN, player="Bot 1"), "Bot 1, put down the block you're holding"),
        (Message(T.CHECKED, room="a b", player="c d"), "room a b has been checked by c d"),
    ],
)
def test_names_of_several_words(message: Message, text: str) -> None:
    assert format_text(message) == text
    assert parse_text(text) == message


@pytest.mark.parametrize(
    "message, phrasing, problem",
    [
        (Message(T.IN_ROOM), Phrasing.DOCUMENT, "inRoom is said with room, not with nothing"),
        (
            Message(T.YES, room=R),
            Phrasing.DOCUMENT,
            "yes is said with nothing, not with room",
        ),
        (Message(T.OK, player=P), Phrasing.SERVER, "ok is said with nothing or room, not with"),
        (
            Message(T.GOING_TO_ROOM, room=R, color=RED),
            Phrasing.DOCUMENT,
            "goingToRoom is said with room, not with color, room",
        ),
        (Message(T.IN_ROOM, room="X?"), Phrasing.DOCUMENT, "would not be understood"),
        (Message(T.GOING_TO_ROOM, room="X."), Phrasing.DOCUMENT, "would not be understood"),
        (Message(T.IN_ROOM, room="room X"), Phrasing.DOCUMENT, "would not be understood"),
        (Message(T.IN_ROOM, room=""), Phrasing.DOCUMENT, "would not be understood"),
        (Message(T.IN_ROOM, room="a\nb"), Phrasing.DOCUMENT, "would not be understood"),
        (Message(T.AT_BOX, number=-1), Phrasing.DOCUMENT, "would not be understood"),
        (
            Message(T.WE_NEED, color=BlockColor.CYAN),
            Phrasing.SERVER,
            "would not be understood",
        ),
        (Message(T.UNKNOWN), Phrasing.DOCUMENT, "unknown is said with text, not with nothing"),
        (Message.unknown("yes"), Phrasing.DOCUMENT, "would not be understood"),
    ],
)
def test_what_cannot_be_said_is_an_error(
    message: Message, phrasing: Phrasing, problem: str
) -> None:
    with pytest.raises(MessageError, match=re.escape(problem)):
        format_text(message, phrasing)


def test_the_sender_makes_the_difference_between_intention_and_request() -> None:
    intention = Message(T.GOING_TO_ROOM, room=R)
    request = Message(T.GO_TO_ROOM, room=R, player=P)
    assert format_term(intention, P) == "imp(in('Bob','RoomA1'))"
    assert format_term(request, "Ann") == "imp(in('Bob','RoomA1'))"
    assert parse_term("imp(in('Bob','RoomA1'))", "Bob") == intention
    assert parse_term("imp(in('Bob','RoomA1'))", "Ann") == request
    assert parse_term("imp(in(Bob,RoomA1))", "Ann") == request
    assert parse_term("imp(in(me,RoomA1))", "Ann") == intention
    with pytest.raises(MessageError, match="would not be understood"):
        format_term(request, "Bob")


@pytest.mark.parametrize(
    "term, message",
    [
        ("int(at(,RoomA1))", Message(T.WHAT_IS_IN_ROOM, room=R)),
        ("int(at(_, 'RoomA1')).", Message(T.WHAT_IS_IN_ROOM, room=R)),
        ("int(at(unknown,RoomA1))", Message(T.WHAT_IS_IN_ROOM, room=R)),
        ("int(at(red,))", Message(T.WHERE_IS_COLOR, color=RED)),
        ("at(12)", Message(T.AT_BOX, number=12)),
        ("at(red, 'Room \\'A\\'')", Message(T.ROOM_CONTAINS, color=RED, room="Room 'A'")),
        ("checked('Bot 1_1',RoomA1)", Message(T.CHECKED, player="Bot 1_1", room=R)),
        ("checked(Bot 1_1,RoomA1)", Message(T.CHECKED, player="Bot 1_1", room=R)),
        ("'Hello, world'", Message.unknown("Hello, world")),
        ("in(Bob,RoomA1)", Message.unknown("in(Bob,RoomA1)")),
        ("at(mauve,RoomA1)", Message.unknown("at(mauve,RoomA1)")),
        ("at(9999999999,red,RoomA1)", Message.unknown("at(9999999999,red,RoomA1)")),
        ("checked(RoomA1", Message.unknown("checked(RoomA1")),
        ("checked()", Message.unknown("checked()")),
    ],
)
def test_terms(term: str, message: Message) -> None:
    assert parse_term(term, "Ann") == message


def test_profiles_choose_the_phrasing() -> None:
    message = Message(T.FIND_COLOR, color=RED, player=P)
    said = {
        name: format_text(message, profile.message_phrasing) for name, profile in PROFILES.items()
    }
    assert said == {
        "spec": "Bob find a Red block",
        "server_3_8_1": "Bob, find a Red block",
        "server_3_10": "Bob, find a Red block",
    }
