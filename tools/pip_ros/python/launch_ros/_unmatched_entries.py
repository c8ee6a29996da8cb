# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Warn of entries of parameter files that match none of the nodes that the files are given to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from launch.launch_context import LaunchContext
from launch.logging import get_logger


def remember(
    context: LaunchContext, path: Path, namespace: str, name: str | None, executable: str
) -> None:
    """Note that a node gets the file ``path``; where its name is not given it may be any.

    Any but one that looks like the executable's name mistyped.
    """
    if not context.parameter_files:
        context.at_rest.append(lambda: _warn(context))
    context.parameter_files.setdefault(path, set()).add((namespace, name, executable))


def _warn(context: LaunchContext) -> None:
    for path, nodes in context.parameter_files.items():
        may_be_any = any(not namespace and name is None for namespace, name, _ in nodes)
        executables = {executable for _, _, executable in nodes}
        for entry in _entries(path):
            own = entry.rpartition("/")[2].replace("*", "x")
            mistyped = not any(own in each or each in own for each in executables) and (
                get_close_matches(own, executables, cutoff=0.75)
            )
            if may_be_any and not mistyped:
                continue
            known = [
                f"{namespace.rstrip('/')}/{name or ('' if mistyped else own)}"
                for namespace, name, _ in nodes
            ]
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
