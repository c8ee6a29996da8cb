# SPDX-License-Identifier: Apache-2.0
"""Run all benchmarks, one after the other, and print one table with the targets."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import COLUMNS, ROWS_FILE, Row

from legacy_robots_common.testing.report import keep, machine, markdown, today

HERE = Path(__file__).parent
NAMES = sorted(path.stem[len("bench_") :] for path in HERE.glob("bench_*.py"))


def rows_of(name: str) -> tuple[list[Row], bool]:
    """Run one benchmark; return its rows and whether it came to its end."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "rows")
        command = [sys.executable, str(HERE / f"bench_{name}.py")]
        status = subprocess.call(command, env={**os.environ, ROWS_FILE: str(file)})
        if not file.exists():
            return [Row(f"it has failed with exit code {status}", "–", met=False)], False
        lines = file.read_text(encoding="utf-8").splitlines()
    return [Row(**json.loads(line)) for line in lines], True


def main(argv: list[str] | None = None) -> int:
    """Run, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench", description=__doc__)
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="keep the table in this document"
    )
    parser.add_argument(
        "--only", action="append", choices=NAMES, metavar="NAME", help="may be repeated"
    )
    options = parser.parse_args(argv)
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
    sys.exit(main())
