# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Build the workspace with colcon when it changed, and know the environment that runs it."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workspace import ROOT, SetupError
from workspace.console import run_logged, step

SOURCES = ("src", "tools/pip_ros/interfaces")
# Installed as links (colcon build --symlink-install): a change of contents needs no build.
LINKED = {".py", ".yaml", ".rviz", ".perspective", ".html", ".css", ".js", ".svg"}
DOCUMENTS = {".md", ".rst"}  # not installed
BUILD_FILES = {"setup.py"}
SKIPPED = {"__pycache__", "build", "test", ".pytest_cache"}  # build: of pip install src/PACKAGE
SEARCH_PATHS = (
    "AMENT_PREFIX_PATH",
    "CMAKE_PREFIX_PATH",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONPATH",
)


def outside_environment(*own: Path) -> dict[str, str]:
    """Return the environment of this process with nothing below ``own`` in its search paths.

    A command in the environment of an earlier one (a launched process, a test, a shell with
    .venv/bin/activate) so builds on the same underlay as one outside it.
    """
    env = dict(os.environ)
    for name in SEARCH_PATHS:
        kept = [
            entry
            for entry in env.pop(name, "").split(os.pathsep)
            if entry and not any(Path(entry).is_relative_to(directory) for directory in own)
        ]
        if kept:
            env[name] = os.pathsep.join(kept)
    return env


def source_digest(tops: Sequence[Path] = ()) -> str:
    """Return a digest that changes exactly when the packages below ``tops`` must be built again.

    Names count for every file outside Python packages, which are linked as a whole; sizes and
    times only for those that are not installed as links.
    """
    digest = hashlib.sha256()
    wanted = [(top.parent, top) for top in tops] or [(ROOT, ROOT / top) for top in SOURCES]
    for root, top in wanted:
        for directory, names, files in os.walk(top):
            names[:] = sorted(n for n in names if n not in SKIPPED and not n.endswith(".egg-info"))
            for file in sorted(files):
                path = Path(directory, file)
                if "_pb2.py" in file or path.suffix in DOCUMENTS:  # _pb2.py: made by the build
                    continue
                line = str(path.relative_to(root))
                parts = path.relative_to(root).parts
                if parts[1:2] == parts[2:3] and path.suffix in LINKED:
                    continue
                if path.suffix not in LINKED or file in BUILD_FILES:
                    status = path.stat()
                    line += f" {status.st_size} {status.st_mtime_ns}"
                digest.update(line.encode() + b"\n")
    return digest.hexdigest()


