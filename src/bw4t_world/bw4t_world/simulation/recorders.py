# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Worlds whose games are recorded, by another installed package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from bw4t_world.model.errors import WorldError
from bw4t_world.simulation.world import World

RECORDERS = "bw4t_world.recorders"
"""Group of entry points, each a :class:`Recorder`."""


class Recorder(Protocol):
    """Makes worlds whose games are recorded."""

    def __call__(self, *, directory: Path, about: Mapping[str, str]) -> Callable[..., World]:
        """Return a function with the arguments of :class:`bw4t_world.World`.

        Each game becomes a file in ``directory``, with ``about`` in its header. The function
        raises OSError for a directory that cannot be written.
        """


def recorded_world(directory: str, **about: str) -> Callable[..., World]:
    """Return what makes worlds that record their games; see :class:`Recorder`.

    Raises :class:`WorldError` where no installed package records.
    """
    for entry in entry_points(group=RECORDERS):
        recorder: Recorder = entry.load()
        return recorder(directory=Path(directory), about=about)
    raise WorldError("games can be recorded where the package bw4t_study is installed")
