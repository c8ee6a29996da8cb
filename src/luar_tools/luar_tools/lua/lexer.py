# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The words of a Lua 5.1 program: comments and strings are told from code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LONG = re.compile(r"(--)?\[(=*)\[")
_WORD = re.compile(
    r"(?P<space>[ \t\r\f\v]+)"
    r"|(?P<comment>--[^\n]*)"
    r"|(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.|\\\n)*\"|'(?:[^'\\\n]|\\.|\\\n)*')"
    r"|(?P<sign>\.\.\.|\.\.|==|~=|<=|>=|[-+*/%^#<>=(){}\[\];:,.])",
    re.ASCII,
)


class LuaSyntaxError(Exception):
    """The text is not what it should be; the message begins with the line."""


class Word(NamedTuple):
    """One word of a program; ``kind`` is number, name, string, sign or end."""

    kind: str
    text: str
    """As it stands there; of a string what is between its quotes, escapes not resolved."""
    line: int


def words(text: str) -> Iterator[Word]:
    """Yield the words of a program, and one of kind ``end``. Raises LuaSyntaxError."""
    at, line = 0, 1
    if text.startswith("#"):  # as Lua, which leaves out a first line for the shell
        at = (text + "\n").index("\n")
    while at < len(text):
        if text[at] == "\n":
            at, line = at + 1, line + 1
            continue
        if long := _LONG.match(text, at):
            end = text.find(f"]{long[2]}]", long.end())
            if end < 0:
                what = "comment" if long[1] else "string"
                raise LuaSyntaxError(f"line {line}: the {what} that begins here has no end")
            if not long[1]:
                yield Word("string", text[long.end() : end], line)
            end += 2 + len(long[2])
        elif found := _WORD.match(text, at):
            kind = found.lastgroup or ""
            end = found.end()
            if kind == "string":
                yield Word(kind, found[0][1:-1], line)
            elif kind not in ("space", "comment"):
                yield Word(kind, found[0], line)
        else:
            raise LuaSyntaxError(f"line {line}: {text[at]!r} begins no word of Lua")
        line += text.count("\n", at, end)
        at = end
    yield Word("end", "", line)
