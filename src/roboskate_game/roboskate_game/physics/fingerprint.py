# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which sources a module is made of: what its compiled code on disk depends on."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator

_PACKAGE = __name__.partition(".")[0]


def fingerprint_of(module: str) -> int:
    """Return a number that changes with the source of a module or of any that it imports.

    Only modules of this package count, at any distance; those of others have versions.
    """
    sources: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = _source(name)
            waiting += _imported(sources[name])
    digest = hashlib.sha256("\0".join(sources[name] for name in sorted(sources)).encode())
    return int.from_bytes(digest.digest()[:6], "big")


def _source(module: str) -> str:
    """Return a module's text; empty for what is a name within a module."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # its parent is no package
        spec = None
    # As its loader has it: the package may be in a zip file.
    read = getattr(spec and spec.loader, "get_source", None)
    return (read(module) if read else None) or ""


def _imported(source: str) -> Iterator[str]:
    """Yield the names that a source imports from this package, be they modules or not."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        else:
            continue
        yield from (name for name in found if name.partition(".")[0] == _PACKAGE)
