# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What robots of a team say to each other by UDP: a Lua table of the original's Team. No I/O.

The original executes what it receives as Lua; here the text is parsed, and nothing in it trusted.
Source: docs/originals/luar.md, 10.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

PORT = 54321
MAXIMUM_BYTES = 16384
_MOST_DEEP = 8
_TOKEN = re.compile(
    r"""\s*(?:(?P<mark>[{}\[\]=,;])
    |(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |"(?P<text>(?:[^"\\]|\\.|\\\n)*)"
    |(?P<word>-?[A-Za-z_]\w*))""",
    re.VERBOSE,
)
Table: TypeAlias = "Mapping[str | float, Value]"
Value: TypeAlias = "float | str | Table | None"


class TeamMessageError(Exception):
    """The bytes are no message of a team; the text says why."""


@dataclass(frozen=True)
class TeamMessage:
    """What a robot says: m and rad, in the world; ``ball`` in its own frame.

    ``ball_age`` is the seconds since it saw the ball, None if it never has.
    """

    team: int
    player: int
    color: int
    role: int
    pose: tuple[float, float, float]
    ball: tuple[float, float]
    ball_age: float | None
    penalised: bool
    fallen: bool = False


def decode(data: bytes) -> TeamMessage:
    """Return a message. Raises TeamMessageError."""
    table = parse(data)
    ball = table.get("ball")
    pose = table.get("pose")
    if not isinstance(pose, Mapping) or not isinstance(ball, Mapping):
        raise TeamMessageError("it has no pose, or no ball")
    seen = _number(ball, "t")
    return TeamMessage(
        _whole(table, "teamNumber"),
        _whole(table, "id"),
        _whole(table, "teamColor", -1.0),
        _whole(table, "role", -1.0),
        (_number(pose, "x"), _number(pose, "y"), _number(pose, "a")),
        (_number(ball, "x"), _number(ball, "y")),
        _number(table, "time") - seen if seen else None,
        _number(table, "penalty", 0.0) > 0.0,
        _number(table, "fall", 0.0) > 0.0,
    )


def encode(message: TeamMessage, now: float) -> bytes:
    """Return the bytes of a message, as the original's Team sends it at ``now`` (s, any clock)."""
    x, y, a = message.pose
    ball_x, ball_y = message.ball
    seen = 0.0 if message.ball_age is None else now - message.ball_age
    numbers = (x, y, a, ball_x, ball_y, seen, now)
    if not all(map(math.isfinite, numbers)):
        raise TeamMessageError("a number is not finite")
    parts = {
        "teamNumber": f"{message.team}",
        "id": f"{message.player}",
        "teamColor": f"{message.color}",
        "role": f"{message.role}",
        "time": f"{now:.3f}",
        "tReceive": f"{now:.3f}",
        "pose": f'{{["x"]={x:.4f},["y"]={y:.4f},["a"]={a:.4f},}}',
        "ball": f'{{["t"]={seen:.3f},["x"]={ball_x:.4f},["y"]={ball_y:.4f},}}',
        "attackBearing": "0",
        "penalty": f"{int(message.penalised)}",
        "fall": f"{int(message.fallen)}",
    }
    return ("{" + "".join(f'["{name}"]={text},' for name, text in parts.items()) + "}").encode()


def parse(data: bytes) -> Table:
    """Return a table of numbers, texts and tables. Raises TeamMessageError."""
    if len(data) > MAXIMUM_BYTES:
        raise TeamMessageError(f"it has more than {MAXIMUM_BYTES} bytes")
    text = data.rstrip(b"\0").decode("latin-1")
    tokens = _tokens(text)
    value = _value(tokens, next(tokens), 0)
    if next(tokens)[0] != "end":
        raise TeamMessageError("something follows the table")
    if not isinstance(value, Mapping):
        raise TeamMessageError("it is no table")
    return value


_Tokens = Iterator[tuple[str, str]]


def _tokens(text: str) -> _Tokens:
    """Yield kind and text of each token, then "end" without end."""
    at = 0
    while (found := _TOKEN.match(text, at)) is not None and found.lastgroup is not None:
        at = found.end()
        yield found.lastgroup, found[found.lastgroup]
    if text[at:].strip():
        raise TeamMessageError(f"{text[at : at + 20]!r} is no part of a table")
    while True:
        yield "end", ""


def _value(tokens: _Tokens, token: tuple[str, str], depth: int) -> Value:
    kind, text = token
    if kind == "number":
        return float(text)
    if kind == "text":
        return text
    if kind == "word" and text.lstrip("-") in ("nil", "true", "false", "nan", "inf"):
        return {"true": 1.0, "false": 0.0}.get(text)
    if token != ("mark", "{") or depth == _MOST_DEEP:
        raise TeamMessageError(f"{text[:20]!r} is no value")
    return _entries(tokens, depth + 1)


def _entries(tokens: _Tokens, depth: int) -> Table:
    """Return the entries ``[key]=value,`` or ``value,`` up to the brace that ends them.

    The second form has the keys 1, 2, …; the last comma may be missing (the original from 2012).
    """
    table: dict[str | float, Value] = {}
    place = 0
    for token in tokens:
        if token == ("mark", "}"):
            return table
        key: Value
        if token == ("mark", "["):
            key = _value(tokens, next(tokens), depth)
            if not isinstance(key, (str, float)):
                break
            if next(tokens)[1] != "]" or next(tokens)[1] != "=":
                break
            token = next(tokens)
        else:
            key = float(place := place + 1)
        table[key] = _value(tokens, token, depth)
        token = next(tokens)
        if token == ("mark", "}"):
            return table
        if token[1] not in (",", ";"):
            break
    raise TeamMessageError("a table has another form than [key]=value, or value,")


def _number(table: Table, name: str, missing: float | None = None) -> float:
    value = table.get(name)
    if value is None and missing is not None:
        return missing
    if not isinstance(value, float) or not math.isfinite(value):
        raise TeamMessageError(f"{name} is no number")
    return value


def _whole(table: Table, name: str, missing: float | None = None) -> int:
    value = _number(table, name, missing)
    if not (value.is_integer() and abs(value) < 2**31):
        raise TeamMessageError(f"{name} is no whole number")
    return int(value)
