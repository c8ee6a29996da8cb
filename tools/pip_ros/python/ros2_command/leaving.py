# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""End a command, with its own exit code, though Fast DDS does not let its node go.

About one in a hundred nodes that end while others come and go hangs in `destroy_node`, in C and
without end. So a command's nodes are destroyed after everything is printed, and a timer of the C
library limits how long that takes, as no Python code might run any more.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress

LEAVE_SECONDS = 5
_CLOCK_MONOTONIC = 1
_SIGEV_THREAD = 2
_callbacks = ExitStack()


class _SigEvent(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p), ("signo", ctypes.c_int), ("notify", ctypes.c_int),
        ("function", ctypes.c_void_p), ("attributes", ctypes.c_void_p),
        ("padding", ctypes.c_char * 64),
    )  # fmt: skip


def at_end(callback: Callable[[], object]) -> None:
    """Have `leave` call ``callback``; the last one is called first."""
    _callbacks.callback(callback)


def leave(code: int) -> int:
    """Do what `at_end` was told and return ``code``; nothing is printed any more.

    The process ends with ``code`` in any case, at the latest after `LEAVE_SECONDS`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command has ended, the rest is bounded
    for stream in (sys.stdout, sys.stderr):
        with suppress(BrokenPipeError):
            stream.flush()
    _exit_after(LEAVE_SECONDS, code)
    _callbacks.close()
    return code


def _exit_after(seconds: int, code: int) -> None:
    libc = ctypes.CDLL(None)
    end = ctypes.cast(libc._exit, ctypes.c_void_p)
    event = _SigEvent(value=code, notify=_SIGEV_THREAD, function=end)
    timer = ctypes.c_void_p()
    times = (ctypes.c_long * 4)(0, 0, seconds, 0)  # no interval; seconds, nanoseconds
    if libc.timer_create(_CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)) == 0:
        libc.timer_settime(timer, 0, times, None)
