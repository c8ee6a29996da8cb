# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Checking the arguments of actions, with the words of the original."""

from __future__ import annotations

import math

from bw4t_world.model.blocks import BlockField
from bw4t_world.model.entities import Robot
from bw4t_world.model.errors import ActionError
from bw4t_world.model.ground import Block


def number(value: object) -> float:
    """Return a finite number; :class:`ActionError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ActionError(f"Expected a Numeral parameter but got {shown(value)}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise ActionError(f"a coordinate must be finite, not {shown(value)}")
    return result


def shown(value: object) -> str:
    """Return a short text form of anything, for error messages."""
    try:
        return f"{value!r}"[:80]
    except ValueError:  # integers with thousands of digits have no text
        return f"a huge {type(value).__name__}"


def block_in_zone(field: BlockField, robot: Robot, block_id: object) -> Block | None:
    """Return the block of an id if it lies in the zone of a robot."""
    if isinstance(block_id, bool) or not isinstance(block_id, (int, float)):
        raise ActionError(f"Expected a Numeral parameter but got {shown(block_id)}")
    block = field.get(block_id)
    if block is None or robot.zone is None or block.zone is not robot.zone:
        return None
    return block
