# SPDX-License-Identifier: Apache-2.0
"""Colours of what is drawn, by name: web/static/palette.css is their one home. ROS-free."""

from __future__ import annotations

import re
from importlib import resources

_FILE = resources.files("legacy_robots_common") / "web" / "static" / "palette.css"

PALETTE: dict[str, str] = dict(
    re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", _FILE.read_text(encoding="utf-8"))
)
"""``#rrggbb`` (sRGB) by name."""


def rgb(name: str) -> tuple[float, float, float]:
    """Return a colour as red, green and blue from 0 to 1. Raises KeyError."""
    text = PALETTE[name]
    red, green, blue = (int(text[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
    return red, green, blue
