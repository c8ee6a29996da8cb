# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The manual as a whole: its site builds, nothing stands on two pages, its Python is Python."""

import ast
import importlib
import re
import subprocess
import sys

import pytest
from workspace import manual

pytestmark = pytest.mark.lint

LESSONS = [path for path, kind in manual.pages().items() if kind in ("Tutorials", "How to")]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OURS = ("aibo_", "bw4t_", "legacy_robots_", "luar_", "nao_", "roboskate_")


def python_of(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def test_every_page_is_in_the_index():
    pages = {*manual.DOCS.glob("*.md"), *manual.DOCS.glob("[hort]*/*.md")}
    assert pages - set(manual.pages()) == {manual.DOCS / "index.md"}


def test_nothing_is_said_twice():
    found = [f"{a.name}, {b.name}: {text}" for a, b, text in manual.repeats()]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("kind", ["Tutorials", "How to"])
def test_lessons_keep_to_their_budget(kind):
    assert (
        sum(manual.words(p) for p in LESSONS if manual.pages()[p] == kind)
        <= (manual.BUDGETS[kind])
    )
    assert all(manual.words(page) <= manual.LONGEST_PAGE for page in LESSONS)


@pytest.mark.parametrize("page", [p for p in LESSONS if python_of(p)], ids=lambda p: p.stem)
def test_what_python_on_a_page_imports_of_ours_is_there(page):
    for block in python_of(page):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(OURS):
                module = importlib.import_module(node.module)
                assert all(hasattr(module, alias.name) for alias in node.names), node.module


def test_the_framing_of_the_page_works():
    page = manual.DOCS / "how_to" / "own_framing.md"
    namespace = {}
    for block in python_of(page):
        exec(block, namespace)  # the second block asserts
    framing = namespace["Checked"]()
    with pytest.raises(namespace["ProtocolError"], match="checksum"):
        framing.feed(b"\x02one\x03\x00")
    with pytest.raises(namespace["ProtocolError"], match="more than 64"):
        framing.feed(b"\x02" + b"a" * 100)


@pytest.mark.system
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.version_info < manual.OLDEST_PYTHON, reason="Sphinx needs Python 3.11")
def test_the_site_builds_without_a_warning(tmp_path):
    command = [manual.ROOT / "tools" / "docs", "build", tmp_path / "site"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "searchindex.js").stat().st_size > 100_000
