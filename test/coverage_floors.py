# SPDX-License-Identifier: Apache-2.0
"""Compare the coverage of each package with its floor in coverage_floors.json.

It reads what `tools/test --coverage` measured; exits with 1 and names the packages below. A floor
is one per cent below what the unit tests alone reach: `tools/test --coverage -m unit`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from coverage import Coverage

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ROOT / "test" / "coverage_floors.json"


def measured() -> dict[str, float]:
    """Return the per cent of the lines of each package that ran."""
    coverage = Coverage(config_file=str(ROOT / "pyproject.toml"))
    coverage.load()
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        coverage.json_report(outfile=file.name)
        files = json.loads(Path(file.name).read_text(encoding="utf-8"))["files"]
    lines: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    for name, numbers in files.items():
        package = Path(name).parts[1]  # src/PACKAGE/PACKAGE/module.py
        lines[package] += numbers["summary"]["num_statements"]
        covered[package] += numbers["summary"]["covered_lines"]
    return {package: 100 * covered[package] / lines[package] for package in sorted(lines)}


def main() -> int:
    """Print a table and return 1 if a package is below its floor."""
    floors = json.loads(FLOORS.read_text(encoding="utf-8"))
    found = measured()
    print("coverage, per cent of lines (floor)")
    for package, percent in found.items():
        print(f"  {package:24} {percent:5.1f} ({floors.get(package, 'none')})")
    below = [name for name, floor in floors.items() if found.get(name, 0.0) < floor]
    if below:
        print(f"below the floor in {FLOORS.relative_to(ROOT)}: {', '.join(below)}")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
