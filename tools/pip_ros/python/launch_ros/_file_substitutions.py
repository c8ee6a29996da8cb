# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The ``$(name arguments)`` substitutions of parameter files and of launch files in XML, YAML."""

from __future__ import annotations

import re
from collections.abc import Callable

from launch._subset import outside_subset
from launch.launch_context import LaunchContext
from launch.substitution import Substitution, SubstitutionFailure
from launch.substitutions.basic import (
    EnvironmentVariable,
    FindExecutable,
    LaunchConfiguration,
    ThisLaunchFile,
    ThisLaunchFileDir,
)

from launch_ros.substitutions import ExecutableInPackage, FindPackagePrefix, FindPackageShare

_INNERMOST = re.compile(r"\$\(\s*([\w-]+)((?:\s[^()]*)?)\)")


def _var(name: str, default: str | None = None) -> Substitution:
    return LaunchConfiguration(name, default=default)


def _env(name: str, default: str | None = None) -> Substitution:
    return EnvironmentVariable(name, default_value=default)


def _find_executable(name: str) -> Substitution:
    return FindExecutable(name=name)


KINDS: dict[str, Callable[..., Substitution]] = {
    "var": _var,
    "env": _env,
    "find-pkg-share": FindPackageShare,
    "find-pkg-prefix": FindPackagePrefix,
    "find-exec": _find_executable,
    "exec-in-pkg": ExecutableInPackage,
    "dirname": ThisLaunchFileDir,
    "filename": ThisLaunchFile,
}


def expand_text(context: LaunchContext, text: str, where: str) -> str:
    """Return `text` with its substitutions expanded, the inner ones first.

    As in the original of Jazzy, those in comments of the YAML text are expanded too.

    Raises:
        SubstitutionFailure: A substitution is unknown, malformed or cannot be performed.

    """

    def expand(match: re.Match[str]) -> str:
        kind, arguments = match[1], match[2].split()
        if kind not in KINDS:
            raise SubstitutionFailure(f"{where}: {outside_subset(f'$({kind} ...)')}")
        try:
            return KINDS[kind](*arguments).perform(context)
        except TypeError:
            raise SubstitutionFailure(f"{where}: wrong arguments in {match[0]!r}") from None

    while _INNERMOST.search(text):
        text = _INNERMOST.sub(expand, text)
    return text
