# SPDX-License-Identifier: Apache-2.0
"""Many nodes in one process: the parts that can be are put together into a fleet."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from legacy_robots_common.launching.parameter_files import node_of
from legacy_robots_common.launching.parts import FleetPart, NodePart, Part
from legacy_robots_common.system import systems


def compose(parts: Iterable[Part]) -> list[Part]:
    """Return one fleet with the nodes of all registered systems, and the other parts as they are.

    The fleet has the log level of its first node, and is started again if that one would be.
    """
    kinds = {(s.package, name): (s.name, name) for s in systems() for name in s.nodes}
    members: list[NodePart] = []
    entries: list[str] = []
    others: list[Part] = []
    for part in parts:
        kind = kinds.get((part.package, part.executable))
        if isinstance(part, NodePart) and kind is not None and not part.arguments:
            members.append(part)
            entries.append(f"{'/'.join(kind)} {part.namespace} {part.name}".rstrip())
        else:
            others.append(part)
    if not members:
        return others
    first = members[0]
    fleet = FleetPart(
        "legacy_robots_common",
        "fleet",
        parameters={"nodes": node_of(entries)},
        log_level=first.log_level,
        respawn=first.respawn,
        members=tuple(dataclasses.replace(m, name=m.name or m.executable) for m in members),
    )
    return [fleet, *others]
