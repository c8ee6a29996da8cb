# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A world that writes down all that its owner and players do, so that it can be replayed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timezone
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from bw4t_study.record.game_file import GameFile, Line, plain
from bw4t_study.record.header import described, header_of
from bw4t_world import (
    ActionError,
    Consumer,
    Event,
    EventKind,
    Outcome,
    Percept,
    PerceptUpdate,
    World,
    WorldError,
)
from bw4t_world.maps import MapSpec
from bw4t_world.model.choices import Delivery
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario

LOG = logging.getLogger(__name__)

HEARTBEAT_S = 1.0
"""Wall time after which the tick of a game without news is written."""

PERCEPTS_BYTES = 200_000_000
"""Size of a file, before compression, after which percepts are left out; a replay gives them."""

MAX_BYTES = 1_000_000_000
"""Size of a file, before compression, at which a record breaks off."""

WARN_BYTES = 900_000_000
"""Size of a file at which that is announced."""

POSITIONS = frozenset({"location", "position"})
"""Percepts that are left out: they change in every tick, and a replay gives them."""

REPEATED = frozenset({"color", "getEPartners"})
"""Percepts that each poll repeats: they are written when they change."""

OF_ACTIONS = frozenset({EventKind.ACTION, EventKind.ERROR})
"""Events whose action has a line of its own."""


class RecordedConsumer(Consumer):
    """A consumer whose percepts are written when they change."""

    __slots__ = ("_held", "_repeated")

    def __init__(self, world: RecordedWorld, name: str, delivery: Delivery, **kind: bool) -> None:
        super().__init__(world, name, delivery, **kind)
        self._repeated: list[Percept] = []
        self._held: set[Percept] = set()

    def poll(self) -> PerceptUpdate:
        """Return what there is to perceive since the last poll."""
        update = super().poll()
        if self.is_player and isinstance(self._world, RecordedWorld):
            added = [percept for percept in update.add if percept.name not in POSITIONS]
            if added or update.delete:
                self._write(self._world, added, update.delete)
        return update

    def _write(self, world: RecordedWorld, added: list[Percept], deleted: list[Percept]) -> None:
        repeated = [percept for percept in added if percept.name in REPEATED]
        if repeated == self._repeated:
            added = [percept for percept in added if percept.name not in REPEATED]
        self._repeated = repeated
        # EIS 0.7 deletes values of one poll in each poll, changed or not: only the first is news.
        gone = {percept for percept in deleted if percept in self._held}
        self._held = (self._held - gone) | set(added)
        if added or gone:
            world.perceived(self.name, added, [percept for percept in deleted if percept in gone])

    def attach(self, *perception: Any) -> None:
        """Begin to perceive through an entity, as if nothing had been perceived before."""
        super().attach(*perception)
        self._repeated, self._held = [], set()


