# SPDX-License-Identifier: Apache-2.0
"""Executables that also end in order while Python still imports what they need.

The entry point ``NAME = legacy_robots_common.executable:PACKAGE.MODULE.FUNCTION`` starts what
``PACKAGE.MODULE:FUNCTION`` would. From its start until the function sets handlers of its own,
SIGINT ends the process with 0: without that, Ctrl-C in the first second of a launch prints a
traceback for each node.
"""

from __future__ import annotations

import importlib
import os
import signal
from typing import Any

from legacy_robots_common.printable import set_up_hooks


class _Function:
    """A function by its full name, imported when it is called."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> _Function:
        return _Function(f"{self._name}.{name}")

    def __call__(self) -> Any:
        set_up_hooks()
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(0))  # nothing has begun
        module, _, name = self._name.rpartition(".")
        return getattr(importlib.import_module(module), name)()


def __getattr__(package: str) -> _Function:
    """Return what an entry point looks up in this module: a package of which it names more."""
    if package.startswith("_"):
        raise AttributeError(package)
    return _Function(package)
