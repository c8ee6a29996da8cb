# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of everything that becomes a text only while launching."""

from __future__ import annotations

from launch.launch_context import LaunchContext


class SubstitutionFailure(RuntimeError):  # noqa: N818 - the name of the launch API
    """A substitution could not be performed."""


class Substitution:
    """A value that is computed while launching."""

    def describe(self) -> str:
        """Return a short text for listings of arguments."""
        return f"{type(self).__name__}()"

    def perform(self, context: LaunchContext) -> str:
        """Return the text that this substitution stands for."""
        raise NotImplementedError(f"{type(self).__name__} does not implement perform()")
