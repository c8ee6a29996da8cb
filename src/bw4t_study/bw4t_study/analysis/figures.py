# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The plots of a report: each game a point, means with intervals. Needs matplotlib and SciPy."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from bw4t_study.analysis.effects import MEASURES, facets, interval, value_of
from bw4t_study.analysis.tables import IDLE_CAUSES, Row

POINTS = ("completion_seconds", "wrong_drops", "messages")
"""Measures whose games are drawn as points."""


def draw(games: list[Row], players: list[Row], by: str) -> Figure:
    """Return the plots: a row for each facet, a column for each of :data:`POINTS`, idle times."""
    parts = facets(games, by)
    figure = Figure(figsize=(16, 4.2 * len(parts)), layout="constrained")
    grid = figure.subplots(len(parts), len(POINTS) + 1, squeeze=False, sharey="col")
    for row, (facet, some) in zip(grid, parts.items(), strict=True):
        groups = sorted({str(game.get(by, "")) for game in some})
        for axes, measure in zip(row, POINTS, strict=False):
            _points(axes, some, by, groups, measure)
        _idle(row[-1], some, players, by, groups)
        for axes in row:
            axes.set_xlabel(by.removeprefix("about_"))
        row[0].set_title(facet, loc="left")
    for axes in grid[0]:  # the columns share them
        axes.set_ylim(0, max(1.0, axes.get_ylim()[1]))
    return figure


def _points(axes: Any, games: list[Row], by: str, groups: list[str], measure: str) -> None:
    labels, names = [], _names(groups)
    for place, group in enumerate(groups):
        own = [game for game in games if str(game.get(by, "")) == group]
        values = [value for game in own if (value := value_of(game, measure)) is not None]
        count = f"n={len(own)}" if len(values) == len(own) else f"n={len(values)} of {len(own)}"
        labels.append(f"{names[place]}\n{count}")
        # Side by side in the order of the games, so that equal values are seen.
        spread = [
            place - 0.3 + 0.2 * number / max(1, len(values)) for number in range(len(values))
        ]
        axes.scatter(spread, values, s=8, alpha=0.5)
        if values:
            mean, low, high = interval(values)
            limits = None if len(values) < 2 else [[mean - low], [high - mean]]
            axes.errorbar([place + 0.1], [mean], limits, fmt="o", color="black", capsize=4)
    axes.set_xticks(range(len(groups)), labels)
    axes.set_ylabel(MEASURES[measure])


def _idle(axes: Any, games: list[Row], players: list[Row], by: str, groups: list[str]) -> None:
    """Draw the mean idle time of a player, stacked by cause, with the interval of the sum."""
    group_of = {game["game"]: str(game.get(by, "")) for game in games}
    of_group = {g: [row for row in players if group_of.get(row["game"]) == g] for g in groups}
    bottom = [0.0] * len(groups)
    for cause in IDLE_CAUSES:
        column = f"idle_{cause.replace(' ', '_')}_s"
        means = [_mean([row[column] for row in of_group[group]]) for group in groups]
        if any(means):
            axes.bar(range(len(groups)), means, 0.6, bottom, label=cause)
            bottom = [low + mean for low, mean in zip(bottom, means, strict=True)]
    for place, group in enumerate(groups):
        values = [float(row["idle_seconds"]) for row in of_group[group]]
        if len(values) > 1:
            mean, low, high = interval(values)
            axes.errorbar([place], [mean], [[mean - low], [high - mean]], color="black", capsize=4)
    axes.set_xticks(range(len(groups)), _names(groups))
    axes.set_ylabel("idle time of a player (simulated s)")
    if any(bottom):
        axes.legend(title="cause", fontsize="small")


def _names(groups: list[str]) -> list[str]:
    """Return teams such as module:Class by their class, where that tells them apart."""
    short = [group.rpartition(":")[2] for group in groups]
    return short if len(set(short)) == len(groups) else groups


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
