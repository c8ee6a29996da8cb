# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Run benchmarks: tools/bench NAME [OPTIONS]; without a name all, and one table with the targets.

NAME is that of a module in measure/bench/systems/; its own options follow (--help tells them).
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from legacy_robots_testing.report import keep, machine, markdown, today
from measure.bench.table import COLUMNS, ROWS_FILE, Row
from measure.interrupts import end_with_parent, run_and_exit

SYSTEMS = "measure.bench.systems"
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("systems/[a-z]*.py"))


def rows_of(name: str) -> tuple[list[Row], bool]:
    """Run one benchmark; return its rows and whether it came to its end."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "rows")
        command = [sys.executable, "-m", f"{SYSTEMS}.{name}"]
        status = subprocess.call(
            command, env={**os.environ, ROWS_FILE: str(file)}, preexec_fn=end_with_parent
        )
        if not file.exists():
            return [Row(f"it has failed with exit code {status}", "–", met=False)], False
        lines = file.read_text(encoding="utf-8").splitlines()
    return [Row(**json.loads(line)) for line in lines], True


def main(argv: list[str] | None = None) -> int:
    """Run, print the table; return 1 when a target was missed."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments and arguments[0] in NAMES:
        return int(importlib.import_module(f"{SYSTEMS}.{arguments[0]}").main(arguments[1:]))
    parser = argparse.ArgumentParser(
        prog="tools/bench", usage="%(prog)s [NAME] [OPTIONS]", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"Benchmarks: {', '.join(NAMES)}",
    )  # fmt: skip
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="keep the table in this document"
    )
    parser.add_argument(
        "--only", action="append", choices=NAMES, metavar="NAME", help="may be repeated"
    )
    if arguments and not arguments[0].startswith("-"):
        parser.error(f"no benchmark {arguments[0]!r}; there are {', '.join(NAMES)}")
    options = parser.parse_args(arguments)
    before = machine()
    found = {name: rows_of(name) for name in options.only or NAMES}
    rows = [(name, *row.cells()) for name, (of_one, _) in found.items() for row in of_one]
    missed = sum(row.met is False for of_one, _ in found.values() for row in of_one)
    targets = sum(row.met is not None for of_one, _ in found.values() for row in of_one)
    text = (
        f"`tools/bench` on {today()}: {before} before and "
        f"{os.getloadavg()[0]:.1f} after. {targets - missed} of {targets} targets met.\n\n"
        + markdown(("benchmark", *COLUMNS), rows)
    )
    print(f"\n{text}")
    if options.write is not None:
        keep(options.write, "bench", text)
    return 1 if missed else 0


if __name__ == "__main__":
    run_and_exit(main)
