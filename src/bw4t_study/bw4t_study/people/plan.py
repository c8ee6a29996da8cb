# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the section ``people`` of an experiment file says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bw4t_study.people.forms import SHIPPED, Form, read_form, shipped_form

MAX_SEATS = 32

CODE = re.compile(r"[\w.-]{1,40}")
"""A participant's code, as it stands in a link."""

SEES = ("percepts", "robots", "everything")
"""What a person sees of others: as the robot perceives, also where robots are, or all."""

VIEW_SETTINGS = {
    "sees": str,
    "free_text": bool,
    "messages": bool,
    "message_delay": float,
    "exact_spots": bool,
}
"""Settings of a condition for what people see and say, with their types."""

MAX_DELAY_S = 3600.0


TEXTS = {
    "left": "You have left the study. Thank you.",
    "over": "Thank you for taking part.",
    "invalid": "This link is not valid. Please open the link that you were given.",
    "full": "All places of this session are taken.",
    "freeze": "Please wait: another participant still answers.",
    "missing": "Please wait for the other participants.",
    "start": "Please wait until the experimenter starts the next game.",
    "next": "Please wait. The next game begins soon.",
    "aborted": "The experimenter has ended this game.",
    "interrupted": "The game was interrupted.",
    "wrong": "Please read the instructions again.",
}
"""What participants read beside the forms; ``texts`` of the section overrides them."""


@dataclass(frozen=True)
class PeoplePlan:
    """Who takes part in the games of a group, and what they are shown and asked.

    ``seats`` people play each game. Only those with one of the ``codes`` can take part; any code
    will do where there are none. ``practice`` is the condition of a game before the first trial.
    ``intake``, ``between`` and ``after`` are the forms before the first game, after each trial and
    at the end. ``freeze_at`` are simulated seconds at which a game stands still while all answer
    ``freeze``. ``by_itself``: the first game begins when all are ready, else by command.
    ``language`` is the name of a file, as the experiment file has it.
    """

    seats: int = 1
    codes: tuple[str, ...] = ()
    practice: str = ""
    intake: tuple[Form, ...] = ()
    between: tuple[Form, ...] = ()
    after: tuple[Form, ...] = ()
    freeze: Form | None = None
    freeze_at: tuple[float, ...] = ()
    by_itself: bool = True
    watch: bool = False
    control: bool = False
    grippers: int = 1
    language: str = ""
    goodbye: str = "This was the last part. Thank you for taking part."
    texts: Mapping[str, str] = field(default_factory=lambda: dict(TEXTS))


KNOWN = frozenset(
    (
        *("seats", "codes", "practice", "start", "watch", "control", "grippers", "language"),
        *("consent", "instructions", "check", "before", "between", "after", "goodbye"),
        *("freeze", "questionnaires", "texts"),
    )
)


OWN_FORMS = frozenset({"consent", "instructions", "check"})
"""Forms that are no questionnaires, by their ids."""


def read_people(data: Any, directory: Path) -> PeoplePlan:
    """Return the plan that the section ``people`` describes; texts may be files beside it.

    Raises ValueError, TypeError and OSError.
    """
    if not isinstance(data, dict):
        raise TypeError("people: a table")
    if unknown := data.keys() - KNOWN:
        raise ValueError(
            f"people: unknown: {sorted(map(str, unknown))[0]}; known: {', '.join(sorted(KNOWN))}"
        )
    said = data.get("questionnaires", {})
    if not isinstance(said, dict):
        raise TypeError("people: questionnaires: a table of names")
    forms = {name: _questionnaire(str(name), form) for name, form in said.items()}

    def named(part: str) -> tuple[Form, ...]:
        names = data.get(part, [])
        if not isinstance(names, list) or len(set(map(str, names))) != len(names):
            raise TypeError(f"people: {part}: a list of different questionnaires")
        for name in names:
            if name not in forms and name not in SHIPPED:
                known = ", ".join([*forms, *SHIPPED])
                raise ValueError(f"people: {part}: there is no {name!r}; there is {known}")
        return tuple(forms.get(name) or shipped_form(name) for name in names)

    start = data.get("start", "by itself")
    if start not in ("by itself", "experimenter"):
        raise ValueError(f"people: start: by itself or experimenter, not {start!r}")
    freeze, freeze_at = _freeze(data.get("freeze"), forms)
    default = PeoplePlan()
    return PeoplePlan(
        seats=_whole(data, "seats", 1, MAX_SEATS),
        codes=_codes(data.get("codes", [])),
        practice=str(data.get("practice", "")),
        intake=(*_texts(data, directory), *_check(data.get("check")), *named("before")),
        between=named("between"),
        after=named("after"),
        freeze=freeze,
        freeze_at=freeze_at,
        by_itself=start == "by itself",
        watch=_switch(data, "watch"),
        control=_switch(data, "control"),
        grippers=_whole(data, "grippers", 1, 100),
        language=str(data.get("language", "")),
        goodbye=str(data.get("goodbye", default.goodbye)),
        texts=_own_texts(data.get("texts", {})),
    )


