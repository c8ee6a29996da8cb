# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The command ``color_table``: learn, label, score, show, pick."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from luar_tools.color_table.learn import exact, learn, score
from luar_tools.color_table.packing import FROM_RGB
from luar_tools.color_table.picks import Picks, read_picks, read_saved
from luar_tools.color_table.pictures import read_picture
from luar_tools.color_table.table import LABELS, ColorTableError, label_a, painted, read_table

PORT = 8104


def main(arguments: list[str]) -> int:
    """Run a command; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options) or 0)
    except (ColorTableError, OSError) as error:
        sys.stderr.write(f"luar_tools: {error}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="luar_tools color_table", description="Colour tables of Luar's Vision from pictures."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    packing = argparse.ArgumentParser(add_help=False)
    packing.add_argument(
        "--colors", choices=tuple(FROM_RGB), default="standard",
        help="how the robot packs its images; it is needed for bitmaps",
    )  # fmt: skip
    how = argparse.ArgumentParser(add_help=False)
    how.add_argument(
        "--least", type=float, default=1.0, help="factor; greater: fewer colours labelled"
    )

    def command(name: str, run: object, text: str, *parents: argparse.ArgumentParser):  # type: ignore[no-untyped-def]
        found = commands.add_parser(name, help=text, description=text, parents=[*parents])
        found.set_defaults(run=run)
        return found

    made = command("learn", _learn, "Write a table that is learnt from picks.", how)
    made.add_argument("picks", type=Path, help="text file of picks, or a Saved_Colortable")
    made.add_argument("out", type=Path, metavar="TABLE")
    made.add_argument("--exact", action="store_true", help="the picked colours alone")
    labelled = command("label", _label, "Write the labels of a picture as a PNG.", packing)
    labelled.add_argument("table", type=Path)
    labelled.add_argument("picture", type=Path)
    labelled.add_argument("out", type=Path, metavar="PNG")
    scored = command("score", _score, "Compare a table with another one on pictures.", packing)
    scored.add_argument("table", type=Path)
    scored.add_argument("reference", type=Path)
    scored.add_argument("pictures", type=Path, nargs="+", metavar="PICTURE")
    shown = command("show", _show, "Print what a table or a file of picks has.")
    shown.add_argument("file", type=Path, help="table, text file of picks, or Saved_Colortable")
    shown.add_argument("--png", type=Path, help="also draw the table: 8 x 8 tiles, one a Y")
    shown.add_argument("--picks", type=Path, help="also write the picks as a text file")
    picked = command("pick", _pick, "Serve the page for picking.", packing, how)
    picked.add_argument("picks", type=Path, help="text file of picks; made if it is missing")
    picked.add_argument("table", type=Path, help="table to write")
    picked.add_argument("pictures", type=Path, nargs="*", metavar="PICTURE")
    picked.add_argument("--port", type=int, default=PORT)
    return parser


def any_picks(path: Path) -> Picks:
    """Return the picks of a text file or of a Saved_Colortable. Raises ColorTableError."""
    try:
        with path.open("rb") as file:
            head = file.read(1)
    except OSError as error:
        raise ColorTableError(f"{path}: {error.strerror}") from error
    return read_saved(path) if head == b"(" else read_picks(path)


def _learn(options: argparse.Namespace) -> None:
    picks = any_picks(options.picks)
    table = exact(picks) if options.exact else learn(picks, least=options.least)
    options.out.write_bytes(table.tobytes())


def _label(options: argparse.Namespace) -> None:
    table, warning = read_table(options.table)
    labels = label_a(table, read_picture(options.picture, options.colors))
    if not cv2.imwrite(str(options.out), painted(labels)[..., ::-1]):
        raise ColorTableError(f"{options.out}: cannot be written")
    _say(warning, *_counts(labels))


def _score(options: argparse.Namespace) -> None:
    table, warning = read_table(options.table)
    reference, other = read_table(options.reference)
    pictures = (read_picture(path, options.colors) for path in options.pictures)
    lines = [
        f"{name:<10} {s.reference:>9} {s.labelled:>9} {s.recall:>7.1%} {s.precision:>10.1%}"
        for name, s in score(table, reference, pictures).items()
    ]
    _say(warning, other, "class      reference  labelled  recall  precision", *lines)


def _show(options: argparse.Namespace) -> None:
    if options.file.stat().st_size in (LABELS_SIZE, LABELS_SIZE - 1):
        table, warning = read_table(options.file)
        _say(warning, *_counts(table))
    else:
        picks = any_picks(options.file)
        table = learn(picks)
        _say(*summary(picks))
        if options.picks:
            options.picks.write_text(picks.text(), encoding="utf-8")
    if options.png:
        tiles = table.reshape(8, 8, 64, 64).transpose(0, 2, 1, 3).reshape(512, 512)
        cv2.imwrite(str(options.png), painted(tiles)[..., ::-1])


def _pick(options: argparse.Namespace) -> None:
    from luar_tools.color_table.page import PickingPage, serve

    page = PickingPage(options.picks, options.table, options.colors, least=options.least)
    for path in options.pictures:
        page.add(path.name, read_picture(path, options.colors))
    serve(page, options.port)


LABELS_SIZE = 64**3


def summary(picks: Picks) -> list[str]:
    """Return lines: pixels picked of each class, and entries picked for two classes."""
    lines = [f"{name:<10} {count} pixels" for name, count in picks.counts().items() if count]
    return lines + [
        f"{one} and {other}: {count} entries picked for both"
        for (one, other), count in picks.overlaps().items()
    ]


def _counts(labels: np.ndarray) -> list[str]:  # type: ignore[type-arg]
    counts = np.bincount(labels.reshape(-1), minlength=256)
    known = {label: name for name, label in LABELS.items()}
    return [f"{known.get(n, n):<10} {counts[n]}" for n in range(256) if counts[n]]


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines if line))
