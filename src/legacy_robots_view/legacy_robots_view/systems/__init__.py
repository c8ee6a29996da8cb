# SPDX-License-Identifier: Apache-2.0
"""The kinds of systems that the page draws: those that the installed packages declare.

A system of another kind still has its link, its rates and what its bridge reports.
"""

from __future__ import annotations

from legacy_robots_common.system import load, systems
from legacy_robots_view.systems.kind import Camera, Feed, Kind, PanelSettings

__all__ = ["Camera", "Feed", "Kind", "kinds"]


def kinds(parameters: PanelSettings) -> tuple[Kind, ...]:
    """Return the kinds of all systems with a panel, in their order.

    A panel is a Kind, or a function that returns one for the view's parameters.
    """
    panels = [load(system.panel) for system in systems() if system.panel]
    return tuple(p if isinstance(p, Kind) else p(parameters) for p in panels)
