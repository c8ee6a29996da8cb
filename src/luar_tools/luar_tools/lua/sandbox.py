# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Run Lua of an unknown person: in a process of its own, with limits.

The process may open no file and start no other; Lua in it has no io, os, package or debug, no
bytecode, and a limit of instructions, of memory and of time. It is ended from outside too: a
search for a pattern can take hours within one instruction.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_WORKER = Path(__file__).with_name("worker.py")
_START_S = 20.0
"""For the process to start, on a busy machine too."""
LONGEST_ANSWER = 20_000_000


class LuaFailedError(Exception):
    """The program cannot be run, raised an error or broke a limit; the message says which."""


@dataclass(frozen=True)
class Bounds:
    """What a program may use."""

    instructions: int = 20_000_000
    memory: int = 64_000_000
    """Bytes."""
    seconds: int = 5
    """Of processor time; and as many of waiting besides those of starting."""


def run(
    program: str,
    main: str,
    texts: Mapping[str, str],
    values: Mapping[str, float | str | bool] | None = None,
    bounds: Bounds | None = None,
) -> Any:
    """Run a program of ours on the texts of files; return what it returns, tables as dicts.

    Raises LuaFailedError.

    Parameters
    ----------
    program
        A Lua file of this package, relative to it; called with ``main``, ``texts`` and ``values``.
    main, texts
        The name of the text that counts, and all by their names.
    values
        What else it is told.
    bounds
        None: the usual ones.

    """
    bounds = bounds or Bounds()
    job = {
        "program": program,
        "main": main,
        "texts": dict(texts),
        "values": dict(values or {}),
        "instructions": bounds.instructions,
        "memory": bounds.memory,
        "seconds": bounds.seconds,
    }
    for name, text in texts.items():
        if text.startswith("\x1b"):
            raise LuaFailedError(f"{name} is bytecode, not the text of a program")
    process = subprocess.Popen(
        [sys.executable, _WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: v for name, v in os.environ.items() if name.startswith(("PYTHON", "PATH"))},
    )
    try:
        out, problems = process.communicate(json.dumps(job).encode(), _START_S + bounds.seconds)
    except subprocess.TimeoutExpired:
        raise LuaFailedError(f"more than {bounds.seconds} s") from None
    finally:
        process.kill()
        process.wait()
    if b"not enough memory" in problems:  # where lupa is not protected, Lua ends the process
        raise LuaFailedError(f"more than {bounds.memory} bytes of memory")
    if process.returncode < 0 or not out:
        by_time = process.returncode in (-24, -9)  # SIGXCPU, then SIGKILL
        reason = f"more than {bounds.seconds} s" if by_time else f"ended by {process.returncode}"
        raise LuaFailedError(reason)
    answer = json.loads(out[:LONGEST_ANSWER])
    if "error" in answer:
        raise LuaFailedError(answer["error"])
    return _tables(answer["result"])


def _tables(value: Any) -> Any:
    """Return tables as dicts; keys that are whole numbers as int."""
    if not isinstance(value, dict):
        return value
    found: dict[Any, Any] = {}
    for key, entry in value["table"]:
        if isinstance(key, (str, int, float)):
            found[int(key) if isinstance(key, float) and key == int(key) else key] = _tables(entry)
    return found
