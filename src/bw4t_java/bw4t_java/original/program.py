# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Java program that is a client of an original server: its process, and lines of JSON."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from bw4t_java.jvm import JavaError
from legacy_robots_core.link.base import LinkFault, LinkLost

CONNECT_TIMEOUT_S = 60.0
ANSWER_TIMEOUT_S = 10.0
END_TIMEOUT_S = 3.0
LINE_LIMIT = 1 << 24
"""Bytes of an answer at most."""


class Refused(Exception):  # noqa: N818 - an answer of the server, not an error of ours
    """Raised when the server answers with an exception; ``kind`` is its name."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Program:
    """Runs the program for one connection. ``end`` may be called on any thread.

    ``command`` returns what to run; it may raise JavaError. All errors of the connection are
    LinkFault (something is wrong) or LinkLost (it has ended).
    """

    def __init__(self, command: Callable[[], list[str]]) -> None:
        try:
            self._process = subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sys.__stderr__,
                start_new_session=True,  # Ctrl-C is for us
            )
        except JavaError as error:
            raise LinkFault(str(error)) from error
        except OSError as error:
            raise LinkFault(f"Java cannot be started: {error}") from error
        self._received = b""
        self._number = 0
        self._end_lock = threading.Lock()

    def first_line(self) -> dict[str, Any]:
        """Return what the program says of the server; raises LinkFault where it has none."""
        message = self._line(CONNECT_TIMEOUT_S)
        if message.get("event") == "connected":
            return message
        raise LinkFault(str(message.get("text", f"the Java program sent {message!r:.80}")))

    def request(self, op: str, **fields: Any) -> Any:
        """Return the value of an answer; raises Refused, LinkFault or LinkLost."""
        self._number += 1
        line = json.dumps({"id": self._number, "op": op, **fields}).encode("ascii") + b"\n"
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise LinkLost(f"the Java program has ended: {error}") from error
        answer = self._line(ANSWER_TIMEOUT_S)
        if answer.get("id") != self._number:
            raise LinkFault(f"the Java program answered another request: {answer!r:.80}")
        if "error" not in answer:
            return answer.get("value")
        kind, text = str(answer["error"]), str(answer.get("text"))
        if kind == "lost":
            raise LinkFault(f"the original server does not answer: {text}")
        raise Refused(kind, text)

    def _line(self, timeout: float) -> dict[str, Any]:
        assert self._process.stdout is not None
        deadline = time.monotonic() + timeout
        while b"\n" not in self._received:
            if len(self._received) > LINE_LIMIT:
                raise LinkFault("the Java program sent a line without an end")
            try:
                left = max(0.0, deadline - time.monotonic())
                if not select.select([self._process.stdout], [], [], left)[0]:
                    raise LinkFault(f"the Java program did not answer within {timeout:g} s")
                data = os.read(self._process.stdout.fileno(), 1 << 16)
            except (OSError, ValueError) as error:
                raise LinkLost(f"the Java program has ended: {error}") from error
            if not data:
                raise LinkLost("the Java program has ended")
            self._received += data
        line, _, self._received = self._received.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise LinkFault(f"the Java program sent no JSON: {line[:80]!r}") from error
        if not isinstance(message, dict):
            raise LinkFault(f"the Java program sent no object: {line[:80]!r}")
        return message

    def end(self) -> None:
        """Have the program unregister and end; kill it if it does not. Idempotent."""
        with self._end_lock:
            for pipe in (self._process.stdin,):
                try:
                    assert pipe is not None
                    pipe.close()
                except OSError:
                    pass  # it has ended
            try:
                self._process.wait(END_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def release(self) -> None:
        """End the program, and close what was read from. For the thread that makes requests."""
        self.end()
        assert self._process.stdout is not None
        self._process.stdout.close()
