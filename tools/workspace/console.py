# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Steps of a set-up, shown on standard error, so that standard output stays the command's own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from workspace import SetupError

Progress = Callable[[str], None]


CAUSES = {
    r"No space left on device|Disk quota exceeded": "the disk is full, a set-up takes 1.0 GB",
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|"
    r"Network is unreachable": "PyPI cannot be reached, and the first use needs a network",
}
"""Expressions in the output of a failed command, and what they say of the machine."""


@contextmanager
def step(title: str) -> Iterator[Progress]:
    """Print ``title``, let the body report progress behind it, and close with the seconds it took.

    The progress is overwritten in place on a terminal and left out elsewhere.
    """
    begun = time.monotonic()
    terminal = sys.stderr.isatty()
    print(f"{title} ...", end="" if terminal else "\n", file=sys.stderr, flush=True)

    def progress(text: str) -> None:
        if terminal:
            print(f"\r\033[K{title} ... {text}", end="", file=sys.stderr, flush=True)

    try:
        yield progress
    except BaseException:
        print(" failed" if terminal else f"{title}: failed", file=sys.stderr, flush=True)
        raise
    seconds = time.monotonic() - begun
    if terminal:
        print(f"\r\033[K{title} ... {seconds:.0f} s", file=sys.stderr, flush=True)
    else:
        print(f"{title}: {seconds:.0f} s", file=sys.stderr, flush=True)


def run_logged(
    command: Sequence[str | Path],
    log: Path,
    what: str,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    on_line: Progress | None = None,
) -> None:
    """Run ``command``, its output in the file ``log``; raise SetupError with its end on failure.

    ``on_line`` sees every line as it comes. An interrupt ends the command too.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as sink:
        process = subprocess.Popen(
            [os.fspath(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=None if env is None else dict(env),
            cwd=cwd,
            text=True,
            errors="replace",
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                sink.write(line)
                if on_line is not None:
                    on_line(line.rstrip())
            status = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if status != 0:
        for pattern, reason in CAUSES.items():
            if re.search(pattern, log.read_text(encoding="utf-8")):
                raise SetupError(f"{what} failed: {reason}; the whole output is in {log}")
        tail = "\n".join(log.read_text(encoding="utf-8").splitlines()[-30:])
        raise SetupError(
            f"{tail}\n{what} failed (exit code {status}); the whole output is in {log}"
        )
