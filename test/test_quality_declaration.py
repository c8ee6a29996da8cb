# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The quality declaration names every package and nothing that is not there."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from workspace import guests

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "QUALITY_DECLARATION.md").read_text(encoding="utf-8")
MANIFESTS = {p.name: ElementTree.parse(p / "package.xml").getroot() for p in guests.packages()}


def test_every_package_is_declared():
    rows = re.findall(r"^\| `(\w+)` \| (?!.*Requirement)", TEXT, re.MULTILINE)
    assert sorted(rows) == sorted(MANIFESTS)


def test_paths_lead_somewhere():
    for path in re.findall(r"`((?:src|test|tools)(?:/[\w./]+)?)`", TEXT):
        assert (ROOT / path).exists(), path
    for name in re.findall(r"`bench (\w+)`", TEXT):
        assert (ROOT / "tools" / "measure" / "bench" / "systems" / f"{name}.py").exists(), name


def test_all_packages_have_the_version_and_the_licence_that_it_says():
    (version,) = {manifest.find("version").text for manifest in MANIFESTS.values()}
    assert f"not met: {version} |" in TEXT
    assert {manifest.find("license").text for manifest in MANIFESTS.values()} == {"Apache-2.0"}


def test_what_it_says_of_tools_is_in_the_configuration():
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "strict = true" in settings
    assert '"D"' in settings, "docstrings are not checked"
