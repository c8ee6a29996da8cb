# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The evidence of the originals is in the repository, and what cites it cites what is there."""

import json
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in ROOT.glob("docs/originals/*.md")}
SOURCES = [
    path
    for top in ("src", "test", "docs", "tools")
    for path in sorted((ROOT / top).rglob("*"))
    if path.suffix in (".py", ".md", ".proto", ".urdf", ".yaml", ".pl", ".cpp", ".msg", ".js")
    and "node_modules" not in path.parts
]
# docs/originals/luar.md, 3 or docs/originals/nao.md, "State machine"; wrapped lines, comments too.
CITATION = re.compile(
    r"docs/originals/(\w+)\.md(?:,[\s#/]+(?:(\d+)(?:(?:,| and)[\s#/]+(\d+))*|\"([^\"]+)\"))?"
)


def citations():
    for path in SOURCES:
        if path != Path(__file__):
            for match in CITATION.finditer(path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT), match


def test_citations_lead_to_a_page_and_a_section():
    found = list(citations())
    assert len(found) > 80
    for path, match in found:
        page, first, last, title = match.groups()
        assert page in PAGES, f"{path}: {match[0]}"
        headings = re.findall(r"^#+ (.*)$", PAGES[page], re.MULTILINE)
        for number in filter(None, (first, last)):
            assert any(h.startswith(f"{number}. ") for h in headings), f"{path}: {match[0]}"
        if title:
            name = re.sub(r"[\s#/]+", " ", title)
            assert any(name in heading for heading in headings), f"{path}: {match[0]}"


def test_there_is_a_page_and_a_list_of_names_for_each_system():
    systems = {"aibo", "bw4t", "luar", "nao", "roboskate"}
    assert set(PAGES) - {"README"} == systems
    lists = {p.stem: json.loads(p.read_text()) for p in ROOT.glob("test/data/specifications/*")}
    assert set(lists) == systems
    assert all(names["title"] and len(names) > 1 for names in lists.values())


def test_nothing_outside_the_repository_is_read():
    for path in SOURCES:
        if path != Path(__file__):
            text = path.read_text(encoding="utf-8")
            assert "LEGACY_ROBOTS_SHARED" not in text, path
            assert "../shared" not in text, path