@contextmanager
def exclusive(lock: Path) -> Iterator[None]:
    """Hold the file ``lock`` alone, so that two commands started at once do not build together."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


class Workspace:
    """One colcon workspace: where it is built and what it stands on.

    Parameters
    ----------
    base
        Directory that gets ``build/``, ``install/`` and ``log/``.
    base_paths
        Directories in which colcon looks for packages.
    env
        The environment to build in (an underlay: a sourced ROS 2, or the virtual environment).
    cmake_arguments
        More arguments for CMake.
    is_overlay
        Whether ``base_paths`` are a user's own packages over this workspace.

    """

    def __init__(
        self,
        base: Path,
        base_paths: list[Path],
        env: Mapping[str, str],
        cmake_arguments: tuple[str, ...] = (),
        *,
        is_overlay: bool = False,
    ) -> None:
        self.base = base
        self.base_paths = base_paths
        self.env = dict(env)
        self._cmake_arguments = cmake_arguments
        self._stamp = base / "install" / ".built.json"
        self._tops = base_paths if is_overlay else []

    def environment(self) -> dict[str, str]:
        """Build if anything changed; return what the set-up of install/ adds to each search path.

        Raises SetupError when the build fails.
        """
        key = source_digest(self._tops) + self.env.get("AMENT_PREFIX_PATH", "")
        state = self._read_stamp()
        if state is None or state["key"] != key:
            with exclusive(self.base / ".build.lock"):
                state = self._read_stamp()  # another command may have built meanwhile
                if state is None or state["key"] != key:
                    self._build()
                    self._mend_scripts()
                    state = {"key": key, "added": self._added_by_setup()}
                    self._stamp.write_text(json.dumps(state))
        added: dict[str, str] = state["added"]
        return added

    def built(self) -> dict[str, str]:
        """Return what the set-up of install/ adds, without building; empty before the first."""
        state = self._read_stamp()
        added: dict[str, str] = state["added"] if state else {}
        return added

    def _read_stamp(self) -> dict[str, Any] | None:
        try:
            state = json.loads(self._stamp.read_text())
        except (OSError, ValueError):
            return None
        return state if isinstance(state, dict) and {"key", "added"} <= state.keys() else None

    def _build(self) -> None:
        self._stamp.unlink(missing_ok=True)
        colcon = shutil.which("colcon", path=self.env.get("PATH"))
        command = [
            colcon or "colcon",
            f"--log-base={self.base / 'log'}",
            "build",
            "--symlink-install",
            "--merge-install",
            f"--build-base={self.base / 'build'}",
            f"--install-base={self.base / 'install'}",
            "--event-handlers",
            "console_direct-",
            "console_cohesion-",
            "console_package_list-",
            "--base-paths",
            *map(str, self.base_paths),
            "--cmake-args",
            "-DBUILD_TESTING=OFF",
            "--no-warn-unused-cli",
            *self._cmake_arguments,
        ]
        # Without MAKEFLAGS colcon gives make a limit of load that leaves half of the cores idle.
        env = {"MAKEFLAGS": f"-j{len(os.sched_getaffinity(0))}", **self.env}
        with step("Building the workspace with colcon") as progress:
            run_logged(
                command,
                self.base / "build.log",
                "colcon build",
                env=env,
                cwd=ROOT,
                on_line=lambda line: (
                    progress(line) if line.startswith(("Starting", "Fin")) else None
                ),
            )

    def _mend_scripts(self) -> None:
        """Replace the first lines of scripts, where setuptools' own are not good enough.

        It quotes a Python with a blank in its path, which no kernel understands; and of
        ``setup.py develop`` it knows no ``executable``, which setup.py sets so that signals wait
        until legacy_robots_core.executable handles them.
        """
        for script in self.base.glob("install/lib/*/*"):
            text = script.read_bytes() if script.is_file() else b""
            first, _, rest = text.partition(b"\n")
            if b"EASY-INSTALL-ENTRY-SCRIPT" not in rest or b"--block-signal" in first:
                continue
            python = first.removeprefix(b"#!")
            block = b"env --block-signal=INT --block-signal=TERM " * self._is_handled(script)
            if (
                python.startswith(b'"') or len(block + python) > 200
            ):  # for sh a command, for Python a text
                first = b"#!/bin/sh\n'''exec' " + block + python + b' "$0" "$@"\n' + b"' '''"
            elif block:
                first = b"#!/usr/bin/env -S " + block.removeprefix(b"env ") + python
            script.write_bytes(first + b"\n" + rest)

    def _is_handled(self, script: Path) -> bool:
        """Tell whether a script's entry point is one of legacy_robots_core.executable."""
        package, name = script.parts[-2:]
        found = self.base.glob(f"build/{package}/*.egg-info/entry_points.txt")
        start = f"{name} = legacy_robots_core.executable:"
        return any(line.startswith(start) for each in found for line in each.open())

    def _added_by_setup(self) -> dict[str, str]:
        """Source install/setup.sh once and keep what it puts in front of each search path."""
        script = f'. "{self.base / "install" / "setup.sh"}" >/dev/null && env -0'
        env = {
            "PATH": self.env["PATH"],
            "COLCON_CURRENT_PREFIX": str(self.base / "install"),
            # colcon's own choice fails where there is a blank in the path of .venv.
            "COLCON_PYTHON_EXECUTABLE": os.path.realpath(sys.executable),
        }
        if "AMENT_PREFIX_PATH" in self.env:  # an installation: its own set-up has been sourced
            env.update({k: self.env[k] for k in SEARCH_PATHS if k in self.env})
        output = subprocess.run(
            ["sh", "-c", script], env=env, capture_output=True, check=True
        ).stdout
        after = dict(line.split("=", 1) for line in output.decode().split("\0") if "=" in line)
        added = {}
        for name in SEARCH_PATHS:
            known = set(env.get(name, "").split(os.pathsep))
            new = [p for p in after.get(name, "").split(os.pathsep) if p and p not in known]
            if new:
                added[name] = os.pathsep.join(new)
        if "AMENT_PREFIX_PATH" not in added:
            raise SetupError(f"{self.base / 'install' / 'setup.sh'} does not set up the workspace")
        return added


def prepend(env: dict[str, str], added: Mapping[str, str]) -> None:
    """Put the entries of ``added`` in front of the search paths of ``env``, in place."""
    for name, value in added.items():
        env[name] = os.pathsep.join(filter(None, [value, env.get(name, "")]))
