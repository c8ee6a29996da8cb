# SPDX-License-Identifier: Apache-2.0
"""Launch files of the form of ours: ``ARGUMENTS`` and ``start(launch)``.

Such a file is safe in a plain include. It leaves nothing behind but what it was given, as launch
itself does, and marks that: what one such file was given is not given to the next. docs/launch.md,
"Include the files", has the rule.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, cast

from ament_index_python.packages import get_package_share_directory
from launch.actions import (
    DeclareLaunchArgument,
    OpaqueFunction,
    PopLaunchConfigurations,
    PushLaunchConfigurations,
    Shutdown,
)
from launch.event_handlers import OnShutdown

from launch import Action, LaunchContext, LaunchDescription
from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.actions import Program, RosNode, check_installed
from legacy_robots_common.launching.arguments import Argument, check_command_line
from legacy_robots_common.launching.launch_run import LaunchFile, LaunchRun

__all__ = ["launch_description", "launch_file", "shared_file"]

Start = Callable[[LaunchRun], Iterable[Action]]


def shared_file(*parts: str, package: str = "legacy_robots_bringup") -> str:
    """Return the path of an installed file of a package, such as config, nao.yaml."""
    return str(Path(get_package_share_directory(package), *parts))


@cache
def launch_file(name: str) -> LaunchFile:
    """Return an installed launch file of this form, such as legacy_robots_bringup/nao.launch.py.

    Raises FileNotFoundError or PackageNotFoundError where it is not installed.
    """
    package, _, file = name.partition("/")
    spec = spec_from_file_location(file, shared_file("launch", file, package=package))
    assert spec is not None, f"{file} does not end with .py"
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(LaunchFile, module)


def launch_description(arguments: Iterable[Argument], start: Start) -> LaunchDescription:
    """Return the launch description of a launch file with these arguments.

    ``start`` is called when their values are known, and returns or yields the actions that start
    everything. Where it raises LaunchError, or a program is not installed, nothing is started.
    """
    scope = _Scope(tuple(arguments), start)
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
                for argument in scope.arguments
            ),
            OpaqueFunction(function=scope.start),
            PopLaunchConfigurations(),
            OpaqueFunction(function=scope.mark),
        ]
    )


class _LeftOver(str):
    """A launch configuration with which one of these files was launched before.

    Its text is there for the file that included that one. Setting it again, as an include does
    with its arguments, makes it an ordinary text.
    """


class _Scope:
    """What happens around and between the declarations of the arguments."""

    def __init__(self, arguments: tuple[Argument, ...], start: Start) -> None:
        self.arguments = arguments
        self._start = start
        self._names = [argument.name for argument in arguments]
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
            check_command_line(Path(inspect.getfile(self._start)).name, self._names, sys.argv)
            run = LaunchRun(self.arguments, self._given, base)
            actions = list(self._start(run))
            if run.get("respawn") and any(isinstance(a, RosNode) and a.system for a in actions):
                watchdog = run.node(package="legacy_robots_common", executable="watchdog")
                actions.append(watchdog)
            for action in actions:
                if isinstance(action, (Program, RosNode)):
                    check_installed(action)
        except LaunchError as error:
            return _ending(context, error)
        self.mark(context)  # for the files that are included among the actions
        return actions

    def mark(self, context: LaunchContext) -> None:
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
