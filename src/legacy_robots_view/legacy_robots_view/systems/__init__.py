# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The kinds of systems that the page draws: those that the installed packages declare.

A system of another kind still has its link, its rates and what its bridge reports.
"""

from __future__ import annotations

import warnings

from legacy_robots_common.system import load, systems
from legacy_robots_view.systems.kind import Camera, Feed, Kind, PanelSettings

__all__ = ["Camera", "Feed", "Kind", "kinds"]


def kinds(parameters: PanelSettings) -> tuple[Kind, ...]:
    """Return the kinds of all systems with a panel, in their order.

    A panel is a Kind, or a function that returns one for the view's parameters. One that cannot be
    imported is left out with a warning: its system is shown as one without a panel.
    """
    found = []
    for system in systems():
        if not system.panel:
            continue
        try:
            panel = load(system.panel)
        except (ImportError, AttributeError) as error:
            warnings.warn(f"panel {system.panel!r} is left out: {error}", stacklevel=2)
            continue
        found.append(panel if isinstance(panel, Kind) else panel(parameters))
    return tuple(found)
