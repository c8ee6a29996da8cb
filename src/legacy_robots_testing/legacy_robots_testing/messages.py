# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages with a value in every field, for tests that carry them to other programs and back."""

from __future__ import annotations

import math
import random
import re
from typing import Any

from legacy_robots_common.node.raw_topics import interface_class


def _value(kind: str, chance: random.Random) -> Any:
    """Return a value of a type, as rclpy names types; floats are exact in 32 bits."""
    if found := re.fullmatch(r"sequence<(.+?)(?:, \d+)?>", kind):
        return [_value(found[1], chance) for _ in range(2)]
    if found := re.fullmatch(r"(.+)\[(\d+)\]", kind):
        return [_value(found[1], chance) for _ in range(int(found[2]))]
    if "/" in kind:
        package, name = kind.split("/")
        return _fill(interface_class(f"{package}/msg/{name}")(), chance)
    if kind.startswith("string"):
        return chance.choice(["", "Bot_1", "größer"])
    if kind in ("float", "double"):
        return chance.choice([0.0, -1.5, 1024.25, math.inf, -math.inf])
    if kind == "boolean":
        return chance.random() < 0.5
    if kind == "octet":
        return bytes([chance.randrange(256)])
    bits = int(re.sub(r"\D", "", kind))
    low = 0 if kind.startswith("uint") else -(2 ** (bits - 1))
    return chance.randrange(low, low + 2**bits)


def _fill(message: Any, chance: random.Random) -> Any:
    for name, kind in message.get_fields_and_field_types().items():
        setattr(message, name, _value(kind, chance))
    return message


def filled(kind: type[Any] | str, chance: random.Random) -> Any:
    """Return a message of a class or type in which every field has a value by chance.

    Floats are exact in 32 bits; some are infinite.
    """
    return _fill((interface_class(kind) if isinstance(kind, str) else kind)(), chance)
