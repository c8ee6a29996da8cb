# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The usual plots of a study. Needs matplotlib."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from bw4t_study.analysis.tables import IDLE_CAUSES, Row


class ReportError(ValueError):
    """Plots that cannot be made; says what is missing."""


def games_that_count(games: list[Row]) -> tuple[list[Row], Counter[str]]:
    """Return the games of a report, and how many others there are, by the reason.

    Practice does not count, nor a game that was aborted or whose record broke off, nor one that
    its group has repeated.
    """
    left_out: Counter[str] = Counter()
    last: dict[tuple[object, ...], Row] = {}
    for game in games:
        if game.get("about_practice") == "true":
            left_out["practice"] += 1
        elif not game["ended"] or game["reason"] in ("aborted", "interrupted"):
            left_out["aborted or interrupted"] += 1
        else:
            key = _which(game)
            left_out["repeated"] += key in last
            last[key] = max(last.get(key, game), game, key=_attempt)
    return list(last.values()), +left_out


def _which(game: Row) -> tuple[object, ...]:
    """Return what is the same for all attempts at a game."""
    if "about_attempt" not in game:
        return (game["game"],)
    directory = PurePosixPath(game["game"]).parent
    return directory, game.get("about_group"), game.get("about_game")


def _attempt(game: Row) -> tuple[int, str]:
    number = game.get("about_attempt", "")
    return len(number), number


def write_report(tables: dict[str, list[Row]], target: Path, *, by: str) -> None:
    """Draw completion times, drops, idle time by cause and messages, a group for each ``by``.

    ``by`` is a column of the table ``games``. The title says how many games these are, and which
    do not count, see :func:`games_that_count`. Raises ReportError and OSError.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ReportError('plots need matplotlib: pip install "bw4t_study[report]"') from error
    games, left_out = games_that_count(tables["games"])
    without = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
    if not games:
        raise ReportError(f"there are no games that count: {without or 'none at all'}")
    if not any(by in game for game in games):
        raise ReportError(
            f"there is no column {by!r} in the games; there are {', '.join(games[0])}"
        )
    group_of = {game["game"]: str(game.get(by, "")) for game in games}
    groups = sorted(set(group_of.values()))

    def of_group(table: str, group: str) -> list[Row]:
        return [row for row in tables[table] if group_of.get(row["game"]) == group]

    figure = Figure(figsize=(11, 8), layout="constrained")
    figure.suptitle(f"{len(games)} games" + (f"; left out: {without}" if without else ""))
    times, drops, idle, said = figure.subplots(2, 2).flat
    finished = [
        [g["completion_seconds"] for g in of_group("games", group) if g["completion_seconds"]]
        for group in groups
    ]
    labels = [f"{group}\nn={len(f)}" for group, f in zip(groups, finished, strict=True)]
    times.boxplot(finished, tick_labels=labels)
    times.set_title("completion time (simulated s)")
    means: dict[str, list[float]] = {
        name: [_mean(of_group("games", group), name) for group in groups]
        for name in ("good_drops", "wrong_drops", "messages")
    }
    _bars(drops, groups, {name: means[name] for name in ("good_drops", "wrong_drops")})
    drops.set_title("drops a game")
    columns = {cause: f"idle_{cause.replace(' ', '_')}_s" for cause in IDLE_CAUSES}
    causes = {
        cause: [_mean(of_group("players", group), column) for group in groups]
        for cause, column in columns.items()
    }
    _bars(idle, groups, {cause: values for cause, values in causes.items() if any(values)})
    idle.set_title("idle time of a player by cause (simulated s)")
    _bars(said, groups, {"messages": means["messages"]})
    said.set_title("messages a game")
    figure.savefig(target)


def _mean(rows: list[Row], column: str) -> float:
    values = [row[column] for row in rows if row[column] is not None]
    return sum(values) / len(values) if values else 0.0


def _bars(axes: Any, groups: list[str], series: dict[str, list[float]]) -> None:
    width = 0.8 / max(1, len(series))
    for number, (name, values) in enumerate(series.items()):
        places = [place - 0.4 + width * (number + 0.5) for place in range(len(groups))]
        axes.bar(places, values, width, label=name)
    axes.set_xticks(range(len(groups)), groups)
    if len(series) > 1:
        axes.legend()
