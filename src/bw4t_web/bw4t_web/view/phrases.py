# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The fixed set of messages, as a list to choose from and with blanks to fill in."""

from __future__ import annotations

import re
from typing import Any

from bw4t_world.maps import BlockColor
from bw4t_world.messages import Message, MessageError, MessageType, Phrasing, format_text
from bw4t_world.messages.forms import FORMS, Form

_T = MessageType

TITLES: tuple[tuple[str, frozenset[MessageType]], ...] = (
    (
        "What I am doing",
        frozenset(
            {
                _T.GOING_TO_ROOM,
                _T.LOOKING_FOR,
                _T.AM_GETTING_COLOR,
                _T.WILL_GET_COLOR,
                _T.ABOUT_TO_DROP_OFF_BLOCK,
            }
        ),
    ),
    (
        "What you should do",
        frozenset({_T.GO_TO_ROOM, _T.FIND_COLOR, _T.GET_COLOR_FROM_ROOM, _T.PUT_DOWN}),
    ),
    (
        "What is where",
        frozenset({_T.ROOM_CONTAINS, _T.ROOM_CONTAINS_AMOUNT, _T.ROOM_IS_EMPTY}),
    ),
    (
        "How things stand",
        frozenset(
            {
                _T.IN_ROOM,
                _T.AT_BOX,
                _T.HAS_COLOR,
                _T.DROPPED_OFF_BLOCK,
                _T.AM_WAITING_OUTSIDE_ROOM,
                _T.WE_NEED,
                _T.CHECKED,
            }
        ),
    ),
    (
        "Questions",
        frozenset(
            {
                _T.WHAT_IS_IN_ROOM,
                _T.WHERE_IS_COLOR,
                _T.WHO_IS_IN_ROOM,
                _T.WHERE_SHOULD_I_GO,
                _T.WHAT_COLOR_SHOULD_I_GET,
                _T.IS_ANYBODY_GOING_TO_ROOM,
                _T.WILL_YOU_BE_LONG,
                _T.HAS_ANYBODY_CHECKED_ROOM,
                _T.ARE_YOU_CLOSE,
                _T.WHO_HAS_A_BLOCK,
            }
        ),
    ),
    (
        "Answers",
        frozenset(
            {
                _T.YES,
                _T.NO,
                _T.OK,
                _T.WAIT,
                _T.I_DO,
                _T.I_DO_NOT,
                _T.I_DO_NOT_KNOW,
                _T.ON_THE_WAY,
                _T.ALMOST_THERE,
                _T.FAR_AWAY,
                _T.DELAYED,
                _T.COULD_NOT,
            }
        ),
    ),
)
"""The groups of the list, after the document's headings, and what is in them."""

_BLANK = re.compile(r"{(\w+)}")
_PARAMETERS = frozenset({"room", "color", "player", "number"})


def catalogue(phrasing: Phrasing) -> list[dict[str, Any]]:
    """Return the messages that can be said, in groups (specification, "Messages").

    Each message has its type, its text with blanks as ``{room}``, and the list of its blanks.
    """
    return [
        {
            "title": title,
            "messages": [
                {"type": form.type.value, "text": text, "blanks": _BLANK.findall(text)}
                for form in FORMS
                if form.type in types and (text := _text(form, phrasing))
            ],
        }
        for title, types in TITLES
    ]


def _text(form: Form, phrasing: Phrasing) -> str | None:
    """Return the text of a form, or ``None`` where it does not belong to the fixed set."""
    own = form.server if phrasing is Phrasing.SERVER else form.document
    if own:
        return own[0]
    # An answer of the document that only the servers have words for.
    return form.texts(phrasing)[0] if form.type is _T.COULD_NOT else None


def read_message(data: object) -> Message:
    """Return the message that a person composed; raises ValueError with what is wrong."""
    if not isinstance(data, dict):
        raise ValueError("a message must be an object")
    fields: dict[str, Any] = dict(data)
    try:
        kind = MessageType(fields.pop("type", None))
    except ValueError:
        raise ValueError("there is no message of this type") from None
    unknown = fields.keys() - _PARAMETERS
    if unknown or kind is _T.UNKNOWN:
        raise ValueError(f"a message has no {', '.join(sorted(unknown)) or 'free text'}")
    number = fields.get("number")
    if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
        raise ValueError("the number of a message must be a whole number")
    for name in ("room", "color", "player"):
        value = fields.get(name)
        if value is not None and (not isinstance(value, str) or not 0 < len(value) <= 100):
            raise ValueError(f"the {name} of a message must be a name")
    color = fields.get("color")
    return Message(
        kind,
        room=fields.get("room"),
        color=None if color is None else BlockColor.from_text(color),
        player=fields.get("player"),
        number=number,
    )


def say(message: Message, phrasing: Phrasing) -> str:
    """Return the text of a composed message; ``ValueError`` when a blank is empty or wrong."""
    try:
        return format_text(message, phrasing)
    except MessageError as error:
        raise ValueError(str(error)) from None
