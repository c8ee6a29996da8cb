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


def remember(context: LaunchContext, path: Path, namespace: str, name: str | None) -> None:
    """Note that a node gets the file ``path``; where its name is not given it may be any."""
    if not context.parameter_files:
        context.at_rest.append(lambda: _warn(context))
    context.parameter_files.setdefault(path, set()).add((namespace, name))


def _warn(context: LaunchContext) -> None:
    for path, nodes in context.parameter_files.items():
        if ("", None) in nodes:
            continue
        for entry in _entries(path):
            own = entry.rpartition("/")[2].replace("*", "x")
            known = [f"{namespace.rstrip('/')}/{name or own}" for namespace, name in nodes]
            pattern = re.compile(re.escape(entry).replace(r"/\*", r"(/\w+)").replace(r"\*", "*"))
            if not any(map(pattern.fullmatch, known)):
                get_logger("launch").warning(
                    "parameters file '%s': the entry '%s' matches no node that gets the file",
                    path,
                    entry,
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
