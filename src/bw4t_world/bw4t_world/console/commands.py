# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Commands of the program that other installed packages add."""

from __future__ import annotations

import argparse
from importlib.metadata import entry_points
from typing import TypeAlias

COMMANDS = "bw4t_world.commands"
"""Group of entry points: functions that add commands to the program's subparsers."""

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_commands(subparsers: Subparsers) -> None:
    """Add the commands of other packages."""
    for entry in sorted(entry_points(group=COMMANDS), key=lambda entry: entry.name):
        entry.load()(subparsers)
