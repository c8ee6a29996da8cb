# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Means with intervals, and differences of groups of games, paired by seed. Needs SciPy."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from math import isnan
from statistics import fmean, stdev

import numpy as np
from scipy import stats

from bw4t_study.analysis.tables import Row

MEASURES = {
    "completed": "games completed (share)",
    "completion_seconds": "completion time (simulated s)",
    "good_drops": "good drops in a game",
    "wrong_drops": "wrong drops in a game",
    "messages": "messages in a game",
    "idle_seconds": "idle time of the team (simulated s)",
    "rooms_entered": "rooms entered in a game",
}
"""Measures of a game that are compared, with what an axis says."""

FACTORS = ("about_map", "about_team", "about_condition", "about_scenario", "profile")
"""What makes facets: games that differ in one of these are never pooled."""

LEVEL = 0.95
"""Confidence level of all intervals."""

RESAMPLES = 9999


def value_of(game: Row, measure: str) -> float | None:
    """Return a measure of a game; the completion time of one that was not completed is None."""
    if measure == "completed":
        return float(game["completion_seconds"] is not None)
    value = game.get(measure)
    return None if value is None else float(value)


def facets(games: Iterable[Row], by: str) -> dict[str, list[Row]]:
    """Return the games apart by all factors but ``by``; a name has those that vary."""
    games = list(games)
    varying = [
        name
        for name in FACTORS
        if name != by and len({str(game.get(name, "")) for game in games}) > 1
    ]
    found: dict[str, list[Row]] = defaultdict(list)
    for game in games:
        parts = (f"{name.removeprefix('about_')} {game.get(name, '-')}" for name in varying)
        found[", ".join(parts) or "all games"].append(game)
    return dict(sorted(found.items()))


def interval(values: list[float], *, share: bool = False) -> tuple[float, float, float]:
    """Return mean, lower and upper limit: Student's t; for a ``share``, Wilson's (1927).

    The limits of fewer than two values are NaN.
    """
    mean = fmean(values)
    if share:
        limits = stats.binomtest(round(sum(values)), len(values)).proportion_ci(LEVEL, "wilson")
        return mean, float(limits.low), float(limits.high)
    if len(values) < 2:
        return mean, float("nan"), float("nan")
    half = float(stats.t.ppf(0.5 + LEVEL / 2, len(values) - 1)) * stdev(values)
    return mean, mean - half / len(values) ** 0.5, mean + half / len(values) ** 0.5


def summary(games: list[Row], by: str) -> list[Row]:
    """Return a row for each facet, group and measure: number of games, mean, interval, sd."""
    rows = []
    for facet, some in facets(games, by).items():
        for group in sorted({str(game.get(by, "")) for game in some}):
            own = [game for game in some if str(game.get(by, "")) == group]
            for measure, label in MEASURES.items():
                found = [value_of(game, measure) for game in own]
                values = [value for value in found if value is not None]
                if values:
                    mean, low, high = interval(values, share=measure == "completed")
                    spread = stdev(values) if len(values) > 1 else None
                    rows.append(
                        {"facet": facet, "group": group, "measure": label, "games": len(values)}
                        | {"mean": mean, "low": _known(low), "high": _known(high), "sd": spread}
                    )
    return rows


def effects(games: list[Row], by: str) -> list[Row]:
    """Return a row for each two groups of a facet, and each measure, that have pairs of games.

    Games of the same seed, and with people of the same group, are a pair. ``difference`` is the
    mean of B - A with its interval by Student's t, ``dz`` that mean in standard deviations, ``p``
    that of the two-sided permutation test (signs of the differences), and ``p_holm`` that p
    corrected for all rows of the same measure (Holm, 1979). Where no pair differs p is 1; where
    all differ by the same there is neither interval nor dz.
    """
    rows: list[Row] = []
    for facet, some in facets(games, by).items():
        groups = sorted({str(game.get(by, "")) for game in some})
        for measure, label in MEASURES.items():
            values = _values_by_key(some, by, measure)
            for first, second in combinations(groups, 2):
                keys = sorted(values[first].keys() & values[second].keys())
                if len(keys) < 2:
                    continue
                before = [fmean(values[first][key]) for key in keys]
                after = [fmean(values[second][key]) for key in keys]
                row = {"facet": facet, "measure": label, "a": first, "b": second}
                rows.append(row | {"pairs": len(keys)} | _difference(before, after))
    for label in MEASURES.values():
        _holm([row for row in rows if row["measure"] == label])
    return rows


def _values_by_key(
    games: list[Row], by: str, measure: str
) -> dict[str, dict[tuple[str, str], list[float]]]:
    found: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for game in games:
        value = value_of(game, measure)
        if value is not None:
            key = str(game["seed"]), str(game.get("about_group", ""))
            found[str(game.get(by, ""))][key].append(value)
    return found


def _difference(before: list[float], after: list[float]) -> Row:
    differences = [b - a for a, b in zip(before, after, strict=True)]
    mean, low, high = interval(differences)
    spread = stdev(differences)
    p = 1.0
    if any(differences):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where all differences are equal
            p = float(
                stats.permutation_test(
                    (np.array(differences),),
                    np.mean,
                    permutation_type="samples",
                    n_resamples=RESAMPLES,
                    random_state=np.random.default_rng(0),
                    vectorized=True,
                ).pvalue
            )
    return {
        "mean_a": fmean(before),
        "mean_b": fmean(after),
        "difference": mean,
        "low": low if spread > 0 else None,
        "high": high if spread > 0 else None,
        "dz": mean / spread if spread > 0 else None,
        "p": p,
    }


def _holm(rows: list[Row]) -> None:
    highest = 0.0
    for rank, row in enumerate(sorted(rows, key=lambda row: row["p"])):
        highest = max(highest, min(1.0, row["p"] * (len(rows) - rank)))
        row["p_holm"] = highest


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def answers_summary(answers: list[Row], games: set[str]) -> list[Row]:
    """Return a row for each condition and numeric item of the forms that belong to these games."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in answers:
        if row["game"] in games:
            try:
                value = float(row["value"])
            except ValueError:
                continue
            found[row["form"], row["item"], row["condition"]].append(value)
    rows = []
    for (form, item, condition), values in sorted(found.items()):
        mean, low, high = interval(values)
        rows.append(
            {"form": form, "item": item, "condition": condition, "answers": len(values)}
            | {"mean": mean, "low": _known(low), "high": _known(high)}
        )
    return rows
