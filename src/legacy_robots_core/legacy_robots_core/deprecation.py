# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The one way in which a public name is deprecated (docs/python_api.md). ROS-free."""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["deprecated", "moved"]

T = TypeVar("T", bound=Callable[..., Any])


def deprecated(instead: str) -> Callable[[T], T]:
    """Have each call of a function, method or class warn, and name what to write ``instead``."""

    def mark(function: T) -> T:
        called: Any = getattr(function, "__init__") if isinstance(function, type) else function  # noqa: B009

        @functools.wraps(called)
        def warn(*positional: Any, **named: Any) -> Any:
            _warn(function.__qualname__, instead)
            return called(*positional, **named)

        if isinstance(function, type):
            function.__init__ = warn  # type: ignore[misc]
            return function
        return warn  # type: ignore[return-value]

    return mark


def moved(module: str, **names: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module whose names are elsewhere now: ``"module:name"``."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", names[name].replace(":", "."))
        place, _, own = names[name].partition(":")
        return getattr(importlib.import_module(place), own)

    return find


def _warn(name: str, instead: str) -> None:
    warnings.warn(f"{name} is deprecated: use {instead}", DeprecationWarning, stacklevel=3)
