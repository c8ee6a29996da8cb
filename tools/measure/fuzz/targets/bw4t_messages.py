# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The readers of what BW4T's players say: texts and GOAL terms, in both phrasings."""

from bw4t_world.messages import (
    FORMS,
    MessageError,
    Phrasing,
    format_term,
    format_text,
    parse_term,
    parse_text,
)

SENDERS = [None, "Bot_1", "me", "E-Partner 1"]
VALUES = {"room": "RoomA1", "color": "Red", "player": "Bot_2", "number": "2", "me": "Bot_1",
          "_": "_"}  # fmt: skip


def seeds() -> list[bytes]:
    found = []
    for form in FORMS:
        for number, phrasing in enumerate(Phrasing):
            for text in form.texts(phrasing):
                found.append(bytes([number]) + text.format(**VALUES).encode())
            if form.term is not None:
                found.append(bytes([4 | number]) + form.term.format(**VALUES).encode())
    return found


def one_input(data: bytes) -> None:
    if not data:
        return
    choice, text = data[0], data[1:].decode("utf-8", "replace")
    phrasing, sender = list(Phrasing)[choice & 1], SENDERS[choice >> 3 & 3]
    if not choice & 4:
        message = parse_text(text, phrasing)
        try:
            again = parse_text(format_text(message, phrasing), phrasing)
        except MessageError:
            return
        assert again == message
        return
    message = parse_term(text, sender, phrasing)
    try:
        term = format_term(message, sender, phrasing)
    except MessageError:
        return
    again = parse_term(term, sender, phrasing)
    # Some terms of the servers' clients leave out parameters, see Form.term_is_lossy.
    assert again == message or again.type is message.type
