# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The report of a study: plots, means with intervals, effects. Needs matplotlib and SciPy."""

from __future__ import annotations

import csv
from collections import Counter
from html import escape
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from bw4t_study.analysis.tables import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ReportError(ValueError):
    """A report that cannot be made; says what is missing."""


PICTURES = (".png", ".svg", ".pdf")

METHOD = """Bars and the columns low and high are 95 % intervals: Student's t; for the share of
completed games Wilson's. Games that were not completed have no completion time. Pairs are games of
the same seed (with people: of the same group) in the same facet. difference is the mean of B - A,
dz this mean in standard deviations of the differences, p that of a two-sided permutation test of
the signs of the differences, p_holm p corrected for all rows of the measure (Holm)."""


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


def write_report(
    tables: dict[str, list[Row]], target: Path, *, by: str, everything: bool = False
) -> None:
    """Write plots of games, a group for each ``by``, or with them all tables and effects.

    A .png, .svg or .pdf file has the plots, an .html file all, a .csv file the effects. ``by`` is
    a column of the table ``games``. The report says how many games these are, and which do not
    count, see :func:`games_that_count`; with ``everything`` all count. Maps, teams, conditions and
    profiles are never pooled: each combination is a facet. Raises ReportError and OSError.
    """
    if target.suffix not in (*PICTURES, ".html", ".csv"):
        raise ReportError(f"{target}: a report is a .html, .png, .svg, .pdf or .csv file")
    try:
        from bw4t_study.analysis import effects, figures
    except ImportError as error:
        raise ReportError(
            'a report needs matplotlib and SciPy: pip install "bw4t_study[report]"'
        ) from error
    games, left_out = games_that_count(tables["games"])
    if everything:
        games, left_out = list(tables["games"]), Counter()
    without = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
    if not games:
        raise ReportError(
            f"there are no games that count: {without or 'none at all'}"
            + ("; --all draws them" if without else "")
        )
    if not any(by in game for game in games):
        raise ReportError(
            f"there is no column {by!r} in the games; there are {', '.join(games[0])}"
        )
    if target.suffix == ".csv":
        _write_csv(effects.effects(games, by), target)
        return
    title = f"{len(games)} games" + (f"; left out: {without}" if without else "")
    figure = figures.draw(games, tables["players"], by)
    if target.suffix != ".html":
        figure.suptitle(title)
        figure.savefig(target)
        return
    names = {game["game"] for game in games}
    others = [game for game in tables["games"] if game["game"] not in names]
    sections = {
        f"Games by {by.removeprefix('about_')}": effects.summary(games, by),
        "Effects": effects.effects(games, by),
        "Answers": effects.answers_summary(tables.get("answers", []), names),
        "Left out": [{"game": game["game"], "reason": game["reason"]} for game in others],
    }
    target.write_text(_page(title, _svg(figure), sections), encoding="utf-8")


def _write_csv(rows: list[Row], target: Path) -> None:
    if not rows:
        raise ReportError("there are no effects: no two groups have two games of the same seeds")
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _svg(figure: Figure) -> str:
    from matplotlib import rc_context

    drawn = StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "bw4t"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()[drawn.getvalue().index("<svg") :]


STYLE = """body { font: 15px sans-serif; margin: 2em; } svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; } th, td { padding: 2px 10px; border-bottom: 1px solid #ccc; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } p { max-width: 60em; }"""


def _page(title: str, picture: str, sections: dict[str, list[Row]]) -> str:
    parts = [
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>',
        f"<style>{STYLE}</style><h1>{escape(title)}</h1>{picture}<p>{escape(METHOD)}</p>",
    ]
    for name, rows in sections.items():
        if rows:
            heads = "".join(f"<th>{escape(column)}</th>" for column in rows[0])
            parts.append(f"<h2>{escape(name)}</h2><table><tr>{heads}</tr>")
            parts += (f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows)
            parts.append("</table>")
    return "\n".join([*parts, "</html>\n"])


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td class="number">{"" if value is None else f"{value:.4g}"}</td>'
