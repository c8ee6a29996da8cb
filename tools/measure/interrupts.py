# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How a measurement ends before its time."""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

INTERRUPTED = 130
"""The exit code after Ctrl-C, as a shell has it."""
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def sigterm_as_interrupt() -> None:
    """Have SIGTERM raise KeyboardInterrupt, as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def run_and_exit(main: Callable[[], int]) -> NoReturn:
    """Exit with what ``main`` returns, or with INTERRUPTED after SIGINT or SIGTERM."""
    sigterm_as_interrupt()
    try:
        code = main()
    except KeyboardInterrupt:
        print("interrupted: what was started is ended", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)


def end_with_parent() -> None:
    """Have the kernel send SIGTERM when the parent ends; for ``preexec_fn``."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
