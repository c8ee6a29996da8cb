# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Colours of what is drawn, by name: palette.css is their one home."""

from __future__ import annotations

import re
from pathlib import Path

FILE = Path(__file__).with_name("palette.css")
"""The style sheet, for pages."""

PALETTE: dict[str, str] = dict(
    re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", FILE.read_text(encoding="utf-8"))
)
"""``#rrggbb`` (sRGB) by name."""


def rgb(name: str) -> tuple[float, float, float]:
    """Return a colour as red, green and blue from 0 to 1. Raises KeyError."""
    text = PALETTE[name]
    red, green, blue = (int(text[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
    return red, green, blue
