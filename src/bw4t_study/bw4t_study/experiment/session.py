# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The course of an experiment for one group of people: forms, games, and what comes next.

A session is what its file says: each line is written first, then has its effect. So a server that
was interrupted goes on where it was. No clocks, no network; one thread.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bw4t_study.experiment.design import Design, DesignError, near, read_design
from bw4t_study.experiment.games import SessionGame, check_trial, game_of, shown_game, trials_of
from bw4t_study.experiment.playback import Playback
from bw4t_study.people.forms import Form
from bw4t_study.people.plan import CODE, PeoplePlan
from bw4t_study.record import RecordedWorld
from bw4t_study.record.game_file import Line, has_line
from bw4t_study.record.session_file import SessionFile
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.simulation.snapshots import Snapshot

COMMANDS = ("start", "pause", "resume", "abort", "repeat", "end")
"""What the experimenter can do: ``start`` the next game, ``pause`` and ``resume`` the present one,
``abort`` it, ``repeat`` the last one, ``end`` the session."""


class Session:
    """A group's experiment.

    ``group`` (from 1) counts the groups of people; it chooses the order of conditions. The files
    go to ``directory``. ``secret`` is the experimenter's; without one it is made. Raises
    DesignError, RecordError and OSError.
    """

    def __init__(
        self, design: Design, directory: Path, *, group: int = 1, secret: str = ""
    ) -> None:
        if design.people is None:
            raise DesignError("the experiment file has no section people")
        self.plan: PeoplePlan = design.people
        self.secret = secret or secrets.token_urlsafe(12)
        self._design = design
        self._directory = directory
        self._group = group
        self._trials = list(trials_of(design, group))
        for trial in self._trials:
            check_trial(trial, self.plan)
        self._codes: list[str] = []
        self._gone: set[str] = set()
        self._answered: set[tuple[str, str, str]] = set()
        self._wrong: dict[str, int] = {}  # by code, of the last comprehension check
        self._states: list[str] = [""] * len(self._trials)
        self._files: list[str] = [""] * len(self._trials)
        self._attempts: Counter[int] = Counter()
        self._current = -1  # the game that began last
        self._next = 0
        self._world: RecordedWorld | None = None
        self._playing = False
        self._frozen = ""
        self._held = not self.plan.by_itself
        self._over = ""
        self._playback = Playback()
        directory.mkdir(parents=True, exist_ok=True)
        exact = f"{design!r}".encode()
        header = {"group": group, "design": hashlib.sha256(exact).hexdigest()}
        header |= {"trials": [trial.id for trial in self._trials]}
        header |= {"texts": {form.id: form.text for form in self.plan.intake}}
        self._file = SessionFile(directory / f"group_{group:03d}.session", header)
        for line in self._file.lines:
            self._apply(line)
        if self._playing:
            self.ended("interrupted")

    def close(self) -> None:
        """Close the file. Idempotent."""
        self._file.close()

    def make_world(self) -> World:
        """Return the world for all games, which records them; it is empty and without a record."""
        trial = self._trials[0]
        self._world = RecordedWorld(
            load_map(trial.map_file),
            directory=self._directory,
            file=None,
            percepts=self._design.percepts,
            profile=trial.settings.get("profile", "spec"),
            seed=0,
        )
        return self._world

    def is_secret(self, text: str) -> bool:
        """Whether a text is the experimenter's secret."""
        return hmac.compare_digest(text.encode(), self.secret.encode())

    @property
    def watch(self) -> bool:
        """Whether those without a code may watch."""
        return self.plan.watch

    @property
    def control(self) -> bool:
        """Whether participants pause the game."""
        return self.plan.control

    @property
    def language(self) -> str:
        """File of the page's texts; empty: English."""
        return near(self.plan.language, self._design.directory)

    @property
    def codes(self) -> tuple[str, ...]:
        """The participants' codes; none: any."""
        return self.plan.codes

    @property
    def present(self) -> str:
        """How the last game stands: ``playing``, or why it has ended."""
        return self._states[self._current] if self._current >= 0 else ""

    def moment(self, file: str, seconds: float) -> tuple[Snapshot, float]:
        """Return a recorded game at a simulated time, and its length (s). Thread-safe.

        Raises ValueError for a game that is not over.
        """
        over = [name for name, state in zip(self._files, self._states, strict=True)
                if state != "playing"]  # fmt: skip
        if not file or file not in over:
            raise ValueError("There is no such game.")
        return self._playback.moment(self._directory / file, seconds)

    # --- Lines and their effects ---------------------------------------------------------

    def _write(self, kind: str, of: str = "", **fields: Any) -> None:
        self._apply(self._file.write(kind, of, **fields))

    def _apply(self, line: Line) -> None:
        kind, code = line["kind"], line["of"]
        if kind == "arrived":
            self._codes.append(code)
        elif kind == "answers":
            self._answered.add((code, line["moment"], line["form"]))
            if line["form"] == "check" and not line["moment"]:
                self._wrong[code] = line.get("wrong", 0)
            if line.get("wrong"):
                self._answered -= {(code, "", "instructions"), (code, "", "check")}
        elif kind == "withdrew":
            self._gone.add(code)
            if self._current < 0:
                self._codes.remove(code)
            else:
                self._over = "A participant has left."
        elif kind == "begun":
            self._current, self._next = line["number"], line["number"] + 1
            self._playing, self._frozen = True, ""
            self._attempts[self._current] += 1
            self._states[self._current] = "playing"
            self._files[self._current] = line["file"]
        elif kind == "frozen":
            self._frozen = f"{self._moment(self._current)} at {line['seconds']:g} s"
        elif kind == "ended":
            self._playing, self._frozen = False, ""
            self._states[self._current] = line["reason"]
            self._held = line["reason"] in ("aborted", "interrupted")
        elif kind == "start":
            self._held = False
        elif kind == "repeat":
            self._next, self._held = self._current, False
        elif kind == "end":
            self._over = "The experimenter has ended the session."

    # --- Participants --------------------------------------------------------------------

    def arrive(self, code: str) -> None:
        """Let a participant take part. Raises ValueError with the reason where that cannot be."""
        if code in self._codes or code in self._gone:
            return
        if not CODE.fullmatch(code) or (self.plan.codes and code not in self.plan.codes):
            raise ValueError(self.plan.texts["invalid"])
        if len(self._codes) >= self.plan.seats or self._over:
            raise ValueError(self.plan.texts["full"])
        self._write("arrived", code)

    def _due(self) -> Iterator[tuple[str, Form, str]]:
        """Yield the forms that are to be answered up to now: moment, form, file of the game."""
        yield from (("", form, "") for form in self.plan.intake)
        for number, state in enumerate(self._states):
            if state in ("complete", "time limit") and not self._is_practice(number):
                moment, file = self._moment(number), self._files[number]
                yield from ((moment, form, file) for form in self.plan.between)
        if self._frozen and self.plan.freeze is not None:
            yield self._frozen, self.plan.freeze, self._files[self._current]
        if self.is_over and not self._over:
            yield from (("end", form, "") for form in self.plan.after)

    def _moment(self, number: int) -> str:
        attempt = self._attempts[number]
        return f"game {number + 1}" + (f", attempt {attempt}" if attempt > 1 else "")

    def _pending(self, code: str) -> tuple[str, Form, str] | None:
        for moment, form, file in self._due():
            if (code, moment, form.id) not in self._answered:
                return moment, form, file
        return None

    def screen(self, code: str) -> dict[str, Any]:
        """Return what a participant is to see: a ``form``, ``play``, ``wait`` or ``end``."""
        texts = self.plan.texts
        if code in self._gone:
            return {"kind": "end", "text": texts["left"]}
        if self._over:
            return {"kind": "end", "text": f"{self._over} {texts['over']}"}
        pending = self._pending(code)
        if pending is not None:
            moment, form, _ = pending
            wrong = self._wrong.get(code, 0) if not moment else 0
            note = {"note": self._sentence_of(wrong)} if wrong else {}
            return {"kind": "form", "moment": moment, "form": form.shown(), **note}
        if self._playing:
            text = texts["freeze"] if self._frozen else ""
            shown = shown_game(self._trials, self._current, self.plan)
            return {"kind": "wait" if text else "play", "text": text, "game": shown}
        if self.is_over:
            return {"kind": "end", "text": self.plan.goodbye}
        return {"kind": "wait", **self._waiting()}

    def _sentence_of(self, wrong: int) -> str:
        verb = "is" if wrong == 1 else "are"
        return f"{wrong} of your answers {verb} not right. {self.plan.texts['wrong']}"

    def _waiting(self) -> dict[str, Any]:
        texts = self.plan.texts
        before = texts.get(self.present, "") if self._held else ""
        missing = self.plan.seats - len(self._codes)
        if missing or not self.is_answered:
            others = {"missing": missing} if missing else {}
            return {"text": "\n\n".join(filter(None, (before, texts["missing"]))), **others}
        now = texts["start"] if self._held else texts["next"]
        return {"text": "\n\n".join(filter(None, (before, now)))}

    def answer(self, code: str, form_id: str, answers: object) -> None:
        """Take the answers of a participant; ValueError with a sentence where they do not fit."""
        pending = self._pending(code)
        if code in self._gone or pending is None or pending[1].id != form_id:
            raise ValueError("This form is not asked for now.")
        moment, form, file = pending
        read = form.read(answers)
        wrong = form.wrong(read)
        more: Line = {"game": file} if file else {}
        more |= {"wrong": wrong} if form_id == "check" and not moment else {}
        self._write("answers", code, form=form_id, moment=moment, answers=read, **more)
        if wrong and not moment:
            raise ValueError(self._sentence_of(wrong))

    def withdraw(self, code: str) -> None:
        """Let a participant leave the study. After the first game began, this ends the session."""
        if code in self._codes and code not in self._gone:
            if self._playing:
                self.ended("aborted")
            self._write("withdrew", code)

    # --- The experimenter ----------------------------------------------------------------

    def commands(self) -> list[str]:
        """Return those of :data:`COMMANDS` that can be given now."""
        if self._over:
            return []
        if self._playing:
            return ["pause", "resume", "abort", "end"]
        more = ["repeat"] if 0 <= self._current < self._next else []
        return [*(["start"] if self._held else []), *more, "end"]

    def command(self, name: str) -> None:
        """Note a command; the caller carries it out in the game. Raises ValueError."""
        if name not in COMMANDS or name not in self.commands():
            raise ValueError(f"{name} cannot be done now")
        if name == "abort":
            self.ended("aborted")
        else:
            if self._playing and name == "end":
                self.ended("aborted")
            self._write(name)

    def overview(self) -> dict[str, Any]:
        """Return what the experimenter sees."""
        return {
            "group": self._group,
            "seats": self.plan.seats,
            "commands": self.commands(),
            "phase": self._phase() + self._broken(),
            "trials": [
                {
                    "number": number + 1,
                    "condition": trial.condition,
                    "practice": self._is_practice(number),
                    "map": Path(trial.map).stem,
                    "seed": trial.seed,
                    "state": self._states[number],
                    "file": self._files[number],
                }
                for number, trial in enumerate(self._trials)
            ],
            "participants": [
                {"code": code, "robot": robot, "at": self._place(code)}
                for code, robot in self._seats().items()
            ],
        }

    def _place(self, code: str) -> str:
        screen = self.screen(code)
        return screen["form"]["title"] if screen["kind"] == "form" else str(screen["kind"])

    def _phase(self) -> str:
        if self._over:
            return self._over
        if self._playing:
            return f"game {self._current + 1} of {len(self._trials)}"
        if self.is_over:
            return "all games are over"
        if self._held:
            return f"waits for start of game {self._next + 1}"
        return f"before game {self._next + 1} of {len(self._trials)}"

    def _broken(self) -> str:
        broken = self._world and self._world.broken
        return f"; its record breaks off: {broken}" if broken else ""

    # --- Games ---------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether all games are over."""
        last = self._next >= len(self._trials)
        return bool(self._over) or (last and not self._playing and not self._held)

    @property
    def is_answered(self) -> bool:
        """Whether no participant has a form to answer."""
        return not any(self._pending(code) for code in self._codes)

    def next_game(self) -> SessionGame | None:
        """Return the game that is to begin now, if all are ready for one."""
        if self._playing or self._held or self.is_over:
            return None
        if len(self._codes) < self.plan.seats or not self.is_answered:
            return None
        return game_of(
            self._trials[self._next],
            self.plan,
            self._seats(),
            group=self._group,
            number=self._next,
            attempt=self._attempts[self._next] + 1,
        )

    def begun(self, game: SessionGame) -> None:
        """Note that a game has begun."""
        self._write("begun", number=game.number, file=game.file, about=dict(game.about))

    def frozen(self, seconds: float) -> None:
        """Note that the game stands still for questions, at a simulated time in s."""
        self._write("frozen", seconds=seconds)

    def thawed(self) -> None:
        """Note that the game goes on after the questions."""
        self._frozen = ""

    def ended(self, reason: str) -> None:
        """Note that the game has ended: complete, time limit, aborted or interrupted."""
        self._write("ended", number=self._current, reason=reason)

    def connection(self, code: str, text: str) -> None:
        """Note what happened to a participant's connection."""
        self._write("connection", code, text=text)

    def _is_practice(self, number: int) -> bool:
        return bool(self.plan.practice) and number == 0

    def _seats(self) -> dict[str, str]:
        humans = (f"Human_{seat}" for seat in range(1, len(self._codes) + 1))
        return dict(zip(self._codes, humans, strict=True))


def open_session(file: str, directory: str, *, group: int = 0, secret: str = "") -> Session:
    """Return the session of a group of an experiment file; group 0 is the first without a file.

    Raises DesignError, RecordError and OSError.
    """
    path = Path(file)
    output = Path(directory) if directory else path.with_suffix(".games")
    known = [int(found[1]) for name in output.glob("group_*.session")
             if (found := re.fullmatch(r"group_(\d+)", name.stem)) and has_line(name)]  # fmt: skip
    number = group or max(known, default=0) + 1
    return Session(read_design(path), output, group=number, secret=secret)
