# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of a node that parameters or installed packages switch on: entry points, known by name.

A node without a part needs none of the part's modules, and neither does its reader. A package
declares a part in its ``setup.py``; another package can add one or replace one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from legacy_robots_common.node.program_node import StartupError


class NodePart:
    """A part of a bridge; made of what the node hands over, it overrides what it needs."""

    def on_event(self, event: object) -> None:
        """Handle an event of the link, on the link's thread."""

    def make_safe(self, reason: str) -> None:
        """Stop what the part moves, as BridgeNode.make_safe."""

    def diagnostics(self) -> Mapping[str, str]:
        """Return its values for /diagnostics."""
        return {}

    def close(self) -> None:
        """End it. Idempotent."""


def load_part(group: str, name: str) -> Any:
    """Return the part of this name. Raises StartupError where it, or what it needs, is missing."""
    for entry in _declared(group):
        if entry.name != name:
            continue
        try:
            return entry.load()
        except ImportError as error:
            raise StartupError(f"{name}: something it needs is not installed: {error}") from error
    raise StartupError(f"{name}: no installed package has this part of the node ({group})")


@cache
def _declared(group: str) -> tuple[EntryPoint, ...]:
    """Return the parts of a group: each search reads what every installed package declares."""
    return tuple(entry_points(group=group))
