# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One launched process with its group: start, output, end, and signals to all of it.

Each process leads a session and a process group of its own. A Ctrl-C of the terminal therefore
reaches launch alone, which passes it on exactly once, and a signal always reaches the children of
the process too.
"""

from __future__ import annotations

import asyncio
import functools
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from launch import _watchdog

LineCallback = Callable[[str, str], None]
"""Gets the stream (stdout or stderr) and one line without its end."""

BEGIN_SECONDS = 1.0
_DRAIN_SECONDS = 0.5
"""How long the end of a process waits for the rest of its output (a grandchild may hold it)."""


class Guardian:
    """The watchdog process and the temporary folder of one launch."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def tell(self, line: str) -> None:
        """Send one line of the protocol of `launch._watchdog`."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", _watchdog.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                text=True,
                bufsize=1,
            )
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
        except BrokenPipeError:
            pass  # The watchdog was killed; launch itself still works.

    def temporary_folder(self) -> Path:
        """Return the folder that is removed when launch ends."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="launch_params_")
            self.tell("d" + self._folder.name)
        return Path(self._folder.name)

    def close(self) -> None:
        """Remove the temporary folder and end the watchdog."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        if self._process is not None:
            try:
                self._process.stdin.close()  # type: ignore[union-attr]
            except BrokenPipeError:
                pass
            self._process.wait()
            self._process = None


def _complete(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _same(reader: _Lines) -> _Lines:
    return reader


class _Lines(asyncio.Protocol):
    """Cut a stream into lines; tell when it has ended."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self._rest = b""
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._on_line(line.decode(errors="backslashreplace").removesuffix("\r"))

    def connection_lost(self, exc: Exception | None) -> None:
        self.flush()
        _complete(self.ended)

    def flush(self) -> None:
        if self._rest:
            self._on_line(self._rest.decode(errors="backslashreplace"))
            self._rest = b""


def _blocked_at_start(program: str) -> tuple[signal.Signals, ...]:
    """Return the signals that a program lets wait until it can handle them.

    `env`, with which it begins, needs some milliseconds until it blocks them itself.
    """
    try:
        with open(program, "rb") as file:
            waits = b"--block-signal" in file.readline(200)
    except OSError:  # it is found by PATH, or not at all
        waits = False
    return (signal.SIGINT, signal.SIGTERM) if waits else ()


class GroupProcess:
    """A running process; make it with `start`."""

    def __init__(self, popen: subprocess.Popen[bytes], guardian: Guardian) -> None:
        self._popen = popen
        self._guardian = guardian
        self._readers: list[tuple[asyncio.ReadTransport, _Lines]] = []
        self.pid = popen.pid
        self._began = asyncio.get_running_loop().time()

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        guardian: Guardian,
        on_start: Callable[[int], None],
        on_line: LineCallback,
        cwd: str | None,
        env: dict[str, str],
        shell: bool,
        emulate_tty: bool,
    ) -> GroupProcess:
        """Start `command`; OSError as from subprocess.Popen.

        `on_start` gets the process id before `on_line` gets the first line.
        """
        ends = [pty.openpty() if emulate_tty else os.pipe() for _ in range(2)]
        blocked = () if shell else _blocked_at_start(command[0])
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
            popen = subprocess.Popen(
                " ".join(command) if shell else list(command),
                shell=shell,
                cwd=cwd,
                env=env,
                # Open and silent, as under the original: a program that reads it does not see an
                # end of file before launch has ended.
                stdin=subprocess.PIPE,
                stdout=ends[0][1],
                stderr=ends[1][1],
                start_new_session=True,
            )
        except BaseException:
            for end in ends:
                os.close(end[0])
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, blocked)
            for end in ends:
                os.close(end[1])
        guardian.tell(f"+{popen.pid}")
        on_start(popen.pid)
        process = cls(popen, guardian)
        loop = asyncio.get_running_loop()
        for stream, end in zip(("stdout", "stderr"), ends, strict=True):
            reader = _Lines(functools.partial(on_line, stream))
            pipe = os.fdopen(end[0], "rb", buffering=0)
            transport, _ = await loop.connect_read_pipe(functools.partial(_same, reader), pipe)
            process._readers.append((transport, reader))
        return process

    async def wait(self) -> int:
        """Return the exit code (negative: the signal) once the output has been passed on."""
        await self._exited()
        code = self._popen.wait()
        if self._popen.stdin is not None:
            try:
                self._popen.stdin.close()
            except BrokenPipeError:
                pass
        await asyncio.wait([reader.ended for _, reader in self._readers], timeout=_DRAIN_SECONDS)
        for _, reader in self._readers:
            reader.flush()
        self.forget_if_ended()
        return code

    async def _exited(self) -> None:
        loop = asyncio.get_running_loop()
        exited: asyncio.Future[None] = loop.create_future()
        try:
            descriptor = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # an old kernel or a sandbox
            await loop.run_in_executor(None, self._popen.wait)
            return
        try:
            loop.add_reader(descriptor, _complete, exited)
            await exited
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)

    @property
    def has_exited(self) -> bool:
        """Whether the process itself (not its group) is known to have ended."""
        return self._popen.returncode is not None

    async def until_it_handles(self, number: int) -> None:
        """Wait until the program blocks, catches or ignores a signal, at most BEGIN_SECONDS.

        One that has just been started would die of it instead of ending in order.
        """
        loop = asyncio.get_running_loop()
        while not self.has_exited and loop.time() < self._began + BEGIN_SECONDS:
            try:
                status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
            except OSError:
                return
            masks = re.findall(r"^Sig(?:Blk|Cgt|Ign):\s*(\w+)", status, re.MULTILINE)
            if not masks or any(int(mask, 16) >> (number - 1) & 1 for mask in masks):
                return
            await asyncio.sleep(0.005)

    def signal(self, number: int) -> None:
        """Signal the whole group; nothing happens if it has ended."""
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            pass

    def forget_if_ended(self) -> bool:
        """Return whether no process of the group is left; if so, the group's number is free."""
        if not self.has_exited or _watchdog.members(self.pid):
            return False
        self._guardian.tell(f"-{self.pid}")
        for transport, _ in self._readers:
            transport.close()
        return True
