# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The table of everything that can be said.

A form is a message type with one choice of parameters. Its term and its texts are templates
with the parameters in braces; ``{me}`` is the sender, ``{_}`` what a question leaves open. A
form has the texts of the specification, of the servers' clients, or of both; the first of
several texts is the one that is written, all are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bw4t_world.messages.model import Message, MessageError, MessageType, Phrasing

_T = MessageType


@dataclass(frozen=True, slots=True)
class Form:
    """One row of the table."""

    type: MessageType
    term: str | None
    document: tuple[str, ...] = ()
    server: tuple[str, ...] = ()
    server_only: bool = False
    """The document means something else by this text, so its phrasing has no such form."""

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters of the form."""
        found: set[str] = set()
        for template in (*self.document, *self.server):
            found.update(re.findall(r"{(\w+)}", template))
        return frozenset(found)

    def texts(self, phrasing: Phrasing) -> tuple[str, ...]:
        """Return the text templates; where one side is silent, those of the other."""
        if phrasing is Phrasing.SERVER:
            return self.server or self.document
        return self.document or (() if self.server_only else self.server)

    @property
    def term_is_lossy(self) -> bool:
        """Whether the term leaves out parameters of the text (only forms of the servers)."""
        return self.term is None or any(
            f"{{{parameter}}}" not in self.term for parameter in self.parameters
        )


def _form(
    kind: MessageType,
    term: str | None,
    document: str | tuple[str, ...] = (),
    server: str | tuple[str, ...] = (),
    *,
    server_only: bool = False,
) -> Form:
    def texts(given: str | tuple[str, ...]) -> tuple[str, ...]:
        return (given,) if isinstance(given, str) else given

    return Form(kind, term, texts(document), texts(server), server_only)


def _same(kind: MessageType, term: str, text: str) -> Form:
    return _form(kind, term, text, text)


# Order counts when reading: a template stands before those that would also match its texts.
FORMS: tuple[Form, ...] = (
    # Answers.
    _same(_T.YES, "yes", "yes"),
    _same(_T.NO, "no", "no"),
    _same(_T.I_DO_NOT_KNOW, "dontknow", "I don't know"),
    _same(_T.WAIT, "wait", "wait"),
    _same(_T.OK, "ok", "OK"),
    _same(_T.OK, "ok({room})", "OK, room {room}"),
    _same(_T.I_DO_NOT, "idont", "I don't"),
    _same(_T.I_DO, "ido", "I do"),
    _same(_T.ON_THE_WAY, "ontheway", "I am on the way"),
    _same(_T.FAR_AWAY, "faraway", "I am far away"),
    _same(_T.DELAYED, "delayed", "I am delayed"),
    _same(_T.ALMOST_THERE, "almostthere", "I am almost there"),
    # The document lists the answer, but no text for it.
    _form(_T.COULD_NOT, "couldnot", (), "I couldn't"),
    # What the sender is up to.
    _same(_T.LOOKING_FOR, "imp(found({me},{color}))", "I am looking for a {color} block"),
    _form(
        _T.AM_GETTING_COLOR,
        "imp(pickedUpFrom({me},{color},{room}))",
        (
            "I am getting a {color} block from room {room}",
            "I am going to room {room} to get a {color} block",
        ),
        "I am getting a {color} block from room {room}",
    ),
    _form(_T.AM_GETTING_COLOR, None, (), "I am getting a {color} block"),
    _form(
        _T.WILL_GET_COLOR,
        "imp(holding({me},{color}))",
        (),
        "I will get a {color} block from room {room}",
    ),
    _same(_T.WILL_GET_COLOR, "imp(holding({me},{color}))", "I will get a {color} block"),
    _form(
        _T.ABOUT_TO_DROP_OFF_BLOCK,
        "imp(putDown({me}))",
        "I am going to put down a block",
        "I am about to drop off a block",
    ),
    _form(
        _T.ABOUT_TO_DROP_OFF_BLOCK,
        "imp(putDown({me}))",
        (),
        "I am about to drop off a {color} block",
    ),
    _form(
        _T.GOING_TO_ROOM,
        "imp(in({me},{room}))",
        (),
        # The servers' clients do write two blanks.
        "I am going to room {room} to get a {color}  block",
        server_only=True,
    ),
    _form(
        _T.GOING_TO_ROOM,
        "imp(in({me},{room}))",
        ("I am going to {room}", "I am going to room {room}"),
        "I am going to room {room}",
    ),
    # Requests.
    _form(_T.I_WANT_TO_GO, None, (), "I want to go to {room}"),
    _form(
        _T.GO_TO_ROOM,
        "imp(in({player},{room}))",
        ("{player} go to {room}", "{player} go to room {room}"),
        "{player}, go to room {room}",
    ),
    _form(
        _T.FIND_COLOR,
        "imp(found({player},{color}))",
        "{player} find a {color} block",
        "{player}, find a {color} block",
    ),
    _form(
        _T.GET_COLOR_FROM_ROOM,
        "imp(pickedUpFrom({player},{color},{room}))",
        "{player} get the {color} block from room {room}",
        "{player}, get the {color} from room {room}",
    ),
    _form(
        _T.PUT_DOWN,
        "imp(putDown({player}))",
        "{player} put down the block you're holding",
        "{player}, put down the block you are holding",
    ),
    # The environment.
    _same(_T.ROOM_CONTAINS, "at({color},{room})", "room {room} contains a {color} block"),
    _same(
        _T.ROOM_CONTAINS_AMOUNT,
        "at({number},{color},{room})",
        "room {room} contains {number} {color} blocks",
    ),
    _same(_T.ROOM_IS_EMPTY, "empty({room})", "room {room} is empty"),
    # The task and the robot.
    _same(_T.IN_ROOM, "in({me},{room})", "I am in room {room}"),
    _form(_T.AT_BOX, "at({number})", "I am at a {number} box"),
    _form(_T.AT_BOX, "atBox({color})", (), "I am at a {color} block"),
    _form(
        _T.HAS_COLOR,
        "pickedUpFrom({me},{color},{room})",
        "I have a {color} block from room {room}.",
        "I have a {color} block from room {room}",
    ),
    _form(
        _T.HAS_COLOR, "holding({me},{color})", "I have a {color} block.", "I have a {color} block"
    ),
    _same(_T.DROPPED_OFF_BLOCK, "putDown({me})", "I just dropped off a block"),
    _same(_T.DROPPED_OFF_BLOCK, "putDown({me},{color})", "I just dropped off a {color} block"),
    _form(
        _T.AM_WAITING_OUTSIDE_ROOM,
        "waitingOutside({me},{room})",
        (),
        "I am waiting outside room {room} with a {color} block",
    ),
    _same(
        _T.AM_WAITING_OUTSIDE_ROOM,
        "waitingOutside({me},{room})",
        "I am waiting outside room {room}",
    ),
    _form(_T.WE_NEED, "need({color})", "We need a {color} block.", "We need a {color} block"),
    _same(_T.CHECKED, "checked({player},{room})", "room {room} has been checked by {player}"),
    _form(
        _T.CHECKED,
        "checked({room})",
        "room {room} has been checked.",
        "room {room} has been checked",
    ),
    # Questions.
    _same(_T.WHAT_IS_IN_ROOM, "int(at({_},{room}))", "What is in room {room}?"),
    _same(_T.WHERE_IS_COLOR, "int(at({color},{_}))", "Where is a {color} block?"),
    _same(_T.WHO_IS_IN_ROOM, "int(in({_},{room}))", "Who is in room {room}?"),
    _same(_T.WHERE_SHOULD_I_GO, "int(imp(in({me},{_})))", "Where should I go?"),
    _same(_T.WHAT_COLOR_SHOULD_I_GET, "int(imp(holding({me},{_})))", "What color should I get?"),
    _same(
        _T.IS_ANYBODY_GOING_TO_ROOM,
        "int(imp(in({_},{room})))",
        "Is anybody going to room {room}?",  # words: ok
    ),
    _same(_T.WILL_YOU_BE_LONG, "int(willBeLong({player}))", "{player}, will you be long?"),
    _same(
        _T.HAS_ANYBODY_CHECKED_ROOM,
        "int(checked({_},{room}))",
        "Has anybody checked room {room}?",  # words: ok
    ),
    _same(_T.ARE_YOU_CLOSE, "int(areClose({player}))", "{player}, are you close?"),
    _same(_T.WHO_HAS_A_BLOCK, "int(holding({_},{color}))", "Who has a {color} block?"),
    _form(_T.YOU_FORGOT_ME, None, (), "You forgot me in {room}"),
    _form(_T.YOU_FORGOT_ME, None, (), "You forgot me"),
)

_BY_SHAPE = {(form.type, form.parameters): form for form in FORMS}


def form_of(message: Message, phrasing: Phrasing) -> Form:
    """Return the form of a message.

    Raises :class:`MessageError`, with the forms that the type has, when there is none.
    """
    form = _BY_SHAPE.get((message.type, message.parameters))
    if form is None or not form.texts(phrasing):
        known = " or ".join(
            ", ".join(sorted(form.parameters)) or "nothing"
            for form in FORMS
            if form.type is message.type and form.texts(phrasing)
        )
        if message.type is MessageType.UNKNOWN:
            known = "text"
        given = ", ".join(sorted(message.parameters)) or "nothing"
        raise MessageError(f"{message.type.value} is said with {known}, not with {given}")
    return form
