# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What an experiment file says, and the trials that follow from it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from bw4t_study.people.plan import VIEW_SETTINGS, PeoplePlan, check_view, read_people
from bw4t_world import PROFILES
from bw4t_world.maps import BlockColor

MAX_SECONDS = 1e7

CONDITION_SETTINGS = {
    "robots": int,
    "scenario": str,
    "profile": str,
    "collisions": bool,
    "max_seconds": float,
    "sequence": list,
    **VIEW_SETTINGS,
}
"""What a condition can change, with its type; the last five are for people."""


class DesignError(ValueError):
    """An experiment file that cannot be used; the text names the file, the entry and the fault."""


@dataclass(frozen=True)
class Trial:
    """One game of an experiment.

    ``settings`` are those of :data:`CONDITION_SETTINGS`. ``block`` and ``position`` say where the
    trial stands in the counterbalanced order. ``map`` and a scenario are as the file names them,
    and ``directory`` is where the file lies.
    """

    condition: str
    map: str
    team: str
    seed: int
    repetition: int
    block: int
    position: int
    settings: Mapping[str, Any] = field(hash=False)
    directory: Path = field(default=Path(), repr=False, compare=False)

    @property
    def map_file(self) -> str:
        """Path of the map; the name of one that comes with the package."""
        return near(self.map, self.directory)

    @property
    def id(self) -> str:
        """Name of the trial's record, unique in the experiment, and a name of a file."""
        parts = [self.condition, Path(self.map).stem, self.team]
        words = "_".join(re.sub(r"[^\w.-]+", "-", part) for part in parts)
        exact = json.dumps([self.condition, self.map, self.team])
        digest = hashlib.sha256(exact.encode()).hexdigest()[:6]
        return f"{words}_{digest}_s{self.seed}_r{self.repetition}"


@dataclass(frozen=True)
class Design:
    """An experiment: the trials are all combinations, ``repetitions`` times each.

    ``order`` is ``listed`` or ``latin square``: then each block of trials (a map, a team, a seed
    and a repetition) has the conditions in another order, so that each stands at each place, and
    after each other one, equally often. Names of files are as the experiment file has them, and
    ``directory`` is where it lies: a design is the same wherever that is.
    """

    conditions: Mapping[str, Mapping[str, Any]]
    maps: tuple[str, ...]
    teams: tuple[str, ...]
    seeds: tuple[int, ...]
    repetitions: int = 1
    order: str = "listed"
    percepts: bool = False
    people: PeoplePlan | None = None
    directory: Path = field(default=Path(), repr=False, compare=False)

    def trials(self, group: int = 0) -> Iterator[Trial]:
        """Yield all trials in their order; each ``group`` of people begins with another order."""
        names = list(self.conditions)
        rows = latin_square(len(names)) if self.order == "latin square" else [[*range(len(names))]]
        blocks = product(self.maps, self.teams, self.seeds, range(1, self.repetitions + 1))
        for block, (map_name, team, seed, repetition) in enumerate(blocks):
            for position, index in enumerate(rows[(block + group) % len(rows)]):
                name = names[index]
                yield Trial(
                    name,
                    map_name,
                    team,
                    seed,
                    repetition,
                    block,
                    position,
                    self.conditions[name],
                    self.directory,
                )

    def parts(self) -> dict[str, Any]:
        """Return what games depend on: settings of conditions, digests of files. Raises OSError.

        The keys say what it is.
        """
        named = [said["scenario"] for said in self.conditions.values() if "scenario" in said]
        files = {name: Path(near(name, self.directory)) for name in (*self.maps, *named)}
        conditions = {f"condition {name}": dict(said) for name, said in self.conditions.items()}
        return conditions | {
            f"file {name}": hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in files.items()
            if path.is_file()
        }


def latin_square(size: int) -> list[list[int]]:
    """Return orders of 0 to size - 1 that are balanced for place and for the one before.

    ``size`` orders, or twice as many where ``size`` is odd (Williams, 1949).
    """
    first = [
        (place + 1) // 2 if place % 2 else (size - place // 2) % size for place in range(size)
    ]
    rows = [[(number + shift) % size for number in first] for shift in range(size)]
    return rows + [row[::-1] for row in rows] if size % 2 and size > 1 else rows


