# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A Java program of ours as a child process, started again when it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bw4t_java.jvm.compiler import JavaError, classes, find_java
from legacy_robots_core.link.base import Backoff, Link, LinkFault, LinkLost, LinkObserver

READY = "ready"
"""The line that a program prints when it can be used; any other first line says why it cannot."""
END_TIMEOUT_S = 5.0
OPENED = ("java.base/java.lang=ALL-UNNAMED", "java.base/java.util=ALL-UNNAMED")
"""Modules that the libraries of the original look into."""


SYSTEM_JARS = Path("/usr/share/java")
JAXB = ("jaxb-api", "jaxb-runtime", "jaxb-core", "istack-commons-runtime", "javax.activation")
"""Which the original needs from Java 11 on, as Debian's libjaxb-java installs them."""


def user_jars(jars: str) -> list[Path]:
    """Return the user's jars: those in a directory, or the one file; raises JavaError."""
    if not jars:
        raise JavaError("the jars of BW4T are needed: give their directory as jars:=DIRECTORY")
    path = Path(jars).expanduser()
    found = [path] if path.is_file() else sorted(path.glob("*.jar"))
    if not found:
        raise JavaError(f"there is no jar in {path}: put the BW4T client jar there")
    return found


def class_path(jars: str) -> str:
    """Return the class path of the user's jars, and JAXB; raises JavaError where there is none."""
    present = [SYSTEM_JARS / f"{name}.jar" for name in JAXB]
    return ":".join(map(str, [*user_jars(jars), *(jar for jar in present if jar.exists())]))


def java_command(main_class: str, jars: str, arguments: list[str]) -> list[str]:
    """Return the command that runs a class of our sources with the user's jars.

    Compiles the sources if need be; raises JavaError where Java, a JDK or a jar is missing.
    """
    path = f"{classes()}:{class_path(jars)}"
    opened = [option for module in OPENED for option in ("--add-opens", module)]
    options = [*opened, "-Djava.awt.headless=true", "-Xss512k", "-cp", path]
    return [find_java(), *options, f"legacyrobots.bw4t.{main_class}", *arguments]


class JavaProgram(Link):
    """Runs a Java program of ours with the user's jars, until it is closed.

    Parameters
    ----------
    main_class
        Simple name of the class in our sources.
    jars
        Directory with the user's jars, or a jar.
    arguments
        Of the program.
    peer
        What it serves, for the status.
    observer
        Gets every change of status: CONNECTED when it is ready, FAULT with the reason, such as a
        missing JDK or jar.

    """

    def __init__(
        self,
        main_class: str,
        jars: str,
        arguments: list[str],
        *,
        peer: str,
        observer: LinkObserver,
    ) -> None:
        super().__init__(peer, observer, backoff=Backoff(first=0.5, longest=5.0), name="java")
        self._main_class = main_class
        self._jars = jars
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None

    def serve(self) -> None:
        """Serve one connection."""
        try:
            process = subprocess.Popen(
                java_command(self._main_class, self._jars, self._arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sys.__stderr__,
                text=True,
                start_new_session=True,  # Ctrl-C is for us
            )
        except JavaError as error:
            raise LinkFault(str(error)) from error
        except OSError as error:
            raise LinkFault(f"Java cannot be started: {error}") from error
        with process:
            self._process = process
            try:
                if self.closing.is_set():
                    return
                assert process.stdout is not None
                first = process.stdout.readline().strip()
                if first != READY:
                    raise LinkFault(first or "the Java program ended without a word")
                self.connected(self._peer)
                for line in process.stdout:
                    self._handle(line)
            finally:
                self._end(process)
        raise LinkLost(f"the Java program has ended (exit code {process.returncode})")

    def _handle(self, line: str) -> None:
        """Take a line that the program prints; libraries may print, too."""

    @staticmethod
    def _end(process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        try:
            process.stdin.close()
        except OSError:
            pass  # it has ended
        try:
            process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()

    def interrupt(self) -> None:
        """Wake the link's thread."""
        process = self._process
        if process is not None:
            self._end(process)