class RecordedWorld(World):
    """A :class:`bw4t_world.World` that writes each of its games into a file of ``directory``.

    A game ends with :meth:`reset`, :meth:`load` or :meth:`close`. ``about`` stands in the header
    of each file, and ``file`` names the file of the first game. With None that game has no record,
    and the world is an experiment's: a game begins only after :meth:`name_next`, its players stay
    the same, and what others ask for raises WorldError.
    ``percepts`` says whether, and ``percepts_bytes`` up to which size of a file, what
    players perceive is written, too. ``broken`` is why the record of the last game breaks off,
    None for one that does not. The rest is as for World. Raises OSError for a directory that
    cannot be written.
    """

    consumer_type = RecordedConsumer

    def __init__(
        self,
        spec: MapSpec,
        scenario: Scenario | None = None,
        *,
        directory: Path,
        about: Mapping[str, Any] | None = None,
        file: str | None = "",
        percepts: bool = True,
        percepts_bytes: int = PERCEPTS_BYTES,
        **options: Any,
    ) -> None:
        super().__init__(spec, scenario, **options)
        self._directory = directory
        self._about = dict(about or {})
        self._percepts = percepts
        self._percepts_bytes = percepts_bytes
        self._is_full = False
        self._is_warned = False
        self._pending: list[Line] = []
        self._depth = 0
        self._heartbeat = 0.0
        self._next_number = 1
        self.broken: OSError | None = None
        directory.mkdir(parents=True, exist_ok=True)
        self._game: GameFile | None = None if file is None else self._open(file)
        self._next_file = ""
        self._is_experiment = file is None
        self.listen(self._on_event)

    # --- The file ------------------------------------------------------------------------

    def _open(self, name: str = "") -> GameFile:
        header = header_of(self, self._about)
        if name:
            return GameFile(self._directory / name, header)
        moment = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S")
        for number in count(self._next_number):
            self._next_number = number + 1
            path = self._directory / f"{moment}_{self.seed}_{number}.jsonl.gz"
            try:
                return GameFile(path, header)
            except FileExistsError:
                continue
        raise AssertionError

    def _line(self, kind: str, of: str, **fields: Any) -> Line:
        line = {"tick": self.now, "wall": round(time.time(), 3), "kind": kind, "of": of, **fields}
        self._pending.append(line)
        return line

    def _write(self) -> None:
        """Write what is complete: not while an action is being carried out."""
        if self._depth or not self._pending:
            return
        lines, self._pending = self._pending, []
        self._heartbeat = time.monotonic() + HEARTBEAT_S
        if self._game is not None:
            try:
                self._game.write(lines)
                if self._game.size > MAX_BYTES:
                    raise OSError(f"{self._game.path.name} has {MAX_BYTES} bytes")
                self._warn(self._game)
            except OSError as error:
                self._break_off(error)

    def _warn(self, game: GameFile) -> None:
        """Say once before a record breaks off that it will."""
        if game.size > WARN_BYTES and not self._is_warned:
            self._is_warned = True
            LOG.warning("%s: %d MB; at %d MB the record breaks off, the game goes on",
                        game.path, game.size // 1_000_000, MAX_BYTES // 1_000_000)  # fmt: skip

    def _break_off(self, error: OSError) -> None:
        """Let the game go on without its record, and tell the log and the listeners."""
        game, self._game = self._game, None
        self.broken = error
        if game is not None:
            game.close()
        where = self._directory if game is None else game.path
        LOG.error("%s: the record breaks off: %s", where, error)
        self.note("", f"the record breaks off: {error}")

    def _end_line(self, reason: str) -> Line:
        return {
            "tick": self.now,
            "wall": round(time.time(), 3),
            "kind": "end",
            "of": "",
            "reason": reason,
            "measures": asdict(self.measures()),
        }

    def _end(self, line: Line) -> None:
        lines, self._pending = self._pending, []
        if self._game is not None:
            try:
                self._game.write([*lines, line])
            except OSError as error:
                self._break_off(error)
            else:
                game, self._game = self._game, None
                game.close()

    def close(self) -> None:
        """End the record. Idempotent."""
        self.end("closed")

    def end(self, reason: str) -> None:
        """End the record of the present game, which can go on without one. Idempotent."""
        self._end(self._end_line(reason))

    def name_next(
        self, file: str, about: Mapping[str, Any], *, collisions: bool | None = None
    ) -> None:
        """Say which file the next game's record becomes, and what its header has as ``about``.

        ``collisions`` says whether robots collide in it; None leaves that to the scenario.
        """
        self._next_file, self._about = file, dict(about)
        self._wanted_collisions = collisions

    def reset(self, *, seed: int | None = None) -> None:
        """Start again; the record of the old game is ended, and a new one begins."""
        self._refuse_in_experiment("reset")
        end = self._end_line("reset")
        super().reset(seed=seed)
        self._begin_again(end)

    def load(
        self, spec: MapSpec, scenario: Scenario | None = None, *, seed: int | None = None
    ) -> None:
        """Start with another map; the record of the old game is ended, and a new one begins."""
        if not self._next_file:
            self._refuse_in_experiment("load")
        end = self._end_line("load")
        super().load(spec, scenario, seed=seed)
        self._begin_again(end)

    def _refuse_in_experiment(self, what: str) -> None:
        if self._is_experiment:
            raise WorldError(
                f"{what} is refused: an experiment runs in this world, and its games begin and "
                "end by the commands of the experimenter"
            )

    def _begin_again(self, end: Line) -> None:
        self._end(end)
        self.broken = None
        try:
            self._game = self._open(self._next_file)
        except OSError as error:
            if self._is_experiment:
                raise
            self._break_off(error)
        self._is_full = self._is_warned = False
        self._next_file = ""
        for consumer in self._consumers:
            self._line("connect", consumer.name, player=consumer.is_player)
        self._write()

    # --- What happens --------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        if event.kind not in OF_ACTIONS:
            line = self._line(event.kind.value, event.entity, text=event.text)
            line["tick"] = event.tick

    def perceived(self, name: str, added: list[Percept], deleted: list[Percept]) -> None:
        """Write what a player perceives."""
        game = self._game
        if self._percepts and game is not None and not self._is_full:
            if game.size > self._percepts_bytes:
                self._is_full = True
                LOG.warning("%s: %d MB; percepts are left out from here on, a replay gives them",
                            game.path, game.size // 1_000_000)  # fmt: skip
                self._line("percepts left out", "")
            line = self._line("percepts", name, add=list(map(str, added)))
            if deleted:
                line["delete"] = list(map(str, deleted))
            self._write()

    def act(self, name: str, action: str, *args: Any) -> Outcome:
        """Let a robot or e-partner do something."""
        line = self._line("act", name, action=plain(action), args=list(map(plain, args)))
        self._depth += 1
        try:
            outcome = super().act(name, action, *args)
        except ActionError as error:
            line["error"] = str(error)
            raise
        else:
            line |= {"effect": outcome.effect.value, "value": outcome.value, "text": outcome.text}
            return outcome
        finally:
            self._depth -= 1
            self._write()

    def step(self, ticks: int = 1) -> int:
        """Let ticks pass."""
        self._depth += 1
        try:
            return super().step(ticks)
        finally:
            self._depth -= 1
            if not self._pending and time.monotonic() > self._heartbeat:
                self._line("time", "")
            self._write()

    def note(self, name: str, text: str) -> None:
        """Pass an event of the owner to the listeners."""
        super().note(name, text)
        self._write()

    def stop(self, name: str) -> None:
        """Let a robot stand still where it is."""
        super().stop(name)
        self._line("stop", name)
        self._write()

    def pause(self) -> None:
        """Let time stand still."""
        super().pause()
        self._line("pause", "")
        self._write()

    def resume(self) -> None:
        """Let time pass."""
        super().resume()
        self._line("resume", "")
        self._write()

    def user_request(self, name: str, request: str, *args: Any) -> None:
        """Tell the agent of a human bot what its user asks for."""
        super().user_request(name, request, *args)
        self._line("request", name, action=request, args=list(map(plain, args)))
        self._write()

    def connect(
        self, name: str, *, player: bool = True, delivery: Delivery | None = None
    ) -> Consumer:
        """Return a new consumer of the percepts of a robot or e-partner."""
        consumer = super().connect(name, player=player, delivery=delivery)
        self._line("connect", name, player=player)
        self._write()
        return consumer

    def disconnect(self, consumer: Consumer) -> None:
        """Close a consumer."""
        if consumer.is_connected:
            self._line("disconnect", consumer.name, player=consumer.is_player)
        super().disconnect(consumer)
        self._write()

    def add_robot(self, spec: BotSpec | None = None) -> str:
        """Add one robot."""
        self._refuse_in_experiment("adding a player")
        return self._added(super().add_robot(spec))

    def add_epartner(self, spec: EPartnerSpec | None = None) -> str:
        """Add one e-partner."""
        self._refuse_in_experiment("adding a player")
        return self._added(super().add_epartner(spec))

    def _added(self, name: str) -> str:
        self._line("add", name, spec=described(self.members[name]))
        self._write()
        return name

    def remove(self, name: str) -> None:
        """Take a robot or e-partner out of the world."""
        self._refuse_in_experiment("removing a player")
        super().remove(name)
        self._line("remove", name)
        self._write()


def recorder(*, directory: Path, about: Mapping[str, str]) -> Callable[..., World]:
    """Return what makes worlds that are recorded, see bw4t_world.simulation.recorders."""
    return partial(RecordedWorld, directory=directory, about=about)
