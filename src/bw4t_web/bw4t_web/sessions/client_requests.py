# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Requests of browsers, parsed from JSON and checked."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from bw4t_runner.json_text import load_json
from bw4t_web.sessions.controls import ACTIONS
from bw4t_web.view.phrases import read_message
from bw4t_world.messages import Message

MAX_NAME = 20
MAX_FREE_TEXT = 300
"""Characters of a free text."""

MAX_FILE = 250
MAX_DRAFT_ITEMS = 100
MAX_DRAFT_TEXT = 1000
MAX_TIME_MS = 1e15
"""A page's clock that says more is ignored."""

MAX_TEXT = 100
"""Characters of the name of a place, a player or a token."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first request of a page; with a token it wants its robot back.

    ``code`` is that of a participant of an experiment, ``secret`` that of its experimenter.
    """

    token: str | None
    code: str = ""
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """A person wants a new robot under a name, or with ``bot`` one that is there already.

    ``code`` is that of a participant of a study, from the page's address.
    """

    name: str
    bot: str | None
    agent_acts: bool
    code: str = ""


@dataclass(frozen=True, slots=True)
class Ping:
    """A page wants a sign of life."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A person leaves the robot."""


@dataclass(frozen=True, slots=True)
class Act:
    """An action for the robot; the answer carries ``number``."""

    number: int
    action: str
    args: tuple[str | int | float, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """A message, or a free text, for a player or for ``all``."""

    number: int
    receiver: str
    message: Message | str


@dataclass(frozen=True, slots=True)
class Control:
    """``pause``, ``resume`` or ``reset`` the world, or let it pass at another ``speed``."""

    command: str
    speed: float = 1.0


@dataclass(frozen=True, slots=True)
class Answers:
    """A participant of an experiment has filled in a form."""

    number: int
    form: str
    answers: object


@dataclass(frozen=True, slots=True)
class Draft:
    """What a participant has filled in of a form so far, by the ids of its questions."""

    form: str
    answers: dict[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A participant leaves the experiment."""


@dataclass(frozen=True, slots=True)
class Command:
    """The experimenter's ``start``, ``pause``, ``resume``, ``abort``, ``repeat`` or ``end``."""

    number: int
    command: str


@dataclass(frozen=True, slots=True)
class Show:
    """The experimenter wants a moment (simulated s) of a recorded game; no file: the present."""

    number: int
    file: str
    seconds: float


ClientRequest = (
    Hello | Join | Ping | Leave | Act | Say | Control | Answers | Draft | Withdraw | Command | Show
)


def parse_request(text: str) -> tuple[ClientRequest, float | None]:
    """Return the request in a text frame, and when it was sent, in s of the page's clock.

    Raises ValueError with a sentence of what is wrong.
    """
    try:
        data = load_json(text)
    except (ValueError, RecursionError):
        raise ValueError("this is no JSON") from None
    if not isinstance(data, dict):
        raise ValueError("a request must be an object")
    sent = data.get("sent")
    if isinstance(sent, bool) or not isinstance(sent, (int, float)) or not abs(sent) < MAX_TIME_MS:
        return _request(data), None
    return _request(data), sent / 1e3


def _request(data: dict[str, Any]) -> ClientRequest:
    kind = data.get("type")
    if kind == "hello":
        token = data.get("token")
        code, secret = data.get("code") or "", data.get("secret") or ""
        return Hello(
            None if token is None else _name(token, "token"),
            _name(code, "code") if code else "",
            _name(secret, "secret") if secret else "",
        )
    if kind == "join":
        return _join(data)
    if kind == "ping":
        return Ping()
    if kind == "leave":
        return Leave()
    if kind == "act":
        return _act(data)
    if kind == "say":
        receiver = _name(data.get("to"), "receiver")
        if "text" in data:
            return Say(_number(data), receiver, _free_text(data["text"]))
        return Say(_number(data), receiver, read_message(data.get("message")))
    if kind == "control":
        command = data.get("command")
        if command not in ("pause", "resume", "reset", "speed"):
            raise ValueError("a control is pause, resume, reset or speed")
        speed = data.get("speed", 1.0)
        if type(speed) not in (int, float) or not 0.01 <= speed <= 1000:
            raise ValueError("the speed is a number from 0.01 to 1000")
        return Control(str(command), float(speed))
    return _of_experiment(kind, data)


def _of_experiment(kind: object, data: dict[str, Any]) -> ClientRequest:
    if kind == "answers":
        return Answers(_number(data), _name(data.get("form"), "form"), data.get("answers"))
    if kind == "draft":
        return Draft(_name(data.get("form"), "form"), _draft(data.get("answers")))
    if kind == "withdraw":
        return Withdraw()
    if kind == "command":
        return Command(_number(data), _name(data.get("command"), "command"))
    if kind == "show":
        seconds = data.get("seconds", 0)
        if type(seconds) not in (int, float) or not 0 <= seconds < MAX_TIME_MS:
            raise ValueError("the seconds must be a number from 0")
        return Show(_number(data), str(data.get("file") or "")[:MAX_FILE], float(seconds))
    raise ValueError("there is no request of this type")


def _draft(value: object) -> dict[str, str | int | float]:
    if not isinstance(value, dict) or len(value) > MAX_DRAFT_ITEMS:
        raise ValueError("a draft is an object of answers")
    for answer in value.values():
        number = isinstance(answer, (int, float)) and not isinstance(answer, bool)
        if not number and not (isinstance(answer, str) and len(answer) <= MAX_DRAFT_TEXT):
            raise ValueError("an answer is a number or a text")
    return value


def _free_text(value: object) -> str:
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not 0 < len(text) <= MAX_FREE_TEXT or not text.isprintable():
        raise ValueError(f"a text has 1 to {MAX_FREE_TEXT} printable characters")
    return text


def _join(data: dict[str, Any]) -> Join:
    bot, agent_acts = data.get("bot"), data.get("agentActs", False)
    if not isinstance(agent_acts, bool):
        raise ValueError("agentActs must be true or false")
    code = "" if data.get("code") is None else _name(data["code"], "code")
    if bot is not None:
        return Join("", _name(bot, "bot"), agent_acts, code)
    return Join(check_person(data.get("name")), None, False, code)


def check_person(value: object) -> str:
    """Return the name of a person: a letter, then letters, digits, ``_`` and ``-``.

    This is the document's rule for the names of players, in any alphabet.
    """
    name = unicodedata.normalize("NFC", value).strip() if isinstance(value, str) else ""
    plain = name.replace("_", "").replace("-", "")
    if not (0 < len(name) <= MAX_NAME and name[0].isalpha() and plain.isalnum()):
        raise ValueError(
            f"A name begins with a letter and has up to {MAX_NAME} letters and digits."
        )
    return name


def _act(data: dict[str, Any]) -> Act:
    action, args = data.get("action"), data.get("args", [])
    if not isinstance(action, str) or action not in ACTIONS:
        raise ValueError("there is no such action")
    if not isinstance(args, list) or len(args) not in ACTIONS[action]:
        raise ValueError(f"{action} takes other arguments")
    return Act(_number(data), action, tuple(_argument(value) for value in args))


def _argument(value: object) -> str | int | float:
    if isinstance(value, str) and 0 < len(value) <= MAX_TEXT:
        return value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and abs(value) < 1e6:  # type: ignore[arg-type]
        return value  # type: ignore[return-value]
    raise ValueError("an argument must be a name or a number")


def _name(value: object, what: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT:
        raise ValueError(f"the {what} must be a name")
    return value


def _number(data: dict[str, Any]) -> int:
    number = data.get("id")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**53:
        raise ValueError("a request needs an id")
    return number
