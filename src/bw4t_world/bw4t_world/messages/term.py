# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages as terms of the agent language GOAL, both ways.

``imp(...)`` is an intention or a request, ``int(...)`` a question, a bare term a statement. The
same term says different things about the sender and about another player (``imp(putDown(X))``
is "I am going to" or "please do"), so both ways take the name of the sender.
"""

from __future__ import annotations

import re
from functools import cache

from bw4t_world.maps.model import BlockColor
from bw4t_world.messages.forms import FORMS, form_of
from bw4t_world.messages.model import Message, MessageError, MessageType, Phrasing
from bw4t_world.messages.text import MAX_LENGTH

ME = "me"
"""The atom for a sender whose name is not given."""

_PLAIN_ATOM = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
_QUOTED = r"'((?:[^'\\]|\\.|'')*)'"
_BARE = r"""([^\s(),'"\[\]](?:[^(),'"\[\]]*[^\s(),'"\[\]])?)"""
_ATOM = re.compile(rf"\s*(?:{_QUOTED}|{_BARE})\s*", re.DOTALL)
_NOTHING = re.compile(r"\s*(?=[,)])")
_BLANKS = re.compile(r"\s*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_MAX_NUMBER_DIGITS = 9
_OPEN = {Phrasing.DOCUMENT: "_", Phrasing.SERVER: "unknown"}
_UNNAMED = frozenset({"", "_", "unknown"})


def format_term(
    message: Message,
    sender: str | None = None,
    phrasing: Phrasing = Phrasing.DOCUMENT,
    *,
    quoted: bool = True,
) -> str:
    """Return the GOAL term of a message that ``sender`` sends.

    Names that are no plain atoms, such as ``'RoomA1'``, are quoted as Prolog wants it; with
    ``quoted=False`` they are written bare, as the original prints them. An unknown message is
    its text as a quoted atom.

    Raises :class:`MessageError` for parameters that do not belong to the type, for the few
    messages of the servers' clients that have no term, and where the term would mean another
    message (a request to the sender itself). A few messages of the servers' clients lose a
    parameter in their term, as they do there (:attr:`Form.term_is_lossy`).
    """
    if message.type is MessageType.UNKNOWN and message.parameters == {"text"}:
        return quote_atom(str(message.text))
    form = form_of(message, phrasing)
    if form.term is None:
        raise MessageError(f"{message.type.value} has no GOAL term with these parameters")
    write = quote_atom if quoted else str
    term = form.term.replace("{_}", _OPEN[phrasing])
    term = term.format(
        me=write(sender if sender is not None else ME),
        room=write(message.room or ""),
        color=write(str(message.color)),
        player=write(message.player or ""),
        number=message.number,
    )
    if not form.term_is_lossy and quoted and parse_term(term, sender, phrasing) != message:
        # A room named "unknown", or the sender addressed like another player.
        raise MessageError(f"{term} from {sender!r} would not be understood as {message}")
    return term


def parse_term(
    text: str, sender: str | None = None, phrasing: Phrasing = Phrasing.DOCUMENT
) -> Message:
    """Return the message that a GOAL term from ``sender`` means, quoted or bare.

    Any other text is an ``UNKNOWN`` message with the text (an atom: with its name).
    """
    tree = _read(text) if len(text) <= MAX_LENGTH else None
    if tree is None:
        return Message.unknown(text)
    for kind, pattern in _templates(phrasing):
        found: dict[str, str] = {}
        if _match(pattern, tree, sender, found):
            message = _message(kind, found)
            if message is not None:
                return message
    return Message.unknown(tree if isinstance(tree, str) else text)


def quote_atom(name: str) -> str:
    """Return a name as a Prolog atom, in single quotes unless it needs none."""
    if _PLAIN_ATOM.match(name):
        return name
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    for letter, character in _ESCAPES.items():
        escaped = escaped.replace(character, f"\\{letter}")
    return f"'{escaped}'"


# A term is an atom, or a functor with arguments.
_Tree = str | tuple[str, tuple["_Tree", ...]]


def _read(text: str) -> _Tree | None:
    tree, end = _read_tree(text, 0, depth=0)
    return tree if tree is not None and not text[end:].strip(" \t\r\n.") else None


def _read_tree(text: str, start: int, depth: int) -> tuple[_Tree | None, int]:
    if depth > 4:  # no message nests deeper
        return None, start
    match = _ATOM.match(text, start)
    if match is None:
        # The document leaves out what a question asks for: int(at(,RoomA1)).
        nothing = _NOTHING.match(text, start)
        return ("", nothing.end()) if nothing and depth else (None, start)
    name, end = _unescape(match), match.end()
    if end >= len(text) or text[end] != "(":
        return name, end
    arguments: list[_Tree] = []
    while True:
        argument, end = _read_tree(text, end + 1, depth + 1)
        if argument is None or end >= len(text) or text[end] not in ",)":
            return None, end
        arguments.append(argument)
        if text[end] == ")":
            blanks = _BLANKS.match(text, end + 1)
            return (name, tuple(arguments)), blanks.end() if blanks else end + 1


def _unescape(match: re.Match[str]) -> str:
    quoted, bare = match.groups()
    if quoted is None:
        return str(bare)

    def character(escape: re.Match[str]) -> str:
        letter = escape.group()[1]
        return _ESCAPES.get(letter, letter)

    return re.sub(r"\\.|''", character, quoted, flags=re.DOTALL)


@cache
def _templates(phrasing: Phrasing) -> tuple[tuple[MessageType, _Tree], ...]:
    found: dict[str, MessageType] = {}
    # Forms whose terms say everything stand before those that leave something out.
    for form in sorted(FORMS, key=lambda form: form.term_is_lossy):
        if form.term is not None and form.texts(phrasing):
            found.setdefault(form.term, form.type)
    templates = []
    for term, kind in found.items():
        tree = _read(term)
        assert tree is not None
        templates.append((kind, tree))
    # "about me" before "about a player", whatever the order of the table.
    return tuple(sorted(templates, key=lambda item: "{player}" in str(item[1])))


def _match(pattern: _Tree, tree: _Tree, sender: str | None, found: dict[str, str]) -> bool:
    if isinstance(pattern, tuple):
        return (
            isinstance(tree, tuple)
            and pattern[0] == tree[0]
            and len(pattern[1]) == len(tree[1])
            and all(
                _match(part, argument, sender, found)
                for part, argument in zip(pattern[1], tree[1], strict=True)
            )
        )
    if not isinstance(tree, str):
        return False
    if not pattern.startswith("{"):
        return pattern == tree
    if pattern == "{me}":
        return tree in (sender, ME, "Me")
    if pattern == "{_}":
        return tree in _UNNAMED
    found[pattern.strip("{}")] = tree
    return tree not in _UNNAMED


def _message(kind: MessageType, found: dict[str, str]) -> Message | None:
    color = number = None
    if "color" in found:
        try:
            color = BlockColor.from_text(found["color"])
        except ValueError:
            return None
    if "number" in found:
        digits = found["number"]
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_NUMBER_DIGITS):
            return None
        number = int(digits)
    return Message(
        kind, room=found.get("room"), color=color, player=found.get("player"), number=number
    )
