# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages in natural language, both ways.

Reading knows the texts of both phrasings and takes those of its own first. It is generous in
what does not matter (case of the fixed words, blanks, the final mark, the comma after an
addressed player) and exact otherwise: what is no text of the table is unknown.

Where the specification's own text is ambiguous, these rules decide:

* "room" before the name of a place is never part of the name.
* A final ".", "!" or "?" is never part of a name.
* A place without "room" before it, and an addressed player without a comma after it, are single
  words; such a text with a name of several words is written with "room", or with the comma.
"""

from __future__ import annotations

import re
from functools import cache

from bw4t_world.maps.model import BlockColor
from bw4t_world.messages.forms import FORMS, Form, form_of
from bw4t_world.messages.model import Message, MessageError, MessageType, Phrasing

MAX_LENGTH = 1000
"""A longer text is unknown without looking at it closer."""

_MAX_DIGITS = 9


def format_text(message: Message, phrasing: Phrasing = Phrasing.DOCUMENT) -> str:
    """Return a message in natural language.

    The text is certain to be read as the same message again: where a parameter prevents that
    (a room named ``X?``, a colour that the servers do not know), :class:`MessageError` is
    raised, as it is for parameters that do not belong to the type.
    """
    if message.type is MessageType.UNKNOWN and message.parameters == {"text"}:
        text = str(message.text)
    else:
        text = _fill(form_of(message, phrasing), message, phrasing)
    if parse_text(text, phrasing) != message:
        raise MessageError(f"{text!r} would not be understood as {message}")
    return text


def _fill(form: Form, message: Message, phrasing: Phrasing) -> str:
    template = form.texts(phrasing)[0]
    if message.room is not None and " " in message.room:
        template = re.sub(r"(?<!room ){room}", "room {room}", template)
    if message.player is not None and " " in message.player:
        template = template.replace("{player} ", "{player}, ")
    return template.format(
        room=message.room, color=message.color, player=message.player, number=message.number
    )


def parse_text(text: str, phrasing: Phrasing = Phrasing.DOCUMENT) -> Message:
    """Return the message that a text means; ``UNKNOWN`` with the text for any other text."""
    if len(text) > MAX_LENGTH:
        return Message.unknown(text)
    plain = " ".join(text.replace("’", "'").split())
    for kind, pattern in _patterns(phrasing):
        match = pattern.fullmatch(plain)
        if match:
            message = _message(kind, match.groupdict())
            foreign = message.color is not None and not message.color.known_to_servers
            if foreign and phrasing is Phrasing.SERVER:
                break
            return message
    return Message.unknown(text)


def _message(kind: MessageType, found: dict[str, str]) -> Message:
    color, number = found.get("color"), found.get("number")
    return Message(
        kind,
        room=found.get("room"),
        color=None if color is None else BlockColor.from_text(color),
        player=found.get("player"),
        number=None if number is None else int(number),
    )


@cache
def _patterns(phrasing: Phrasing) -> tuple[tuple[MessageType, re.Pattern[str]], ...]:
    other = Phrasing.SERVER if phrasing is Phrasing.DOCUMENT else Phrasing.DOCUMENT
    seen: dict[str, MessageType] = {}
    for side in (phrasing, other):
        for form in FORMS:
            # A text that both sides have means what the chosen side says.
            for template in form.texts(side):
                seen.setdefault(_regular_expression(template), form.type)
    return tuple((kind, re.compile(text, re.IGNORECASE)) for text, kind in seen.items())


def _regular_expression(template: str) -> str:
    colors = "|".join(color.value for color in BlockColor)
    word, words = r"[^\s,]*[^\s,.!?]", r"\S(?:.*?\S)??"
    parts = {
        "room {room}": f"room (?P<room>(?!room ){words})",
        "{room}": f"(?P<room>{word})",
        "{player}, ": f"(?P<player>{words}), ",
        "{player} ": f"(?P<player>{word}|{words}(?=,)),? ",
        "{player}": f"(?P<player>{words})",
        "{color}": f"(?P<color>{colors})",
        "{number}": f"(?P<number>[0-9]{{1,{_MAX_DIGITS}}})",
    }
    template = " ".join(template.rstrip(".?").split())
    pieces = re.split("(" + "|".join(map(re.escape, parts)) + ")", template)
    return "".join(parts.get(piece) or re.escape(piece) for piece in pieces) + " ?[.!?]*"
