# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The games of an experiment with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bw4t_study.experiment.design import Design, DesignError, Trial, near
from bw4t_study.experiment.running import DEFAULT_MAX_SECONDS, DEFAULT_ROBOTS, world_seed
from bw4t_study.experiment.task import map_of
from bw4t_study.people.plan import VIEW_SETTINGS, PeoplePlan
from bw4t_study.record import RecordedWorld
from bw4t_world import World, WorldError
from bw4t_world.agents.teams import team_kind
from bw4t_world.maps import MapSpec
from bw4t_world.scenarios import BotSpec, Controller, Scenario, read_scenario


@dataclass(frozen=True)
class SessionGame:
    """One game of a session; ``number`` counts from 0, ``seats`` has robots by codes.

    ``limit_s`` and ``freezes_s`` are simulated seconds. ``collisions`` is None where the scenario
    says it.
    """

    number: int
    map: MapSpec
    scenario: Scenario
    seed: int
    team: str
    limit_s: float
    freezes_s: tuple[float, ...]
    seats: Mapping[str, str]
    view: Mapping[str, Any]
    collisions: bool | None
    file: str
    about: Mapping[str, str]

    def begin(self, world: World) -> None:
        """Prepare the world for loading the game, which it records."""
        assert isinstance(world, RecordedWorld)
        world.name_next(self.file, self.about, collisions=self.collisions)

    def end(self, world: World, reason: str) -> None:
        """End the game's record."""
        assert isinstance(world, RecordedWorld)
        world.end(reason)


def trials_of(design: Design, group: int) -> Iterator[Trial]:
    """Yield the trials of a group of people (from 1), with the practice first."""
    trials = list(design.trials(group - 1))
    practice = design.people.practice if design.people else ""
    if practice:
        first = trials[0]
        settings = design.conditions[practice]
        yield replace(
            first,
            condition=practice,
            seed=first.seed + 5000,
            repetition=1,
            block=-1,
            position=-1,
            settings=settings,
        )
    yield from trials


def game_of(
    trial: Trial,
    plan: PeoplePlan,
    seats: Mapping[str, str],
    *,
    group: int,
    number: int,
    attempt: int,
) -> SessionGame:
    """Return a game of a group; raises what a map or a scenario that cannot be read raises."""
    settings = trial.settings
    practice = bool(plan.practice) and number == 0
    about = {"group": str(group), "game": str(number + 1), "attempt": str(attempt)}
    about |= {"condition": trial.condition, "map": trial.map, "team": trial.team}
    about |= {"repetition": str(trial.repetition), "position": str(trial.position)}
    about |= {"practice": str(practice).lower()}
    about |= {"participants": ", ".join(f"{code}={robot}" for code, robot in seats.items())}
    return SessionGame(
        number,
        map_of(trial, world_seed(trial)),
        scenario_of(trial, plan),
        world_seed(trial),
        trial.team,
        settings.get("max_seconds", DEFAULT_MAX_SECONDS),
        plan.freeze_at,
        seats,
        {name: settings[name] for name in VIEW_SETTINGS if name in settings},
        settings.get("collisions"),
        f"g{group:03d}_{number + 1:02d}_{trial.id}_a{attempt}.jsonl.gz",
        about,
    )


def scenario_of(trial: Trial, plan: PeoplePlan) -> Scenario:
    """Return who plays: people as Human_1 and so on, after the robots of the condition."""
    settings = trial.settings
    people = BotSpec("Human", Controller.HUMAN, plan.seats, grippers=plan.grippers)
    if "scenario" in settings:
        scenario = read_scenario(near(settings["scenario"], trial.directory))
        if any(bot.controller is Controller.HUMAN for bot in scenario.bots):
            raise DesignError(f"{settings['scenario']}: people get robots of their own: no humans")
    else:
        robots = settings.get("robots", DEFAULT_ROBOTS)
        bots = (BotSpec(amount=robots),) if robots else ()
        scenario = Scenario(bots=bots)
    return replace(scenario, bots=(*scenario.bots, people))


def check_trial(trial: Trial, plan: PeoplePlan) -> None:
    """Raise DesignError for a trial that cannot be played, ValueError for a team or a map."""
    team_kind(trial.team)
    scenario = scenario_of(trial, plan)
    profile = trial.settings.get("profile", "spec")
    try:
        world = World(map_of(trial, 0), scenario, profile=profile, seed=0)
    except WorldError as error:
        raise DesignError(f"{trial.condition}, {trial.map}: {error}") from error
    if world.not_announced:
        missing = ", ".join(world.not_announced)
        raise DesignError(f"{trial.condition}, {trial.map}: there is no place for {missing}")


def shown_game(trials: Sequence[Trial], number: int, plan: PeoplePlan) -> dict[str, Any]:
    """Return what a participant knows of a game; ``limit`` in simulated s."""
    practice = int(bool(plan.practice))
    return {
        "number": number + 1 - practice,
        "of": len(trials) - practice,
        "practice": practice == 1 and number == 0,
        "limit": trials[number].settings.get("max_seconds", DEFAULT_MAX_SECONDS),
    }
