# SPDX-License-Identifier: Apache-2.0
"""The order in which a Java ``HashMap`` lists text keys.

The original puts blocks into rooms in this order, so block ids depend on it
(docs/originals/bw4t.md, 1).
"""

from __future__ import annotations

from collections.abc import Iterable


def string_hash(text: str) -> int:
    """Return ``String.hashCode`` of a text as an unsigned 32-bit number."""
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


def hash_map_order(keys: Iterable[str]) -> list[str]:
    """Return distinct keys in the iteration order of a ``HashMap`` that they were put into."""
    keys = list(keys)
    buckets = 16
    while len(keys) > 0.75 * buckets:
        buckets *= 2

    def bucket(key: str) -> int:
        value = string_hash(key)
        return (value ^ value >> 16) & (buckets - 1)

    return sorted(keys, key=bucket)
