# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tables of measurements, and how documents keep them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from legacy_robots_testing.report import keep, markdown, percentile


def test_percentiles_are_values_that_occurred() -> None:
    values = [3.0, 1.0, 2.0, 10.0]
    assert [percentile(values, p) for p in (0, 50, 75, 99)] == [1.0, 2.0, 3.0, 10.0]
    assert math.isnan(percentile([], 50))


def test_a_table_can_be_read_as_it_is() -> None:
    assert markdown(("a", "long"), [("value", "1"), ("b", "")]) == (
        "| a     | long |\n| ----- | ---- |\n| value | 1    |\n| b     |      |"
    )


def test_a_document_keeps_what_is_around_the_figures(tmp_path: Path) -> None:
    document = tmp_path / "figures.md"
    document.write_text("before\n<!-- a -->\nold\n<!-- /a -->\nafter\n", encoding="utf-8")
    keep(document, "a", "new \\1\n")
    kept = "before\n<!-- a -->\nnew \\1\n<!-- /a -->\nafter\n"
    assert document.read_text(encoding="utf-8") == kept
    with pytest.raises(ValueError, match="has no place for b"):
        keep(document, "b", "new")
    assert document.read_text(encoding="utf-8") == kept
