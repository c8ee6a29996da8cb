# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The program ``motion``: checks motion files and shows what they do. No ROS.

Exit code 0: nothing to complain about but warnings; 1: errors; 2: wrong arguments.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.model.mot_statements import Issue, Severity
from aibo_gti_bridge.model.motion_library import EXAMPLES, MotionLibrary
from aibo_gti_bridge.model.motions import Motion
from aibo_gti_bridge.model.poses import STANDING


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit code."""
    parser = argparse.ArgumentParser(description="Checks AIBO motion files.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("check", "say what is wrong in files, with line and reason"),
        ("preview", "print the joints' positions (rad) at each keyframe, from the standing pose"),
    ):
        command = commands.add_parser(name, help=what, description=what)
        command.add_argument("files", nargs="+", metavar="FILE")
        command.add_argument("--full-rotor-range", action="store_true")
    commands.add_parser("list", help="list the motions that come with the package")
    given = parser.parse_args(sys.argv[1:] if arguments is None else arguments)
    if given.command == "list":
        for name in MotionLibrary().names():
            motion = MotionLibrary().motion(name)
            _print(f"{name}  {motion.duration:.1f} s  {MotionLibrary().description(name)}")
        _print(f"in {EXAMPLES}")
        return 0
    worst = 0
    for file in map(Path, given.files):
        library = MotionLibrary(file.parent, full_rotor_range=given.full_rotor_range)
        try:
            motion, issues = library.check(file.name)
        except OSError as error:
            _print(f"{file}: {error.strerror or 'there is no such file'}", sys.stderr)
            worst = 1
            continue
        worst = max(worst, _report(file, motion, issues))
        if given.command == "preview":
            _preview(motion)
    return worst


def _report(file: Path, motion: Motion, issues: Sequence[Issue]) -> int:
    for issue in issues:
        _print(f"{file}:{issue.line}: {issue.severity.value}: {issue.reason}")
    if any(issue.severity is Severity.ERROR for issue in issues):
        return 1
    keyframes = sum(map(len, motion.keyframes.values()))
    _print(f"{file}: {motion.duration:.3f} s, {len(motion.joints)} joints, {keyframes} keyframes")
    return 0


def _preview(motion: Motion) -> None:
    names = [name for name in NAMES if name in motion.keyframes]
    _print("time (s)  " + "  ".join(names))
    for time in [0.0, *motion.times()]:
        pose = motion.pose(time, STANDING)
        row = "  ".join(f"{pose[name]:{len(name)}.3f}" for name in names)
        _print(f"{time:8.3f}  {row}")


def _print(text: str, stream: object = None) -> None:
    (sys.stdout if stream is None else sys.stderr).write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
