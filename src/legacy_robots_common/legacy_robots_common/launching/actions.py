# SPDX-License-Identifier: Apache-2.0
"""The programs that launch files start: actions of launch that say what they start."""

from __future__ import annotations

import atexit
import itertools
import shutil
import signal
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch.actions import ExecuteProcess
from launch_ros.actions import Node
from launch_ros.substitutions import ExecutableInPackage

from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.parameter_files import Values, text_of
from legacy_robots_common.system import systems

_SUPERVISION = {"output": "screen", "respawn_delay": 1.0}


class Program(ExecuteProcess):
    """A program of a package that is no ROS node, such as a simulator.

    ``words`` is its command line. It starts when the topic ``after`` is published; empty: at once.
    ``reason`` is what asks for it, for the message where it is not installed.
    """

    def __init__(
        self,
        package: str,
        executable: str,
        words: Iterable[Any],
        *,
        name: str = "",
        after: str = "",
        reason: str = "",
        respawn: bool = False,
    ) -> None:
        self.package, self.executable, self.reason, self.after = package, executable, reason, after
        self.words = [str(word) for word in words]
        waiting = [ExecutableInPackage("after_topic", "legacy_robots_common"), after]
        program = ExecutableInPackage(executable, package)
        super().__init__(
            cmd=[*(waiting if after else []), program, *self.words],
            name=name or executable,
            respawn=respawn,
            **_SUPERVISION,
        )


class RosNode(Node):
    """A ROS node with the parameters that were found for it, all that it gets.

    Parameters
    ----------
    namespace
        Absolute namespace.
    name
        Name of the node; empty: its own, which is that of its executable.
    values
        The parameters as the node will read them, where their class is known.
    members
        Nodes that run in its process.
    stepped
        Whether a node of a system follows a /clock that is stepped.
    others
        Arguments of ``launch_ros.actions.Node``; ``reason`` is as in Program.

    """

    def __init__(
        self,
        package: str,
        executable: str,
        *,
        namespace: str = "/",
        name: str = "",
        parameters: Values,
        values: Any = None,
        members: Iterable[RosNode] = (),
        stepped: bool = False,
        reason: str = "",
        **others: Any,
    ) -> None:
        self.package, self.executable, self.reason = package, executable, reason
        self.namespace, self.parameters, self.values = namespace, parameters, values
        self.full_name = f"{namespace.rstrip('/')}/{name or executable}"
        of = (s for s in systems() if s.package == package and executable in s.nodes)
        self.system = next(of, None)
        """In the registry; None where it is of none."""
        self.fleet_entry = ""
        """The entry with which it runs in a fleet; empty where it needs a process of its own."""
        if self.system and not others.get("remappings"):
            self.fleet_entry = f"{self.system.name}/{executable} {namespace} {name}".rstrip()
        if self.system and stepped:
            parameters |= {"use_sim_time": True, "stepped": True}
        self.entries = {n.full_name: n.parameters for n in (self, *members) if n.parameters}
        """Those of its parameters file."""
        file = [written_file("parameters.yaml", text_of(self.entries))] if self.entries else []
        super().__init__(
            package=package,
            executable=executable,
            namespace=namespace,
            name=name or None,
            parameters=file,
            **_SUPERVISION,
            **others,
        )


def installed(package: str) -> Path | None:
    """Return the folder of a package's executables; None where it is not installed."""
    try:
        return Path(get_package_prefix(package), "lib", package)
    except PackageNotFoundError:
        return None


def check_installed(program: Program | RosNode) -> None:
    """Raise LaunchError where ``program`` is not installed."""
    reason = f"{program.reason} needs it" if program.reason else "nothing was started"
    folder = installed(program.package)
    if folder is None:
        raise LaunchError(f"package '{program.package}' is not installed: {reason}")
    if not (folder / program.executable).exists():
        raise LaunchError(f"package '{program.package}' has no {program.executable!r}: {reason}")


def written_file(name: str, text: str) -> str:
    """Write a file that is there as long as the launch runs; return its path."""
    path = _directory() / f"{next(_numbers)}_{name}"
    path.write_text(text, encoding="utf-8")
    return str(path)


_numbers = itertools.count(1)


@cache
def _directory() -> Path:
    path = tempfile.mkdtemp(prefix="legacy_robots_launch_")
    atexit.register(_remove, path)
    return Path(path)


def _remove(path: str) -> None:
    # A second Ctrl-C may come only now; it would be printed as an exception of this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    shutil.rmtree(path, ignore_errors=True)