def read_design(path: Path) -> Design:
    """Return the design of a YAML file, or of a TOML file. Raises DesignError and OSError."""
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix == ".toml":
            try:
                import tomllib
            except ImportError as error:
                raise DesignError(f"{path}: TOML needs Python 3.11; use YAML") from error
            data: Any = tomllib.loads(text)
        else:
            data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        raise DesignError(f"{path}: {error}") from error
    try:
        return _design(data, path.parent.absolute())
    except (TypeError, ValueError, OSError) as error:
        raise DesignError(f"{path}: {error}") from error


def _design(data: Any, directory: Path) -> Design:
    if not isinstance(data, dict):
        raise TypeError("an experiment is a table of maps, teams, seeds and conditions")
    known = {"conditions", "maps", "teams", "seeds", "repetitions", "order", "percepts", "people"}
    if unknown := sorted(map(str, set(data) - known)):
        raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(sorted(known))}")
    seeds = data.get("seeds", 1)
    if isinstance(seeds, int) and not isinstance(seeds, bool):
        seeds = list(range(1, seeds + 1))
    conditions = data.get("conditions", {"default": {}})
    if not isinstance(conditions, dict) or not conditions:
        raise ValueError("conditions: a table of names with settings")
    order = data.get("order", "listed")
    if order not in ("listed", "latin square"):
        raise ValueError(f"order: listed or latin square, not {order!r}")
    people = read_people(data["people"], directory) if "people" in data else None
    least = 0 if people is not None else 1
    checked = {str(name): _condition(name, said or {}, least) for name, said in conditions.items()}
    if people is not None:
        if people.practice and people.practice not in checked:
            raise ValueError(f"people: practice: there is no condition {people.practice!r}")
        if len({said.get("profile", "spec") for said in checked.values()}) > 1:
            raise ValueError("conditions: with people all have the same profile")
    return Design(
        checked,
        tuple(_list(data, "maps", str)),
        tuple(_list(data, "teams", str)),
        tuple(_list({"seeds": seeds}, "seeds", int)),
        _count(data.get("repetitions", 1)),
        order,
        bool(data.get("percepts", False)),
        people,
        directory,
    )


def _list(data: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    values = data.get(name)
    right = isinstance(values, list) and all(type(value) is kind for value in values)
    if not right or not values or len(set(values)) != len(values):
        raise ValueError(f"{name}: a list of different values of type {kind.__name__}")
    return list(values)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1_000_000:
        raise ValueError(f"repetitions: a whole number from 1, not {value!r}")
    return value


def near(name: str, directory: Path) -> str:
    """Return a file's path, where one lies beside the experiment file; else the name."""
    return str(directory / name) if (directory / name).is_file() else name


def _condition(name: object, said: Any, least: int) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise TypeError(f"conditions: {name}: a table of settings")
    for setting, value in said.items():
        kind = CONDITION_SETTINGS.get(setting)
        if kind is None:
            known = ", ".join(CONDITION_SETTINGS)
            raise ValueError(f"conditions: {name}: unknown {setting!r}; known: {known}")
        if type(value) is not kind and not (kind is float and type(value) is int):
            raise ValueError(f"conditions: {name}: {setting}: {value!r} is no {kind.__name__}")
    if said.get("profile", "spec") not in PROFILES:
        raise ValueError(f"conditions: {name}: there is no profile {said['profile']!r}")
    if not least <= said.get("robots", 1) <= 1000:
        raise ValueError(f"conditions: {name}: robots: from {least} to 1000")
    for color in said.get("sequence", ()):
        try:
            BlockColor.from_text(str(color))
        except ValueError as error:
            raise ValueError(f"conditions: {name}: sequence: {error}") from error
    check_view(f"conditions: {name}", said)
    if not 0 < said.get("max_seconds", 1) <= MAX_SECONDS:
        raise ValueError(f"conditions: {name}: max_seconds: from 0 to {MAX_SECONDS:g}")
    return dict(said)
