# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The environment of a command: the sourced ROS 2 installation, or ROS 2 from PyPI."""

from __future__ import annotations

import argparse
import errno
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from workspace import ROOT, SetupError, shell
from workspace.build import Workspace, outside_environment, prepend
from workspace.distribution import check_installation, installation_is_sourced, wheel_set
from workspace.fast_dds_files import remove_left_behind

MACHINE = {
    errno.ENOSPC: "make room: a set-up takes 1.0 GB",
    errno.EDQUOT: "make room: a set-up takes 1.0 GB",
    errno.EROFS: "put the clone where you may write",
    errno.EACCES: "put the clone where you may write",
    errno.EPERM: "put the clone where you may write",
}
"""What to do about errors that are the machine's."""


@dataclass(frozen=True)
class Session:
    """What runs a command: ``python`` and ``ros2`` as argument lists, in ``env``."""

    python: list[str]
    ros2: list[str]
    env: dict[str, str]


def prepare(*, test: bool = False, fuzz: bool = False) -> Session:
    """Set up and build what is missing. Raises SetupError with one sentence to act on."""
    if installation_is_sourced():
        check_installation()
        if fuzz and subprocess.call(
            ["python3", "-c", "import atheris"], stderr=subprocess.DEVNULL
        ):
            raise SetupError("the fuzzer is missing: python3 -m pip install atheris")
        env = outside_environment(ROOT / "install")
        prepend(env, Workspace(ROOT, [ROOT], env).environment())
        session = Session(["python3"], ["ros2"], env)
    else:
        from pip_ros import virtual_environment

        wheels = virtual_environment.VirtualEnvironment(wheel_set())
        env = wheels.environment(test=test, fuzz=fuzz)
        python = str(wheels.python)
        session = Session([python], [python, "-m", "ros2_command"], env)
    if not test:  # tests choose domains of their own
        shell.check_domain(session.env)
    shell.have_place_for_logs(session.env)
    remove_left_behind()  # beside it programs of ROS may fail to find each other
    # Other machines are not discovered unless the user asks for it.
    session.env.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    avoid_full_shared_memory(session.env)
    if test:
        prepend(session.env, {"PYTHONPATH": str(ROOT / "tools")})  # measure, and these modules
        if session.env.pop("PYTHONDONTWRITEBYTECODE", ""):
            # Without any bytecode every process of the tests compiles every test anew.
            session.env["PYTHONPYCACHEPREFIX"] = str(ROOT / ".pytest_cache" / "bytecode")
    session.env["LEGACY_ROBOTS_ROS2"] = shlex.join(session.ros2)  # for the system tests
    return session


def avoid_full_shared_memory(env: dict[str, str]) -> None:
    """Have all that is started in ``env`` use UDP where /dev/shm has no room for one process."""
    sys.path.append(str(ROOT / "src" / "legacy_robots_common"))
    from legacy_robots_common.node.fast_dds import profile_environment

    chosen, reason = profile_environment(env)
    if reason:
        print(f"{Path(sys.argv[0]).name}: {reason}", file=sys.stderr)
        env.update(chosen)


def build_over(arguments: list[str]) -> None:
    """Build packages of the user's own over this workspace: ``--base-paths DIRECTORY...``.

    Raises SetupError.
    """
    parser = argparse.ArgumentParser(
        prog="tools/ros2 build",
        description="Build packages of your own over this workspace, in .venv. All commands of "
        "tools/ros2 and tools/test find them from then on. Deleting the directory undoes it.",
    )
    parser.add_argument(
        "--base-paths", nargs="+", type=Path, default=[], metavar="DIRECTORY",
        help="where your packages are; without it only this workspace is built",
    )  # fmt: skip
    directories = parser.parse_args(arguments).base_paths
    for directory in directories:
        if not directory.is_dir():
            raise SetupError(f"there is no directory {str(directory)!r}")
    if not directories:
        prepare()
        return
    if installation_is_sourced():
        raise SetupError("ROS 2 is sourced: run colcon build in your own workspace over this one")
    from pip_ros import virtual_environment

    wheels = virtual_environment.VirtualEnvironment(wheel_set())
    for directory in directories:
        wheels.build_over(directory.resolve())


def replace_process(command: list[str], env: dict[str, str]) -> NoReturn:
    """Become ``command``, so that signals and the exit code are its own."""
    is_path = os.path.isabs(command[0])  # shutil.which knows no capabilities
    found = command[0] if is_path else shutil.which(command[0], path=env.get("PATH"))
    if found is None:
        raise SetupError(f"{command[0]} is not on PATH")
    sys.stdout.flush()
    sys.stderr.flush()
    # A Ctrl-C at this moment would be noted by this Python, and lost with it.
    if "ros2_command" in command:  # which says a sentence
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    elif signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execve(found, [found, *command[1:]], env)


def main(run: Callable[[list[str]], None]) -> None:
    """Call ``run`` with the command line; print a SetupError as a sentence and exit with 1."""
    name = Path(sys.argv[0]).name
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))  # blocked by tools/ros2
        run(sys.argv[1:])
    except SetupError as error:
        print(f"tools/{name}: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print(f"\ntools/{name}: interrupted; run it again to go on", file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        if error.errno not in MACHINE:
            raise
        where = f"{error.filename}: " if error.filename else ""
        print(f"tools/{name}: {where}{error.strerror}: {MACHINE[error.errno]}", file=sys.stderr)
        sys.exit(1)
