# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Plays the trials of an experiment on many processes, and goes on after an interruption."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path

from bw4t_study.experiment.design import Design, DesignError, Trial, near
from bw4t_study.experiment.task import map_of
from bw4t_study.record import RecordedWorld
from bw4t_world.agents import Team
from bw4t_world.agents.teams import team_kind
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario, read_scenario

DEFAULT_ROBOTS = 3
DEFAULT_MAX_SECONDS = 3600.0

REPETITION_STRIDE = 1_000_003
"""Added to the trial's seed for each repetition."""

DESIGN_FILE = "design.json"
"""File of a directory that says what the games in it depend on."""

CHUNK = 8
"""Trials that a process gets at a time: enough that handing them over costs little."""

Progress = Callable[[int, int], None]
"""Gets how many trials are done, and of how many."""


def record_of(trial: Trial, directory: Path) -> Path:
    """Return the file of a trial's record, which is there when the trial is done."""
    return directory / f"{trial.id}.jsonl"


def world_seed(trial: Trial) -> int:
    """Return the seed of a trial's world."""
    return trial.seed + (trial.repetition - 1) * REPETITION_STRIDE


def play_trial(trial: Trial, directory: Path, *, percepts: bool) -> None:
    """Play one trial and write its record, which appears whole or not at all.

    Raises what a bad map, scenario or team raises, and OSError, also for a record that breaks off.
    """
    settings = trial.settings
    scenario = Scenario(bots=(BotSpec(amount=settings.get("robots", DEFAULT_ROBOTS)),))
    if "scenario" in settings:
        scenario = read_scenario(near(settings["scenario"], trial.directory))
    target = record_of(trial, directory)
    part = f".{trial.id}.{os.getpid()}.part"
    (directory / part).unlink(missing_ok=True)
    about = {"condition": trial.condition, "map": trial.map, "team": trial.team}
    about |= {"repetition": str(trial.repetition), "position": str(trial.position)}
    world = RecordedWorld(
        map_of(trial, world_seed(trial)),
        scenario,
        directory=directory,
        file=part,
        about=about,
        percepts=percepts,
        profile=settings.get("profile", "spec"),
        seed=world_seed(trial),
        collisions=settings.get("collisions"),
    )
    max_seconds = settings.get("max_seconds", DEFAULT_MAX_SECONDS)
    team = Team(world, trial.team, seed=world.seed)
    team.play(round(max_seconds / world.profile.tick_seconds))
    world.close()
    if world.broken is not None:
        (directory / part).unlink()
        raise OSError(f"{target}: {world.broken}") from world.broken
    os.replace(directory / part, target)


def play_trials(trials: list[Trial], directory: Path, *, percepts: bool) -> int:
    """Play trials one after the other; return how many."""
    for trial in trials:
        play_trial(trial, directory, percepts=percepts)
    return len(trials)


def run_experiment(
    design: Design,
    directory: Path,
    *,
    processes: int | None = None,
    ray_address: str | None = None,
    progress: Progress = lambda done, total: None,
) -> int:
    """Play the trials that have no record yet; return how many of all have one.

    ``processes`` is by default the number of cores that this process may use. With an address,
    the trials run on an existing Ray cluster whose nodes see ``directory`` (extra ``ray``).
    Raises DesignError, what :func:`play_trial` raises, and OSError.
    """
    if design.people is not None:
        raise DesignError("these games are for people: bw4t experiment FILE serves them")
    trials = list(design.trials())
    for team in design.teams:
        team_kind(team)
    for name in design.maps:
        load_map(near(name, design.directory))
    if len({trial.id for trial in trials}) != len(trials):
        raise DesignError("two trials have one name: use other names of conditions")
    directory.mkdir(parents=True, exist_ok=True)
    directory = directory.absolute()
    for part in directory.glob(".*.part"):
        part.unlink()
    _check_names(trials, directory)
    _check_parts(design, directory)
    left = [trial for trial in trials if not record_of(trial, directory).exists()]
    done = len(trials) - len(left)
    progress(done, len(trials))
    chunks = [left[i : i + CHUNK] for i in range(0, len(left), CHUNK)]
    play = _on_ray if ray_address is not None else _on_processes
    count = processes or len(os.sched_getaffinity(0))
    for played in play(chunks, directory, design.percepts, ray_address or count):
        done += played
        progress(done, len(trials))
    return done


def _check_names(trials: list[Trial], directory: Path) -> None:
    """Refuse a record of a trial that has another name; its trial would be played again.

    In former versions the name depended on the path by which the experiment file was named.
    """

    def words(name: str) -> str:
        return re.sub(r"_[0-9a-f]{6}(?=_s-?\d+_r\d+$)", "", name)

    ids = {words(trial.id): trial.id for trial in trials}
    right = {trial.id for trial in trials}
    for path in sorted(directory.glob("*.jsonl")):
        wanted = ids.get(words(path.stem))
        if wanted is not None and path.stem not in right:
            raise DesignError(
                f"{path} is of another experiment, or of this one in a former version: "
                f"use another directory, or rename it to {wanted}.jsonl"
            )


def _check_parts(design: Design, directory: Path) -> None:
    """Refuse to mix games with those of other settings, maps or scenarios; note these."""
    file, parts = directory / DESIGN_FILE, design.parts()
    is_new = not file.exists() or not any(directory.glob("*.jsonl"))
    kept = {} if is_new else json.loads(file.read_text(encoding="utf-8"))
    for name, value in parts.items():
        if kept.get(name, value) != value:
            raise DesignError(
                f"{directory} has games from before {name} was changed: use another directory"
            )
    part = directory / f".{DESIGN_FILE}.part"
    part.write_text(json.dumps(kept | parts, indent=2), encoding="utf-8")
    os.replace(part, file)


def _on_processes(
    chunks: Iterable[list[Trial]], directory: Path, percepts: bool, count: int | str
) -> Iterator[int]:
    count = int(count)
    waiting = iter(chunks)
    context = get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=_end_with_parent) as pool:
        running: set[Future[int]] = set()
        try:
            while True:
                for chunk in islice(waiting, 2 * count - len(running)):
                    future = pool.submit(play_trials, chunk, directory, percepts=percepts)
                    running.add(future)
                if not running:
                    return
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """Have this process end with the one that has started it, also when that is killed."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()


def _on_ray(
    chunks: Iterable[list[Trial]], directory: Path, percepts: bool, address: int | str
) -> Iterator[int]:
    try:
        import ray
    except ImportError as error:
        raise DesignError('--ray needs Ray: pip install "bw4t_study[ray]"') from error
    ray.init(address=str(address), log_to_driver=False)
    try:
        play = ray.remote(play_trials)
        running = [play.remote(chunk, directory, percepts=percepts) for chunk in chunks]
        while running:
            ended, running = ray.wait(running)
            yield from ray.get(ended)
    finally:
        ray.shutdown()
