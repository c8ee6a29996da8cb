# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from launch._subset import missing_attribute
from launch.event import Event

if TYPE_CHECKING:
    from launch.action import Action

__all__ = ["Shutdown", "matches_action"]


class Shutdown(Event):
    """Launch is to end, and every process with it."""

    name = "launch.events.Shutdown"

    def __init__(self, *, reason: str = "reason not given", due_to_sigint: bool = False) -> None:
        self.reason = reason
        self.due_to_sigint = due_to_sigint


def matches_action(target_action: Action) -> Callable[[Action], bool]:
    """Return a matcher for exactly `target_action`."""
    return lambda action: action is target_action


__getattr__ = missing_attribute(__name__, __path__[0])
