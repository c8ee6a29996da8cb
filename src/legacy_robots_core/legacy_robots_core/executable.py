# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Executables that also end in order while Python still imports what they need.

The entry point ``NAME = legacy_robots_core.executable:PACKAGE.MODULE.FUNCTION`` starts what
``PACKAGE.MODULE:FUNCTION`` would. From its start until the function sets handlers of its own,
SIGINT and SIGTERM end the process with 0: without that, Ctrl-C in the first second of a launch
prints a traceback for each node, and a second one that each has died. While Python itself starts,
the first line of the script has the signals blocked (setup.py). With ``mission.`` before the
package it ends with 130, for a program whose exit code tells whether it has succeeded. What Python
prints of errors is escaped.
"""

from __future__ import annotations

import importlib
import logging
import os
import signal
import sys
import threading
import traceback
import warnings
from typing import Any

from legacy_robots_core.printable import PrintableFormatter, indented, printable


def _print_errors_escaped() -> None:
    """Have uncaught exceptions, warnings, and records without a handler be printed escaped."""

    def show(*error: Any) -> None:
        text = "".join(traceback.format_exception(*error)).rstrip()
        sys.stderr.write(f"{indented(text)}\n")

    def show_in_thread(given: Any) -> None:
        if given.exc_type is not SystemExit:
            show(given.exc_type, given.exc_value, given.exc_traceback)

    def line_of(message: object, kind: type[Warning], file: str, line: int, *_: object) -> str:
        return printable(f"{file}:{line}: {kind.__name__}: {message}") + "\n"

    sys.excepthook = show
    threading.excepthook = sys.unraisablehook = show_in_thread
    warnings.formatwarning = line_of  # type: ignore[assignment]
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PrintableFormatter("%(message)s"))


class _Function:
    """A function by its full name, imported when it is called."""

    def __init__(self, name: str, interrupted: int = 0) -> None:
        self._name = name
        self._interrupted = interrupted

    def __getattr__(self, name: str) -> _Function:
        return _Function(f"{self._name}.{name}".lstrip("."), self._interrupted)

    def __call__(self) -> Any:
        _print_errors_escaped()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: os._exit(self._interrupted))  # nothing has begun
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
        module, _, name = self._name.rpartition(".")
        return getattr(importlib.import_module(module), name)()


mission = _Function("", interrupted=130)


def __getattr__(package: str) -> _Function:
    """Return what an entry point looks up in this module: a package of which it names more."""
    if package.startswith("_"):
        raise AttributeError(package)
    return _Function(package)
