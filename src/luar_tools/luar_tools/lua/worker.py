# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs one job of :mod:`luar_tools.lua.sandbox` in a process of its own.

The job is one line of JSON on standard input, the answer one on standard output. Nothing of the
package is imported: the process holds nothing but the interpreter, Lua and the job.
"""

from __future__ import annotations

import json
import math
import resource
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DEEPEST = 20
LONGEST_STRING = 10_000
MOST_VALUES = 200_000


def main() -> None:
    """Read the job, give up all rights, run it, answer."""
    job = json.load(sys.stdin)
    try:
        from lupa.lua51 import LuaError, LuaMemoryError, LuaRuntime, lua_type
    except ImportError:
        answer({"error": "Lua cannot be run: the Python package 'lupa' is not there"})
        return
    prelude = (HERE / "prelude.lua").read_bytes()
    program = (HERE.parent / job["program"]).read_bytes()
    lua = LuaRuntime(
        max_memory=job["memory"],
        register_eval=False,
        register_builtins=False,
        attribute_filter=refuse,
        encoding=None,
    )
    limit_process(job["seconds"])
    kept = lua.execute(prelude, job["instructions"])
    try:
        result = lua.execute(program, kept, job["main"].encode(), table(lua, job["texts"]),
                             table(lua, job["values"]))  # fmt: skip
        answer({"result": plain(result, lua_type)})
    except (LuaMemoryError, MemoryError):
        answer({"error": f"more than {job['memory']} bytes of memory"})
    except (LuaError, ValueError) as error:
        text = error.args[0] if error.args else ""
        words = str(decoded(text) if isinstance(text, bytes) else text)
        if "not enough memory" in words:
            words = f"more than {job['memory']} bytes of memory"
        answer({"error": words[:1000]})


def refuse(*_: object) -> str:
    """Keep Lua from every attribute of a Python object, should it get hold of one."""
    raise AttributeError("there is no way to Python")


def limit_process(seconds: int) -> None:
    """Take from this process what Lua does not need: files, other processes, time."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def table(lua: Any, values: dict[str, Any]) -> Any:
    """Return a Lua table of texts and numbers."""
    made = lua.table()
    for key, value in values.items():
        made[key.encode()] = value.encode("latin-1") if isinstance(value, str) else value
    return made


def plain(value: Any, lua_type: Any, depth: int = 0, budget: list[int] | None = None) -> Any:
    """Return what Lua returned as lists, dictionaries, strings and numbers; bounded."""
    budget = [MOST_VALUES] if budget is None else budget
    budget[0] -= 1
    if depth > DEEPEST or budget[0] < 0:
        raise ValueError("the result is too large")
    if lua_type(value) == "table":
        entries = [
            [plain(part, lua_type, depth + 1, budget) for part in pair] for pair in value.items()
        ]
        return {"table": entries}
    if isinstance(value, bytes):
        return decoded(value[:LONGEST_STRING])
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (int, float, bool, str)) else None


def decoded(text: bytes) -> str:
    """Return bytes of Lua as text, one character each."""
    return text.decode("latin-1")


def answer(content: dict[str, Any]) -> None:
    """Write the one answer."""
    sys.stdout.write(json.dumps(content))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
