# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the page needs of an experiment with people, which an installed package runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.metadata import entry_points
from typing import Any, Protocol

from bw4t_web.sessions.client_requests import MAX_TEXT
from bw4t_world import World, WorldError
from bw4t_world.maps import MapSpec
from bw4t_world.scenarios import Scenario
from bw4t_world.simulation.snapshots import Snapshot
from legacy_robots_web import Fields

EXPERIMENTS = "bw4t_web.experiments"
"""Group of entry points, each a function with the arguments of :func:`open_experiment`."""


class ExperimentGame(Protocol):
    """One game of an experiment."""

    number: int
    map: MapSpec
    scenario: Scenario
    seed: int
    team: str
    limit_s: float
    """Simulated seconds after which it is over."""
    freezes_s: tuple[float, ...]
    """Simulated seconds at which it stands still for questions."""
    seats: Mapping[str, str]
    """Robots by the participants' codes."""
    view: Mapping[str, Any]
    """Arguments of :class:`bw4t_web.view.others.PersonView`."""

    def begin(self, world: World) -> None:
        """Prepare the world for loading the game."""

    def end(self, world: World, reason: str) -> None:
        """End the game's record."""


class Experiment(Protocol):
    """The course of an experiment; ValueError, with a sentence, is for who has asked."""

    secret: str

    @property
    def watch(self) -> bool:
        """Whether those without a code may watch."""

    @property
    def control(self) -> bool:
        """Whether participants pause the game."""

    @property
    def language(self) -> str:
        """File of the page's texts; empty: English."""

    @property
    def codes(self) -> Collection[str]:
        """The participants' codes; none: any."""

    @property
    def present(self) -> str:
        """How the present game stands: ``playing``, or why it has ended."""

    @property
    def is_answered(self) -> bool:
        """Whether no participant has a form to answer."""

    def make_world(self) -> World:
        """Return the world of all games."""

    def is_secret(self, text: str) -> bool:
        """Whether a text is the experimenter's secret."""

    def arrive(self, code: str) -> None:
        """Let a participant take part; ValueError where that cannot be."""

    def connection(self, code: str, text: str) -> None:
        """Note what happened to a participant's connection."""

    def screen(self, code: str) -> Fields:
        """Return what a participant is to see: ``kind`` is form, play, wait or end."""

    def answer(self, code: str, form_id: str, answers: object) -> None:
        """Take a participant's answers to a form."""

    def withdraw(self, code: str) -> None:
        """Let a participant leave."""

    def command(self, name: str) -> None:
        """Take a command of the experimenter."""

    def overview(self) -> Fields:
        """Return what the experimenter sees."""

    def next_game(self) -> ExperimentGame | None:
        """Return the game that is to begin, if all are ready."""

    def begun(self, game: Any) -> None:
        """Note that a game has begun."""

    def frozen(self, seconds: float) -> None:
        """Note that the game stands still for questions."""

    def thawed(self) -> None:
        """Note that it goes on."""

    def ended(self, reason: str) -> None:
        """Note that the game has ended."""

    def moment(self, file: str, seconds: float) -> tuple[Snapshot, float]:
        """Return a recorded game at a simulated time, and its length (s). May take seconds."""

    def close(self) -> None:
        """End it. Idempotent."""


def open_experiment(file: str, directory: str, *, group: int, secret: str) -> Experiment:
    """Return the experiment of a file; records go to ``directory``.

    ``group`` 0 is the first that has not played. Raises WorldError where no installed package runs
    experiments, ValueError for a file or a secret that cannot be used, and OSError.
    """
    if len(secret) > MAX_TEXT:
        raise ValueError(f"the experimenter's secret has at most {MAX_TEXT} characters")
    for entry in entry_points(group=EXPERIMENTS):
        experiment: Experiment = entry.load()(file, directory, group=group, secret=secret)
        return experiment
    raise WorldError("experiments can be run where the package bw4t_study is installed")
