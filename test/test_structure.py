# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The packages keep their structure: small folders, and imports that run in one direction."""

import ast
from collections import Counter, defaultdict

import pytest
from workspace import guests

pytestmark = pytest.mark.lint

LARGEST_FOLDER = 20
"""Modules; __init__.py is not counted."""


def modules():
    """Return the files of all Python packages by their dotted names."""
    found = {}
    for package in (p for top in guests.packages() for p in top.glob("*/__init__.py")):
        for path in package.parent.rglob("*.py"):
            parts = path.relative_to(package.parents[1]).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(path):
    """Yield the modules of ours that a file imports, anywhere in it and for types too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def folder_of(module):
    """Return the folder of a module, a package's own files by the package's name and a dot."""
    is_package = MODULES[module].name == "__init__.py"
    folder = module if is_package else module.rpartition(".")[0]
    return folder if "." in folder else f"{folder}."


def cycles(graph):
    """Return what remains when all that leads nowhere, or is led to from nowhere, is left out."""
    graph = {name: set(targets) - {name} for name, targets in graph.items()}
    while True:
        reached = {target for targets in graph.values() for target in targets}
        kept = {n: {t for t in ts if t in graph} for n, ts in graph.items() if n in reached}
        kept = {n: ts for n, ts in kept.items() if ts}
        if kept == graph:
            return graph
        graph = kept


@pytest.fixture(scope="module")
def graph():
    return {name: set(imports(path)) for name, path in MODULES.items()}


def test_no_folder_has_too_many_modules():
    sizes = Counter(folder_of(n) for n, path in MODULES.items() if path.name != "__init__.py")
    assert sum(sizes.values()) > 300
    assert {f: n for f, n in sizes.items() if n > LARGEST_FOLDER} == {}


def test_no_files_import_each_other_in_a_circle(graph):
    assert cycles(graph) == {}


def test_no_folders_import_each_other_in_a_circle(graph):
    folders = defaultdict(set)
    for name, targets in graph.items():
        folders[folder_of(name)] |= {folder_of(target) for target in targets}
    assert cycles(folders) == {}


def test_a_circle_is_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == {
        "b": {"c"},
        "c": {"b"},
    }
