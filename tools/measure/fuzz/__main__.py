# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Fuzz decoders with atheris (libFuzzer), one after the other, and print a table."""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from legacy_robots_testing.report import markdown
from measure import ROOT
from measure.fuzz.targets import NAMES, examples, load

KEPT = ROOT / ".fuzz"
"""What was found interesting is kept here, so that the next run goes on from it."""
SLOWEST = 10
"""Seconds after which one input counts as a hang."""
MEMORY = 2048
"""Megabytes that decoding may take."""
COLUMNS = ("decoder", "inputs", "seconds", "a second", "branches seen", "slowest", "finding")


@dataclass(frozen=True)
class Figures:
    """What came of fuzzing one decoder."""

    name: str
    inputs: int
    seconds: int
    branches: int
    slowest: int
    """Seconds, in full ones."""
    finding: str
    """File of the input that went wrong; empty for none."""

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        rate = f"{self.inputs / max(1, self.seconds):,.0f}"
        slowest = f"{self.slowest} s" if self.slowest else "< 1 s"
        return (
            self.name, f"{self.inputs:,}", str(self.seconds), rate, str(self.branches), slowest,
            self.finding or "none",
        )  # fmt: skip


def write_seeds(name: str) -> Path:
    """Write the target's seeds as files and return their directory."""
    directory = KEPT / "seeds" / name
    directory.mkdir(parents=True, exist_ok=True)
    for seed in load(name).seeds():
        (directory / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    return directory


def fuzz(name: str, minutes: float) -> Figures:
    """Fuzz one decoder; its output goes to this terminal."""
    corpus, findings = KEPT / "corpus" / name, KEPT / "findings"
    for directory in (corpus, findings):
        directory.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "measure.fuzz.one",
        name,
        str(corpus),
        str(write_seeds(name)),
        f"-max_total_time={round(60 * minutes)}",
        f"-timeout={SLOWEST}",
        f"-rss_limit_mb={MEMORY}",
        f"-artifact_prefix={findings}/{name}-",
        "-print_final_stats=1",
    ]
    if examples(name):
        command.insert(6, str(examples(name)[0].parent))
    text = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            text.append(line)
            if not re.match(r"#\d+\s+(REDUCE|NEW)|INFO:", line):
                print(line, end="", flush=True)
    return figures(name, "".join(text))


def figures(name: str, output: str) -> Figures:
    """Read the figures that libFuzzer printed."""

    def last(pattern: str) -> str:
        found = re.findall(pattern, output)
        return found[-1] if found else ""

    finding = last(r"Test unit written to (\S+)")
    inputs = last(r"number_of_executed_units: *(\d+)") or last(r"^#(\d+)") or "0"
    return Figures(
        name,
        int(inputs),
        int(last(r"Done \d+ runs in (\d+) second") or 0),
        int(last(r"cov: (\d+)") or 0),
        int(last(r"slowest_unit_time_sec: *(\d+)") or 0),
        finding,
    )


def main(argv: list[str] | None = None) -> int:
    """Fuzz, print the table; return 1 when something went wrong."""
    parser = argparse.ArgumentParser(
        prog="tools/fuzz", description=__doc__, epilog=f"Decoders: {', '.join(NAMES)}"
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="which decoders (default: all)", default=NAMES
    )
    parser.add_argument(
        "--minutes", type=float, default=1.0, help="for each (default: %(default)s)"
    )
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="give the decoder this one input instead"
    )
    options = parser.parse_args(argv)
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"no decoder {unknown[0]!r}; there are {', '.join(NAMES)}")
    if options.replay is not None:
        if len(options.names) != 1:
            parser.error("--replay wants one NAME")
        load(options.names[0]).one_input(options.replay.read_bytes())
        print(f"{options.replay}: all is well")
        return 0
    results = [fuzz(name, options.minutes) for name in options.names]
    print("\n" + markdown(COLUMNS, [result.row() for result in results]))
    for result in results:
        if result.finding:
            print(f"\nagain: tools/fuzz {result.name} --replay {result.finding}")
    return 1 if any(result.finding for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
