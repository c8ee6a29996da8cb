# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""States of what a page shows, and what makes one of another.

A *state* is flat: the names of things with their fields, which are JSON values. Two
states make a *change*, so that only what differs travels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Fields: TypeAlias = Mapping[str, Any]
State: TypeAlias = dict[str, Fields]

_MISSING = object()


def change(before: State, after: State) -> dict[str, Any]:
    """Return what makes ``after`` of ``before``; empty when nothing does.

    ``set`` has the things with new values of fields, ``gone`` the names of things, and a field
    that went away is ``null``. Fields that are the same object are not looked into.
    """
    changed: dict[str, Any] = {}
    for name, fields in after.items():
        old = before.get(name)
        if old is fields:
            continue
        if old is None:
            changed[name] = fields
            continue
        new = {key: value for key, value in fields.items() if old.get(key, _MISSING) != value}
        new |= dict.fromkeys(old.keys() - fields.keys())
        if new:
            changed[name] = new
    gone = [name for name in before if name not in after]
    return ({"set": changed} if changed else {}) | ({"gone": gone} if gone else {})
