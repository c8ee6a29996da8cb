# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A program under test as a process of its own, whose output a test waits on.

It ends with the process that has started it, also when that is killed: see guardian.
"""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from legacy_robots_testing import guardian
from legacy_robots_testing.recorder import TIMEOUT, Recorder

__all__ = ["Process"]

_STARTED = re.compile(r"\[(\S+)-\d+\]: process started with pid \[(\d+)\]")


class Process:
    """Runs ``command`` in a session of its own, as a context manager; nothing outlives it."""

    _starting = threading.Lock()
    _open: ClassVar[set[Process]] = set()
    _guardian: ClassVar[subprocess.Popen[str] | None] = None
    _guarding = threading.Lock()

    def __init__(
        self, command: Sequence[str | Path], env: Mapping[str, str] | None = None
    ) -> None:
        self.command = [os.fspath(part) for part in command]
        self.lines: Recorder[str] = Recorder(" ".join(self.command))
        with Process._starting:
            self._process = subprocess.Popen(
                self.command,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            Process._open.add(self)
            Process._guard(f"+{self._process.pid}")
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        # A carriage return ends no line, and undecodable bytes become surrogates.
        for line in io.TextIOWrapper(self._process.stdout, "utf-8", "surrogateescape", "\n"):
            self.lines.add(line.removesuffix("\n"))

    def __enter__(self) -> Process:
        """Return itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """As ``close``."""
        self.close()

    def close(self) -> None:
        """Interrupt the program, and kill what is left of the session. Idempotent, any thread."""
        if self._process.poll() is None:
            self.signal(signal.SIGINT)
            try:
                self._process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                pass
        for pid in self.session():
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        if self in Process._open:
            Process._open.remove(self)
            Process._guard(f"-{self._process.pid}")
        self._reader.join(TIMEOUT)
        assert self._process.stdout is not None
        self._process.stdout.close()

    @staticmethod
    def _guard(change: str) -> None:
        """Name a session that runs or has ended to this process's guardian."""
        with Process._guarding:
            if Process._guardian is None:
                Process._guardian = subprocess.Popen(
                    [sys.executable, "-I", "-S", guardian.__file__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    start_new_session=True,
                )
            assert Process._guardian.stdin is not None
            print(change, file=Process._guardian.stdin, flush=True)

    @staticmethod
    def close_all() -> None:
        """Close all that are open, from any thread; one that starts another waits for ever."""
        Process._starting.acquire()
        for process in tuple(Process._open):
            process.close()

    @property
    def pid(self) -> int:
        """Process id, which is also the id of the session."""
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether the program has ended."""
        return self._process.poll() is not None

    def wait_for_line(self, pattern: str, timeout: float = 2 * TIMEOUT) -> str:
        """Return the first line in which the regular expression is found. Raises TimeoutError."""
        return self.lines.wait_for(lambda line: re.search(pattern, line) is not None, timeout)

    def pid_of(self, name: str) -> int:
        """Return the process id of what this launch starts first under ``name``, when it has."""
        self.wait_for_line(rf"\[{re.escape(name)}-\d+\]: process started with pid")
        return next(pid for started, pid in self.started() if started == name)

    def started(self) -> list[tuple[str, int]]:
        """Return name and process id of all that this launch has started, in order."""
        found = (_STARTED.search(line) for line in self.lines.items)
        return [(match[1], int(match[2])) for match in found if match]

    def signal(self, number: int) -> None:
        """Send a signal to the program alone."""
        self._process.send_signal(number)

    def interrupt_group(self) -> None:
        """Do what Ctrl-C in a terminal does: SIGINT to the foreground process group."""
        os.killpg(self._process.pid, signal.SIGINT)

    def wait(self, timeout: float = TIMEOUT) -> int:
        """Wait for the end; return the exit code (negative: the signal that ended it)."""
        status = self._process.wait(timeout)
        self._reader.join(timeout)
        return status

    def session(self) -> list[int]:
        """Return the ids of all processes that are still in the session, zombies left out."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            state, session = fields[0], int(fields[3])
            if session == self._process.pid and state != "Z":
                found.append(int(entry.name))
        return found
