# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A text that is known before launching. ``launch.substitutions`` offers it."""

from __future__ import annotations

from launch.launch_context import LaunchContext
from launch.substitution import Substitution


class TextSubstitution(Substitution):
    """A fixed text."""

    def __init__(self, *, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"TextSubstitution expected Text object got '{type(text)}' instead.")
        self.text = text

    def describe(self) -> str:
        """Return the quoted text."""
        return f"'{self.text}'"

    def perform(self, context: LaunchContext) -> str:
        """Return the text."""
        return self.text
