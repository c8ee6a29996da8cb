# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The URDF of a Nao in the colour of its team. No ROS."""

from __future__ import annotations

import re
from functools import cache

import legacy_robots_description
from legacy_robots_core.palette import rgb

SOLES = ("l_sole", "r_sole")
_TEAM_COLOUR = re.compile(r'(?<=<material name="team"><color rgba=")[^"]*')


@cache
def _text() -> str:
    return legacy_robots_description.urdf("nao")


def urdf(team_colour: str = "team-none") -> str:
    """Return the text; the chest has a colour of the palette. Raises KeyError."""
    red, green, blue = rgb(team_colour)
    return _TEAM_COLOUR.sub(f"{red:.9g} {green:.9g} {blue:.9g} 1", _text())
