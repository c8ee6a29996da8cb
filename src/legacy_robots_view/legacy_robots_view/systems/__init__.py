# SPDX-License-Identifier: Apache-2.0
"""The kinds of systems that the page knows, one module each; ``kind`` says what a kind is.

A system of another kind still has its link, its rates and what its bridge reports.
"""

from __future__ import annotations

from collections.abc import Iterable

from legacy_robots_view.systems import aibo, bw4t, luar, nao, roboskate
from legacy_robots_view.systems.kind import Camera, Feed, Kind

__all__ = ["Camera", "Feed", "Kind", "kinds"]


def kinds(balls: Iterable[str]) -> tuple[Kind, ...]:
    """Return all kinds; ``balls`` are the colours that AIBOs are asked for."""
    return (roboskate.KIND, luar.KIND, aibo.kind(balls), nao.KIND, bw4t.KIND)
