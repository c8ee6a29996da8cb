# SPDX-License-Identifier: Apache-2.0
"""End a command though Fast DDS does not let its node go.

About one in a hundred nodes that end while others come and go hangs in `destroy_node`, in C and
for ever. A timer of the C library ends the process then, as no Python code might run any more.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

LEAVE_SECONDS = 5
_CLOCK_MONOTONIC = 1
_SIGEV_THREAD = 2


class _SigEvent(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p), ("signo", ctypes.c_int), ("notify", ctypes.c_int),
        ("function", ctypes.c_void_p), ("attributes", ctypes.c_void_p),
        ("padding", ctypes.c_char * 64),
    )  # fmt: skip


@contextmanager
def exit_if_stuck(code: int, seconds: int = LEAVE_SECONDS) -> Iterator[None]:
    """End this process with ``code`` if the body takes more than ``seconds``."""
    sys.stdout.flush()
    sys.stderr.flush()
    libc = ctypes.CDLL(None)
    end = ctypes.cast(libc._exit, ctypes.c_void_p)
    event = _SigEvent(value=code, notify=_SIGEV_THREAD, function=end)
    timer = ctypes.c_void_p()
    times = (ctypes.c_long * 4)(0, 0, seconds, 0)  # no interval; seconds, nanoseconds
    if libc.timer_create(_CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)) != 0:
        yield
        return
    libc.timer_settime(timer, 0, times, None)
    try:
        yield
    finally:
        libc.timer_delete(timer)
