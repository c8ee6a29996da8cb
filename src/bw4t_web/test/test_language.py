# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The German file has every text of the page and of a study, with the same gaps."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("aiohttp")
study = pytest.importorskip("bw4t_study.experiment.session")

import bw4t_web  # noqa: E402

WEB = Path(inspect.getfile(bw4t_web)).parent
TEXTS: dict[str, str] = json.loads((WEB / "static/language_de.json").read_text())["texts"]
FORMS = Path(inspect.getfile(study)).parent.parent / "people"
OF_THE_PROGRAM = ("Run a blocks world", "The page is at")
"""Beginnings of what a terminal shows."""
SPLIT = "{} of your answers {} not right. Please read the instructions again."
"""In the file with ``is`` and with ``are``."""


class Page(HTMLParser):
    """Collects the texts and the attributes that language.js looks up."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = ("title", "aria-label", "placeholder")
        self.found += [value for name, value in attrs if name in named and value]

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def of_the_page() -> Iterator[str]:
    page = Page()
    page.feed((WEB / "static/index.html").read_text())
    for text in page.found:
        line = " ".join(text.split())
        if re.search("[A-Za-z]{2}", line):
            yield line


def of_scripts() -> Iterator[str]:
    """Yield sentences, and what is shown as it stands."""
    for path in (WEB / "static").glob("*.js"):
        script = path.read_text()
        yield from map(str.strip, re.findall(r'"([A-Z][a-z]+ [^"]*)"', script))
        yield from re.findall(r'textContent = "([A-Z][^"]+)"', script)
        for text in re.findall(r"`([A-Z][a-z]+ [^`]*)`", script):
            if text.count("${") == len(re.findall(r"\$\{[^{}`]*\}", text)):
                found = re.sub(r"\$\{[^{}]*\}", "{}", text)
                if "{}{}" not in found and found == found.strip():  # not put together of parts
                    yield found


def of_programs() -> Iterator[str]:
    """Yield the sentences of the server."""
    for path in (*WEB.rglob("*.py"), Path(inspect.getfile(study))):
        tree = ast.parse(path.read_text())
        left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                left_out |= {id(part) for part in node.values}
        for node in ast.walk(tree):
            if id(node) not in left_out and isinstance(node, (ast.Constant, ast.JoinedStr)):
                text = said(node)
                if re.fullmatch("[A-Z{].* .*[.?]", text) and not text.startswith(OF_THE_PROGRAM):
                    yield text


def said(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)


@pytest.mark.parametrize("source", [of_the_page, of_scripts, of_programs])
def test_every_text_is_there(source):
    texts = set(source())
    assert len(texts) > 8
    assert sorted(texts - TEXTS.keys() - {SPLIT}) == []


def test_the_shipped_questionnaire_is_there():
    (form,) = FORMS.glob("*.yaml")
    asked = re.findall(r"(?:ask|title|text|low|high): \"?([^\"\n,}]+[^\"\n,} ])", form.read_text())
    assert len(asked) > 8
    known = " ".join(TEXTS)
    assert [text for text in asked if text not in known] == []


def test_gaps_are_the_same():
    assert [key for key, text in TEXTS.items() if key.count("{}") != text.count("{}")] == []
    assert all(text.strip() for text in TEXTS.values())
