# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Percepts of robots that wait at a server for the next client of ours, in a file a server.

A server gives each spawn point once, and tells most of what a robot perceives only once, or when
it changes. So a robot is left with the server, and what it had perceived is kept here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bw4t_java.eis.values import ProtocolError, percept_of, percept_value
from bw4t_java.jvm.compiler import cache_directory
from bw4t_world import Percept


def keep(server: str, percepts: Mapping[str, list[Percept]]) -> None:
    """Add what robots perceive to the file of a server; raises OSError."""
    values = {name: [percept_value(p) for p in held] for name, held in percepts.items()}
    path = _path(server)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(_read(path) | values))
    fresh.replace(path)


def take(server: str, names: list[str]) -> dict[str, list[Percept]]:
    """Return what is kept of robots, and keep it no more; a damaged file is an empty one."""
    path = _path(server)
    kept = _read(path)
    found: dict[str, list[Percept]] = {}
    for name in set(names) & kept.keys():
        with suppress(ProtocolError, TypeError):
            found[name] = [percept_of(value) for value in kept.pop(name)]
    if found:
        with suppress(OSError):
            path.write_text(json.dumps(kept))
    return found


def _path(server: str) -> Path:
    digest = hashlib.sha256(server.encode()).hexdigest()[:16]
    return cache_directory() / f"bw4t_server_{digest}.json"


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        content = json.loads(path.read_text())
        if isinstance(content, dict):
            return content
    return {}
