# SPDX-License-Identifier: Apache-2.0
"""The usual plots of a study. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bw4t_study.analysis.tables import IDLE_CAUSES, Row


class ReportError(ValueError):
    """Plots that cannot be made; says what is missing."""


def write_report(tables: dict[str, list[Row]], target: Path, *, by: str) -> None:
    """Draw completion times, drops, idle time by cause and messages, a group for each ``by``.

    ``by`` is a column of the table ``games``. Raises ReportError and OSError.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ReportError('plots need matplotlib: pip install "bw4t_study[report]"') from error
    games = tables["games"]
    if not any(by in game for game in games):
        raise ReportError(
            f"there is no column {by!r} in the games; there are {', '.join(games[0])}"
        )
    group_of = {game["game"]: str(game.get(by, "")) for game in games}
    groups = sorted(set(group_of.values()))

    def of_group(table: str, group: str) -> list[Row]:
        return [row for row in tables[table] if group_of[row["game"]] == group]

    figure = Figure(figsize=(11, 8), layout="constrained")
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
