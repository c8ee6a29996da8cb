# SPDX-License-Identifier: Apache-2.0
"""The launch description of a system. This needs ``launch``; nothing else here does.

A shipped launch file is safe in a plain include. It leaves nothing behind but what it was given,
as launch itself does, and marks that: what one shipped file was given is not given to the next.
docs/architecture.md, "Include the launch files", has the rule.
"""

from __future__ import annotations

import atexit
import itertools
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    OpaqueFunction,
    PopLaunchConfigurations,
    PushLaunchConfigurations,
    SetEnvironmentVariable,
    Shutdown,
)
from launch.event_handlers import OnShutdown
from launch_ros.actions import Node

from launch import Action, LaunchContext, LaunchDescription
from legacy_robots_common.launching import fast_dds, parameter_files
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parts import NodePart, Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file

RESPAWN_DELAY_S = 1.0


def launch_description(launch: SystemLaunch) -> LaunchDescription:
    """Return the launch description of ``launch``."""
    scope = _Scope(launch)
    profile = fast_dds.environment(shared_file("config", "fastdds.xml"))
    return LaunchDescription(
        [
            PushLaunchConfigurations(),
            OpaqueFunction(function=scope.open),
            *(
                DeclareLaunchArgument(
                    argument.name,
                    default_value=argument.default or "",
                    description=argument.help,
                )
                for argument in launch.arguments
            ),
            *(SetEnvironmentVariable(name, value) for name, value in profile.items()),
            OpaqueFunction(function=scope.start),
            PopLaunchConfigurations(),
            OpaqueFunction(function=scope.close),
        ]
    )


class _LeftOver(str):
    """A launch configuration with which a shipped file was launched before.

    Its text is there for the file that included that one. Setting it again, as an include does
    with its arguments, makes it an ordinary text.
    """


class _Scope:
    """What happens around and between the declarations of the arguments."""

    def __init__(self, launch: SystemLaunch) -> None:
        self._launch = launch
        self._names = [argument.name for argument in launch.arguments]
        self._given: dict[str, str] = {}

    def open(self, context: LaunchContext) -> None:
        """Keep the arguments that are given, and drop those of the file before."""
        values = context.launch_configurations
        present = {name: values[name] for name in self._names if name in values}
        self._given = {n: str(v) for n, v in present.items() if not isinstance(v, _LeftOver)}
        for name in present.keys() - self._given.keys():
            del values[name]

    def start(self, context: LaunchContext) -> list[Action]:
        """Return the actions that start everything, or those that end the launch."""
        base = context.launch_configurations.get("ros_namespace", "/")
        try:
            parts = Settings(self._launch, self._given, base).parts()
            for part in parts:
                find(part)
        except LaunchError as error:
            return _ending(context, error)
        return [action(part) for part in parts]

    def close(self, context: LaunchContext) -> None:
        """Mark what this file was launched with."""
        values = context.launch_configurations
        for name in self._names:
            if name in values:
                values[name] = _LeftOver(values[name])


def _ending(context: LaunchContext, error: LaunchError) -> list[Action]:
    """Return the actions that end the launch in order, with ``error`` as its own.

    An exception raised right here would make launch leave behind what other files started.
    """

    def fail(*_: Any) -> None:
        raise error

    context.register_event_handler(OnShutdown(on_shutdown=fail), append=True)
    return [Shutdown(reason=str(error))]


def find(part: Part) -> str:
    """Return the path of the program. Raises LaunchError where it is not installed."""
    reason = f"{part.reason} needs it" if part.reason else "nothing was started"
    try:
        prefix = get_package_prefix(part.package)
    except PackageNotFoundError as error:
        raise LaunchError(f"package '{part.package}' is not installed: {reason}") from error
    path = Path(prefix, "lib", part.package, part.executable)
    if not path.exists():
        raise LaunchError(f"package '{part.package}' has no {part.executable!r}: {reason}")
    return str(path)


def action(part: Part) -> Action:
    """Return the action that starts ``part``."""
    supervision = {
        "respawn": part.respawn,
        "respawn_delay": RESPAWN_DELAY_S,
        "output": "screen",
    }
    if not isinstance(part, NodePart):
        waiting = [find(Part("legacy_robots_common", "after_topic")), part.after]
        return ExecuteProcess(
            name=part.label or part.executable,
            cmd=[*(waiting if part.after else []), find(part), *_arguments(part)],
            **supervision,
        )
    return Node(
        package=part.package,
        executable=part.executable,
        exec_name=part.label or None,
        namespace=part.namespace,
        name=part.name or None,
        arguments=_arguments(part),
        parameters=[_parameters_file(part)] if part.parameters_file else [],
        ros_arguments=["--log-level", part.log_level] if part.log_level else [],
        **supervision,
    )


def _arguments(part: Part) -> list[str]:
    """Return the command line of a program, after its file, if any, is written."""
    if part.file is None:
        return list(part.arguments)
    path = _directory() / f"{next(_numbers)}_{part.file.name}"
    path.write_text(part.file.text, encoding="utf-8")
    return [*part.arguments, str(path)]


def _parameters_file(part: NodePart) -> str:
    """Write the parameters of a program to a file, which is there as long as the launch runs."""
    name = f"{next(_numbers)}{part.full_name.replace('/', '_')}.yaml"
    path = str(_directory() / name)
    parameter_files.write(path, part.parameters_file)
    return path


_numbers = itertools.count(1)


@cache
def _directory() -> Path:
    path = tempfile.mkdtemp(prefix="legacy_robots_launch_")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)
