# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which systems there are: found by the message types on the graph. A pure function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from legacy_robots_view.systems import Kind

LINK_STATE = "legacy_robots_msgs/msg/LinkState"
_PLAYER = re.compile(r"(?P<group>.+?)(/(blue|red))?/player_\d+")


@dataclass(frozen=True)
class System:
    """A bridge, by the LinkState that it publishes.

    ``topics`` has the types of its topics by their names below ``namespace``, which has no slash
    at its end. ``group`` is the namespace of all robots that share a panel: the players of a team,
    or of both teams of a match (``blue`` and ``red``).
    ``order`` is the position of its kind among all kinds; unknown kinds come last.
    """

    namespace: str
    link: str
    kind: Kind | None
    topics: Mapping[str, str]
    group: str
    order: int


def find_systems(
    graph: Iterable[tuple[str, Sequence[str]]], kinds: Sequence[Kind]
) -> dict[str, System]:
    """Return the systems of a graph (topics with their types) by namespace."""
    types = {topic: names[0] for topic, names in graph if len(names) == 1}
    systems: dict[str, System] = {}
    for link in sorted(topic for topic, name in types.items() if name == LINK_STATE):
        namespace = link.rpartition("/")[0]
        below = f"{namespace}/"
        topics = {t.removeprefix(below): n for t, n in types.items() if t.startswith(below)}
        near = {name for topic, name in topics.items() if "/" not in topic}
        order = next((n for n, kind in enumerate(kinds) if kind.mark in near), len(kinds))
        kind = kinds[order] if order < len(kinds) else None
        player = _PLAYER.fullmatch(namespace)
        group = player["group"] if player else namespace
        systems.setdefault(namespace, System(namespace, link, kind, topics, group, order))
    return systems
