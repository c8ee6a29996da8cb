# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The motions that are there by their names: those of this package, and a directory's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from luar_tools.keyframes.motion import KeyframeMotion
from luar_tools.keyframes.reader import MotionFileError, read_motion

OWN = Path(__file__).parents[1] / "motions"
"""Motions of a Nao within its limits: kicks, getting up, and a wave."""
MOST = 1000
"""Files of a directory that are listed."""


class MotionLibrary:
    """Files ``NAME.lua`` of directories, of which earlier ones hide later ones. Not cached."""

    def __init__(self, directories: Sequence[Path]) -> None:
        self._directories = directories

    def names(self) -> list[str]:
        """Return all names, without ``.lua``, sorted. Raises OSError."""
        found: set[str] = set()
        for directory in self._directories:
            found.update(path.stem for path in directory.iterdir() if path.suffix == ".lua")
        return sorted(found)[:MOST]

    def motion(self, name: str) -> KeyframeMotion:
        """Return a motion by its name, with or without ``.lua``. Raises MotionFileError."""
        file = name if name.endswith(".lua") else f"{name}.lua"
        if Path(file).name != file:
            raise MotionFileError(f"{name!r} is not the name of a motion")
        for directory in self._directories:
            if (directory / file).is_file():
                return read_motion(directory / file)
        places = ", ".join(map(str, self._directories))
        raise MotionFileError(f"there is no motion {name!r} in {places}")