def _questionnaire(name: str, data: Any) -> Form:
    if name in OWN_FORMS:
        raise ValueError(f"people: questionnaires: {name} is the name of another form")
    form = read_form(name, data)
    if any(item.right for item in form.items):
        raise ValueError(f"people: questionnaires: {name}: right is for the questions of check")
    return form


def check_view(where: str, settings: Mapping[str, Any]) -> None:
    """Raise ValueError for settings of :data:`VIEW_SETTINGS` that cannot be."""
    if settings.get("sees", "percepts") not in SEES:
        raise ValueError(f"{where}: sees: one of {', '.join(SEES)}")
    if not 0 <= settings.get("message_delay", 0.0) <= MAX_DELAY_S:
        raise ValueError(f"{where}: message_delay: from 0 to {MAX_DELAY_S:g}")


def _whole(data: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = data.get(name, 1)
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"people: {name}: a whole number from {least} to {most}, not {value!r}")
    return int(value)


def _switch(data: Mapping[str, Any], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise TypeError(f"people: {name}: true or false, not {value!r}")
    return value


def _codes(said: Any) -> tuple[str, ...]:
    codes = tuple(map(str, said)) if isinstance(said, list) else ("",)
    if len(set(codes)) != len(codes) or not all(map(CODE.fullmatch, codes)):
        raise ValueError("people: codes: a list of different codes of letters, digits, . _ -")
    return codes


def _texts(data: Mapping[str, Any], directory: Path) -> tuple[Form, ...]:
    forms = []
    if "consent" in data:
        text = _text(data["consent"], directory)
        forms.append(
            Form("consent", "Consent", text, submit="I agree", refuse="I do not take part")
        )
    if "instructions" in data:
        forms.append(Form("instructions", "Instructions", _text(data["instructions"], directory)))
    return tuple(forms)


def _own_texts(said: Any) -> dict[str, str]:
    if not isinstance(said, dict) or not all(isinstance(text, str) for text in said.values()):
        raise TypeError("people: texts: a table of texts")
    if unknown := said.keys() - TEXTS.keys():
        known = ", ".join(TEXTS)
        raise ValueError(f"people: texts: unknown: {sorted(map(str, unknown))[0]}; known: {known}")
    return TEXTS | said


def _text(said: Any, directory: Path) -> str:
    text = str(said)
    path = directory / text
    single = "\n" not in text.strip() and path.suffix in (".md", ".txt")
    return path.read_text(encoding="utf-8") if single else text


def _check(said: Any) -> tuple[Form, ...]:
    if said is None:
        return ()
    form = read_form("check", {"title": "Questions about the task", "items": said})
    if not all(item.right for item in form.items):
        raise ValueError("people: check: each question has options and the right one")
    return (form,)


def _freeze(said: Any, forms: Mapping[str, Form]) -> tuple[Form | None, tuple[float, ...]]:
    if said is None:
        return None, ()
    at = said.get("at") if isinstance(said, dict) else None
    if not isinstance(at, list) or not all(type(s) in (int, float) and s > 0 for s in at):
        raise ValueError("people: freeze: a table of at, a list of seconds, and ask")
    if said.get("ask") not in forms:
        raise ValueError("people: freeze: ask: the name of a questionnaire")
    return forms[said["ask"]], tuple(sorted(float(second) for second in at))
