# SPDX-License-Identifier: Apache-2.0
"""What other installed packages add: commands of the program, and records of games.

A package declares entry points. One of the group COMMANDS is a function that adds commands to the
program's subparsers. One of the group RECORDERS is a :class:`Recorder`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, TypeAlias

from bw4t_world.model.errors import WorldError
from bw4t_world.simulation.world import World

COMMANDS = "bw4t_world.commands"
RECORDERS = "bw4t_world.recorders"

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class Recorder(Protocol):
    """Makes worlds whose games are recorded."""

    def __call__(self, *, directory: Path, about: Mapping[str, str]) -> Callable[..., World]:
        """Return a function with the arguments of :class:`bw4t_world.World`.

        Each game becomes a file in ``directory``, with ``about`` in its header. Raises OSError
        for a directory that cannot be written.
        """


def recorded_world(directory: str, **about: str) -> Callable[..., World]:
    """Return what makes worlds that record their games; see :class:`Recorder`.

    Raises :class:`WorldError` where no installed package records, and OSError.
    """
    for entry in entry_points(group=RECORDERS):
        recorder: Recorder = entry.load()
        return recorder(directory=Path(directory), about=about)
    raise WorldError("games can be recorded where the package bw4t_study is installed")


def add_commands(subparsers: Subparsers) -> None:
    """Add the commands of other packages to the program."""
    for entry in sorted(entry_points(group=COMMANDS), key=lambda entry: entry.name):
        entry.load()(subparsers)
