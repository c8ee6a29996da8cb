# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A served experiment, and what its participants and its experimenter do without a screen."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "web_page"))

from page_study import ServedStudy

from bw4t_study.record import read_game, records_in
from bw4t_study.record.session_file import read_session, sessions_in

SECRET = "s3"
TIMEOUT_S = 20.0

STUDY: dict[str, Any] = {
    "maps": ["nine_rooms"],
    "teams": ["searchers"],
    "seeds": 1,
    "conditions": {"open": {"robots": 1, "max_seconds": 40}},
    "people": {
        "codes": ["P07", "P08"],
        "consent": "We record what you do.",
        "instructions": "Deliver the blocks.",
        "check": [{"ask": "Which order?", "options": ["any", "given"], "right": "given"}],
        "between": ["team"],
        "after": ["last"],
        "questionnaires": {
            "team": {"items": [{"id": "trust", "ask": "Trust?", "scale": 7}]},
            "last": {"items": [{"id": "age", "ask": "Age?", "number": True}]},
        },
    },
}


def study(people: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    return {**STUDY, **changes, "people": {**STUDY["people"], **(people or {})}}


class Room(ServedStudy):
    """A server of an experiment, and the pages at it."""

    def __init__(
        self,
        directory: Path,
        open_page: Any,
        design: dict[str, Any],
        *,
        group: int = 0,
        secret: str = SECRET,
    ) -> None:
        self.directory = directory
        self._open_page = open_page
        super().__init__(
            directory, design, group=group, secret=secret, speed=20.0, frame_rate=50.0
        )

    def page(self, **who: str) -> Any:
        return self._open_page(self.server, token=None, **who)

    def session_lines(self, *kinds: str) -> list[dict[str, Any]]:
        (path,) = sessions_in(self.directory)
        return [line for line in read_session(path) if line["kind"] in kinds]

    async def command(self, name: str) -> None:
        await asyncio.wrap_future(self.server.command(name))

    async def arrivals_are_handled(self) -> None:
        """Let the server's loop turn so often that it has begun with all that pages have sent."""
        for _ in range(10):
            await asyncio.wrap_future(self.server.submit(asyncio.sleep(0)))

    @asynccontextmanager
    async def standstill(self) -> AsyncIterator[None]:
        """Hold the world's thread up, with the next frame of the pages waiting for it."""
        submit, may_go_on, waits = self.runner.submit, threading.Event(), threading.Event()

        def submit_and_tell(job: Any) -> Any:
            future = submit(job)
            waits.set()
            return future

        self.runner.submit = submit_and_tell
        submit(lambda _: may_go_on.wait())
        try:
            assert await asyncio.to_thread(waits.wait, TIMEOUT_S)
            yield
        finally:
            del self.runner.submit
            may_go_on.set()


async def screen(page: Any, kind: str, form: str = "") -> dict[str, Any]:
    """Wait for a screen of a kind, and for a form of an id."""

    def there() -> bool:
        shown = page.state.get("screen", {})
        return shown.get("kind") == kind and (not form or shown["form"]["id"] == form)

    await page.until(there)
    return dict(page.state["screen"])


async def fill_in(page: Any, form: str, **answers: Any) -> None:
    await screen(page, "form", form)
    answer = await page.ask(type="answers", form=form, answers=answers)
    assert answer["type"] == "taken", answer


async def intake(page: Any) -> None:
    await fill_in(page, "consent")
    await fill_in(page, "instructions")
    await fill_in(page, "check", q1="given")


async def visit(page: Any, room: str) -> None:
    """Go to a room, and again while the agent's robot is in it."""
    while (end := await page.go("goTo", room))["kind"] != "done":
        assert "robot" in end["text"], end


def states(boss: Any) -> list[str]:
    """The states of the games as the experimenter sees them; empty while a map is new."""
    return [trial["state"] for trial in boss.state.get("experiment", {"trials": []})["trials"]]


def games(made: Room) -> list[Any]:
    return [read_game(path) for path in records_in(made.directory)]
