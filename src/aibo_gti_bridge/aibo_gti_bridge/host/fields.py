# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Fields of messages by paths such as ``linear_acceleration.x`` or ``ranges[80:100]``. No ROS."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

_STEP = re.compile(r"(\w+)(?:\[(\d+)(?::(\d+))?\])?")


@dataclass(frozen=True)
class Step:
    """One step of a path into a message: an attribute and, of a list, one item or a part."""

    attribute: str
    first: int | None = None
    last: int | None = None


def steps(path: str) -> tuple[Step, ...]:
    """Return the steps of a path such as ``a.b[3]``. Raises ValueError."""
    found = []
    parts = path.split(".")
    for number, part in enumerate(parts, 1):
        match = _STEP.fullmatch(part)
        if match is None or (match[3] and number < len(parts)):
            raise ValueError(f"{path!r} is no field, such as linear_acceleration.x")
        first, last = (None if text is None else int(text) for text in (match[2], match[3]))
        found.append(Step(match[1], first, last))
    return tuple(found)


def value_at(message: Any, path: tuple[Step, ...]) -> float:
    """Return the number in a message, of a part of a list the least; NaN where there is none.

    Raises AttributeError for a message without such a field, TypeError or ValueError where it is
    no number.
    """
    for step in path:
        message = getattr(message, step.attribute)
        if step.last is not None:
            part = [float(item) for item in message[step.first : step.last]]
            return min((item for item in part if not math.isnan(item)), default=math.nan)
        if step.first is not None:
            if step.first >= len(message):
                return math.nan
            message = message[step.first]
    return float(message)
