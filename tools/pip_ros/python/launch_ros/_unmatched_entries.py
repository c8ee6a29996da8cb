# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Warn of entries of parameter files that match none of the nodes that the files are given to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from launch.launch_context import LaunchContext
from launch.logging import get_logger


def remember(context: LaunchContext, path: Path, node: str | None) -> None:
    """Note that a node of this full name (None: not known) gets the file ``path``."""
    if not context.parameter_files:
        context.at_rest.append(lambda: _warn(context))
    context.parameter_files.setdefault(path, set()).add(node)


def _warn(context: LaunchContext) -> None:
    for path, nodes in context.parameter_files.items():
        known = [node for node in nodes if node is not None]
        if len(known) < len(nodes):
            continue
        for entry in _entries(path):
            pattern = re.compile(re.escape(entry).replace(r"/\*", r"(/\w+)").replace(r"\*", "*"))
            if not any(map(pattern.fullmatch, known)):
                get_logger("launch").warning(
                    "parameters file '%s': the entry '%s' matches no node that gets the file: %s",
                    path,
                    entry,
                    ", ".join(sorted(known)),
                )


def _entries(path: Path) -> list[str]:
    import yaml

    try:
        return list(_names(yaml.safe_load(path.read_text(encoding="utf-8")), ""))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return []  # the nodes report it


def _names(value: Any, name: str) -> Iterator[str]:
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "ros__parameters":
            yield name
        else:
            yield from _names(inner, f"{name}/{str(key).strip('/')}")
