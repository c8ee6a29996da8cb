# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A recorded game, simulated again from its header and the actions of its players."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from bw4t_study.record.game_file import Game, Line
from bw4t_world import PROFILES, ActionError, Consumer, World, WorldError
from bw4t_world.maps.reader import parse_map
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec

COMMANDS = frozenset({"act", "stop", "add", "remove", "connect", "disconnect"})
"""The kinds of lines that change the world."""


class ReplayError(ValueError):
    """A record that cannot be played again, or that gives another game; says where and why."""


class Replay:
    """A recorded game at some tick.

    Raises :class:`ReplayError` for a record that makes no world.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._commands = list(game.of_kind(*COMMANDS))
        self._begin()

    def _begin(self) -> None:
        header = self.game.header
        if header["profile"] not in PROFILES:
            raise ReplayError(f"{self.game.path}: the profile {header['profile']!r} is not known")
        try:
            members = {name: spec_of(fields) for name, fields in header["members"].items()}
            self.world = World(
                parse_map(header["map"]),
                profile=header["profile"],
                seed=header["seed"],
                collisions=header["collisions"],
                members=members,
            )
        except (KeyError, TypeError, ValueError, WorldError) as error:
            raise ReplayError(f"{self.game.path}: its header makes no world: {error}") from error
        self._next = 0
        self._consumers: dict[tuple[str, bool], list[Consumer]] = {}

    def seek(self, tick: int) -> None:
        """Bring the world to a tick, with all that was done in it; back, too.

        Raises :class:`ReplayError` where the world does not do what the record says; then it is
        at its beginning again.
        """
        if tick < self.world.now:
            self._begin()
        commands = self._commands
        while self._next < len(commands) and commands[self._next]["tick"] <= tick:
            line = commands[self._next]
            self._next += 1
            self.world.step(max(0, line["tick"] - self.world.now))
            try:
                self._carry_out(line)
            except ReplayError:
                self._begin()  # what is wrong here is so again with the next seek
                raise
        self.world.step(tick - self.world.now)

    def _carry_out(self, line: Line) -> None:
        world, kind, name = self.world, line["kind"], line["of"]
        try:
            if kind == "act":
                self._act(line)
            elif kind == "stop":
                world.stop(name)
            elif kind == "remove":
                world.remove(name)
            elif kind == "add":
                spec = spec_of(line["spec"])
                add: Any = world.add_robot if isinstance(spec, BotSpec) else world.add_epartner
                self._expect(line, name, add(spec))
            else:
                self._connect(line)
        except (ActionError, WorldError) as error:
            raise ReplayError(f"{self.game.path}, tick {line['tick']}: {error}") from error

    def _act(self, line: Line) -> None:
        if "effect" in line:  # an error changes nothing
            outcome = self.world.act(line["of"], line["action"], *line["args"])
            self._expect(line, line["effect"], outcome.effect.value)
            self._expect(line, line["value"], outcome.value)

    def _connect(self, line: Line) -> None:
        key = line["of"], line["player"]
        if line["kind"] == "connect":
            consumer = self.world.connect(line["of"], player=line["player"])
            self._consumers.setdefault(key, []).append(consumer)
        elif self._consumers.get(key):
            self._consumers[key].pop().close()

    def _expect(self, line: Line, recorded: object, again: object) -> None:
        if recorded != again:
            raise ReplayError(
                f"{self.game.path}, tick {line['tick']}, {line['of']}: recorded {recorded!r}, "
                f"now {again!r}"
            )

    def measures(self) -> dict[str, Any]:
        """Play to the end and return the measures.

        Raises :class:`ReplayError` where they differ in a bit from the recorded ones.
        """
        self.seek(self.game.last_tick)
        measures = asdict(self.world.measures())
        measures["robots"] = list(measures["robots"])
        recorded = None if self.game.end is None else self.game.end["measures"]
        if recorded is not None and recorded != measures:
            names = [name for name in measures if recorded.get(name) != measures[name]]
            raise ReplayError(f"{self.game.path}: other measures than recorded: {names}")
        return measures


def spec_of(described: dict[str, Any]) -> BotSpec | EPartnerSpec:
    """Return the robot or e-partner that a record describes."""
    kind: Any = BotSpec if described["what"] == "robot" else EPartnerSpec
    known = {field.name for field in fields(kind)}
    values = {name: value for name, value in described.items() if name in known}
    if "controller" in values:
        values["controller"] = Controller(values["controller"])
    spec: BotSpec | EPartnerSpec = kind(**values)
    return spec
