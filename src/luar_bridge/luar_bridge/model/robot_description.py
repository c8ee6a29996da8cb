# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The URDF of a Nao in the colour of its team. No ROS."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from legacy_robots_core.palette import rgb

URDF_FILE = Path(__file__).parents[1] / "urdf" / "nao.urdf"
SOLES = ("l_sole", "r_sole")
_TEAM_COLOUR = re.compile(r'(?<=<material name="team"><color rgba=")[^"]*')


@cache
def _text() -> str:
    return URDF_FILE.read_text(encoding="utf-8")


def urdf(team_colour: str = "team-none") -> str:
    """Return the text; the chest has a colour of the palette. Raises KeyError."""
    red, green, blue = rgb(team_colour)
    return _TEAM_COLOUR.sub(f"{red:.9g} {green:.9g} {blue:.9g} 1", _text())
