# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the Java sources of this package, once."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

COMPILE_TIMEOUT_S = 300.0
RELEASE = "8"
"""Java version of the classes: agent platforms are old."""


class JavaError(Exception):
    """Raised when Java, a JDK or a jar is missing; the text says what and what to do."""


def find_java(program: str = "java") -> str:
    """Return the path of ``java``, ``javac`` or ``jar``: that of JAVA_HOME, or on the PATH."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(program, path=f"{home}/bin") if home else None
    found = found or shutil.which(program)
    if found is None:
        package = "default-jre-headless" if program == "java" else "default-jdk-headless"
        raise JavaError(f"there is no {program} on the PATH (package {package})")
    return found


def cache_directory() -> Path:
    """Return the directory for files that outlive a program."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "legacy_robots"


def classes() -> Path:
    """Return the directory with the compiled classes; raises JavaError where it cannot be."""
    with as_file(files("bw4t_java.jvm") / "sources") as root:
        return compiled(sorted(root.rglob("*.java")))


def compiled(sources: list[Path], class_path: tuple[Path, ...] = ()) -> Path:
    """Return the directory with the classes of ``sources``, compiled unless they are kept."""
    digest = hashlib.sha256(RELEASE.encode())
    for source in sources:
        digest.update(source.read_bytes())
    for entry in class_path:
        digest.update(str(entry).encode())
    cache = cache_directory()
    target = cache / f"bw4t_java_{digest.hexdigest()[:16]}"
    if target.is_dir():
        return target
    compiler = find_java("javac")
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".compiling_") as fresh:
            _compile(compiler, sources, class_path, Path(fresh) / "classes")
            try:
                (Path(fresh) / "classes").rename(target)
            except OSError:
                if not target.is_dir():  # unless another process was faster
                    raise
    except OSError as error:
        raise JavaError(f"the Java parts cannot be kept in {cache}: {error}") from error
    return target


def _compile(
    compiler: str, sources: list[Path], class_path: tuple[Path, ...], target: Path
) -> None:
    command = [compiler, "--release", RELEASE, "-Xlint:all,-options", "-encoding", "UTF-8"]
    command += ["-d", str(target), "-cp", os.pathsep.join(map(str, class_path))]
    try:
        done = subprocess.run(
            [*command, *map(str, sources)],
            capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise JavaError(f"{compiler} did not end within {COMPILE_TIMEOUT_S:g} s") from error
    if done.returncode:
        raise JavaError(f"{compiler} refused the Java parts:\n{done.stderr[:2000]}")
