# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""docs/python_api.md: what it declares is there and documented, and suffices for a new robot."""

import ast
import importlib
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "python_api.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([a-z_.]+)` \| (.+) \|$", PAGE, re.MULTILINE)
PUBLIC = {module: set(re.findall(r"`(\w+)`", names)) for module, names in ROWS}
OURS = "legacy_robots_"


@pytest.mark.parametrize("module", PUBLIC)
def test_what_is_declared_is_there_and_documented(module):
    found = importlib.import_module(module)
    assert set(found.__all__) == PUBLIC[module]
    for name in PUBLIC[module]:
        value = getattr(found, name)
        if callable(value):
            assert value.__doc__, f"{module}.{name}"
            assert value.__module__.startswith(OURS)


def test_a_new_robot_uses_nothing_else():
    used = set()
    for path in (ROOT / "tools" / "new_robot_templates").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(OURS):
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    used.add((inner, "") if inner in PUBLIC else (node.module, alias.name))
    used = {pair for pair in used if not pair[0].startswith("legacy_robots_msgs")}
    assert used
    private = {(m, n) for m, n in used if m not in PUBLIC or (n and n not in PUBLIC[m])}
    assert private == set()
