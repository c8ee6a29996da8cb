# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Files that are there as long as the launch runs."""

import atexit
import shutil
import signal
import tempfile
from functools import cache


def written_file(name: str, text: str) -> str:
    """Write a file whose name ends with ``name``; return its path."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=_directory(), suffix=f"_{name}", delete=False
    ) as file:
        file.write(text)
    return file.name


@cache
def _directory() -> str:
    path = tempfile.mkdtemp(prefix="legacy_robots_launch_")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    # Before that: a second Ctrl-C may come only now, and would be printed as an exception.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    return path
