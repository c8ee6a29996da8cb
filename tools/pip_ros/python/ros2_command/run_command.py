# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 run``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys

from ros2_command.packages import executables
from ros2_command.verb import CommandError, Result, Verb


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--prefix",
        help="Prefix command, which should go before the executable. Command must be wrapped in "
        "quotes if it contains spaces (e.g. --prefix 'gdb -ex run --args').",
    )
    parser.add_argument("package_name", help="Name of the ROS package")
    parser.add_argument("executable_name", help="Name of the executable")
    parser.add_argument(
        "argv", nargs=argparse.REMAINDER, help="Pass arbitrary arguments to the executable"
    )


def _main(args: argparse.Namespace) -> Result:
    found = [path for path in executables(args.package_name) if path.name == args.executable_name]
    if not found:
        raise CommandError("No executable found")
    if len(found) > 1:
        names = "\n".join(f"- {path}" for path in found)
        raise CommandError(f"Multiple executables found:\n{names}")
    words = [*shlex.split(args.prefix or ""), str(found[0]), *args.argv]
    sys.stdout.flush()
    try:
        # The program takes our place: signals and the exit code are its own.
        os.execvp(words[0], words)
    except OSError as error:
        raise CommandError(f"{words[0]} could not be run: {error}") from None


COMMAND = Verb("Run a package specific executable", _add_arguments, _main)
