# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The command ``keyframes``: what needs no robot; ``luar_bridge keyframes`` has the rest."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from luar_tools.keyframes.limits import (
    NAO_LIMITS,
    POSITION_MODES,
    SPEED_MODES,
    LimitsError,
    excesses,
    within,
)
from luar_tools.keyframes.motion import KeyframeMotion
from luar_tools.keyframes.reader import MotionFileError, read_motion, run_motion
from luar_tools.keyframes.writer import lua_text


def main(arguments: list[str]) -> int:
    """Check motions, or write one within limits; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="luar_tools keyframes", description="Read, check and rewrite keyframe motions."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="what a motion is, and where it leaves the limits")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    fit = commands.add_parser("fit", help="write a motion anew, within the limits of a Nao")
    fit.add_argument("file", type=Path, metavar="FILE")
    fit.add_argument("out", type=Path, metavar="OUT")
    fit.add_argument("--positions", choices=POSITION_MODES, default="clamp")
    fit.add_argument("--speeds", choices=SPEED_MODES, default="keep")
    for command in (check, fit):
        command.add_argument(
            "--run",
            action="store_true",
            help="run the file by Lua in a sandbox, where it is more than numbers",
        )
    options = parser.parse_args(arguments)
    read = run_motion if options.run else read_motion
    try:
        if options.command == "fit":
            motion, said = within(
                read(options.file),
                NAO_LIMITS,
                positions=options.positions,
                speeds=options.speeds,
            )
            options.out.write_text(lua_text(motion), encoding="utf-8")
            sys.stdout.write("\n".join([*said, ""]))
            return 0
    except (MotionFileError, LimitsError, OSError) as error:
        sys.stderr.write(f"luar_tools: {error}\n")
        return 1
    failed = False
    for path in options.files:
        try:
            sys.stdout.write("\n".join([*_lines(path, read(path)), ""]))
        except MotionFileError as error:
            sys.stderr.write(f"luar_tools: {error}\n")
            failed = True
    return 1 if failed else 0


def _lines(path: Path, motion: KeyframeMotion) -> list[str]:
    frames = motion.keyframes
    lines = [f"{path.name}: {len(motion.servos)} servos, {len(frames)} keyframes, "
             f"{motion.duration:.3f} s"]  # fmt: skip
    if unused := sum(bool(frame.unused_stiffness) for frame in frames):
        lines.append(f"  'stiffnesses' of {unused} keyframes: the player reads 'stiffness' only")
    for number, frame in enumerate(frames, 1):
        if frame.stiffness and len(frame.stiffness) != len(motion.servos):
            text = f"{len(frame.stiffness)} stiffnesses for {len(motion.servos)} servos"
            lines.append(f"  keyframe {number}: {text}: none is set")
    number = len(motion.servos)
    all_of_another = motion.servos == tuple(range(1, number + 1)) and number != len(NAO_LIMITS)
    if all_of_another or max(motion.servos) > len(NAO_LIMITS):
        lines.append("  the limits of its joints are not known: it is of another robot than a Nao")
        return lines
    return lines + [f"  {excess}" for excess in excesses(motion, NAO_LIMITS)]
