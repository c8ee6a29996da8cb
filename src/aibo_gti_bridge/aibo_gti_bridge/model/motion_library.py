# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Directories of motion files, as a robot's memory stick is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aibo_gti_bridge.model import mot_file
from aibo_gti_bridge.model.mot_statements import Comment, Issue, Severity
from aibo_gti_bridge.model.motions import Motion, MotionError, build

EXAMPLES = Path(__file__).parents[1] / "motions"
"""The motions that come with the package."""


def file_name(name: str) -> str:
    """Return the file name of a motion that may be called with or without its ``.mot``."""
    return name if "." in name else f"{name}.mot"


class MotionLibrary:
    """The motions of a directory (by default those of the package), as a robot's memory stick.

    A file is read when it is asked for, so that a changed file needs no restart.
    """

    def __init__(self, directory: str | Path = "", *, full_rotor_range: bool = False) -> None:
        self._directory = Path(directory) if directory else EXAMPLES
        self._full_rotor_range = full_rotor_range

    def __str__(self) -> str:
        return str(self._directory)

    def names(self) -> list[str]:
        """Return the file names of all motions. Raises OSError when the directory is missing."""
        return sorted(e.name for e in self._directory.iterdir() if e.name.endswith(".mot"))

    def load(self, name: str) -> str:
        """Return the text of a file. Raises OSError.

        What is no UTF-8 becomes U+FFFD: a comment may have any bytes.
        """
        if not name or "/" in name or name.startswith("."):
            raise FileNotFoundError(f"{name!r} is no file of {self}")
        return (self._directory / name).read_text(encoding="utf-8", errors="replace")

    def check(self, name: str) -> tuple[Motion, list[Issue]]:
        """Return a motion, as far as it can be played, and all its issues. Raises OSError."""
        text = self.load(file_name(name))
        return build(text, file_name(name), self.load, full_rotor_range=self._full_rotor_range)

    def motion(self, name: str) -> Motion:
        """Return a motion. Raises MotionError when there is none or it has an error."""
        try:
            motion, issues = self.check(name)
        except OSError as error:
            raise MotionError(f"there is no motion {file_name(name)!r} in {self}") from error
        errors = [str(issue) for issue in issues if issue.severity is Severity.ERROR]
        if errors:
            raise MotionError(f"{file_name(name)}: {'; '.join(errors)}")
        return motion

    def playable(self, name: str, warn: Callable[[str], None]) -> Motion | None:
        """Return a motion, its issues passed to ``warn``; None where it cannot be played."""
        try:
            motion, issues = self.check(name)
        except OSError:
            warn(f"motion: there is no {name} in {self}")
            return None
        for issue in issues:
            warn(f"motion: {name}, {issue}")
        return None if any(i.severity is Severity.ERROR for i in issues) else motion

    def description(self, name: str) -> str:
        """Return a motion's first comment, or an empty text."""
        try:
            file = mot_file.parse(self.load(file_name(name)))
        except OSError:
            return ""
        texts = [s.text.strip() for _, s in file.statements if isinstance(s, Comment)]
        return texts[0] if texts else ""
