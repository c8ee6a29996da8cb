# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The modules import each other in one direction only, for types too."""

import ast
from pathlib import Path

import bw4t_world

ROOT = Path(bw4t_world.__file__).parent


def imported_by_module():
    found = {}
    for file in ROOT.rglob("*.py"):
        parts = (ROOT.name, *file.relative_to(ROOT).with_suffix("").parts)
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = {
            node.module
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{ROOT.name}.")
        }
    return found


def test_no_module_imports_itself_by_way_of_others():
    imported = imported_by_module()
    assert len(imported) > 50
    while leaves := {name for name, needs in imported.items() if not needs & imported.keys()}:
        imported = {name: needs for name, needs in imported.items() if name not in leaves}
    assert not imported, f"in a circle, or above one: {sorted(imported)}"
